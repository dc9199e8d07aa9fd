// SPDX-License-Identifier: Apache-2.0
#include "core/base/sha256.h"
#include "tests/unit/storage/journal_support.h"

using namespace trialdeck;
using namespace trialdeck::storage;
using namespace trialdeck::tests;

class JournalTest : public QObject {
    Q_OBJECT
private slots:
    void startsWithAHeaderThatNamesItsWriter();
    void numbersRecordsFromOne();
    void returnsTheLineAsItLiesInTheFile();
    void readsWhatAWriterAppendsAtOnce();
    void goesOnInANewEpochAndSegment();
    void beginsASegmentWhenTheOldOneIsFull();
    void beginsASegmentAfterTenMinutes();
    void leavesSealedSegmentsAlone();
    void saysWhatIsDurable();
    void readsBehindEachRecordInPieces();
    void readsOneLineEvenIfItIsLongerThanAsked();
    void opensNoFileToFollow();
    void validatesCursors_data();
    void validatesCursors();
    void keepsTheNewIdOfACopy();
    void stopsAtTheVisitorsError();
    void namesSegmentsWithSixDigitsOrMore();
};

void JournalTest::startsWithAHeaderThatNamesItsWriter() {
    JournalFixture fixture;
    QVERIFY(fixture.create());
    QCOMPARE(*fixture.disk.content(kFolder / "journal/000001.jsonl"),
             std::string(R"({"n":0,"t":"2026-01-01T00:00:00.000Z","kind":"segment","version":1,)"
                         R"("experiment":"4f1c","writer":{"host":"node-a","boot":"boot","pid":1,)"
                         R"("start_ticks":10},"epoch":1,"segment":1})"
                         "\n"));
}

void JournalTest::numbersRecordsFromOne() {
    JournalFixture fixture;
    auto writer = *fixture.create();
    for (int i = 0; i < 3; ++i)
        QVERIFY(writer->append(record(10 + i)));
    QVERIFY(writer->last() == (protocol::Cursor{Epoch(1), RecordNumber(3)}));
    QCOMPARE(contentOf(fixture.files), std::string("1:10 2:11 3:12"));
    QCOMPARE(damageOf(fixture.files), std::string());
}

void JournalTest::returnsTheLineAsItLiesInTheFile() {
    JournalFixture fixture;
    auto writer = *fixture.create();
    const std::string before = *fixture.disk.content(kFolder / "journal/000001.jsonl");
    const std::string line(*writer->append(record(1)));
    QCOMPARE(*fixture.disk.content(kFolder / "journal/000001.jsonl"), before + line);
}

void JournalTest::readsWhatAWriterAppendsAtOnce() {
    JournalFixture fixture;
    auto writer = *fixture.create({.segmentBytes = 500});
    const JournalReader reader = writer->reader();
    QCOMPARE(contentOf(reader), std::string());
    std::string expected;
    for (int i = 0; i < 20; ++i) {
        QVERIFY(writer->append(record(i)));
        expected += (i ? " " : "") + std::to_string(i + 1) + ":" + std::to_string(i);
        QCOMPARE(contentOf(reader), expected);
        QCOMPARE(contentInPieces(reader, 1000, RecordNumber(uint64_t(i))),
                 std::to_string(i + 1) + ":" + std::to_string(i));
    }
    writer.reset();
    QCOMPARE(contentOf(reader), expected);
}

void JournalTest::goesOnInANewEpochAndSegment() {
    JournalFixture fixture;
    QVERIFY((*fixture.create())->append(record(1)));
    auto writer = *fixture.resume();
    QVERIFY(writer->last() == (protocol::Cursor{Epoch(2), RecordNumber(1)}));
    QVERIFY(writer->append(record(2)));
    const auto reader = *JournalReader::open(fixture.files, kFolder);
    QCOMPARE(contentOf(reader), std::string("1:1 2:2"));
    QCOMPARE(reader.firstHeader().writer.host, std::string("node-a"));
    QCOMPARE(reader.lastHeader().writer.host, std::string("node-b"));
    QCOMPARE(reader.lastHeader().segment, 2U);
    QVERIFY(reader.lastHeader().epoch == Epoch(2));
    const std::string first = *fixture.disk.content(kFolder / "journal/000001.jsonl");
    QVERIFY(reader.lastHeader().predecessor ==
            (protocol::Predecessor{1, first.size(), base::sha256Hex(first)}));
}

void JournalTest::beginsASegmentWhenTheOldOneIsFull() {
    JournalFixture fixture;
    auto writer = *fixture.create({.segmentBytes = 1000});
    for (int i = 0; i < 30; ++i)
        QVERIFY(writer->append(record(i)));
    QVERIFY(writer->flush());
    const auto names = fixture.disk.tree(kFolder / "journal");
    QVERIFY(names.size() > 3);
    for (const std::string& name : names)
        QVERIFY(fixture.disk.content(kFolder / "journal" / name)->size() <= 1000);
    const auto reader = *JournalReader::open(fixture.files, kFolder);
    QCOMPARE(damageOf(reader), std::string());
    QCOMPARE(contentInPieces(reader, 300), contentOf(writer->reader()));
    QVERIFY(reader.last() == (protocol::Cursor{Epoch(1), RecordNumber(30)}));
}

void JournalTest::beginsASegmentAfterTenMinutes() {
    JournalFixture fixture;
    auto writer = *fixture.create();
    QVERIFY(writer->append(record(0)));
    fixture.clock.advance(std::chrono::minutes(9));
    QVERIFY(writer->append(record(1)));
    QCOMPARE(fixture.disk.tree(kFolder / "journal").size(), size_t{1});
    fixture.clock.advance(std::chrono::minutes(1));
    QVERIFY(writer->append(record(2)));
    QCOMPARE(fixture.disk.tree(kFolder / "journal").size(), size_t{2});
    QCOMPARE(contentOf(fixture.files), std::string("1:0 2:1 3:2"));
}

void JournalTest::leavesSealedSegmentsAlone() {
    JournalFixture fixture;
    std::map<std::string, std::string> sealed;
    for (int epoch = 0; epoch < 4; ++epoch) {
        auto writer =
            epoch == 0 ? *fixture.create({.segmentBytes = 700}) : *fixture.resume({.segmentBytes = 700});
        for (int i = 0; i < 10; ++i)
            QVERIFY(writer->append(record(i)));
        writer.reset();
        for (const auto& [name, content] : sealed)
            QCOMPARE(*fixture.disk.content(kFolder / "journal" / name), content);
        for (const std::string& name : fixture.disk.tree(kFolder / "journal"))
            sealed[name] = *fixture.disk.content(kFolder / "journal" / name);
    }
}

void JournalTest::saysWhatIsDurable() {
    JournalFixture fixture;
    auto writer = *fixture.create();
    QVERIFY(writer->append(record(0)));
    QVERIFY(writer->append(record(1)));
    QVERIFY(writer->flush());
    QVERIFY(writer->durable() == RecordNumber(2));
    fixture.disk.powerCut();
    QCOMPARE(contentOf(fixture.files), std::string("1:0 2:1"));
    writer = *fixture.resume();
    QVERIFY(writer->durable() == RecordNumber(2));
}

void JournalTest::readsBehindEachRecordInPieces() {
    JournalFixture fixture;
    auto writer = *fixture.create({.segmentBytes = 40'000});
    constexpr int kRecords = 2000;
    for (int i = 0; i < kRecords; ++i) {
        if (i % 700 == 699)
            writer = *fixture.resume({.segmentBytes = 40'000});
        QVERIFY(writer->append(record(i)));
    }
    for (const JournalReader& reader : {writer->reader(), *JournalReader::open(fixture.files, kFolder)}) {
        for (uint64_t after = 0; after < kRecords; ++after) {
            const auto lines = *reader.readAfter(RecordNumber(after), 1000);
            QVERIFY(lines);
            QVERIFY(lines->first == RecordNumber(after + 1));
            QVERIFY(lines->bytes.size() <= 1000);
            QVERIFY(lines->epoch == Epoch(static_cast<uint32_t>(1 + (after + 1) / 700)));
        }
        QVERIFY(!*reader.readAfter(RecordNumber(kRecords), 1000));
        QCOMPARE(contentInPieces(reader, 5000), contentOf(reader));
    }
}

void JournalTest::readsOneLineEvenIfItIsLongerThanAsked() {
    JournalFixture fixture;
    auto writer = *fixture.create();
    QVERIFY(writer->append(record(0)));
    QVERIFY(writer->append(protocol::Snapshot{{{"text", std::string(300'000, 'x')}}}));
    QVERIFY(writer->append(record(2)));
    QCOMPARE(contentInPieces(writer->reader(), 1), std::string("1:0 2:snapshot 3:2"));
    QCOMPARE(contentInPieces(writer->reader(), 100'000), std::string("1:0 2:snapshot 3:2"));
}

void JournalTest::opensNoFileToFollow() {
    JournalFixture fixture;
    auto writer = *fixture.create();
    QVERIFY(writer->append(record(0)));
    const JournalReader reader = writer->reader();
    QCOMPARE(contentInPieces(reader, 1000), std::string("1:0"));
    fixture.files.inject({Operation::open, "journal", 0, 100});
    QVERIFY(writer->append(record(1)));
    QCOMPARE(contentInPieces(reader, 1000), std::string("1:0 2:1"));
}

void JournalTest::validatesCursors_data() {
    QTest::addColumn<int>("epoch");
    QTest::addColumn<int>("number");
    QTest::addColumn<int>("validEpoch");
    QTest::addColumn<int>("validNumber");
    QTest::newRow("from the beginning") << 0 << 0 << 0 << 0;
    QTest::newRow("old epoch") << 1 << 2 << 1 << 2;
    QTest::newRow("whole old epoch") << 1 << 3 << 1 << 3;
    QTest::newRow("lost by the crash") << 1 << 5 << 1 << 3;
    QTest::newRow("this epoch") << 2 << 4 << 2 << 4;
    QTest::newRow("beyond the end") << 2 << 9 << 2 << 4;
    QTest::newRow("unknown epoch") << 7 << 4 << 0 << 0;
}

void JournalTest::validatesCursors() {
    QFETCH(int, epoch);
    QFETCH(int, number);
    QFETCH(int, validEpoch);
    QFETCH(int, validNumber);
    JournalFixture fixture;
    auto writer = *fixture.create();
    for (int i = 0; i < 3; ++i)
        QVERIFY(writer->append(record(i)));
    writer = *fixture.resume();
    QVERIFY(writer->append(record(3)));
    const auto valid = writer->reader().validate(
        {Epoch(static_cast<uint32_t>(epoch)), RecordNumber(static_cast<uint64_t>(number))});
    QVERIFY(valid == (protocol::Cursor{Epoch(static_cast<uint32_t>(validEpoch)),
                                       RecordNumber(static_cast<uint64_t>(validNumber))}));
}

void JournalTest::keepsTheNewIdOfACopy() {
    JournalFixture fixture;
    QVERIFY((*fixture.create())->append(record(0)));
    auto reader = *JournalReader::open(fixture.files, kFolder);
    auto writer = *JournalWriter::resume(fixture.clock, reader, ExperimentId("copy"), {}, {});
    QVERIFY(writer->append(record(1)));
    reader = *JournalReader::open(fixture.files, kFolder);
    QCOMPARE(reader.firstHeader().experiment.raw(), std::string("4f1c"));
    QCOMPARE(reader.lastHeader().experiment.raw(), std::string("copy"));
    QCOMPARE(contentOf(reader), std::string("1:0 2:1"));
}

void JournalTest::stopsAtTheVisitorsError() {
    JournalFixture fixture;
    auto writer = *fixture.create();
    for (int i = 0; i < 3; ++i)
        QVERIFY(writer->append(record(i)));
    int seen = 0;
    const auto read =
        writer->reader().forEach([&seen](const protocol::Record&, std::string_view) -> Expected<void> {
            if (++seen == 2)
                return base::fail(ErrorCode::cancelled);
            return {};
        });
    QVERIFY(!read);
    QVERIFY(read.error().code == ErrorCode::cancelled);
    QCOMPARE(seen, 2);
}

void JournalTest::namesSegmentsWithSixDigitsOrMore() {
    JournalFixture fixture;
    QVERIFY((*fixture.create())->append(record(0)));
    fixture.disk.put(kFolder / "journal/999999.jsonl", "");
    QVERIFY((*fixture.resume())->append(record(1)));
    QCOMPARE(fixture.disk.tree(kFolder / "journal"),
             (std::vector<std::string>{"000001.jsonl", "1000000.jsonl", "999999.jsonl"}));
    QVERIFY((*fixture.resume())->append(record(2)));
    QCOMPARE(contentOf(fixture.files), std::string("1:0 2:1 3:2"));
    QCOMPARE(damageOf(fixture.files), std::string("journal/999999.jsonl bad_header 0+0\n"));
}

QTEST_APPLESS_MAIN(JournalTest)
#include "journal_test.moc"
