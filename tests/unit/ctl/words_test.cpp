// SPDX-License-Identifier: Apache-2.0
#include "core/ctl/words.h"

#include "core/ctl/exit_code.h"
#include "core/ctl/sentences.h"
#include "core/protocol/finding_words.h"
#include "tests/support/compare.h"

#include <QtTest>
#include <cmath>
#include <limits>

using namespace trialdeck;
using namespace trialdeck::ctl;

class WordsTest : public QObject {
    Q_OBJECT
private slots:
    void durations_data() {
        QTest::addColumn<double>("seconds");
        QTest::addColumn<QString>("text");
        QTest::newRow("none") << 0.0 << "0 s";
        QTest::newRow("rounded") << 59.4 << "59 s";
        QTest::newRow("a minute") << 59.6 << "1 m 00 s";
        QTest::newRow("minutes") << 252.0 << "4 m 12 s";
        QTest::newRow("hours") << 7500.0 << "2 h 05 m";
        QTest::newRow("days") << 273600.0 << "3 d 4 h";
        QTest::newRow("clock went back") << -5.0 << "0 s";
    }
    void durations() {
        QFETCH(double, seconds);
        QFETCH(QString, text);
        QCOMPARE(QString::fromStdString(durationText(seconds)), text);
    }

    void numbersHaveFourDigits() {
        const std::vector<std::pair<Value, std::string>> cases = {
            {0.86123, "0.8612"},
            {3.2e-4, "0.00032"},
            {0.0000123456, "1.235e-5"},
            {1.5e20, "1.5e20"},
            {1e-100, "1e-100"},
            {100000.0, "1e5"},
            {-0.5, "-0.5"},
            {int64_t{9007199254740993}, "9007199254740993"},
            {std::numeric_limits<uint64_t>::max(), "18446744073709551615"},
            {std::nan(""), "NaN"},
            {-std::numeric_limits<double>::infinity(), "-Infinity"},
        };
        for (const auto& [value, text] : cases)
            QCOMPARE(numberText(value), text);
        QCOMPARE(valueText("adam"), std::string("adam"));
        QCOMPARE(valueText(Array{1, "x"}), std::string(R"([1,"x"])"));
        QCOMPARE(valueText(nullptr), std::string("null"));
    }

    void everyCodeHasASentenceOfItsOwn() {
        QStringList seen;
#define TRIALDECK_CHECK(name)                                                                                \
    {                                                                                                        \
        const QString sentence = QString::fromStdString(sentenceOf(ErrorCode::name, {}));                    \
        QVERIFY2(sentence.size() > 10, #name);                                                               \
        QVERIFY2(!seen.contains(sentence), #name);                                                           \
        QVERIFY2(!sentence.contains("  ") && !sentence.contains('['), #name);                                \
        QVERIFY2(sentence.back().isLetterOrNumber() || sentence.back() == ':', #name);                       \
        seen << sentence;                                                                                    \
    }
        TRIALDECK_ERROR_CODES(TRIALDECK_CHECK)
#undef TRIALDECK_CHECK
    }

    void everyReasonAndKindOfValueIsSaid() {
        QStringList seen;
        for (int i = 0; i <= static_cast<int>(FindingReason::no_segment); ++i) {
            const auto reason = static_cast<FindingReason>(i);
            const auto name = std::string(protocol::nameOf(reason));
            const QString sentence = QString::fromStdString(sentenceOf(
                ErrorCode::bad_name,
                {{"name", "x"}, {"reason", name}, {"parser", "p"}, {"tag", "!t"}, {"folder", "/f"}}));
            QVERIFY2(!sentence.contains('{') && !seen.contains(sentence), name.c_str());
            QVERIFY2(!sentence.endsWith(QString::fromStdString(": " + name)), name.c_str());
            seen << sentence;
        }
        for (int i = 0; i <= static_cast<int>(ValueKind::map); ++i) {
            const auto kind = std::string(protocol::nameOf(static_cast<ValueKind>(i)));
            const std::string sentence =
                sentenceOf(ErrorCode::wrong_value_type, {{"expected", "list"}, {"found", kind}});
            QVERIFY2(sentence.rfind("a list is wanted here, not ", 0) == 0, sentence.c_str());
            QVERIFY2(sentence.find('_') == std::string::npos, sentence.c_str());
        }
    }

    void sentencesUseWhatIsKnown_data() {
        QTest::addColumn<int>("code");
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("sentence");
        const auto row = [](ErrorCode code, const QStringList& arguments, const char* sentence) {
            QTest::newRow(sentence) << static_cast<int>(code) << arguments << sentence;
        };
        row(ErrorCode::too_large, {"path", "a.yaml", "limit", "1048576"},
            "a.yaml is too large; at most 1048576 bytes are allowed");
        row(ErrorCode::too_large, {"limit", "9", "unit", "values"},
            "this is too large; at most 9 values are allowed");
        row(ErrorCode::file_exists, {"path", "/data/x"}, "/data/x exists already");
        row(ErrorCode::head_did_not_answer, {"output", "no space left", "log", "/home/head.log"},
            "the head did not answer; it printed: no space left; its log is /home/head.log");
        row(ErrorCode::journal_damaged,
            {"path", "journal/000001.jsonl", "line", "7", "offset", "512", "reason", "bad_line"},
            "the experiment's journal is damaged: journal/000001.jsonl, line 7, byte 512: a line of it is no "
            "record");
        row(ErrorCode::unknown_value, {"experiment", "4", "candidates", "4e (a), 4f (b)"},
            "4 may be any of 4e (a), 4f (b)");
        row(ErrorCode::value_out_of_range, {"value", "0", "min", "1", "max", "9"},
            "0 is out of range: it must be between 1 and 9");
        row(ErrorCode::value_out_of_range, {"value", "0.1", "reason", "not_in_space"},
            "0.1 is out of range: the search space does not contain it");
        row(ErrorCode::storage_not_writable, {"path", "/d/x", "folder", "/d", "reason", "no_permission"},
            "results cannot be written to /d/x: nothing may be written in /d");
        row(ErrorCode::not_available_yet, {"value", "max_failures", "effect", "none"},
            "max_failures is not available yet, so it has no effect");
        row(ErrorCode::unknown_placeholder, {"placeholder", "{limit}|[x]"},
            "there is no parameter {limit}|[x] for this placeholder");
        row(ErrorCode::file_not_found, {"path", "a\x1b[2J\nb"}, "there is no file a\\x1b[2J\\nb");
    }
    void sentencesUseWhatIsKnown() {
        QFETCH(int, code);
        QFETCH(QStringList, arguments);
        QFETCH(QString, sentence);
        base::ErrorArguments map;
        for (qsizetype i = 0; i + 1 < arguments.size(); i += 2)
            map[arguments[i].toStdString()] = arguments[i + 1].toStdString();
        QCOMPARE(QString::fromStdString(sentenceOf(static_cast<ErrorCode>(code), map)), sentence);
    }

    void longArgumentsAreCut() {
        const std::string sentence = sentenceOf(ErrorCode::report_metric_missing,
                                                {{"metric", "loss"}, {"found", std::string(9999, 'm')}});
        QVERIFY(sentence.size() < 300);
        QVERIFY(QString::fromStdString(sentence).endsWith("mm…"));
        const std::string printed(900, 'p');
        QVERIFY(sentenceOf(ErrorCode::head_did_not_answer, {{"printed", printed + "head.log"}})
                    .ends_with("head.log"));
    }

    void errorsAreOneSentenceWithCodeAndAdvice() {
        const std::string changed =
            errorText({ErrorCode::host_key_changed, {{"path", "/k"}, {"line", "7"}}, {}});
        QVERIFY2(changed.find("remove line 7 of /k, and try again") != std::string::npos, changed.c_str());
        const std::string bare = errorText({ErrorCode::host_key_changed, {}, {}});
        QVERIFY2(bare.find("remove the old key from known_hosts, and") != std::string::npos, bare.c_str());
        QCOMPARE(
            errorText({ErrorCode::experiment_not_found, {{"experiment", "x"}}, {}}),
            std::string("error: there is no experiment \"x\" [experiment_not_found]; `trialdeckctl ls` lists "
                        "those there are\n"));
        QCOMPARE(errorText({ErrorCode::journal_damaged, {{"path", "000001.jsonl"}}, "read it"}),
                 std::string("error: the experiment's journal is damaged: 000001.jsonl [journal_damaged]: "
                             "read it\n"));
    }

    void problemsNameTheirPlace() {
        protocol::Problem problem;
        problem.path = "search.num_sample";
        problem.line = 9;
        problem.column = 3;
        problem.code = ErrorCode::unknown_key;
        problem.arguments = {{"key", "num_sample"}};
        problem.suggestion = "num_samples";
        QCOMPARE(problemText("a.yaml", problem),
                 std::string("a.yaml:9:3: error: search.num_sample: there is no key num_sample here; try "
                             "num_samples [unknown_key]\n"));
        problem = {};
        problem.severity = protocol::Severity::warning;
        problem.code = ErrorCode::nothing_stops_trials;
        QCOMPARE(problemText("a.yaml", problem),
                 std::string("a.yaml: warning: nothing bounds the number of trials or their length "
                             "[nothing_stops_trials]\n"));
        problem.code = ErrorCode::storage_not_writable;
        QCOMPARE(
            problemText("a.yaml", problem),
            std::string("a.yaml: warning: results cannot be written to the storage folder; choose another "
                        "storage_path [storage_not_writable]\n"));
    }

    void whatOthersWroteCannotSteerTheTerminal() {
        QCOMPARE(visibleText("a\u202eb\u2066c\ufeff"), std::string("a\\u202eb\\u2066c\\ufeff"));
        QCOMPARE(visibleText("\x1b[2J\a\x7f\n\t"), std::string("\\x1b[2J\\x07\\x7f\\n\\t"));
        QCOMPARE(visibleText("\u009b31m"), std::string("\\u009b31m"));
        QCOMPARE(visibleText("\xff\xc3"), std::string("\\xff\\xc3"));
        QCOMPARE(visibleText("实验 é 😀"), std::string("实验 é 😀"));
    }

    void lossIsNamed() {
        protocol::WorkAtRiskResult risk;
        QCOMPARE(lossText(risk), std::string(""));
        risk.runningTrials = 2;
        risk.runningSeconds = 2460;
        risk.lostSeconds = 180;
        QCOMPARE(lossText(risk),
                 std::string("2 trials running for 41 m 00 s would lose 3 m 00 s of work since "
                             "the last checkpoints"));
        risk.runningTrials = 1;
        risk.withoutCheckpoint = {TrialId(0)};
        QCOMPARE(lossText(risk),
                 std::string("1 trial running for 41 m 00 s would lose 3 m 00 s of work: there "
                             "is no checkpoint yet"));
    }

    void exitCodesFollowFromErrors() {
        QCOMPARE(exitCodeOf(ErrorCode::experiment_not_found), ExitCode::not_found);
        QCOMPARE(exitCodeOf(ErrorCode::wrong_state), ExitCode::refused);
        QCOMPARE(exitCodeOf(ErrorCode::head_binary_missing), ExitCode::no_connection);
        QCOMPARE(exitCodeOf(ErrorCode::too_large), ExitCode::bad_input);
        QCOMPARE(exitCodeOf(ErrorCode::file_exists), ExitCode::refused);
        QCOMPARE(exitCodeOf(ErrorCode::disk_full), ExitCode::failed);
    }
};

QTEST_APPLESS_MAIN(WordsTest)
#include "words_test.moc"
