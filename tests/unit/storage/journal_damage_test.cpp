// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/finding_words.h"
#include "tests/unit/storage/journal_support.h"

using namespace trialdeck;
using namespace trialdeck::storage;
using namespace trialdeck::tests;

namespace {

const base::Path kFirst = kFolder / "journal/000001.jsonl";
const base::Path kSecond = kFolder / "journal/000002.jsonl";

/// A journal of two segments and epochs, records 1:0 to 4:3 and 5:4 to 8:7.
struct Damaged : JournalFixture {
    Damaged() {
        auto writer = *create();
        for (int i = 0; i < 8; ++i) {
            if (i == 4)
                writer = *resume();
            (void)writer->append(record(i));
        }
    }
    [[nodiscard]] std::string text(const base::Path& path) { return *disk.content(path); }
    /// Offset of a line, counting the header as 0.
    [[nodiscard]] size_t lineAt(const base::Path& path, int line) {
        const std::string content = text(path);
        size_t offset = 0;
        for (int i = 0; i < line; ++i)
            offset = content.find('\n', offset) + 1;
        return offset;
    }
};

constexpr auto kAll = "1:0 2:1 3:2 4:3 5:4 6:5 7:6 8:7";

} // namespace

class JournalDamageTest : public QObject {
    Q_OBJECT
private slots:
    void ignoresATornTail_data();
    void ignoresATornTail();
    void goesOnBehindATornTail();
    void ignoresWhatAZombieWroteBehindTheEnd();
    void passesOverABadLine();
    void survivesADamagedNumber();
    void givesUpWhatFollowsNulBytesAfterAPowerCut();
    void passesOverNulBytesInASealedSegment();
    void namesASealedSegmentWithAnotherHash();
    void namesASealedSegmentThatIsTooShort();
    void readsAroundAMissingSegment();
    void passesOverFilesWithoutAHeader_data();
    void passesOverFilesWithoutAHeader();
    void passesOverFilesThatAreNoSegments();
    void ignoresASegmentThatNobodyNames();
    void refusesALaterVersion();
    void refusesAFolderWithoutSegments();
    void findsLinesThatAreNoRecordsWhileReading();
    void skipsLinesThatAreTooLong();
    void goesOnBehindEveryDamage();
    void everyKindHasAWordThatClientsSay();
};

void JournalDamageTest::ignoresATornTail_data() {
    QTest::addColumn<QByteArray>("tail");
    QTest::newRow("half a line") << QByteArray(R"({"n":9,"t":"2026-01-01T00:00:0)");
    QTest::newRow("half a character") << QByteArray("{\"n\":9,\"note\":\"\xe5\xa5");
    QTest::newRow("all but the newline")
        << QByteArray(R"({"n":9,"t":"2026-01-01T00:00:00.000Z","kind":"heartbeat"})");
    QTest::newRow("NUL bytes") << QByteArray(512, '\0');
    QTest::newRow("newlines") << QByteArray("\n\n\n");
    QTest::newRow("an old number") << QByteArray(
        "{\"n\":8,\"t\":\"2026-01-01T00:00:00.000Z\",\"kind\":\"heartbeat\"}\n");
}

void JournalDamageTest::ignoresATornTail() {
    QFETCH(QByteArray, tail);
    Damaged fixture;
    const std::string whole = fixture.text(kSecond);
    fixture.disk.put(kSecond, whole + tail.toStdString());
    QCOMPARE(contentOf(fixture.files), std::string(kAll));
    QCOMPARE(damageOf(fixture.files), "journal/000002.jsonl torn_tail " + std::to_string(whole.size()) + "+" +
                                          std::to_string(tail.size()) + "\n");
}

void JournalDamageTest::goesOnBehindATornTail() {
    Damaged fixture;
    const size_t whole = fixture.text(kSecond).size();
    fixture.disk.put(kSecond, fixture.text(kSecond) + "{\"n\":9,");
    const std::string torn = fixture.text(kSecond);
    QVERIFY((*fixture.resume())->append(record(8)));
    QCOMPARE(fixture.text(kSecond), torn);
    QCOMPARE(contentOf(fixture.files), std::string(kAll) + " 9:8");
    QCOMPARE(damageOf(fixture.files), "journal/000002.jsonl ignored_bytes " + std::to_string(whole) + "+7\n");
}

void JournalDamageTest::ignoresWhatAZombieWroteBehindTheEnd() {
    JournalFixture fixture;
    auto zombie = *fixture.create();
    QVERIFY(zombie->append(record(0)));
    auto writer = *fixture.resume();
    QVERIFY(zombie->append(record(100)));
    QVERIFY(writer->append(record(1)));
    QCOMPARE(contentOf(fixture.files), std::string("1:0 2:1"));
    QCOMPARE(damageOf(fixture.files).substr(0, 34), std::string("journal/000001.jsonl ignored_bytes"));
}

void JournalDamageTest::passesOverABadLine() {
    for (const auto& path : {kFirst, kSecond}) {
        Damaged fixture;
        std::string content = fixture.text(path);
        const size_t offset = fixture.lineAt(path, 2);
        const size_t bytes = fixture.lineAt(path, 3) - offset;
        content[offset] = '?';
        fixture.disk.put(path, content);
        const bool sealed = path == kFirst;
        QCOMPARE(contentOf(fixture.files),
                 std::string(sealed ? "1:0 3:2 4:3 5:4 6:5 7:6 8:7" : "1:0 2:1 3:2 4:3 5:4 7:6 8:7"));
        const std::string file = sealed ? "journal/000001.jsonl" : "journal/000002.jsonl";
        const std::string bad =
            file + " bad_line " + std::to_string(offset) + "+" + std::to_string(bytes) + "\n";
        const std::string hash = file + " hash_differs 0+" + std::to_string(content.size()) + "\n";
        QCOMPARE(damageOf(fixture.files), sealed ? hash + bad : bad);
        QCOMPARE(contentInPieces(*JournalReader::open(fixture.files, kFolder), 1), contentOf(fixture.files));
    }
}

void JournalDamageTest::survivesADamagedNumber() {
    Damaged fixture;
    std::string content = fixture.text(kSecond);
    content.replace(fixture.lineAt(kSecond, 2), 6, R"({"n":9)");
    fixture.disk.put(kSecond, content);
    QCOMPARE(contentOf(fixture.files), std::string("1:0 2:1 3:2 4:3 5:4 7:6 8:7"));
}

void JournalDamageTest::givesUpWhatFollowsNulBytesAfterAPowerCut() {
    Damaged fixture;
    std::string content = fixture.text(kSecond);
    const size_t offset = fixture.lineAt(kSecond, 2);
    std::fill_n(content.begin() + static_cast<std::ptrdiff_t>(offset) + 3, 20, '\0');
    fixture.disk.put(kSecond, content);
    QCOMPARE(contentOf(fixture.files), std::string("1:0 2:1 3:2 4:3 5:4"));
    QCOMPARE(damageOf(fixture.files), "journal/000002.jsonl torn_tail " + std::to_string(offset) + "+" +
                                          std::to_string(content.size() - offset) + "\n");
}

void JournalDamageTest::passesOverNulBytesInASealedSegment() {
    Damaged fixture;
    std::string content = fixture.text(kFirst);
    std::fill_n(content.begin() + static_cast<std::ptrdiff_t>(fixture.lineAt(kFirst, 2)) + 3, 20, '\0');
    fixture.disk.put(kFirst, content);
    QCOMPARE(contentOf(fixture.files), std::string("1:0 3:2 4:3 5:4 6:5 7:6 8:7"));
}

void JournalDamageTest::namesASealedSegmentWithAnotherHash() {
    Damaged fixture;
    std::string content = fixture.text(kFirst);
    content[content.find("node-a")] = 'N';
    fixture.disk.put(kFirst, content);
    QCOMPARE(contentOf(fixture.files), std::string(kAll));
    QCOMPARE(damageOf(fixture.files),
             "journal/000001.jsonl hash_differs 0+" + std::to_string(content.size()) + "\n");
}

void JournalDamageTest::namesASealedSegmentThatIsTooShort() {
    Damaged fixture;
    const std::string content = fixture.text(kFirst);
    const size_t cut = fixture.lineAt(kFirst, 3) + 5;
    fixture.disk.put(kFirst, content.substr(0, cut));
    QCOMPARE(contentOf(fixture.files), std::string("1:0 2:1 5:4 6:5 7:6 8:7"));
    QCOMPARE(damageOf(fixture.files), "journal/000001.jsonl bad_line " + std::to_string(cut - 5) +
                                          "+5\njournal/000001.jsonl short_segment " + std::to_string(cut) +
                                          "+" + std::to_string(content.size() - cut) + "\n");
}

void JournalDamageTest::readsAroundAMissingSegment() {
    Damaged fixture;
    QVERIFY((*fixture.resume())->append(record(8)));
    const size_t bytes = fixture.text(kSecond).size();
    QVERIFY(fixture.disk.remove(kSecond));
    QCOMPARE(contentOf(fixture.files), std::string("1:0 2:1 3:2 4:3 9:8"));
    QCOMPARE(damageOf(fixture.files),
             "journal/000002.jsonl missing_segment 0+" + std::to_string(bytes) + "\n");
    QCOMPARE(contentInPieces(*JournalReader::open(fixture.files, kFolder), 1), contentOf(fixture.files));
}

void JournalDamageTest::passesOverFilesWithoutAHeader_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("half a header") << QByteArray(
        R"({"n":8,"t":"2026-01-01T00:00:00.000Z","kind":"segment","ver)");
    QTest::newRow("another record") << QByteArray(
        "{\"n\":9,\"t\":\"2026-01-01T00:00:00.000Z\",\"kind\":\"heartbeat\"}\n");
    QTest::newRow("another number") << QByteArray(
        "{\"n\":8,\"t\":\"2026-01-01T00:00:00.000Z\",\"kind\":\"segment\",\"version\":1,\"experiment\":"
        "\"4f1c\",\"epoch\":3,\"segment\":4}\n");
    QTest::newRow("its own predecessor")
        << QByteArray("{\"n\":8,\"t\":\"2026-01-01T00:00:00.000Z\",\"kind\":\"segment\",\"version\":1,"
                      "\"experiment\":\"4f1c\",\"epoch\":3,\"segment\":3,"
                      "\"predecessor\":{\"segment\":3,\"length\":1,\"sha256\":\"\"}}\n");
    QTest::newRow("rubbish") << QByteArray("\x7f"
                                           "ELF\n\n\n");
}

void JournalDamageTest::passesOverFilesWithoutAHeader() {
    QFETCH(QByteArray, content);
    Damaged fixture;
    fixture.disk.put(kFolder / "journal/000003.jsonl", content.toStdString());
    QCOMPARE(contentOf(fixture.files), std::string(kAll));
    QCOMPARE(damageOf(fixture.files),
             "journal/000003.jsonl bad_header 0+" + std::to_string(content.size()) + "\n");
    QVERIFY((*fixture.resume())->append(record(8)));
    QVERIFY(fixture.disk.content(kFolder / "journal/000004.jsonl"));
    QCOMPARE(contentOf(fixture.files), std::string(kAll) + " 9:8");
}

void JournalDamageTest::passesOverFilesThatAreNoSegments() {
    Damaged fixture;
    for (const char* name :
         {".nfs00000000012d687f00000a3c", "000003.jsonl.tmp", "3.jsonl", "000000.jsonl", "notes"})
        fixture.disk.put(kFolder / "journal" / name, "x");
    QCOMPARE(contentOf(fixture.files), std::string(kAll));
    QCOMPARE(damageOf(fixture.files), std::string());
}

void JournalDamageTest::ignoresASegmentThatNobodyNames() {
    Damaged fixture;
    std::string slow = fixture.text(kSecond);
    fixture.disk.put(kFolder / "journal/000003.jsonl", "");
    QVERIFY((*fixture.resume())->append(record(8)));
    // The slow starter finishes its header after another has taken over.
    slow.replace(slow.find(R"("segment":2)"), 11, R"("segment":3)");
    fixture.disk.put(kFolder / "journal/000003.jsonl", slow);
    QCOMPARE(contentOf(fixture.files), std::string(kAll) + " 9:8");
    QCOMPARE(damageOf(fixture.files),
             "journal/000003.jsonl unchained_segment 0+" + std::to_string(slow.size()) + "\n");
}

void JournalDamageTest::refusesALaterVersion() {
    Damaged fixture;
    std::string later = fixture.text(kSecond);
    later.replace(later.find(R"("version":1)"), 11, R"("version":2)");
    fixture.disk.put(kSecond, later);
    QCOMPARE(contentOf(fixture.files), std::string("journal_version: open the journal of /exp "
                                                   "(path=journal/000002.jsonl, supported=1, version=2)"));
}

void JournalDamageTest::refusesAFolderWithoutSegments() {
    JournalFixture fixture;
    fixture.disk.put(kFolder / "journal/notes.txt", "x");
    QCOMPARE(
        contentOf(fixture.files),
        std::string("journal_damaged: open the journal of /exp: no file in the journal folder begins with "
                    "a segment's header (path=journal, reason=no_segment)"));
    QVERIFY(contentOf(fixture.files, "/elsewhere").starts_with("file_not_found"));
}

void JournalDamageTest::findsLinesThatAreNoRecordsWhileReading() {
    Damaged fixture;
    std::string content = fixture.text(kSecond);
    const size_t offset = fixture.lineAt(kSecond, 2);
    content.replace(content.find("decision", offset), 8, "\xff\xff\xff\xff\xff\xff\xff\xff");
    fixture.disk.put(kSecond, content);
    const auto reader = *JournalReader::open(fixture.files, kFolder);
    for (int again = 0; again < 2; ++again) {
        QCOMPARE(contentOf(reader), std::string("1:0 2:1 3:2 4:3 5:4 7:6 8:7"));
        QCOMPARE(damageOf(reader), "journal/000002.jsonl bad_line " + std::to_string(offset) + "+" +
                                       std::to_string(fixture.lineAt(kSecond, 3) - offset) + "\n");
    }
}

void JournalDamageTest::skipsLinesThatAreTooLong() {
    Damaged fixture;
    std::string content = fixture.text(kSecond);
    const size_t offset = fixture.lineAt(kSecond, 2);
    const std::string tooLong =
        R"({"n":6,)" + std::string(protocol::kMaxRecordBytes + 1'000'000, 'x') + "}\n";
    content.insert(offset, tooLong);
    fixture.disk.put(kSecond, content);
    const auto reader = *JournalReader::open(fixture.files, kFolder);
    QCOMPARE(contentOf(reader), std::string(kAll));
    QCOMPARE(contentInPieces(reader, 1000), std::string(kAll));
    QCOMPARE(damageOf(reader), "journal/000002.jsonl bad_line " + std::to_string(offset) + "+" +
                                   std::to_string(tooLong.size()) + "\n");
}

/// Each byte of the last segment damaged in turn: what can be read afterwards can be continued.
void JournalDamageTest::goesOnBehindEveryDamage() {
    const size_t bytes = Damaged().text(kSecond).size();
    const size_t headerBytes = Damaged().lineAt(kSecond, 1);
    for (size_t at = 0; at < bytes; ++at) {
        Damaged fixture;
        std::string content = fixture.text(kSecond);
        content[at] = static_cast<char>(content[at] ^ 0x15);
        fixture.disk.put(kSecond, content);
        const std::string before = contentOf(fixture.files);
        // A header that is wrong and still a header decides how much of the other segment counts.
        QVERIFY(at < headerBytes || before.starts_with("1:0 2:1 3:2 4:3"));
        auto writer = fixture.resume();
        QVERIFY(writer);
        const auto number = (*writer)->last().number.raw() + 1;
        QVERIFY((*writer)->append(record(99)));
        QCOMPARE(contentOf(fixture.files),
                 before + (before.empty() ? "" : " ") + std::to_string(number) + ":99");
    }
}

void JournalDamageTest::everyKindHasAWordThatClientsSay() {
    for (int i = 0; i <= static_cast<int>(DamageKind::unchained_segment); ++i) {
        const std::string name(nameOf(static_cast<DamageKind>(i)));
        QVERIFY2(protocol::findingReasonFromString(name), name.c_str());
    }
}

QTEST_APPLESS_MAIN(JournalDamageTest)
#include "journal_damage_test.moc"
