// SPDX-License-Identifier: Apache-2.0
#include "app/text/error_sentences.h"
#include "app/text/finding_words.h"
#include "tests/support/compare.h"

using namespace trialdeck;

class ErrorSentencesTest : public QObject {
    Q_OBJECT
private slots:
    void everyCodeHasASentenceOfItsOwn() {
        QStringList seen;
#define TRIALDECK_CHECK(name)                                                                                \
    {                                                                                                        \
        const QString sentence = app::text::errorSentence(Error{ErrorCode::name, {}, {}});                   \
        QVERIFY2(sentence.size() > 10 && sentence != QLatin1String(#name), #name);                           \
        QVERIFY2(!seen.contains(sentence), #name);                                                           \
        seen << sentence;                                                                                    \
    }
        TRIALDECK_ERROR_CODES(TRIALDECK_CHECK)
#undef TRIALDECK_CHECK
    }

    void argumentsStandInTheSentenceAndMissingOnesLeaveNoTrace() {
        QCOMPARE(app::text::errorSentence(Error{ErrorCode::unknown_key, {{"key", "trail"}}, {}}),
                 QString("There is no key trail here."));
        QCOMPARE(app::text::errorSentence(Error{ErrorCode::unavailable, {}, {}}),
                 QString("This is not available now."));
    }

    void everyReasonAndKindOfValueHasItsWords() {
        QStringList seen;
        for (int i = 0; i <= static_cast<int>(FindingReason::no_segment); ++i) {
            const auto reason = static_cast<FindingReason>(i);
            const QString sentence = app::text::reasonSentence(reason);
            const std::string name(protocol::nameOf(reason));
            QVERIFY2(sentence.endsWith('.') && !seen.contains(sentence), name.c_str());
            QVERIFY(protocol::findingReasonFromString(name) == reason);
            seen << sentence;
        }
        for (int i = 0; i <= static_cast<int>(ValueKind::map); ++i) {
            const auto kind = static_cast<ValueKind>(i);
            QVERIFY(!app::text::kindPhrase(kind).isEmpty());
            QVERIFY(protocol::valueKindFromString(protocol::nameOf(kind)) == kind);
        }
    }

    void findingsAreSaidInTheUsersWords_data() {
        QTest::addColumn<int>("code");
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("sentence");
        const auto row = [](const char* name, ErrorCode code, const QStringList& arguments,
                            const char* sentence) {
            QTest::newRow(name) << static_cast<int>(code) << arguments << sentence;
        };
        row("kinds", ErrorCode::wrong_value_type, {"expected", "whole_number", "found", "list"},
            "Wanted here: a whole number, not a list.");
        row("name", ErrorCode::bad_name, {"name", "a/b", "reason", "slash"},
            "\"a/b\" cannot be a name here. It contains a slash.");
        row("yaml", ErrorCode::yaml_syntax, {"reason", "tab_in_indentation"},
            "This is not valid YAML. The line is indented with a tab. Use spaces.");
        row("parser", ErrorCode::yaml_syntax, {"reason", "unreadable", "parser", "unknown token"},
            "This is not valid YAML. The parser says: unknown token.");
        row("range", ErrorCode::value_out_of_range, {"value", "0", "min", "1", "max", "9"},
            "0 is out of range. It must be between 1 and 9.");
        row("least", ErrorCode::value_out_of_range, {"value", "0", "min", "1"},
            "0 is out of range. It must be at least 1.");
        row("folder", ErrorCode::storage_not_writable,
            {"path", "/data/x", "folder", "/data", "reason", "no_permission"},
            "Results cannot be stored in /data/x. Nothing may be written in /data. Choose another storage "
            "folder.");
        row("journal", ErrorCode::journal_damaged, {"path", "journal", "reason", "no_segment"},
            "The experiment's journal is damaged. None of its files can be read. Bring the experiment's "
            "folder "
            "back from a copy.");
        row("what the system says", ErrorCode::file_io, {"path", "/x", "reason", "Input/output error"},
            "/x could not be read or written: Input/output error.");
    }
    void findingsAreSaidInTheUsersWords() {
        QFETCH(int, code);
        QFETCH(QStringList, arguments);
        QFETCH(QString, sentence);
        Error error{static_cast<ErrorCode>(code), {}, {}};
        for (qsizetype i = 0; i + 1 < arguments.size(); i += 2)
            error.arguments[arguments[i].toStdString()] = arguments[i + 1].toStdString();
        QCOMPARE(app::text::errorSentence(error), sentence);
    }

    void textFromOutsideIsNeverTakenForAPlaceholder() {
        QCOMPARE(
            app::text::errorSentence(Error{ErrorCode::unknown_placeholder, {{"placeholder", "{lr}"}}, {}}),
            QString("There is no parameter {lr}."));
    }
};

QTEST_APPLESS_MAIN(ErrorSentencesTest)
#include "error_sentences_test.moc"
