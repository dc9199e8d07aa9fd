// SPDX-License-Identifier: Apache-2.0
#include "core/base/json.h"
#include "core/protocol/record.h"
#include "core/protocol/report_line.h"
#include "tests/support/compare.h"

#include <cmath>
#include <limits>

using namespace trialdeck;
using namespace trialdeck::protocol;

// Declared before the raw strings below: moc loses its way in them.
class RecordTest : public QObject {
    Q_OBJECT
private slots:
    void writesEachKindAsItsLine();
    void readsBackWhatItWrote();
    void namesEveryKind();
    void readsFieldsInAnyOrder();
    void passesOverFieldsItDoesNotKnow();
    void refusesBadLines_data();
    void refusesBadLines();
    void keepsErrorCodesOfLaterVersions();
    void readsReasonsOfLaterVersionsAsNone();
    void readsMetricsAlikeOnBothWays_data();
    void readsMetricsAlikeOnBothWays();
};

namespace {

Record at(uint64_t number, RecordBody body) {
    return {RecordNumber(number), base::WallTime(std::chrono::milliseconds(1796047509123)), std::move(body)};
}

std::string lineOf(const Record& record) {
    std::string line;
    appendRecordLine(line, record);
    return line;
}

std::string start(int number, std::string_view kind) {
    return R"({"n":)" + std::to_string(number) + R"(,"t":"2026-11-30T14:05:09.123Z","kind":")" +
           std::string(kind) + '"';
}

/// One record of each kind, and those whose optional fields are missing, each with the line it must have.
std::vector<std::pair<Record, std::string>> records() {
    const Error error{ErrorCode::disk_full, {{"path", "/data/x"}}, "write /data/x: No space left"};
    const std::string errorText =
        R"({"code":"disk_full","arguments":{"path":"/data/x"},"detail":"write /data/x: No space left"})";
    SegmentHeader first{1, ExperimentId("4f1c"), {"node-a", "b007", 42, 12345}, Epoch(1), 1, {}};
    SegmentHeader second = first;
    second.segment = 2;
    second.predecessor = Predecessor{1, 8388000, "ab12"};
    ReportReceived report;
    report.trial = TrialId(3);
    report.attempt = AttemptNumber(1);
    report.iteration = 7;
    report.endOffset = 4711;
    report.metrics = {{"loss", 0.25}, {"steps", int64_t{9007199254740993}}};
    ReportReceived flagged = report;
    flagged.rank = 2;
    flagged.source = ReportSource::output;
    flagged.flags = {true, true};
    flagged.checkpoint = "epoch_3";
    flagged.metrics = {{"准确率", std::numeric_limits<double>::quiet_NaN()}, {"hist", Array{1, 2.5, "x"}}};
    WorkerEnded ended;
    ended.trial = TrialId(3);
    ended.signal = 9;
    ended.cause = error;
    ended.peakMemoryBytes = 1024;
    ended.seconds = 1.5;
    ended.logTail = "a\n\"b\"";
    WorkerEnded clean;
    clean.exitCode = 0;
    clean.stoppedByUs = true;
    const std::string writer = R"("writer":{"host":"node-a","boot":"b007","pid":42,"start_ticks":12345})";
    return {
        {at(0, first), start(0, "segment") + R"(,"version":1,"experiment":"4f1c",)" + writer +
                           R"(,"epoch":1,"segment":1})"},
        {at(900, second), start(900, "segment") + R"(,"version":1,"experiment":"4f1c",)" + writer +
                              R"(,"epoch":1,"segment":2,"predecessor":)"
                              R"({"segment":1,"length":8388000,"sha256":"ab12"}})"},
        {at(1, ExperimentCreated{ExperimentId("4f1c"), "a \"b\"", UINT64_MAX, "/home/u", "/data/a", 8, "0.1",
                                 false}),
         start(1, "experiment") + R"(,"experiment":"4f1c","name":"a \"b\"","seed":18446744073709551615,)"
                                  R"("base_directory":"/home/u","folder":"/data/a","planned_trials":8,)"
                                  R"("head_version":"0.1","single":false})"},
        {at(2, Amended{{{"search.max_concurrent_trials", 4}}}),
         start(2, "amended") + R"(,"changes":{"search.max_concurrent_trials":4}})"},
        {at(3, ExperimentStateChanged{ExperimentState::paused, ExperimentReason::disk_full, error}),
         start(3, "experiment_state") + R"(,"state":"PAUSED","reason":"disk_full","error":)" + errorText +
             "}"},
        {at(4,
            TrialCreated{
                TrialId(3), {{"lr", 0.001}, {"opt", Object{{"name", "sgd"}}}}, 99, {TrialId(0), TrialId(2)}}),
         start(4, "trial") +
             R"(,"trial":3,"configuration":{"lr":0.001,"opt":{"name":"sgd"}},"seed":99,"known":[0,2]})"},
        {at(5, AttemptStarted{TrialId(3), AttemptNumber(1), 2, "node-a", CheckpointIndex(4), 5, 29500}),
         start(5, "attempt") + R"(,"trial":3,"attempt":1,"workers":2,"node":"node-a","resume_from":4,)"
                               R"("first_iteration":5,"master_port":29500})"},
        {at(6, AttemptStarted{TrialId(3), AttemptNumber(0), 1, "node-a", {}, 0, {}}),
         start(6, "attempt") + R"(,"trial":3,"attempt":0,"workers":1,"node":"node-a","first_iteration":0})"},
        {at(7, TrialStateChanged{TrialId(3), TrialState::error, TrialReason::oom, error}),
         start(7, "trial_state") + R"(,"trial":3,"state":"ERROR","reason":"oom","error":)" + errorText + "}"},
        {at(8, report), start(8, "report") + R"(,"trial":3,"attempt":1,"rank":0,"iteration":7,)"
                                             R"("source":"file","end_offset":4711,)"
                                             R"("metrics":{"loss":0.25,"steps":9007199254740993}})"},
        {at(9, flagged), start(9, "report") + R"(,"trial":3,"attempt":1,"rank":2,"iteration":7,)"
                                              R"("source":"stdout","end_offset":4711,"repeated":true,)"
                                              R"("superseded":true,"checkpoint":"epoch_3",)"
                                              R"("metrics":{"准确率":NaN,"hist":[1,2.5,"x"]}})"},
        {at(10, DecisionMade{TrialId(3), 7, DecisionAction::stop, "scheduler"}),
         start(10, "decision") + R"(,"trial":3,"iteration":7,"action":"stop","by":"scheduler"})"},
        {at(11, CheckpointCommitted{TrialId(3),
                                    AttemptNumber(1),
                                    CheckpointIndex(4),
                                    7,
                                    {{"model.bin", 10, "aa"}, {"rank_1/model.bin", 11, "bb"}}}),
         start(11, "checkpoint") + R"(,"trial":3,"attempt":1,"index":4,"iteration":7,"files":[)"
                                   R"({"path":"model.bin","bytes":10,"sha256":"aa"},)"
                                   R"({"path":"rank_1/model.bin","bytes":11,"sha256":"bb"}]})"},
        {at(12, CheckpointRemoved{TrialId(3), CheckpointIndex(2)}),
         start(12, "checkpoint_removed") + R"(,"trial":3,"index":2})"},
        {at(12, TrialStateChanged{TrialId(3), TrialState::pending, TrialReason::retry, error,
                                  *base::parseIso8601("2026-01-02T03:04:05.678Z"), CheckpointIndex(4)}),
         start(12, "trial_state") + R"(,"trial":3,"state":"PENDING","reason":"retry","error":)" + errorText +
             R"(,"not_before":"2026-01-02T03:04:05.678Z","resume_from":4})"},
        {at(12, TrialStateChanged{TrialId(3),
                                  TrialState::pending,
                                  TrialReason::waits_for_resources,
                                  {},
                                  {},
                                  CheckpointIndex(4),
                                  "1 GPU"}),
         start(12, "trial_state") +
             R"(,"trial":3,"state":"PENDING","reason":"waits_for_resources","resume_from":4,)"
             R"("waits_for":"1 GPU"})"},
        {at(12, CheckpointUnusable{TrialId(3), CheckpointIndex(2), error}),
         start(12, "checkpoint_unusable") + R"(,"trial":3,"index":2,"error":)" + errorText + "}"},
        {at(13, ended), start(13, "worker_end") + R"(,"trial":3,"attempt":0,"rank":0,"signal":9,"cause":)" +
                            errorText +
                            R"(,"stopped_by_us":false,"peak_memory_bytes":1024,)"
                            R"("seconds":1.5,"log_tail":"a\n\"b\""})"},
        {at(14, clean), start(14, "worker_end") + R"(,"trial":0,"attempt":0,"rank":0,"exit_code":0,)"
                                                  R"("stopped_by_us":true,"peak_memory_bytes":0,)"
                                                  R"("seconds":0.0,"log_tail":""})"},
        {at(15, WarningRaised{TrialId(3), error}),
         start(15, "warning") + R"(,"trial":3,"error":)" + errorText + "}"},
        {at(16, WarningRaised{{}, error}), start(16, "warning") + R"(,"error":)" + errorText + "}"},
        {at(17, Heartbeat{}), start(17, "heartbeat") + "}"},
        {at(18, Snapshot{{{"trials", Array{}}}}), start(18, "snapshot") + R"(,"state":{"trials":[]}})"},
        {at(19, UnknownRecord{"later"}), start(19, "later") + "}"},
    };
}

/// The line read and written again, or the error in words.
std::string readAndWritten(std::string_view line) {
    auto record = parseRecordLine(line);
    if (!record)
        return base::describe(record.error());
    std::string again = lineOf(*record);
    again.pop_back();
    return again;
}

Object metricsOf(const std::string& text) {
    const auto record = parseRecordLine(
        start(8, "report") +
        R"(,"trial":3,"attempt":1,"rank":0,"iteration":7,"source":"file","end_offset":1,"metrics":)" + text +
        "}");
    return record ? std::get<ReportReceived>(record->body).metrics
                  : Object{{"error", base::describe(record.error())}};
}

} // namespace

void RecordTest::writesEachKindAsItsLine() {
    for (const auto& [record, line] : records())
        QCOMPARE(lineOf(record), line + "\n");
}

void RecordTest::readsBackWhatItWrote() {
    for (const auto& [record, line] : records())
        QCOMPARE(readAndWritten(line), line);
}

void RecordTest::namesEveryKind() {
    std::vector<std::string> kinds;
    for (const auto& [record, line] : records())
        kinds.emplace_back(kindOf(record.body));
    std::vector<std::string> read;
    for (const auto& [record, line] : records())
        read.emplace_back(kindOf(parseRecordLine(line)->body));
    QVERIFY(kinds == read);
}

void RecordTest::readsFieldsInAnyOrder() {
    QCOMPARE(readAndWritten(R"({"metrics":{"a":1},"iteration":2,"attempt":0,"trial":1,"kind":"report",)"
                            R"("t":"2026-11-30T14:05:09Z","n":5})"),
             std::string(R"({"n":5,"t":"2026-11-30T14:05:09.000Z","kind":"report","trial":1,"attempt":0,)"
                         R"("rank":0,"iteration":2,"source":"file","end_offset":0,"metrics":{"a":1}})"));
}

void RecordTest::passesOverFieldsItDoesNotKnow() {
    QCOMPARE(readAndWritten(start(6, "checkpoint_removed") + R"(,"trial":3,"why":{"a":[1]},"index":2})"),
             start(6, "checkpoint_removed") + R"(,"trial":3,"index":2})");
}

void RecordTest::refusesBadLines_data() {
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("error");
    const auto add = [](const char* name, const std::string& line, const char* error) {
        QTest::newRow(name) << QByteArray::fromStdString(line) << QByteArray(error);
    };
    add("empty", "", "bad_json");
    add("half a line", start(5, "heartbeat"), "bad_json");
    add("glued lines", start(5, "heartb") + start(5, "heartbeat") + "}", "bad_json");
    add("no map", "[1]", "wrong_type");
    add("no number", R"({"t":"2026-11-30T14:05:09Z","kind":"heartbeat"})", "missing_field");
    add("negative number", R"({"n":-1,"t":"2026-11-30T14:05:09Z","kind":"heartbeat"})", "wrong_type");
    add("no kind", R"({"n":1,"t":"2026-11-30T14:05:09Z"})", "missing_field");
    add("time as number", R"({"n":1,"t":5,"kind":"heartbeat"})", "wrong_type");
    add("no time", R"({"n":1,"t":"yesterday","kind":"heartbeat"})", "wrong_type");
    add("field missing", start(1, "checkpoint_removed") + R"(,"trial":3})", "missing_field");
    add("trial above 32 bits", start(1, "checkpoint_removed") + R"(,"trial":4294967296,"index":1})",
        "wrong_type");
    add("state unknown", start(1, "trial_state") + R"(,"trial":3,"state":"DREAMING"})", "wrong_type");
    add("half a predecessor",
        start(1, "segment") + R"(,"version":1,"experiment":"x","epoch":1,"segment":2,)"
                              R"("predecessor":{"segment":1}})",
        "wrong_type");
    add("metrics as list", start(8, "report") + R"(,"trial":3,"attempt":1,"iteration":7,"metrics":[]})",
        "wrong_type");
    add("bad UTF-8", start(1, "later") + ",\"x\":\"\xff\"}", "bad_utf8");
    add("NUL bytes", std::string(512, '\0'), "bad_json");
    add("nested without end", start(1, "later") + ",\"x\":" + std::string(500000, '['), "too_deep");
}

void RecordTest::refusesBadLines() {
    QFETCH(QByteArray, line);
    QFETCH(QByteArray, error);
    const auto record = parseRecordLine(line.toStdString());
    QVERIFY(!record);
    QCOMPARE(base::nameOf(record.error().code), std::string_view(error.constData()));
}

void RecordTest::keepsErrorCodesOfLaterVersions() {
    const auto record = parseRecordLine(
        start(1, "warning") + R"(,"error":{"code":"too_tired","arguments":{"hours":3},"detail":"asleep"}})");
    QVERIFY(record);
    const Error& error = std::get<WarningRaised>(record->body).error;
    QCOMPARE(base::describe(error), std::string("internal: too_tired: asleep (hours=3)"));
}

void RecordTest::readsReasonsOfLaterVersionsAsNone() {
    const auto record =
        parseRecordLine(start(1, "trial_state") + R"(,"trial":3,"state":"PAUSED","reason":"moonlight"})");
    QVERIFY(record);
    QVERIFY(std::get<TrialStateChanged>(record->body).reason == TrialReason::none);
}

void RecordTest::readsMetricsAlikeOnBothWays_data() {
    QTest::addColumn<QByteArray>("metrics");
    QTest::addColumn<bool>("quick");
    const auto add = [](const char* metrics, bool quick) {
        QTest::newRow(metrics) << QByteArray(metrics) << quick;
    };
    add(R"({})", true);
    add(R"({"a":1,"b":-7,"c":0})", true);
    add(R"({"a":9223372036854775807,"b":9223372036854775808,"c":18446744073709551615})", true);
    add(R"({"a":18446744073709551616,"b":-9223372036854775809})", false);
    add(R"({"a":0.1,"b":1e-300,"c":-2.5E+7,"d":1e22})", true);
    add(R"({"a":5e-324,"b":1e400})", false);
    add(R"({"a":NaN,"b":Infinity,"c":-Infinity})", true);
    add(R"({"a":true,"b":false,"c":null,"d":"text"})", true);
    add(R"({"a":-0,"b":-0.0})", false);
    add(R"({"a":"line\nbreak"})", false);
    add(R"({"损失":0.5})", false);
    add(R"({"a":[1,2],"b":{"c":1}})", false);
    add(R"({"a":1,"a":2})", false);
    add(R"({ "a": 1 })", false);
    add(R"({"a":01})", false);
    add(R"({"a":1.})", false);
    add(R"({"a":.5})", false);
    add(R"({"a":nan})", false);
    add(R"({"a":1e})", false);
    add(R"({"a":-})", false);
    add(R"({"a":tru})", false);
}

void RecordTest::readsMetricsAlikeOnBothWays() {
    QFETCH(QByteArray, metrics);
    QFETCH(bool, quick);
    const std::string text = metrics.toStdString();
    const std::string line =
        start(8, "report") +
        R"(,"trial":3,"attempt":1,"rank":0,"iteration":7,"source":"file","end_offset":1,"metrics":)" + text +
        "}";
    const auto fast = parseReportLine(line);
    if (quick)
        QVERIFY(fast);
    const auto general = base::parseJson(text);
    if (!general) {
        QVERIFY(!fast);
        QVERIFY(!parseRecordLine(line));
        return;
    }
    QVERIFY(metricsOf(text) == *general->asObject());
}

QTEST_APPLESS_MAIN(RecordTest)
#include "record_test.moc"
