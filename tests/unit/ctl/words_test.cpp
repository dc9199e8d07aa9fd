// SPDX-License-Identifier: Apache-2.0
#include "core/ctl/words.h"

#include "core/ctl/exit_code.h"
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

    void errorsAreOneSentenceWithCodeAndAdvice() {
        QCOMPARE(
            errorText({ErrorCode::experiment_not_found, {{"experiment", "x"}}, {}}),
            std::string("error: there is no experiment x [experiment_not_found]; `trialdeckctl ls` lists "
                        "those there are\n"));
        QCOMPARE(
            errorText({ErrorCode::head_did_not_answer, {{"printed", "no space left"}}, {}}),
            std::string("error: the head did not answer; it printed: no space left [head_did_not_answer]; "
                        "see `trialdeck-head serve` and its log\n"));
        QCOMPARE(errorText({ErrorCode::journal_damaged, {{"file", "000001.jsonl"}}, "read it"}),
                 std::string("error: journal damaged (file 000001.jsonl) [journal_damaged]: read it\n"));
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
                 std::string("a.yaml:9:3: error: search.num_sample: unknown key (key num_sample); try "
                             "num_samples [unknown_key]\n"));
        problem = {};
        problem.severity = protocol::Severity::warning;
        problem.code = ErrorCode::nothing_stops_trials;
        QCOMPARE(problemText("a.yaml", problem),
                 std::string("a.yaml: warning: nothing stops trials [nothing_stops_trials]\n"));
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
        QCOMPARE(exitCodeOf(ErrorCode::disk_full), ExitCode::failed);
    }
};

QTEST_APPLESS_MAIN(WordsTest)
#include "words_test.moc"
