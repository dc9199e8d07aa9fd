// SPDX-License-Identifier: Apache-2.0
#include "core/ctl/trial_texts.h"
#include "tests/support/compare.h"

#include <QtTest>

using namespace trialdeck;

namespace {

/// One trial with an odd configuration, whose newest report lacks the objective.
client::ExperimentMirror oddExperiment() {
    constexpr std::string_view kLines[] = {
        R"("experiment","experiment":"e-1","name":"odd","seed":1,"base_directory":"/","folder":"/data/odd",)"
        R"("planned_trials":1,"head_version":"0.1","single":false)",
        R"("trial","trial":0,"configuration":{"opt":{"lr":0.01},"opt/lr":"literal","a name":"b\n\u001b[2J"},)"
        R"("seed":7,"known":[])",
        R"("attempt","trial":0,"attempt":0,"workers":1,"node":"a","first_iteration":0)",
        R"("report","trial":0,"attempt":0,"rank":0,"iteration":1,"source":"file","end_offset":0,)"
        R"("metrics":{"loss":0.9})",
        R"("warning","trial":0,"error":{"code":"report_not_json","arguments":{"line":"x"},"detail":""})",
        R"("report","trial":0,"attempt":0,"rank":0,"iteration":2,"source":"file","end_offset":0,)"
        R"("metrics":{"grad":0.2})",
    };
    std::string text;
    int number = 0;
    for (const std::string_view line : kLines) {
        ++number;
        text += R"({"n":)" + std::to_string(number) + R"(,"t":"2026-11-30T14:00:00.000Z","kind":)";
        text += line;
        text += "}\n";
    }
    client::ExperimentMirror mirror;
    mirror.setObjective("loss", "min");
    mirror.applyLines(text);
    return mirror;
}

QStringList linesOf(const std::string& text) {
    QStringList lines = QString::fromStdString(text).split('\n');
    for (QString& line : lines)
        line = line.simplified();
    return lines;
}

} // namespace

class TrialTextsTest : public QObject {
    Q_OBJECT
private slots:
    void theBestTrialIsShownThoughItsNewestReportLacksTheMetric() {
        const auto mirror = oddExperiment();
        protocol::ExperimentSummary summary;
        summary.name = "odd";
        summary.metric = "loss";
        summary.plannedTrials = 1;
        QCOMPARE(ctl::headline(mirror, summary),
                 std::string("odd  RUNNING  0/1 trial  best loss 0.9 (trial 0)"));
    }

    void whatTheHeadCouldNotWriteIsShown() {
        const auto mirror = oddExperiment();
        protocol::ExperimentSummary summary;
        summary.name = "odd";
        summary.state = ExperimentState::paused;
        summary.reason = ExperimentReason::disk_full;
        QVERIFY(ctl::headline(mirror, summary).starts_with("odd  RUNNING  "));
        summary.cursor = mirror.cursor();
        QVERIFY(ctl::headline(mirror, summary).starts_with("odd  PAUSED (disk full)  "));
    }

    void tablesKeepEqualNamesApartAndControlCharactersOut() {
        const auto mirror = oddExperiment();
        QCOMPARE(linesOf(ctl::trialTable(mirror, "loss", mirror.trials()[0].created).text()),
                 (QStringList{R"(trial state opt/lr "opt/lr" a name loss grad iteration time)",
                              R"(0 * PENDING 0.01 literal b\n\x1b[2J 0.9 0.2 2 0 s)", ""}));
    }

    void exportedColumnsKeepEqualNamesApart() {
        const auto mirror = oddExperiment();
        const auto lines = linesOf(ctl::trialsCsv(mirror, mirror.trials()[0].created, false));
        QCOMPARE(lines.at(0), QString(R"(trial,state,reason,iteration,seconds,config/opt/lr,)"
                                      R"("config/""opt/lr""",config/a name,loss,grad)"));
        QVERIFY(lines.at(1).contains(",0.01,literal,\"b"));
    }

    void warningsNameTheirTrial() {
        const auto mirror = oddExperiment();
        QCOMPARE(mirror.warnings().size(), size_t{1});
        QCOMPARE(
            ctl::warningLine(mirror.warnings()[0]),
            std::string(
                "warning: trial 0: a report was not valid JSON and was passed over: x [report_not_json]"));
    }
};

QTEST_APPLESS_MAIN(TrialTextsTest)
#include "trial_texts_test.moc"
