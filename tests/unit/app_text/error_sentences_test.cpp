// SPDX-License-Identifier: Apache-2.0
#include "app/text/error_sentences.h"
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

    void kindsOfValuesAreWords() {
        QCOMPARE(app::text::errorSentence(Error{
                     ErrorCode::wrong_value_type, {{"expected", "whole_number"}, {"found", "text"}}, {}}),
                 QString("Wanted here: a whole number, not text."));
    }

    void textFromOutsideIsNeverTakenForAPlaceholder() {
        QCOMPARE(
            app::text::errorSentence(Error{ErrorCode::unknown_placeholder, {{"placeholder", "{lr}"}}, {}}),
            QString("There is no parameter {lr}."));
    }
};

QTEST_APPLESS_MAIN(ErrorSentencesTest)
#include "error_sentences_test.moc"
