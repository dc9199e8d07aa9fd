// SPDX-License-Identifier: Apache-2.0
#include "core/client/experiment_mirror.h"

#include "core/base/json.h"
#include "tests/support/compare.h"

#include <QtTest>
#include <limits>

using namespace trialdeck;
using namespace trialdeck::client;
using namespace std::chrono_literals;
using protocol::Cursor;

namespace {

/// Writes a journal by hand: each line gets the next number, and a time one second later.
class Journal {
public:
    Journal& operator<<(const std::string& fields) {
        ++m_number;
        const std::string seconds = (m_number % 60 < 10 ? "0" : "") + std::to_string(m_number % 60);
        m_lines += R"({"n":)" + std::to_string(m_number) + R"(,"t":"2026-11-30T14:0)" +
                   std::to_string(m_number / 60) + ":" + seconds + R"(.000Z","kind":)" + fields + "}\n";
        return *this;
    }
    Journal& experiment() {
        return *this << R"("experiment","experiment":"e-1","name":"lr-sweep","seed":1,"base_directory":"/",)"
                        R"("folder":"/data/lr-sweep","planned_trials":2,"head_version":"0.1","single":false)";
    }
    Journal& trial(int id) {
        return *this << R"("trial","trial":)" + std::to_string(id) + R"(,"configuration":{"lr":0.)" +
                            std::to_string(id + 1) + R"(},"seed":)" + std::to_string(id + 100) +
                            R"(,"known":[])";
    }
    Journal& attempt(int trial, int number = 0, const std::string& more = "") {
        return *this << R"("attempt","trial":)" + std::to_string(trial) + R"(,"attempt":)" +
                            std::to_string(number) + R"(,"workers":1,"node":"node-a","first_iteration":)" +
                            (more.empty() ? "0" : more);
    }
    /// The attempt before its workers run; attempt() with the same number tells of it again.
    Journal& planned(int trial, int number) {
        return *this << R"("attempt","trial":)" + std::to_string(trial) + R"(,"attempt":)" +
                            std::to_string(number) + R"(,"workers":1,"node":"","first_iteration":0)";
    }
    /// Of attempt 0, with so many files of 10 bytes.
    Journal& checkpoint(int trial, int index, int files) {
        std::string entries;
        for (int i = 0; i < files; ++i)
            entries += std::string(i > 0 ? "," : "") + R"({"path":")" + std::to_string(i) +
                       R"(","bytes":10,"sha256":""})";
        return *this << R"("checkpoint","trial":)" + std::to_string(trial) + R"(,"attempt":0,"index":)" +
                            std::to_string(index) + R"(,"iteration":1,"files":[)" + entries + "]";
    }
    Journal& state(int trial, const std::string& state, const std::string& reason,
                   const std::string& more = "") {
        return *this << "\"trial_state\",\"trial\":" + std::to_string(trial) + ",\"state\":\"" + state +
                            "\",\"reason\":\"" + reason + "\"" + more;
    }
    Journal& report(int trial, int iteration, const std::string& metrics, int attempt = 0,
                    const std::string& more = "") {
        return *this << R"("report","trial":)" + std::to_string(trial) + R"(,"attempt":)" +
                            std::to_string(attempt) + R"(,"rank":0,"iteration":)" +
                            std::to_string(iteration) + R"(,"source":"file","end_offset":0)" + more +
                            R"(,"metrics":{)" + metrics + "}";
    }
    [[nodiscard]] int number() const { return m_number; }
    /// The lines since the last call, as the head would send them.
    protocol::RecordsEvent take(uint32_t epoch = 1) {
        protocol::RecordsEvent event;
        event.epoch = Epoch(epoch);
        event.first = RecordNumber(static_cast<uint64_t>(m_taken + 1));
        event.last = RecordNumber(static_cast<uint64_t>(m_number));
        event.lines.data = std::exchange(m_lines, {});
        m_taken = m_number;
        return event;
    }
    /// Goes on behind an earlier record, as after a crash.
    void goBackTo(int number) { m_number = m_taken = number; }

private:
    int m_number = 0;
    int m_taken = 0;
    std::string m_lines;
};

std::string curveText(const Curve* curve) {
    std::string all;
    for (const Point& point : curve ? curve->points : std::vector<Point>()) {
        std::string value;
        base::appendJsonNumber(value, point.value);
        all += (all.empty() ? "" : " ") + std::to_string(point.iteration) + ":" + value;
    }
    return all;
}

std::string curve(const ExperimentMirror& mirror, uint32_t trial, std::string_view metric) {
    const auto id = mirror.metric(metric);
    const Reports* reports = mirror.trials().at(trial).reports();
    return id && reports ? curveText(reports->curve(*id)) : "";
}

std::string last(const ExperimentMirror& mirror, uint32_t trial) {
    return base::toJson(mirror.trials().at(trial).reports()->last);
}

std::string told(const MirrorChanges& changes) {
    std::string all;
    const auto add = [&all](const std::string& word) { all += (all.empty() ? "" : ", ") + word; };
    if (changes.experiment)
        add("experiment");
    if (changes.warnings)
        add("warnings");
    if (changes.metrics)
        add("metrics");
    if (changes.best)
        add("best");
    add("before " + std::to_string(changes.trialsBefore));
    for (const auto& range : changes.trials)
        add("trials " + std::to_string(range.first) + "+" + std::to_string(range.count));
    for (const auto& points : changes.points)
        add("points " + std::to_string(points.trial.raw()) + "/" + std::to_string(points.metric.raw()) +
            " from " + std::to_string(points.first));
    return all;
}

} // namespace

class ExperimentMirrorTest : public QObject {
    Q_OBJECT
private slots:
    void foldsARunIntoTrialsAndCurves() {
        Journal journal;
        journal.experiment().trial(0).trial(1).attempt(0);
        journal.state(0, "RUNNING", "none");
        journal.report(0, 1, R"("loss":0.5,"accuracy":0.8)").report(0, 2, R"("loss":0.4,"accuracy":0.9)");
        ExperimentMirror mirror;
        mirror.apply(journal.take());
        QCOMPARE(mirror.experiment()->name, std::string("lr-sweep"));
        QCOMPARE(mirror.trials().size(), size_t{2});
        QCOMPARE(curve(mirror, 0, "loss"), std::string("1:0.5 2:0.4"));
        QCOMPARE(curve(mirror, 0, "accuracy"), std::string("1:0.8 2:0.9"));
        const MirroredTrial& trial = mirror.trials()[0];
        QCOMPARE(trial.state(), TrialState::running);
        QCOMPARE(trial.iteration().value(), int64_t{2});
        QCOMPARE(base::toJson(trial.configuration), std::string(R"({"lr":0.1})"));
        QCOMPARE(trial.seed, uint64_t{100});
        QCOMPARE(trial.newestAttempt()->start.node, std::string("node-a"));
        QCOMPARE(mirror.trials()[1].state(), TrialState::pending);
        QVERIFY(!mirror.trials()[1].iteration());
        QCOMPARE(mirror.cursor(), (Cursor{Epoch(1), RecordNumber(7)}));
    }

    void theWayLinesAreCutMakesNoDifference() {
        Journal journal;
        journal.experiment().trial(0).attempt(0);
        for (int i = 1; i < 20; ++i)
            journal.report(0, i, R"("loss":)" + std::to_string(i) + ".5");
        const std::string lines = journal.take().lines.data;
        ExperimentMirror whole;
        whole.applyLines(lines);
        ExperimentMirror one;
        for (size_t at = 0; at < lines.size(); at = lines.find('\n', at) + 1)
            one.applyLines(std::string_view(lines).substr(at, lines.find('\n', at) + 1 - at));
        QCOMPARE(curve(one, 0, "loss"), curve(whole, 0, "loss"));
        whole.applyLines(lines);
        QCOMPARE(curve(one, 0, "loss"), curve(whole, 0, "loss"));
    }

    void endsAndErrorsBelongToTheirAttempt() {
        Journal journal;
        journal.experiment().trial(0).attempt(0);
        journal
            << R"("worker_end","trial":0,"attempt":0,"rank":0,"signal":9,"cause":{"code":"worker_signal",)"
               R"("arguments":{"signal":"9"},"detail":""},"stopped_by_us":false,"peak_memory_bytes":1024,)"
               R"("seconds":1.5,"log_tail":"Killed")";
        journal.state(0, "ERROR", "signal",
                      R"(,"error":{"code":"worker_signal","arguments":{},"detail":"x"})");
        ExperimentMirror mirror;
        mirror.apply(journal.take());
        const MirroredTrial& trial = mirror.trials()[0];
        QCOMPARE(trial.state(), TrialState::error);
        QCOMPARE(trial.reason(), TrialReason::signal);
        QCOMPARE(trial.error()->code, ErrorCode::worker_signal);
        QCOMPARE(trial.attempts[0].ends[0].end.logTail, std::string("Killed"));
        QCOMPARE(trial.runningTime(base::WallTime(0ms)), std::chrono::milliseconds(1000));
    }

    void numbersKeepWhatTheyAre() {
        Journal journal;
        journal.experiment().trial(0).attempt(0);
        journal.report(0, 1, R"("steps":9007199254740993,"loss":NaN,"top":Infinity,"tag":"a","ok":true)");
        ExperimentMirror mirror;
        mirror.apply(journal.take());
        QCOMPARE(last(mirror, 0),
                 std::string(R"({"steps":9007199254740993,"loss":NaN,"top":Infinity,"tag":"a","ok":true})"));
        QCOMPARE(curve(mirror, 0, "loss"), std::string("1:NaN"));
        QCOMPARE(curve(mirror, 0, "top"), std::string("1:Infinity"));
        QCOMPARE(mirror.metrics().size(), size_t{3});
    }

    void repeatedSupersededAndOtherRanksStayOutOfTheCurve() {
        Journal journal;
        journal.experiment().trial(0).attempt(0).report(0, 1, R"("loss":0.5)");
        journal.report(0, 1, R"("loss":9.0)", 0, R"(,"repeated":true)");
        journal.attempt(0, 1).report(0, 1, R"("loss":0.7)", 1);
        journal.report(0, 2, R"("loss":9.0)", 0, R"(,"superseded":true)");
        journal << R"("report","trial":0,"attempt":1,"rank":2,"iteration":5,"source":"file","end_offset":0,)"
                   R"("metrics":{"loss":8.0})";
        ExperimentMirror mirror;
        mirror.apply(journal.take());
        QCOMPARE(curve(mirror, 0, "loss"), std::string("1:0.7"));
        const MirroredTrial& trial = mirror.trials()[0];
        QCOMPARE(trial.attempts[0].reports.repeated, uint64_t{1});
        QCOMPARE(trial.attempts[0].reports.superseded, uint64_t{1});
        QCOMPARE(trial.attempts[1].otherRanks.at(0).rank, uint32_t{2});
        QCOMPARE(base::toJson(trial.attempts[1].otherRanks.at(0).metrics), std::string(R"({"loss":8.0})"));
        QCOMPARE(last(mirror, 0), std::string(R"({"loss":0.7})"));
    }

    void aResumedAttemptGoesOnFromItsCheckpoint() {
        Journal journal;
        journal.experiment().trial(0).attempt(0);
        for (int i = 1; i <= 4; ++i)
            journal.report(0, i, R"("loss":0.)" + std::to_string(9 - i));
        journal << R"("checkpoint","trial":0,"attempt":0,"index":0,"iteration":2,"files":[)"
                   R"({"path":"a","bytes":10,"sha256":""},{"path":"b","bytes":5,"sha256":""}])";
        journal.attempt(0, 1, R"(2,"resume_from":0)");
        ExperimentMirror mirror;
        mirror.apply(journal.take());
        QCOMPARE(curve(mirror, 0, "loss"), std::string("1:0.8 2:0.7"));
        QCOMPARE(mirror.trials()[0].iteration().value(), int64_t{2});
        QCOMPARE(mirror.trials()[0].checkpoints.at(0).bytes, uint64_t{15});
        journal.report(0, 3, R"("loss":0.25)", 1);
        mirror.apply(journal.take());
        QCOMPARE(curve(mirror, 0, "loss"), std::string("1:0.8 2:0.7 3:0.25"));
    }

    void anAttemptFromScratchStartsAnEmptyCurve() {
        Journal journal;
        journal.experiment().trial(0).attempt(0).report(0, 1, R"("loss":0.5)").attempt(0, 1);
        ExperimentMirror mirror;
        mirror.apply(journal.take());
        QCOMPARE(curve(mirror, 0, "loss"), std::string(""));
        QVERIFY(!mirror.newestValue(mirror.trials()[0], "loss"));
    }

    void anAttemptThatIsToldAgainWhenItRunsIsOne() {
        Journal journal;
        journal.experiment().trial(0).planned(0, 0).report(0, 1, R"("loss":0.5)");
        journal.attempt(0, 0, R"(0,"master_port":4711)").report(0, 2, R"("loss":0.4)");
        ExperimentMirror mirror;
        mirror.apply(journal.take());
        const MirroredTrial& trial = mirror.trials()[0];
        QCOMPARE(trial.attempts.size(), size_t{1});
        QCOMPARE(trial.attempts[0].start.node, std::string("node-a"));
        QCOMPARE(trial.attempts[0].start.masterPort.value(), 4711);
        QCOMPARE(curve(mirror, 0, "loss"), std::string("1:0.5 2:0.4"));
    }

    void aCheckpointThatGrowsIsOne() {
        Journal journal;
        journal.experiment().trial(0).attempt(0).checkpoint(0, 0, 2).checkpoint(0, 1, 1).checkpoint(0, 0, 5);
        ExperimentMirror mirror;
        mirror.apply(journal.take());
        const auto& checkpoints = mirror.trials()[0].checkpoints;
        QCOMPARE(checkpoints.size(), size_t{2});
        QCOMPARE(checkpoints[0].files, size_t{5});
        QCOMPARE(checkpoints[0].bytes, uint64_t{50});
        QCOMPARE(checkpoints[1].files, size_t{1});
    }

    void aReportWithoutAMetricLeavesItsNewestValue() {
        Journal journal;
        journal.experiment().trial(0).attempt(0);
        journal.report(0, 1, R"("loss":0.9,"n":7)").report(0, 2, R"("loss":null,"lr":0.1)").report(0, 3, "");
        ExperimentMirror mirror;
        mirror.setObjective("loss", "min");
        mirror.apply(journal.take());
        QCOMPARE(mirror.best().value(), TrialId(0));
        const MirroredTrial& trial = mirror.trials()[0];
        QCOMPARE(mirror.newestValue(trial, "loss").value(), Value(0.9));
        QCOMPARE(mirror.newestValue(trial, "n").value(), Value(7));
        QCOMPARE(mirror.newestValue(trial, "lr").value(), Value(0.1));
        QVERIFY(!mirror.newestValue(trial, "accuracy"));
    }

    void bestTrial_data() {
        QTest::addColumn<QString>("mode");
        QTest::addColumn<QStringList>("values");
        QTest::addColumn<int>("best");
        QTest::newRow("smallest") << "min" << QStringList{"0.5", "0.3", "0.4"} << 1;
        QTest::newRow("largest") << "max" << QStringList{"0.5", "0.3", "0.9"} << 2;
        QTest::newRow("NaN never wins") << "min" << QStringList{"NaN", "0.3", "NaN"} << 1;
        QTest::newRow("NaN first") << "max" << QStringList{"NaN", "-Infinity"} << 1;
        QTest::newRow("all NaN") << "max" << QStringList{"NaN", "NaN"} << -1;
        QTest::newRow("infinity counts") << "max" << QStringList{"1.0", "Infinity"} << 1;
        QTest::newRow("the earlier wins a draw") << "min" << QStringList{"0.5", "0.5"} << 0;
        QTest::newRow("whole numbers") << "max" << QStringList{"3", "10"} << 1;
        QTest::newRow("without reports") << "max" << QStringList{} << -1;
    }
    void bestTrial() {
        QFETCH(QString, mode);
        QFETCH(QStringList, values);
        QFETCH(int, best);
        Journal journal;
        journal.experiment();
        for (int i = 0; i < values.size(); ++i)
            journal.trial(i).attempt(i).report(i, 1, R"("score":)" + values[i].toStdString());
        ExperimentMirror mirror;
        mirror.setObjective("score", mode.toStdString());
        mirror.apply(journal.take());
        QCOMPARE(mirror.best() ? static_cast<int>(mirror.best()->raw()) : -1, best);
    }

    void bestFollowsTheNewestReportOfTheNewestAttempt() {
        Journal journal;
        journal.experiment().trial(0).attempt(0).trial(1).attempt(1);
        journal.report(0, 1, R"("score":0.9)").report(1, 1, R"("score":0.5)");
        ExperimentMirror mirror;
        mirror.setObjective("score", "max");
        mirror.apply(journal.take());
        QCOMPARE(mirror.best().value(), TrialId(0));
        mirror.apply(journal.report(0, 2, R"("score":0.1)").take());
        QCOMPARE(mirror.best().value(), TrialId(1));
        mirror.apply(journal.attempt(1, 1).take());
        QCOMPARE(mirror.best().value(), TrialId(0));
        mirror.setObjective("", "");
        QVERIFY(!mirror.best());
    }

    void bestByScope_data() {
        QTest::addColumn<QString>("scope");
        QTest::addColumn<int>("trial");
        QTest::addColumn<double>("value");
        QTest::newRow("last") << "last" << 2 << 0.4;
        QTest::newRow("all") << "all" << 1 << 0.1;
        QTest::newRow("best, as all") << "best" << 1 << 0.1;
        QTest::newRow("avg, none over NaN") << "avg" << 0 << 0.6;
        QTest::newRow("avg of the last five, none over NaN") << "last-5-avg" << 2 << 0.4;
        QTest::newRow("avg of the last ten") << "last-10-avg" << 0 << 0.6;
    }
    void bestByScope() {
        QFETCH(QString, scope);
        QFETCH(int, trial);
        QFETCH(double, value);
        Journal journal;
        journal.experiment().trial(0).attempt(0).trial(1).attempt(1).trial(2).attempt(2);
        journal.report(0, 1, R"("loss":0.7)").report(0, 2, R"("loss":0.5)");
        journal.report(1, 1, R"("loss":0.1)").report(1, 2, R"("loss":NaN)");
        journal.report(2, 1, R"("loss":9)");
        for (int i = 2; i <= 6; ++i)
            journal.report(2, i, R"("loss":0.4)");
        ExperimentMirror mirror;
        mirror.setObjective("loss", "min");
        mirror.apply(journal.take());
        const auto best = mirror.best(bestScopeFromString(scope.toStdString()).value());
        QCOMPARE(static_cast<int>(best->trial.raw()), trial);
        QCOMPARE(best->value, value);
        QVERIFY(mirror.hasDiverged(mirror.trials()[1]));
        QVERIFY(!mirror.hasDiverged(mirror.trials()[2]));
    }

    void changesAreToldInRangesAndOnce() {
        Journal journal;
        ExperimentMirror mirror;
        mirror.setObjective("loss", "min");
        for (int i = 0; i < 4; ++i)
            (i == 0 ? journal.experiment() : journal).trial(i).attempt(i);
        mirror.apply(journal.take());
        QCOMPARE(told(mirror.takeChanges()), std::string("experiment, before 0, trials 0+4"));
        QVERIFY(mirror.takeChanges().empty());
        mirror.apply(journal.report(3, 1, R"("loss":0.5)").report(1, 1, R"("loss":0.6,"acc":0.1)").take());
        QCOMPARE(told(mirror.takeChanges()),
                 std::string("metrics, best, before 4, trials 1+1, trials 3+1, points 1/0 from 0, "
                             "points 1/1 from 0, points 3/0 from 0"));
        mirror.apply(journal.report(3, 2, R"("loss":0.4)").report(3, 3, R"("loss":0.3)").take());
        QCOMPARE(told(mirror.takeChanges()), std::string("before 4, trials 3+1, points 3/0 from 1"));
        mirror.apply(journal.attempt(3, 1).take());
        QCOMPARE(told(mirror.takeChanges()), std::string("best, before 4, trials 3+1, points 3/0 from 0"));
        journal << R"("warning","error":{"code":"no_effect","arguments":{},"detail":""})";
        journal << R"("heartbeat")";
        mirror.apply(journal.take());
        QCOMPARE(told(mirror.takeChanges()), std::string("warnings, before 4"));
        journal << R"("experiment_state","state":"PAUSED","reason":"user")";
        mirror.apply(journal.take());
        QCOMPARE(told(mirror.takeChanges()), std::string("experiment, before 4"));
        QCOMPARE(mirror.state(), ExperimentState::paused);
        QCOMPARE(mirror.reason(), ExperimentReason::user);
    }

    /// Whatever record a crash takes the journal back to, the mirror is as if the rest had never come.
    void aRollbackIsAsIfTheRestHadNeverBeen() {
        Journal journal;
        journal.experiment().trial(0).planned(0, 0).state(0, "RUNNING", "none");
        journal.report(0, 1, R"("loss":0.5,"n":1)").attempt(0, 0, R"(0,"master_port":4711)");
        journal.report(0, 2, R"("loss":0.4,"n":2)").trial(1);
        journal.checkpoint(0, 0, 1).checkpoint(0, 0, 3).checkpoint(0, 0, 5);
        journal << R"("warning","trial":0,"error":{"code":"no_effect","arguments":{},"detail":""})";
        journal << R"("worker_end","trial":0,"attempt":0,"rank":0,"exit_code":1,"stopped_by_us":false,)"
                   R"("peak_memory_bytes":0,"seconds":0.0,"log_tail":"")";
        journal.attempt(0, 1, R"(1,"resume_from":0)").report(0, 2, R"("loss":0.3,"n":3)", 1);
        journal << R"("checkpoint_removed","trial":0,"index":0)";
        journal.state(0, "TERMINATED", "completed");
        journal << R"("experiment_state","state":"COMPLETED","reason":"none")";
        const std::string lines = journal.take().lines.data;
        std::vector<size_t> starts{0};
        for (size_t at = 0; (at = lines.find('\n', at) + 1) != 0;)
            starts.push_back(at);
        for (size_t kept = 0; kept < starts.size(); ++kept) {
            ExperimentMirror straight;
            straight.setObjective("loss", "min");
            straight.applyLines(lines.substr(0, starts[kept]));
            ExperimentMirror rolledBack;
            rolledBack.setObjective("loss", "min");
            rolledBack.applyLines(lines);
            rolledBack.rollBack(Cursor{Epoch(1), RecordNumber(kept)});
            QCOMPARE(summaryOf(rolledBack), summaryOf(straight));
            rolledBack.applyLines(lines.substr(starts[kept]));
            straight.applyLines(lines.substr(starts[kept]));
            QCOMPARE(summaryOf(rolledBack), summaryOf(straight));
        }
    }

    void aRollbackTellsWhatIsShorter() {
        Journal journal;
        journal.experiment().trial(0).attempt(0).report(0, 1, R"("loss":0.5)");
        const int kept = journal.number();
        journal.report(0, 2, R"("loss":0.4)").trial(1).attempt(1).report(1, 1, R"("loss":0.1)");
        ExperimentMirror mirror;
        mirror.apply(journal.take());
        (void)mirror.takeChanges();
        mirror.rollBack(Cursor{Epoch(1), RecordNumber(static_cast<uint64_t>(kept))});
        QCOMPARE(told(mirror.takeChanges()),
                 std::string("experiment, warnings, before 2, trials 0+1, points 0/0 from 0"));
        QCOMPARE(mirror.trials().size(), size_t{1});
        journal.goBackTo(kept);
        mirror.apply(journal.trial(1).attempt(1).report(1, 1, R"("loss":0.2)").take(2));
        QCOMPARE(told(mirror.takeChanges()), std::string("before 1, trials 1+1, points 1/0 from 0"));
        QCOMPARE(mirror.cursor(), (Cursor{Epoch(2), RecordNumber(7)}));
    }

    void trialsLostAndMadeAnewBetweenTwoLooksAreNew() {
        Journal journal;
        journal.experiment();
        const int kept = journal.number();
        journal.trial(0).attempt(0).report(0, 1, R"("loss":0.1)");
        ExperimentMirror mirror;
        mirror.apply(journal.take());
        (void)mirror.takeChanges();
        mirror.rollBack(Cursor{Epoch(1), RecordNumber(static_cast<uint64_t>(kept))});
        journal.goBackTo(kept);
        mirror.apply(journal.trial(0).take(2));
        QCOMPARE(told(mirror.takeChanges()),
                 std::string("experiment, warnings, before 1, trials 0+1, points 0/0 from 0"));
    }

    void damagedAndStrangeLinesEndNothing() {
        Journal journal;
        journal.experiment().trial(0).attempt(0);
        journal << R"("of the future","x":1)";
        journal.trial(4'000'000).report(9, 1, R"("loss":0.5)").report(0, 1, R"("loss":0.5)", 7);
        ExperimentMirror mirror;
        mirror.applyLines("{torn\n");
        mirror.apply(journal.take());
        QCOMPARE(mirror.trials().size(), size_t{1});
        QCOMPARE(mirror.unreadableLines(), uint64_t{1});
        QVERIFY(!mirror.metric("loss"));
    }

private:
    static QString summaryOf(const ExperimentMirror& mirror) {
        QString text = QString("%1 %2 %3 warnings %4 best %5\n")
                           .arg(mirror.experiment() ? "there" : "not there")
                           .arg(nameOf(mirror.state()).data())
                           .arg(mirror.cursor().number.raw())
                           .arg(mirror.warnings().size())
                           .arg(mirror.best() ? int(mirror.best()->raw()) : -1);
        for (const MirroredTrial& trial : mirror.trials()) {
            text += QString("%1 %2 %3 it %4")
                        .arg(trial.id.raw())
                        .arg(nameOf(trial.state()).data())
                        .arg(nameOf(trial.reason()).data())
                        .arg(trial.iteration().value_or(-1));
            for (const MirroredCheckpoint& checkpoint : trial.checkpoints)
                text += QString(" checkpoint %1 %2 bytes in %3%4")
                            .arg(checkpoint.index.raw())
                            .arg(checkpoint.bytes)
                            .arg(checkpoint.files)
                            .arg(checkpoint.removed ? "-" : "");
            for (const Attempt& attempt : trial.attempts) {
                text += QString(" | %1 on %2:%3 ends %4 last %5 rows %6")
                            .arg(attempt.start.attempt.raw())
                            .arg(attempt.start.node.c_str())
                            .arg(attempt.start.masterPort.value_or(0))
                            .arg(attempt.ends.size())
                            .arg(QString::fromStdString(base::toJson(attempt.reports.last)))
                            .arg(attempt.reports.rows.size());
                for (const Curve& one : attempt.reports.curves) {
                    if (!one.points.empty())
                        text += " " + QString::fromStdString(curveText(&one));
                }
            }
            text += "\n";
        }
        return text;
    }
};

QTEST_APPLESS_MAIN(ExperimentMirrorTest)
#include "experiment_mirror_test.moc"
