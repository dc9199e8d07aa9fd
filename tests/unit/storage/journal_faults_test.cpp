// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/storage/journal_support.h"

using namespace trialdeck;
using namespace trialdeck::storage;
using namespace trialdeck::tests;

namespace {

constexpr JournalWriter::Options kSmallSegments{.segmentBytes = 1200};

/// What must be in a journal: each record that was taken, in order.
class Expectation {
public:
    void took(int i) { m_texts.push_back(std::to_string(m_texts.size() + 1) + ":" + std::to_string(i)); }
    void keep(size_t records) { m_texts.resize(records); }
    [[nodiscard]] size_t size() const { return m_texts.size(); }
    [[nodiscard]] std::string text() const {
        std::string joined;
        for (const std::string& one : m_texts)
            joined += (joined.empty() ? "" : " ") + one;
        return joined;
    }

private:
    std::vector<std::string> m_texts;
};

/// Appends a record, again and again where the world says no; false where it goes on saying so.
bool appendStubbornly(JournalWriter& writer, int i, Expectation& expected) {
    for (int attempt = 0; attempt < 3; ++attempt) {
        if (writer.append(record(i))) {
            expected.took(i);
            return true;
        }
    }
    return false;
}

size_t recordsIn(const std::string& text) {
    return text.empty() ? 0 : static_cast<size_t>(std::count(text.begin(), text.end(), ' ')) + 1;
}

/// How many operations a run of `script` takes when nothing fails.
template<typename Script>
size_t operationsOf(Script script) {
    JournalFixture fixture;
    script(fixture);
    return fixture.files.operations();
}

} // namespace

class JournalFaultsTest : public QObject {
    Q_OBJECT
private slots:
    void losesNothingWhenAnyOneOperationFails_data();
    void losesNothingWhenAnyOneOperationFails();
    void keepsWhatWasDurableWhenThePowerGoesAtAnyOperation();
    void goesOnWhenThereIsRoomAgain();
    void neverShowsATornRecord();
    void writesAgainWhatAFailedSyncLost();
    void writesAgainWhenNotEvenTheHeaderWasSynced();
    void reportsASyncThatKeepsFailing();
    void isHeldOnceAnotherHasTakenOver();
    void letsOneOfTwoResume();
    void readsInPieces();
    void readsOnBehindAStaleHandle();
    void survivesWhateverHappens();
};

void JournalFaultsTest::losesNothingWhenAnyOneOperationFails_data() {
    QTest::addColumn<int>("error");
    QTest::addColumn<int>("tornAt");
    QTest::newRow("disk full, nothing written") << ENOSPC << 0;
    QTest::newRow("disk full, torn") << ENOSPC << 17;
    QTest::newRow("input/output error, torn") << EIO << 60;
    QTest::newRow("stale handle") << ESTALE << 0;
}

void JournalFaultsTest::losesNothingWhenAnyOneOperationFails() {
    QFETCH(int, error);
    QFETCH(int, tornAt);
    const auto script = [](JournalFixture& fixture, Expectation& expected) {
        auto writer = fixture.create(kSmallSegments);
        for (int attempt = 0; !writer && attempt < 3; ++attempt)
            writer = fixture.create(kSmallSegments);
        if (!writer)
            return false;
        for (int i = 0; i < 12; ++i) {
            if (!appendStubbornly(**writer, i, expected))
                return false;
        }
        bool flushed = false;
        for (int attempt = 0; !flushed && attempt < 3; ++attempt)
            flushed = (*writer)->flush().has_value();
        std::string content = contentOf((*writer)->reader());
        if (content != expected.text())
            content = contentOf((*writer)->reader());
        return flushed && content == expected.text();
    };
    const size_t operations = operationsOf([&script](JournalFixture& fixture) {
        Expectation expected;
        QVERIFY(script(fixture, expected));
    });
    for (size_t n = 0; n < operations; ++n) {
        JournalFixture fixture;
        fixture.files.inject({Operation::any, "", n, 1, error, static_cast<size_t>(tornAt)});
        Expectation expected;
        QVERIFY2(script(fixture, expected), qPrintable(QString("operation %1").arg(n)));
        QCOMPARE(expected.size(), size_t{12});
        QCOMPARE(contentOf(fixture.disk), expected.text());
        fixture.disk.powerCut();
        QCOMPARE(contentOf(fixture.disk), expected.text());
    }
}

void JournalFaultsTest::keepsWhatWasDurableWhenThePowerGoesAtAnyOperation() {
    const uint64_t seed = printedSeed();
    const auto script = [](JournalFixture& fixture, Expectation& expected) {
        RecordNumber durable;
        auto writer = fixture.create(kSmallSegments);
        for (int i = 0; i < 20 && writer; ++i) {
            if (i == 10) {
                writer->reset();
                writer = fixture.resume(kSmallSegments);
                if (!writer)
                    break;
            }
            if ((*writer)->append(record(i)))
                expected.took(i);
            if (i % 4 == 0)
                (void)(*writer)->flush();
            durable = std::max(durable, (*writer)->durable());
        }
        return durable;
    };
    const size_t operations = operationsOf([&script](JournalFixture& fixture) {
        Expectation expected;
        script(fixture, expected);
        QCOMPARE(expected.size(), size_t{20});
    });
    for (size_t n = 0; n < operations; ++n) {
        base::Rng rng(seed, n, "power cut");
        JournalFixture fixture;
        fixture.files.inject({Operation::any, "", n, SIZE_MAX, EIO, 9});
        Expectation expected;
        const RecordNumber durable = script(fixture, expected);
        fixture.files.heal();
        fixture.disk.powerCut([&rng](size_t unsynced) {
            return static_cast<size_t>(rng.uniformInteger(0, static_cast<int64_t>(unsynced)));
        });
        const std::string left = contentOf(fixture.files);
        if (durable == RecordNumber() && !left.starts_with("1:"))
            continue;
        QVERIFY2(expected.text().starts_with(left), left.c_str());
        QVERIFY(recordsIn(left) >= durable.raw());
        auto writer = fixture.resume();
        QVERIFY(writer);
        expected.keep(recordsIn(left));
        QVERIFY(appendStubbornly(**writer, 99, expected));
        QCOMPARE(contentOf(fixture.files), expected.text());
    }
}

void JournalFaultsTest::goesOnWhenThereIsRoomAgain() {
    JournalFixture fixture;
    auto writer = *fixture.create();
    QVERIFY(writer->append(record(0)));
    fixture.files.setRoom(50);
    for (int i = 0; i < 5; ++i) {
        const auto appended = writer->append(record(100));
        QVERIFY(!appended);
        QVERIFY(appended.error().code == ErrorCode::disk_full);
    }
    QCOMPARE(contentOf(writer->reader()), std::string("1:0"));
    fixture.files.heal();
    QVERIFY(writer->append(record(1)));
    QVERIFY(writer->flush());
    QCOMPARE(contentOf(fixture.files), std::string("1:0 2:1"));
    QCOMPARE(fixture.disk.tree(kFolder / "journal"),
             (std::vector<std::string>{"000001.jsonl", "000002.jsonl"}));
    QVERIFY(damageOf(fixture.files).starts_with("journal/000001.jsonl ignored_bytes"));
}

void JournalFaultsTest::neverShowsATornRecord() {
    const size_t lineBytes = [] {
        JournalFixture fixture;
        return (*(*fixture.create())->append(record(1))).size();
    }();
    // Also a write that says it failed although all of the line is there.
    for (size_t tornAt = 0; tornAt <= lineBytes; ++tornAt) {
        JournalFixture fixture;
        auto writer = *fixture.create();
        QVERIFY(writer->append(record(0)));
        fixture.files.inject({Operation::append, "000001", 0, 1, EIO, tornAt});
        QVERIFY(!writer->append(record(1)));
        QVERIFY(writer->append(record(2)));
        QCOMPARE(contentOf(writer->reader()), std::string("1:0 2:2"));
        QCOMPARE(contentOf(fixture.files), std::string("1:0 2:2"));
        QCOMPARE(contentInPieces(*JournalReader::open(fixture.files, kFolder), 1), std::string("1:0 2:2"));
    }
}

void JournalFaultsTest::writesAgainWhatAFailedSyncLost() {
    JournalFixture fixture;
    auto writer = *fixture.create();
    QVERIFY(writer->append(record(0)));
    QVERIFY(writer->flush());
    fixture.files.inject({Operation::sync, "000001"});
    QVERIFY(writer->append(record(1)));
    QVERIFY(writer->append(record(2)));
    QVERIFY(writer->flush());
    QVERIFY(writer->append(record(3)));
    QVERIFY(writer->flush());
    fixture.disk.powerCut();
    QCOMPARE(contentOf(fixture.files), std::string("1:0 2:1 3:2 4:3"));
    QCOMPARE(contentInPieces(*JournalReader::open(fixture.files, kFolder), 1), contentOf(fixture.files));
}

void JournalFaultsTest::writesAgainWhenNotEvenTheHeaderWasSynced() {
    for (const bool resumed : {false, true}) {
        JournalFixture fixture;
        Expectation expected;
        if (resumed)
            QVERIFY(appendStubbornly(**fixture.create(), 0, expected));
        fixture.files.inject({Operation::sync, resumed ? "000002" : "000001", 0, 2});
        auto writer = resumed ? *fixture.resume() : *fixture.create();
        for (int i = 0; i < 4; ++i)
            QVERIFY(appendStubbornly(*writer, i, expected));
        QVERIFY(writer->flush());
        QCOMPARE(contentOf(writer->reader()), expected.text());
        fixture.disk.powerCut();
        QCOMPARE(contentOf(fixture.files), expected.text());
    }
}

void JournalFaultsTest::reportsASyncThatKeepsFailing() {
    JournalFixture fixture;
    auto writer = *fixture.create();
    QVERIFY(writer->append(record(0)));
    QVERIFY(writer->flush());
    fixture.files.inject({Operation::sync, "", 0, SIZE_MAX});
    QVERIFY(writer->append(record(1)));
    const auto flushed = writer->flush();
    QVERIFY(!flushed);
    QVERIFY(flushed.error().code == ErrorCode::file_io);
    QVERIFY(writer->durable() == RecordNumber(1));
    fixture.files.heal();
    QVERIFY(writer->flush());
    QVERIFY(writer->durable() == RecordNumber(2));
    QCOMPARE(contentOf(fixture.files), std::string("1:0 2:1"));
}

void JournalFaultsTest::isHeldOnceAnotherHasTakenOver() {
    JournalFixture fixture;
    auto first = *fixture.create();
    QVERIFY(first->append(record(0)));
    auto second = *fixture.resume();
    QVERIFY(first->append(record(100)));
    (void)first->flush();
    const auto appended = first->append(record(101));
    QVERIFY(!appended);
    QCOMPARE(base::describe(appended.error()),
             std::string("experiment_held (host=node-b, path=/exp/journal/000002.jsonl, pid=2, "
                         "since=2026-01-01T00:00:00.000Z)"));
    QVERIFY(second->append(record(1)));
    QCOMPARE(contentOf(fixture.files), std::string("1:0 2:1"));
}

void JournalFaultsTest::letsOneOfTwoResume() {
    JournalFixture fixture;
    QVERIFY((*fixture.create())->append(record(0)));
    const auto one = *JournalReader::open(fixture.files, kFolder);
    const auto two = *JournalReader::open(fixture.files, kFolder);
    auto writer = JournalWriter::resume(fixture.clock, one, kExperiment, {"node-a", "", 1, 1}, {});
    QVERIFY(writer);
    const auto refused = JournalWriter::resume(fixture.clock, two, kExperiment, {"node-b", "", 2, 2}, {});
    QVERIFY(!refused);
    QVERIFY(refused.error().code == ErrorCode::experiment_held);
    QCOMPARE(refused.error().arguments.at("host"), std::string("node-a"));
    const auto again = fixture.create();
    QVERIFY(!again);
    QVERIFY(again.error().code == ErrorCode::experiment_held);
    QVERIFY((*writer)->append(record(1)));
    QCOMPARE(contentOf(fixture.files), std::string("1:0 2:1"));
    QCOMPARE(damageOf(fixture.files), std::string());
}

void JournalFaultsTest::readsInPieces() {
    JournalFixture fixture;
    auto writer = *fixture.create(kSmallSegments);
    Expectation expected;
    for (int i = 0; i < 30; ++i)
        QVERIFY(appendStubbornly(*writer, i, expected));
    fixture.files.shortenReads(printedSeed());
    QCOMPARE(contentOf(fixture.files), expected.text());
    QCOMPARE(damageOf(fixture.files), std::string());
    QCOMPARE(contentInPieces(*JournalReader::open(fixture.files, kFolder), 400), expected.text());
}

void JournalFaultsTest::readsOnBehindAStaleHandle() {
    JournalFixture fixture;
    auto writer = *fixture.create(kSmallSegments);
    Expectation expected;
    for (int i = 0; i < 30; ++i)
        QVERIFY(appendStubbornly(*writer, i, expected));
    const JournalReader reader = writer->reader();
    for (size_t n = 0; n < 8; ++n) {
        fixture.files.inject({Operation::read, "", n, 1, ESTALE});
        QCOMPARE(contentOf(reader), expected.text());
        fixture.files.heal();
        fixture.files.inject({Operation::read, "", n, 1, ESTALE});
        QCOMPARE(contentInPieces(reader, 200), expected.text());
        fixture.files.heal();
    }
    fixture.files.inject({Operation::read, "", 0, SIZE_MAX, ESTALE});
    QVERIFY(contentOf(reader).starts_with("file_io: read the journal: injected fault"));
}

/// Appends, faults, power cuts and restarts in random order against a model.
void JournalFaultsTest::survivesWhateverHappens() {
    base::Rng rng(printedSeed(), 0, "whatever");
    for (int round = 0; round < 40; ++round) {
        JournalFixture fixture;
        Expectation expected;
        auto writer = *fixture.create(kSmallSegments);
        QVERIFY(appendStubbornly(*writer, 0, expected));
        QVERIFY(writer->flush());
        for (int i = 1; i < 120; ++i) {
            const auto dice = rng.uniformInteger(0, 39);
            if (dice == 0) {
                fixture.files.inject({Operation::any, "", static_cast<size_t>(rng.uniformInteger(0, 5)),
                                      static_cast<size_t>(rng.uniformInteger(1, 3)), rng() % 2 ? EIO : ENOSPC,
                                      static_cast<size_t>(rng.uniformInteger(0, 90))});
            } else if (dice == 1) {
                fixture.files.setRoom(static_cast<uint64_t>(rng.uniformInteger(0, 2000)));
            } else if (dice == 2) {
                fixture.files.heal();
                QVERIFY(writer->flush());
                QVERIFY(writer->durable().raw() == expected.size());
            } else if (dice == 3) {
                const uint64_t durable = writer->durable().raw();
                fixture.disk.powerCut([&rng](size_t unsynced) {
                    return static_cast<size_t>(rng.uniformInteger(0, static_cast<int64_t>(unsynced)));
                });
                writer.reset();
                fixture.files.heal();
                const std::string left = contentOf(fixture.files);
                QVERIFY2(expected.text().starts_with(left), left.c_str());
                QVERIFY(recordsIn(left) >= durable);
                expected.keep(recordsIn(left));
                writer = *fixture.resume(kSmallSegments);
            } else if (writer->append(record(i))) {
                expected.took(i);
            }
            QCOMPARE(writer->last().number.raw(), expected.size());
        }
        fixture.files.heal();
        QVERIFY(writer->flush());
        QCOMPARE(contentOf(writer->reader()), expected.text());
        QCOMPARE(contentOf(fixture.files), expected.text());
        QCOMPARE(contentInPieces(writer->reader(), 300), expected.text());
    }
}

QTEST_APPLESS_MAIN(JournalFaultsTest)
#include "journal_faults_test.moc"
