// SPDX-License-Identifier: Apache-2.0
// What becomes of the lines that workers report.
#include "tests/unit/tuner/tuner_bench.h"

using namespace trialdeck;
using namespace trialdeck::tests;

namespace {

Act prints(std::string line, int after = 10) {
    return {Act::Kind::print, std::chrono::milliseconds(after), std::move(line), 0};
}

std::vector<Act> thenExits(std::vector<std::string> lines) {
    std::vector<Act> acts;
    for (std::string& line : lines)
        acts.push_back(reports(std::move(line), 10));
    acts.push_back(exits());
    return acts;
}

Lines storyOf(std::vector<Act> acts, const Lines& words) {
    TunerBench bench(gridSpec({0.5}));
    bench.model = does(std::move(acts));
    bench.begin();
    if (!bench.run())
        return {"did not finish"};
    return bench.story(words);
}

} // namespace

class ReportsTest : public QObject {
    Q_OBJECT
private slots:
    void iterationsAreCountedWhereNobodyNamesThem() {
        QCOMPARE(
            storyOf(thenExits({R"({"loss":3})", R"({"loss":2,"training_iteration":5})", R"({"loss":1})"}),
                    {"report"}),
            (Lines{"report 0/0 #1 loss=3", "report 0/0 #5 loss=2", "report 0/0 #6 loss=1"}));
    }

    void anIterationThatComesAgainIsKeptAndDecidesNothing() {
        auto spec = gridSpec({0.5});
        spec->stop = {{"loss", model::Comparison::le, 0}};
        TunerBench bench(spec);
        bench.model =
            does(thenExits({R"({"loss":3,"training_iteration":2})", R"({"loss":-1,"training_iteration":2})",
                            R"({"loss":-1,"training_iteration":1})", R"({"loss":4})"}));
        bench.begin();
        QVERIFY(bench.run());
        QCOMPARE(bench.story({"report", "warning", "state"}),
                 (Lines{"state 0 RUNNING none", "report 0/0 #2 loss=3", "report 0/0 #2 loss=-1 repeated",
                        "warning 0 report_repeated_iteration", "report 0/0 #1 loss=-1 repeated",
                        "report 0/0 #3 loss=4", "warning 0 report_repeated_iteration x2",
                        "state 0 TERMINATED completed"}));
        QCOMPARE(bench.tuner().summary().bestValue, std::optional(4.0));
    }

    void whatIsNoReportIsRefusedByName() {
        QCOMPARE(
            storyOf(thenExits({"{", "[1]", "", "  ", R"({"loss":1})", std::string("{\"a\":\"\xff\"}")}),
                    {"report", "warning", "state"}),
            (Lines{"state 0 RUNNING none", "warning 0 report_not_json", "warning 0 report_not_object",
                   "report 0/0 #1 loss=1", "warning 0 report_bad_utf8", "state 0 TERMINATED completed"}));
    }

    void aFloodOfBadLinesIsATrickleOfWarnings() {
        TunerBench bench(gridSpec({0.5}));
        bench.model = does(thenExits(std::vector<std::string>(1234, "rubbish")));
        bench.begin();
        QVERIFY(bench.run());
        QCOMPARE(bench.story({"warning"}),
                 (Lines{"warning 0 report_not_json", "warning 0 report_not_json x10",
                        "warning 0 report_not_json x100", "warning 0 report_not_json x1000",
                        "warning 0 report_not_json x1234", "warning 0 no_report"}));
    }

    void linesThatWereReadAreNotCountedTwiceAfterADeath() {
        TunerBench bench(gridSpec({0.5}));
        bench.model = does(thenExits(std::vector<std::string>(25, "rubbish")));
        bench.begin();
        bench.runFor(std::chrono::milliseconds(155));
        bench.restart();
        QVERIFY(bench.run());
        QCOMPARE(bench.story({"warning"}).back(), std::string("warning 0 no_report"));
        QVERIFY(bench.story({"warning"}).at(2).ends_with("x25"));
    }

    void oddButReadableNumbersAreTakenWithANote() {
        QCOMPARE(storyOf(thenExits({R"({"loss":nan})", R"({"loss":-Inf})"}), {"report", "warning"}),
                 (Lines{"report 0/0 #1 loss=NaN", "warning 0 report_odd_number",
                        "report 0/0 #2 loss=-Infinity", "warning 0 report_odd_number x2"}));
    }

    void numbersAsTextCountInAColumnOfNumbers() {
        QCOMPARE(storyOf(thenExits({R"({"loss":"nan","grad":"nan"})", R"({"loss":1,"grad":0.5})",
                                    R"({"loss":2,"grad":"-inf","note":"nan"})"}),
                         {"report", "warning"}),
                 (Lines{"report 0/0 #1 loss=NaN grad=nan", "warning 0 report_odd_number",
                        "report 0/0 #2 loss=1 grad=0.5", "report 0/0 #3 loss=2 grad=-Infinity note=nan",
                        "warning 0 report_odd_number x2"}));
    }

    void zeroBytesThatNobodyFilledAreNamed() {
        TunerBench bench(gridSpec({0.5}));
        bench.model = does(thenExits({R"({"loss":1})", std::string(512, '\0')}));
        bench.begin();
        QVERIFY(bench.run());
        QCOMPARE(bench.story({"report", "warning"}),
                 (Lines{"report 0/0 #1 loss=1", "warning 0 report_not_json"}));
    }

    void theLastLineNeedsNoNewline() {
        QCOMPARE(storyOf({{Act::Kind::rawReport, std::chrono::milliseconds(10), R"({"loss":1})", 0}, exits()},
                         {"report"}),
                 (Lines{"report 0/0 #1 loss=1"}));
    }

    void aTruncatedLastLineIsRefused() {
        QCOMPARE(storyOf({reports(R"({"loss":1})"),
                          {Act::Kind::rawReport, std::chrono::milliseconds(10), R"({"loss":)", 0},
                          exits()},
                         {"report", "warning"}),
                 (Lines{"report 0/0 #1 loss=1", "warning 0 report_not_json"}));
    }

    void otherRanksReportsAreKeptAndDecideNothing() {
        auto spec = gridSpec({0.5});
        spec->trial.numWorkers = {2, 2};
        spec->stop = {{"loss", model::Comparison::le, 0}};
        TunerBench bench(spec);
        bench.model = [](const engine::AttemptRequest&, uint32_t rank) {
            if (rank == 1)
                return Script{{reports(R"({"loss":-1})", 50), reports(R"({"loss":-2})"), exits()}};
            return Script{{reports(R"({"loss":1})"), exits(0, 200)}};
        };
        bench.begin();
        QVERIFY(bench.run());
        QCOMPARE(
            bench.story({"report", "decision"}),
            (Lines{"report 0/0 rank 1 #1 loss=-1", "report 0/0 #1 loss=1", "report 0/0 rank 1 #2 loss=-2"}));
        QCOMPARE(bench.tuner().summary().bestValue, std::optional(1.0));
    }

    void outputLinesThatMatchThePatternAreReports() {
        auto spec = gridSpec({0.5});
        spec->trial.report.stdoutPattern = R"(step (?<training_iteration>\d+) loss (?<loss>\S+))";
        TunerBench bench(spec);
        bench.model =
            does({prints("hello"), prints("step 3 loss 0.5, ok"), prints("step 4 loss nan"), exits()});
        bench.begin();
        bench.runFor(std::chrono::milliseconds(25));
        bench.restart();
        QVERIFY(bench.run());
        QCOMPARE(bench.story({"report"}), (Lines{"report 0/0 #3 loss=0.5", "report 0/0 #4 loss=NaN"}));
    }

    void everyReportIsThereOnceWhereverDaemonsDie() {
        TunerBench bench(gridSpec({0.5}));
        bench.model = trains(bench.files, {.iterations = 50});
        bench.begin();
        for (int life = 0; life < 9; ++life) {
            bench.runFor(std::chrono::milliseconds(490));
            bench.kill();
            // Workers go on while there is no daemon.
            bench.runFor(std::chrono::milliseconds(70));
            bench.restart();
        }
        QVERIFY(bench.run());
        const Lines lines = bench.story({"report"});
        QCOMPARE(lines.size(), size_t{50});
        for (size_t i = 0; i < lines.size(); ++i)
            QVERIFY(lines[i].starts_with("report 0/0 #" + std::to_string(i + 1) + " "));
    }

    void silenceOfAProgramThatPrintsNothingIsSaid() {
        TunerBench bench(gridSpec({0.5}));
        bench.model = does({exits(0, 1000)});
        bench.begin();
        bench.runFor(std::chrono::milliseconds(50));
        bench.engine().tellNoOutput(bench.machine().started().front().key);
        QVERIFY(bench.run());
        QCOMPARE(bench.story({"warning"}), (Lines{"warning 0 no_output_yet", "warning 0 no_report"}));
    }
};

QTEST_APPLESS_MAIN(ReportsTest)
#include "reports_test.moc"
