// SPDX-License-Identifier: Apache-2.0
#include "core/base/clock.h"
#include "core/base/csv.h"
#include "core/base/escape.h"
#include "core/base/nearest_word.h"
#include "core/base/sha256.h"
#include "core/base/utf8.h"
#include "core/base/wipe.h"
#include "core/base/words.h"
#include "tests/support/compare.h"

#include <array>

using namespace trialdeck::base;

class TextTest : public QObject {
    Q_OBJECT
private slots:
    void wordsLoseTheirCapitalsAndNothingElse() {
        QCOMPARE(lowerCase("CUDA Out of MEMORY [Z@{`]"), std::string("cuda out of memory [z@{`]"));
        QCOMPARE(lowerCase("ÄÖ 损失 \xff"), std::string("ÄÖ 损失 \xff"));
    }
    void wordsAreJoined() {
        using Words = std::vector<std::string>;
        QCOMPARE(joined(Words{}, ","), std::string());
        QCOMPARE(joined(Words{"0"}, ","), std::string("0"));
        QCOMPARE(joined(Words{"", "1", ""}, ","), std::string(",1,"));
    }

    void aWipedSecretLeavesNoLetters() {
        std::string secret = "correct horse battery staple";
        secret.resize(7);
        const char* place = secret.data();
        wipe(secret);
        QVERIFY(secret.empty());
        QCOMPARE(std::string(place, 28), std::string(28, '\0'));
        std::optional<std::string> nothing;
        wipe(nothing);
        QVERIFY(!nothing);
    }

    void findsTheFirstByteThatIsNotUtf8_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<int>("offset");
        QTest::newRow("ascii") << QByteArray("abc") << -1;
        QTest::newRow("chinese") << QByteArray("损失") << -1;
        QTest::newRow("four bytes") << QByteArray("\xF0\x9F\x98\x80") << -1;
        QTest::newRow("lone continuation") << QByteArray("a\x82z") << 1;
        QTest::newRow("overlong slash") << QByteArray("\xC0\xAF") << 0;
        QTest::newRow("surrogate") << QByteArray("\xED\xA0\x80") << 0;
        QTest::newRow("above U+10FFFF") << QByteArray("\xF4\x90\x80\x80") << 0;
        QTest::newRow("cut at the end") << QByteArray("ab\xE6\x8D") << 2;
    }
    void findsTheFirstByteThatIsNotUtf8() {
        QFETCH(QByteArray, bytes);
        QFETCH(int, offset);
        const auto found = firstInvalidUtf8(bytes.toStdString());
        QCOMPARE(found ? static_cast<int>(*found) : -1, offset);
    }

    void quotesCsvFieldsWhereTheyNeedIt() {
        std::string line;
        for (const char* field : {"plain", "a b", "a,b", "a\"b", "two\nlines", "cr\r", ""}) {
            appendCsvField(line, field);
            line += ';';
        }
        QCOMPARE(line, std::string("plain;a b;\"a,b\";\"a\"\"b\";\"two\nlines\";\"cr\r\";;"));
    }

    void findsTheEndOfAnEscapeSequence_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("end");
        QTest::newRow("colour") << QByteArray("\x1b[1;31mred") << 7;
        QTest::newRow("private mode") << QByteArray("\x1b[?25lx") << 6;
        QTest::newRow("broken off by a line end") << QByteArray("\x1b[31\nnext") << 4;
        QTest::newRow("title") << QByteArray("\x1b]0;title\ax") << 10;
        QTest::newRow("title ended by a sequence") << QByteArray("\x1b]0;t\x1b\\x") << 7;
        QTest::newRow("title without end") << QByteArray("\x1b]0;t\nnext") << 5;
        QTest::newRow("character set") << QByteArray("\x1b(Bx") << 3;
        QTest::newRow("two bytes") << QByteArray("\x1b"
                                                 "7x")
                                   << 2;
        QTest::newRow("alone") << QByteArray("\x1b") << 1;
    }
    void findsTheEndOfAnEscapeSequence() {
        QFETCH(QByteArray, text);
        QFETCH(int, end);
        QCOMPARE(static_cast<int>(endOfEscape(text.toStdString(), 0)), end);
    }

    void cutsBetweenCharacters() {
        QCOMPARE(std::string(truncateUtf8("损失", 5)), std::string("损"));
        QCOMPARE(std::string(truncateUtf8("ab", 5)), std::string("ab"));
    }

    void offersTheWordThatWasMeant_data() {
        QTest::addColumn<QByteArray>("typed");
        QTest::addColumn<QByteArray>("meant");
        QTest::newRow("swapped letters") << QByteArray("loguinform") << QByteArray("loguniform");
        QTest::newRow("missing letter") << QByteArray("momentm") << QByteArray("momentum");
        QTest::newRow("capital and dash") << QByteArray("Num-Samples") << QByteArray("num_samples");
        QTest::newRow("far from all") << QByteArray("xyz") << QByteArray("");
        QTest::newRow("nothing typed") << QByteArray("") << QByteArray("");
    }
    void offersTheWordThatWasMeant() {
        static constexpr std::array<std::string_view, 4> kWords = {"uniform", "loguniform", "momentum",
                                                                   "num_samples"};
        QFETCH(QByteArray, typed);
        QFETCH(QByteArray, meant);
        QCOMPARE(nearestWord(typed.toStdString(), std::span<const std::string_view>(kWords)).value_or(""),
                 meant.toStdString());
    }

    void timesReadBackAsWritten() {
        const WallTime time{std::chrono::milliseconds(1796047509123)};
        QCOMPARE(formatIso8601(time), std::string("2026-11-30T14:05:09.123Z"));
        QVERIFY(parseIso8601(formatIso8601(time)).value() == time);
        QVERIFY(parseIso8601("2026-11-30T14:05:09Z").value() == time - std::chrono::milliseconds(123));
        for (const char* bad : {"", "2026-11-30", "2026-13-30T14:05:09Z", "2026-02-30T14:05:09Z",
                                "2026-11-30T14:05:09", "2026-11-30T24:05:09Z", "2026-11-30T14:05:09.1Z"})
            QVERIFY2(!parseIso8601(bad), bad);
    }

    void hashesAsTheStandardSays() {
        // FIPS 180-4, example "abc".
        QCOMPARE(sha256Hex("abc"),
                 std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
        Sha256 pieces;
        pieces.update("a");
        (void)pieces.hexDigest();
        pieces.update("bc");
        QCOMPARE(pieces.hexDigest(), sha256Hex("abc"));
    }
};

QTEST_APPLESS_MAIN(TextTest)
#include "text_test.moc"
