// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/frame.h"

#include "tests/support/compare.h"

#include <QtTest>
#include <algorithm>
#include <cstring>

using namespace trialdeck;
using namespace trialdeck::protocol;

namespace {

std::string framed(const std::string& payload) {
    const auto header = frameHeader(payload.size());
    return std::string(header.begin(), header.end()) + payload;
}

/// Feeds the stream in pieces of that many bytes and collects the payloads.
Expected<std::vector<std::string>> readAll(std::string_view stream, size_t pieceBytes) {
    FrameReader reader;
    std::vector<std::string> frames;
    while (!stream.empty()) {
        const std::span<char> room = reader.prepare();
        const size_t count = std::min({room.size(), stream.size(), pieceBytes});
        std::memcpy(room.data(), stream.data(), count);
        reader.commit(count);
        stream.remove_prefix(count);
        for (;;) {
            auto frame = reader.next();
            if (!frame)
                return tl::make_unexpected(frame.error());
            if (!*frame)
                break;
            frames.emplace_back(**frame);
        }
    }
    return frames;
}

const std::string kMotd = "Welcome to the lab, Monday\n\x1b[?25l\x1b[36m /#####  LAB  #####\\ \x1b[0m\n"
                          "{\"motd\": \"looks like JSON\"}\n";

} // namespace

class FrameTest : public QObject {
    Q_OBJECT
private slots:
    void framesComeOutHoweverTheStreamIsCut() {
        const std::vector<std::string> payloads = {"a",
                                                   std::string(70'000, 'b'),
                                                   "cc",
                                                   std::string(kMaxFrameBytes, 'd'),
                                                   std::string(kMaxFrameBytes, 'e'),
                                                   "f"};
        std::string stream;
        for (const std::string& payload : payloads)
            stream += framed(payload);
        for (const size_t pieceBytes : {1, 3, 4, 5, 4096, 65536, 1'000'000}) {
            const auto frames = readAll(stream, pieceBytes);
            QVERIFY(frames.has_value());
            QVERIFY(*frames == payloads);
        }
    }

    void theBufferStaysBounded() {
        FrameReader reader;
        const std::string frame = framed(std::string(kMaxFrameBytes, 'x'));
        for (int round = 0; round < 20; ++round) {
            std::string_view rest = frame;
            while (!rest.empty()) {
                const std::span<char> room = reader.prepare();
                QVERIFY(!room.empty());
                QVERIFY(room.size() <= 2 * frame.size());
                const size_t count = std::min(room.size(), rest.size());
                std::memcpy(room.data(), rest.data(), count);
                reader.commit(count);
                rest.remove_prefix(count);
            }
            QCOMPARE(reader.next().value()->size(), kMaxFrameBytes);
        }
    }

    void lengthIsBigEndian() {
        const auto header = frameHeader(0x10203);
        QCOMPARE(QByteArray(header.data(), header.size()).toHex(), QByteArray("00010203"));
    }

    void foreignTextInTheStreamIsNamed() {
        const auto frames = readAll(framed("{}") + "Broadcast message from root: reboot at 18:00\n", 4096);
        QCOMPARE(frames.error().code, ErrorCode::bad_frame);
        QCOMPARE(frames.error().arguments.at("found"),
                 std::string("Broadcast message from root: reboot at 18:00"));
    }

    void emptyAndTooLargeFramesAreRefused() {
        QCOMPARE(readAll(std::string(4, '\0'), 4).error().code, ErrorCode::bad_frame);
        QCOMPARE(readAll(std::string("\x00\x04\x00\x01", 4), 4).error().code, ErrorCode::bad_frame);
        QCOMPARE(readAll(std::string("\xff\xff\xff\xff", 4), 4).error().code, ErrorCode::bad_frame);
    }

    /// The streams of the public report behind C34 (login scripts that print into the protocol), with our
    /// marker for its greeting.
    void markerIsFoundBehindLoginChatter_data() {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("chatter");
        QTest::newRow("nothing") << ""
                                 << "";
        QTest::newRow("motd with colours and JSON")
            << QString::fromStdString(kMotd)
            << "Welcome to the lab, Monday\n /#####  LAB  #####\\ \n{\"motd\": \"looks like JSON\"}";
        QTest::newRow("no newline at the end") << "no newline at end of motd"
                                               << "no newline at end of motd";
        QTest::newRow("the command line echoed") << "+ trialdeck-head attach --nonce n-1\n"
                                                 << "+ trialdeck-head attach --nonce n-1";
        QTest::newRow("another session's marker")
            << QString::fromStdString(startMarker("n-2")) << "trialdeck-head n-2";
        QTest::newRow("the marker's beginning twice") << "\x02trialdeck-head \x02trialdeck-"
                                                      << "trialdeck-head trialdeck-";
        QTest::newRow("window title") << "\x1b]0;lab\x07"
                                      << "";
    }
    void markerIsFoundBehindLoginChatter() {
        QFETCH(QString, before);
        QFETCH(QString, chatter);
        const std::string stream = before.toStdString() + startMarker("n-1") + framed("{}");
        const size_t behind = stream.size() - framed("{}").size();
        for (const size_t pieceBytes : {size_t{1}, size_t{7}, stream.size()}) {
            StartMarkerReader reader("n-1");
            size_t at = 0;
            std::optional<size_t> used;
            while (!used) {
                QVERIFY(at < stream.size());
                const auto piece = std::string_view(stream).substr(at, pieceBytes);
                const auto result = reader.read(piece);
                QVERIFY(result.has_value());
                used = *result;
                at += used.value_or(piece.size());
            }
            QCOMPARE(at, behind);
            QCOMPARE(reader.chatterBytes(), static_cast<size_t>(before.toStdString().size()));
            QCOMPARE(QString::fromStdString(reader.chatter()), chatter);
        }
    }

    void streamThatEndsWithoutMarkerTellsWhatItPrinted() {
        StartMarkerReader reader("n-1");
        QVERIFY(!reader.read("Your password expires in 3 days.\nThis account is currently not available.\n")
                     .value());
        QCOMPARE(reader.noAnswer().code, ErrorCode::head_did_not_answer);
        QCOMPARE(reader.noAnswer().arguments.at("printed"),
                 std::string("Your password expires in 3 days.\nThis account is currently not available."));
    }

    void floodIsStoppedAfter64Kib() {
        StartMarkerReader reader("n-1");
        size_t fed = 0;
        for (;;) {
            const auto result = reader.read("spam\n");
            fed += 5;
            if (!result) {
                QCOMPARE(result.error().code, ErrorCode::head_did_not_answer);
                QVERIFY(result.error().arguments.at("printed").size() <= 4096);
                break;
            }
            QVERIFY(fed < 70'000);
        }
        QVERIFY(fed > StartMarkerReader::kMaxChatterBytes);
        QVERIFY(reader.chatterBytes() < 66'000);
    }

    void markerBehindTheLargestChatterIsStillFound() {
        StartMarkerReader reader("n-1");
        const std::string stream = std::string(StartMarkerReader::kMaxChatterBytes, 's') + startMarker("n-1");
        QCOMPARE(reader.read(stream + "frames").value().value(), stream.size());
        StartMarkerReader tooLate("n-1");
        QVERIFY(!tooLate.read("s" + stream));
    }

    void terminalTextIsCleaned_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("clean");
        QTest::newRow("colours") << QByteArray("\x1b[1;31mred\x1b[0m") << "red";
        QTest::newRow("title ended by ESC \\") << QByteArray("\x1b]0;t\x1b\\text") << "text";
        QTest::newRow("title never ended") << QByteArray("\x1b]0;t\ntext") << "text";
        QTest::newRow("character set") << QByteArray("\x1b(Btext") << "text";
        QTest::newRow("cut escape") << QByteArray("text\x1b[") << "text";
        QTest::newRow("escape alone") << QByteArray("text\x1b") << "text";
        QTest::newRow("bell and backspace") << QByteArray("a\x07\x08z") << "az";
        QTest::newRow("carriage return") << QByteArray("one\r\ntwo\r\n") << "one\ntwo";
        QTest::newRow("bad bytes") << QByteArray("a\xffz") << QString::fromUtf8("a\xef\xbf\xbdz");
        QTest::newRow("Chinese") << QByteArray("欢迎") << QString::fromUtf8("欢迎");
        QTest::newRow("bounded") << QByteArray(100, 'x') << QString(20, 'x');
        QTest::newRow("cut at a character") << QByteArray("0123456789012345678欢") << "0123456789012345678";
    }
    void terminalTextIsCleaned() {
        QFETCH(QByteArray, text);
        QFETCH(QString, clean);
        QCOMPARE(QString::fromStdString(cleanTerminalText(text.toStdString(), 20)), clean);
    }
};

QTEST_APPLESS_MAIN(FrameTest)
#include "frame_test.moc"
