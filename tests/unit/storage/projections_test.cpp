// SPDX-License-Identifier: Apache-2.0
#include "core/storage/crc32c.h"
#include "core/storage/csv_text.h"
#include "core/storage/projections.h"
#include "tests/unit/storage/journal_support.h"

#include <cmath>
#include <limits>

using namespace trialdeck;
using namespace trialdeck::storage;
using namespace trialdeck::tests;

class ProjectionsTest : public QObject {
    Q_OBJECT
private slots:
    void writesRowsAsRayTuneDoes();
    void writesScalarsForTensorBoard();
    void addsColumnsThatComeLater();
    void quotesAsPythonsCsvModule();
    void leavesOutOtherRanksAndSupersededReports();
    void prefersWhatTheHeadKnowsBetter();
    void countsTimeOverAttempts();
    void namesTheCheckpointOfARow();
    void correctsTheNameOfACheckpointThatFailed();
    void writesTheSameHoweverOftenItIsKilled();
    void writesTheSameWhateverBecomesOfTheFiles_data();
    void writesTheSameWhateverBecomesOfTheFiles();
    void writesTheRestWhenThereIsRoomAgain();
    void countsCrcAsPublished();
};

namespace {

const base::Path kTrial = kFolder / "trial_00000";

protocol::ReportReceived report(uint32_t trial, int64_t iteration, Object metrics, uint32_t attempt = 0) {
    protocol::ReportReceived body;
    body.trial = TrialId(trial);
    body.attempt = AttemptNumber(attempt);
    body.iteration = iteration;
    body.metrics = std::move(metrics);
    return body;
}

protocol::TrialCreated trial(uint32_t id) {
    return {TrialId(id), {{"lr", 0.1}, {"opt", Object{{"name", "sgd"}}}}, 1, {}};
}

protocol::AttemptStarted attempt(uint32_t id, uint32_t number = 0, int64_t first = 0) {
    return {TrialId(id), AttemptNumber(number), 1, "node-a", {}, first, {}};
}

/// A journal, one second a record, with projections that follow it.
struct Fixture : JournalFixture {
    std::unique_ptr<JournalWriter> writer = *create();
    std::unique_ptr<Projections> projections;

    Fixture() { reopen(); }
    void reopen() { projections = *Projections::open(files, kFolder, writer->reader()); }
    void add(protocol::RecordBody body) {
        clock.advance(std::chrono::seconds(1));
        projections->noteLine(*writer->append(std::move(body)));
    }
    [[nodiscard]] std::string text(const base::Path& path) { return disk.content(path).value_or("(none)"); }
    [[nodiscard]] std::vector<std::string> lines(const base::Path& path) {
        std::vector<std::string> result;
        std::string rest = text(path);
        while (!rest.empty()) {
            const size_t end = std::min(rest.find('\n'), rest.size() - 1);
            result.push_back(rest.substr(0, end + 1));
            rest.erase(0, end + 1);
        }
        return result;
    }
    /// All projected files with their content; the marks are not among them.
    [[nodiscard]] std::map<std::string, std::string> content() {
        std::map<std::string, std::string> all;
        for (const std::string& name : disk.tree(kFolder)) {
            if (name.starts_with("trial_") && name.back() != '/')
                all[name] = *disk.content(kFolder / name);
        }
        return all;
    }
};

const base::Path kEvents = kTrial / "events.out.tfevents.1767225603.node-a";

/// What an experiment goes through: two trials, a restart, checkpoints that fail, columns that come late.
std::vector<protocol::RecordBody> story() {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    std::vector<protocol::RecordBody> records = {
        protocol::ExperimentCreated{kExperiment, "a", 1, "/", "/exp", 2, "0", false},
        trial(0),
        attempt(0),
        trial(1),
        report(0, 1, {{"loss", 1.5}, {"note", "a,b\r\n\"c\""}}),
        attempt(1),
        report(1, 1, {{"loss", nan}}),
        report(0, 2, {{"loss", 1.25}, {"late", 7}, {"note", "x"}}),
        protocol::Heartbeat{},
        report(1, 2, {{"acc", 0.5}, {"other,column", true}}),
    };
    for (int64_t i = 3; i < 8; ++i) {
        auto named = report(0, i, {{"loss", 1.0 / static_cast<double>(i)}, {"time_this_iter_s", 0.1}});
        named.checkpoint = "epoch_" + std::to_string(i);
        records.emplace_back(named);
    }
    const auto committed = [](uint32_t index, int64_t iteration) {
        return protocol::CheckpointCommitted{
            TrialId(0), AttemptNumber(0), CheckpointIndex(index), iteration, {}};
    };
    records.emplace_back(committed(0, 3));
    records.emplace_back(protocol::WarningRaised{
        TrialId(0),
        Error{ErrorCode::checkpoint_missing, {{"checkpoint_iteration", "4"}, {"rank", "0"}}, {}}});
    records.emplace_back(committed(1, 5));
    records.emplace_back(committed(2, 7));
    records.emplace_back(attempt(0, 1, 5));
    auto superseded = report(0, 8, {{"loss", 0.0}}, 0);
    superseded.flags.superseded = true;
    records.emplace_back(superseded);
    records.emplace_back(report(0, 6, {{"loss", 0.125}}, 1));
    records.emplace_back(report(0, 7, {{"loss", 0.0625}, {"later", Array{1, 2}}}, 1));
    records.emplace_back(
        protocol::TrialStateChanged{TrialId(0), TrialState::terminated, TrialReason::completed, {}});
    return records;
}

std::map<std::string, std::string> toldInOneGo() {
    Fixture fixture;
    for (auto& record : story())
        fixture.add(std::move(record));
    (void)fixture.projections->flush();
    return fixture.content();
}

} // namespace

void ProjectionsTest::writesRowsAsRayTuneDoes() {
    Fixture fixture;
    fixture.add(trial(0));
    fixture.add(attempt(0));
    fixture.add(report(0, 1,
                       {{"loss", 1.5},
                        {"acc", std::numeric_limits<double>::quiet_NaN()},
                        {"ok", true},
                        {"n/a", int64_t{9007199254740993}},
                        {"none", Value()}}));
    fixture.add(report(0, 2, {{"loss", std::numeric_limits<double>::infinity()}, {"acc", 0.5}}));
    QVERIFY(fixture.projections->flush());
    QCOMPARE(fixture.text(kTrial / "params.json"),
             std::string("{\n  \"lr\": 0.1,\n  \"opt\": {\n    \"name\": \"sgd\"\n  }\n}\n"));
    QCOMPARE(
        fixture.lines(kTrial / "result.json"),
        (std::vector<std::string>{
            R"({"loss":1.5,"acc":NaN,"ok":true,"n/a":9007199254740993,"none":null,"timestamp":1767225603,)"
            R"("checkpoint_dir_name":null,"done":false,"training_iteration":1,"trial_id":"trial_00000",)"
            R"("date":"2026-01-01_00-00-03","time_this_iter_s":1.0,"time_total_s":1.0,"hostname":"node-a",)"
            R"("time_since_restore":1.0,"iterations_since_restore":1,)"
            R"("config":{"lr":0.1,"opt":{"name":"sgd"}}})"
            "\n",
            R"({"loss":Infinity,"acc":0.5,"timestamp":1767225604,"checkpoint_dir_name":null,"done":false,)"
            R"("training_iteration":2,"trial_id":"trial_00000","date":"2026-01-01_00-00-04",)"
            R"("time_this_iter_s":1.0,"time_total_s":2.0,"hostname":"node-a","time_since_restore":2.0,)"
            R"("iterations_since_restore":2,"config":{"lr":0.1,"opt":{"name":"sgd"}}})"
            "\n"}));
    QCOMPARE(fixture.lines(kTrial / "progress.csv"),
             (std::vector<std::string>{
                 "loss,acc,ok,n/a,none,timestamp,checkpoint_dir_name,done,training_iteration,trial_id,date,"
                 "time_this_iter_s,time_total_s,hostname,time_since_restore,iterations_since_restore\r\n",
                 "1.5,nan,True,9007199254740993,,1767225603,,False,1,trial_00000,2026-01-01_00-00-03,1.0,1.0,"
                 "node-a,1.0,1\r\n",
                 "inf,0.5,,,,1767225604,,False,2,trial_00000,2026-01-01_00-00-04,1.0,2.0,node-a,2.0,2\r\n"}));
}

void ProjectionsTest::writesScalarsForTensorBoard() {
    Fixture fixture;
    fixture.add(trial(0));
    fixture.add(attempt(0));
    fixture.add(report(0, 1, {{"loss", 1.5}, {"time_this_iter_s", "text"}}));
    QVERIFY(fixture.projections->flush());
    const std::string file = fixture.text(kEvents);
    // The frame of the version as tensorboardX writes it for any file: length 24 and its masked checksum.
    QCOMPARE(QByteArray::fromStdString(file.substr(0, 12)).toHex(), QByteArray("1800000000000000a37f4b22"));
    QCOMPARE(file.substr(21, 15), std::string("\x1a\x0d"
                                              "brain.Event:2"));
    // Wall time, step 1, summary, value: tag and four bytes of 1.5.
    QCOMPARE(QByteArray::fromStdString(file.substr(12 + 24 + 4 + 12 + 9, 2)).toHex(), QByteArray("1001"));
    QVERIFY(file.find(std::string("\x0a\x0dray/tune/loss\x15\x00\x00\xc0\x3f", 20)) != std::string::npos);
}

void ProjectionsTest::addsColumnsThatComeLater() {
    for (const bool flushed : {false, true}) {
        Fixture fixture;
        fixture.add(trial(0));
        fixture.add(attempt(0));
        fixture.add(report(0, 1, {{"loss", 1.5}, {"note", "two\r\nlines"}}));
        if (flushed)
            QVERIFY(fixture.projections->flush());
        fixture.add(report(0, 2, {{"b", 2}, {"loss", 1.25}, {"a", 1}}));
        QVERIFY(fixture.projections->flush());
        const auto rows = fixture.lines(kTrial / "progress.csv");
        QCOMPARE(rows.size(), size_t{4});
        QVERIFY(rows[0].ends_with(",iterations_since_restore,b,a\r\n"));
        QCOMPARE(rows[1], std::string("1.5,\"two\r\n"));
        QVERIFY(rows[2].ends_with(",1.0,1,,\r\n"));
        QVERIFY(rows[3].starts_with("1.25,,"));
        QVERIFY(rows[3].ends_with(",2.0,2,2,1\r\n"));
    }
}

void ProjectionsTest::quotesAsPythonsCsvModule() {
    std::string out;
    for (const Value& value :
         {Value("plain"), Value("a,b"), Value("say \"x\""), Value("line\nbreak"), Value(""), Value("损失"),
          Value(Array{1, "x"}), Value(false), Value(1e-5), Value(-0.0), Value(UINT64_MAX)}) {
        appendCsvValue(out, value);
        out += '|';
    }
    QCOMPARE(out,
             std::string(
                 "plain|\"a,b\"|\"say \"\"x\"\"\"|\"line\nbreak\"||损失|\"[1,\"\"x\"\"]\"|False|1e-05|-0.0|"
                 "18446744073709551615|"));
}

void ProjectionsTest::leavesOutOtherRanksAndSupersededReports() {
    Fixture fixture;
    fixture.add(trial(0));
    fixture.add(attempt(0));
    auto other = report(0, 1, {{"loss", 1}});
    other.rank = 1;
    fixture.add(other);
    auto old = report(0, 1, {{"loss", 2}});
    old.flags.superseded = true;
    fixture.add(old);
    QVERIFY(fixture.projections->flush());
    QCOMPARE(fixture.disk.tree(kTrial), std::vector<std::string>{"params.json"});
    auto repeated = report(0, 1, {{"loss", 3}});
    repeated.flags.repeated = true;
    fixture.add(repeated);
    QVERIFY(fixture.projections->flush());
    QCOMPARE(fixture.lines(kTrial / "result.json").size(), size_t{1});
}

void ProjectionsTest::prefersWhatTheHeadKnowsBetter() {
    Fixture fixture;
    fixture.add(trial(0));
    fixture.add(attempt(0));
    fixture.add(report(
        0, 3, {{"trial_id", "mine"}, {"done", true}, {"hostname", "mine"}, {"config", 1}, {"date", "d"}}));
    QVERIFY(fixture.projections->flush());
    const std::string row = fixture.text(kTrial / "result.json");
    QVERIFY(row.starts_with(
        R"({"trial_id":"trial_00000","done":false,"hostname":"mine","date":"d","timestamp")"));
    QCOMPARE(row.find("\"config\""), row.rfind("\"config\""));
}

void ProjectionsTest::countsTimeOverAttempts() {
    Fixture fixture;
    fixture.add(trial(0));
    fixture.add(attempt(0));
    fixture.add(report(0, 1, {{"time_this_iter_s", 0.25}}));
    fixture.add(report(0, 2, {{"loss", 1}}));
    fixture.add(attempt(0, 1, 1));
    fixture.add(report(0, 2, {{"loss", 1}}, 1));
    QVERIFY(fixture.projections->flush());
    const auto rows = fixture.lines(kTrial / "result.json");
    QVERIFY(rows[0].find(R"("time_total_s":0.25,)") != std::string::npos);
    QVERIFY(rows[1].find(R"("time_this_iter_s":1.0,"time_total_s":1.25,)") == std::string::npos);
    QVERIFY(rows[1].find(R"("time_total_s":1.25,"hostname":"node-a","time_since_restore":1.25,)"
                         R"("iterations_since_restore":2,)") != std::string::npos);
    QVERIFY(rows[2].find(R"("time_total_s":2.25,"hostname":"node-a","time_since_restore":1.0,)"
                         R"("iterations_since_restore":1,)") != std::string::npos);
}

void ProjectionsTest::namesTheCheckpointOfARow() {
    Fixture fixture;
    fixture.add(trial(0));
    fixture.add(attempt(0));
    for (int64_t i = 1; i < 4; ++i) {
        auto named = report(0, i, {{"loss", i}});
        named.checkpoint = i == 2 ? "" : "epoch";
        fixture.add(named);
    }
    QVERIFY(fixture.projections->flush());
    const auto rows = fixture.lines(kTrial / "result.json");
    QVERIFY(rows[0].find(R"("checkpoint_dir_name":"checkpoint_000000")") != std::string::npos);
    QVERIFY(rows[1].find(R"("checkpoint_dir_name":null)") != std::string::npos);
    QVERIFY(rows[2].find(R"("checkpoint_dir_name":"checkpoint_000001")") != std::string::npos);
    QVERIFY(fixture.lines(kTrial / "progress.csv")[3].find(",checkpoint_000001,False,3,") !=
            std::string::npos);
}

void ProjectionsTest::correctsTheNameOfACheckpointThatFailed() {
    Fixture fixture;
    fixture.add(trial(0));
    fixture.add(attempt(0));
    for (int64_t i = 1; i < 4; ++i) {
        auto named = report(0, i, {{"loss", i}});
        named.checkpoint = "epoch";
        fixture.add(named);
    }
    QVERIFY(fixture.projections->flush());
    fixture.add(protocol::CheckpointCommitted{TrialId(0), AttemptNumber(0), CheckpointIndex(0), 2, {}});
    QVERIFY(fixture.projections->flush());
    const auto rows = fixture.lines(kTrial / "result.json");
    QCOMPARE(rows.size(), size_t{3});
    QVERIFY(rows[0].find(R"("checkpoint_dir_name":null)") != std::string::npos);
    QVERIFY(rows[1].find(R"("checkpoint_dir_name":"checkpoint_000000")") != std::string::npos);
    QVERIFY(rows[2].find(R"("checkpoint_dir_name":"checkpoint_000001")") != std::string::npos);
}

void ProjectionsTest::writesTheSameHoweverOftenItIsKilled() {
    base::Rng rng(printedSeed(), 0, "kills");
    const auto expected = toldInOneGo();
    QCOMPARE(expected.size(), size_t{8});
    for (int round = 0; round < 30; ++round) {
        Fixture fixture;
        for (auto& record : story()) {
            fixture.add(std::move(record));
            // Round 0: killed behind each record; the others: killed, flushed or neither.
            const bool flush = round > 0 && rng.uniformInteger(0, 2) == 0;
            if (flush)
                QVERIFY(fixture.projections->flush());
            if (round == 0 || rng.uniformInteger(0, 3) == 0)
                fixture.reopen();
            if (round % 2 == 0)
                QVERIFY(fixture.projections->flush());
        }
        QVERIFY(fixture.projections->flush());
        const auto content = fixture.content();
        QCOMPARE(content.size(), expected.size());
        for (const auto& [name, text] : expected)
            QCOMPARE(content.at(name), text);
    }
}

void ProjectionsTest::writesTheSameWhateverBecomesOfTheFiles_data() {
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<int>("cut");
    QTest::addColumn<QByteArray>("tail");
    for (const char* file : {"result.json", "progress.csv", "events", ".projections.jsonl"}) {
        QTest::addRow("%s gone", file) << QByteArray(file) << -1 << QByteArray();
        QTest::addRow("%s empty", file) << QByteArray(file) << 0 << QByteArray();
        QTest::addRow("%s cut", file) << QByteArray(file) << 50 << QByteArray();
        QTest::addRow("%s with a torn tail", file)
            << QByteArray(file) << 1'000'000 << QByteArray("{\"loss\":0.");
        QTest::addRow("%s with NUL bytes", file) << QByteArray(file) << 100 << QByteArray(500, '\0');
    }
}

void ProjectionsTest::writesTheSameWhateverBecomesOfTheFiles() {
    QFETCH(QByteArray, file);
    QFETCH(int, cut);
    QFETCH(QByteArray, tail);
    const auto expected = toldInOneGo();
    const auto records = story();
    for (size_t at = 8; at < records.size(); ++at) {
        Fixture fixture;
        for (size_t i = 0; i < records.size(); ++i) {
            fixture.add(protocol::RecordBody(records[i]));
            if (i != at)
                continue;
            QVERIFY(fixture.projections->flush());
            const base::Path path = file == "events"
                                        ? base::Path(kTrial / "events.out.tfevents.1767225605.node-a")
                                    : file.startsWith('.') ? kFolder / file.toStdString()
                                                           : kTrial / file.toStdString();
            QVERIFY(fixture.disk.content(path));
            if (cut < 0)
                QVERIFY(fixture.disk.remove(path));
            else
                fixture.disk.put(path,
                                 fixture.text(path).substr(0, static_cast<size_t>(cut)) + tail.toStdString());
            fixture.reopen();
        }
        QVERIFY(fixture.projections->flush());
        const auto content = fixture.content();
        for (const auto& [name, text] : expected)
            QCOMPARE(content.at(name), text);
    }
}

void ProjectionsTest::writesTheRestWhenThereIsRoomAgain() {
    const uint64_t seed = printedSeed();
    const auto expected = toldInOneGo();
    for (uint64_t n = 0; n < 60; ++n) {
        base::Rng rng(seed, n, "faults");
        Fixture fixture;
        for (auto& record : story()) {
            fixture.add(std::move(record));
            if (rng.uniformInteger(0, 3) == 0)
                fixture.files.inject({Operation::any, "trial_", static_cast<size_t>(rng.uniformInteger(0, 6)),
                                      2, ENOSPC, static_cast<size_t>(rng.uniformInteger(0, 200))});
            (void)fixture.projections->flush();
        }
        fixture.files.heal();
        for (int i = 0; i < 8; ++i)
            (void)fixture.projections->flush();
        QVERIFY(fixture.projections->flush());
        auto content = fixture.content();
        for (const auto& [name, text] : expected)
            QCOMPARE(content.at(name), text);
        fixture.reopen();
        QVERIFY(fixture.projections->flush());
        content = fixture.content();
        for (const auto& [name, text] : expected)
            QCOMPARE(content.at(name), text);
    }
}

/// RFC 3720, B.4.
void ProjectionsTest::countsCrcAsPublished() {
    QCOMPARE(crc32c(std::string(32, '\0')), 0x8A9136AAU);
    QCOMPARE(crc32c(std::string(32, '\xff')), 0x62A8AB43U);
    QCOMPARE(crc32c("123456789"), 0xE3069283U);
    QCOMPARE(crc32c("6789", crc32c("12345")), 0xE3069283U);
    QCOMPARE(crc32c(""), 0U);
}

QTEST_APPLESS_MAIN(ProjectionsTest)
#include "projections_test.moc"
