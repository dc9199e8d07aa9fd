// SPDX-License-Identifier: Apache-2.0
#include "app/models/log_text.h"

#include "tests/support/compare.h"

#include <QStringList>

using namespace trialdeck::app::models;

namespace {

QStringList linesOf(const LogText& log) {
    QStringList lines;
    for (size_t i = 0; i < log.lineCount(); ++i)
        lines << QString::fromStdString(plainLogText(log.line(i).value_or("(gone)")));
    return lines;
}

/// The same whatever the pieces it comes in.
QStringList shown(const QByteArray& bytes) {
    LogText whole;
    whole.append(0, std::string_view(bytes.constData(), static_cast<size_t>(bytes.size())));
    LogText bytewise;
    for (qsizetype i = 0; i < bytes.size(); ++i)
        bytewise.append(static_cast<uint64_t>(i), std::string_view(bytes.constData() + i, 1));
    if (linesOf(whole) != linesOf(bytewise))
        return {QStringLiteral("differs by pieces"), linesOf(whole).join(u'|'), linesOf(bytewise).join(u'|')};
    return linesOf(whole);
}

std::string spansOf(std::string_view kept) {
    std::string text;
    for (const LogSpan& span : decodeLogLine(kept).spans)
        text += std::to_string(span.first) + "+" + std::to_string(span.count) + ":" +
                std::to_string(span.style.colour) + (span.style.bold ? "b " : " ");
    return text;
}

} // namespace

class LogTextTest : public QObject {
    Q_OBJECT

private slots:
    void showsWhatATerminalWould_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QStringList>("lines");
        const auto row = [](const char* name, const QByteArray& bytes, const QStringList& lines) {
            QTest::newRow(name) << bytes << lines;
        };
        row("plain", "one\ntwo\n\nthree", {"one", "two", "", "three"});
        row("CRLF", "one\r\ntwo\r\n", {"one", "two"});
        row("old mac, overwritten", "old mac\rend\n", {"end mac"});
        row("progress bar", "a\r 10%\r 50%\r100%\nnext", {"100%", "next"});
        row("nested bars", "start\n\rEpochs: 1/2\n\r  Steps: 1/10\x1b[A\n\r  Steps: 2/10\x1b[A\n\nepoch 1\n",
            {"start", "Epochs: 1/2", "  Steps: 2/10", "epoch 1"});
        row("titles and clipboard",
            "\x1b]0;owned\x07title\n\x1b]52;c;ZXY=\x07"
            "copy\n",
            {"title", "copy"});
        row("links", "\x1b]8;;http://example.com\x1b\\report\x1b]8;;\x1b\\ link\n", {"report link"});
        row("screens and questions", "\x1b[2J\x1b[Hcleared\n\x1b[?1049hother\x1b[?1049l\n\x1b[6nasks\n",
            {"cleared", "other", "asks"});
        row("half a sequence waits", "half \x1b[3", {"half"});
        row("no sequence eats the next line", "a\x1b[3\nb\n\x1b]0;title\nc\n", {"a", "b", "", "c"});
        row("html is text", "<b>bold?</b> %1 &amp; {lr}\n", {"<b>bold?</b> %1 &amp; {lr}"});
        row("control characters are marks",
            QByteArray("a\0b\x07"
                       "c\x08"
                       "d\x0b"
                       "e\x0c"
                       "f\n",
                       12),
            {QStringLiteral("a␀b␇c␈d␋e␌f")});
        row("bad bytes are one mark each", "byte \x82 alone \xff\xfe\nok\n",
            {QStringLiteral("byte \\x82 alone \\xff\\xfe"), QStringLiteral("ok")});
        row("unfinished character waits", "ok\n\xe8\xbd", {"ok"});
        row("Chinese", "轮次 1 损失 0.693\n", {QStringLiteral("轮次 1 损失 0.693")});
        row("characters that turn the direction",
            "\xe2\x80\xae"
            "abc\n",
            {QStringLiteral("U+202Eabc")});
        row("erase to the end", "12345\r\x1b[K9\n", {"9"});
    }
    void showsWhatATerminalWould() {
        QFETCH(const QByteArray, bytes);
        QTEST(shown(bytes), "lines");
    }

    void coloursAreOursAndEndWhereTheyShould() {
        LogText log;
        log.append(0, "\x1b[31mERROR\x1b[0m loss "
                      "\x1b[1;33mhigh\x1b[m\n\x1b[38;5;196mred\x1b[48;2;0;0;255mon\x1b[0m x\n");
        QCOMPARE(spansOf(*log.line(0)), std::string("0+5:2 5+6:0 11+4:4b "));
        QCOMPARE(spansOf(*log.line(1)), std::string("0+5:2 5+2:0 "));
    }

    void keepsBothEndsOfAHugeLine() {
        LogText log;
        log.append(0, "begin ");
        for (int i = 0; i < 100; ++i)
            log.append(log.end(), std::string(10'000, 'x'));
        log.append(log.end(), "end\nepoch 1 loss 0.5\n");
        QCOMPARE(log.lineCount(), size_t{2});
        const std::string line = plainLogText(*log.line(0));
        QVERIFY(line.size() < 20'000);
        QVERIFY(line.starts_with("begin x") && line.ends_with("xend"));
        QCOMPARE(std::string(*log.line(1)), std::string("epoch 1 loss 0.5"));
    }

    void dropsOldTextAndTakesItBack() {
        std::string bytes;
        for (int i = 0; i < 20'000; ++i)
            bytes += "step " + std::to_string(i) + "\n";
        LogText log(size_t{100} << 10);
        log.append(0, bytes);
        QCOMPARE(log.lineCount(), size_t{20'000});
        QVERIFY(log.keptTextBytes() < (size_t{200} << 10));
        QVERIFY(!log.line(1500));
        QCOMPARE(std::string(*log.line(19'999)), std::string("step 19999"));
        const LogText::Range range = log.rangeOf(1500);
        log.refill(range.block, std::string_view(bytes).substr(range.first, range.end - range.first));
        QCOMPARE(std::string(*log.line(1500)), std::string("step 1500"));
        QCOMPARE(log.find("STEP 19998", 0, 20'000).lines, (std::vector<size_t>{19'998}));
        QCOMPARE(log.find("nothing", 0, 20'000).gap, std::optional<size_t>(0));
    }

    void saysWhichLinesChanged() {
        LogText log;
        QCOMPARE(log.append(0, "one\ntwo"), size_t{0});
        QCOMPARE(log.append(7, " more\nthree\n"), size_t{1});
        QCOMPARE(log.append(19, "bar\nx\x1b[A"), size_t{3});
        QCOMPARE(log.append(27, "\rBAR\n"), size_t{3});
        QCOMPARE(linesOf(log), (QStringList{"one", "two more", "three", "BAR", "x"}));
    }

    /// The bytes of a trainer on a computer whose language is Chinese.
    void readsGb18030WhenItIsToldTo() {
        const std::string bytes =
            "\xb5\xda\xd2\xbb\xc2\xd6 \xcb\xf0\xca\xa7 0.693\nplain\n\x84\x31\xa4\x37 \xb5";
        LogText log;
        log.append(0, bytes);
        QVERIFY(linesOf(log).front().startsWith("\\xb5"));
        log.setEncoding(LogEncoding::gb18030);
        log.append(0, bytes.substr(0, 1));
        log.append(1, bytes.substr(1));
        QCOMPARE(linesOf(log).mid(0, 2), (QStringList{QStringLiteral("第一轮 损失 0.693"), "plain"}));
    }

    void guessesGb18030ByItsLetters_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<bool>("isChinese");
        QTest::newRow("GB18030") << QByteArray("\xb5\xda\xd2\xbb\xc2\xd6 \xcb\xf0\xca\xa7 0.693\n") << true;
        QTest::newRow("ASCII") << QByteArray("epoch 1 loss 0.5\n") << false;
        QTest::newRow("UTF-8") << QByteArrayLiteral("第一轮 损失 0.693\n") << false;
        QTest::newRow("broken UTF-8") << QByteArray("loss \x82 0.5 \xff\xfe\n\xe7\xac") << false;
        QTest::newRow("Latin-1") << QByteArray("Dur\xe9"
                                               "e 3 s, termin\xe9 \n")
                                 << false;
    }
    void guessesGb18030ByItsLetters() {
        QFETCH(const QByteArray, bytes);
        EncodingGuess guess;
        guess.add({bytes.data(), static_cast<size_t>(bytes.size())});
        QTEST(guess.guess() == LogEncoding::gb18030, "isChinese");
    }

    void marksWhereOldBytesAreGone() {
        LogText log;
        log.append(0, "one\n");
        log.append(100, "later\n");
        QCOMPARE(linesOf(log), (QStringList{"one", "", QStringLiteral("… 96 …"), "later"}));
    }

    void takesThreeMillionLinesInSeconds() {
        LogText log;
        std::string bytes;
        for (int i = 0; i < 30'000; ++i)
            bytes += "step " + std::to_string(i) + " loss 0.693147\n";
        for (int i = 0; i < 100; ++i)
            log.append(log.end(), bytes);
        QCOMPARE(log.lineCount(), size_t{3'000'000});
        QVERIFY(log.keptTextBytes() < (size_t{50} << 20));
    }
};

QTEST_GUILESS_MAIN(LogTextTest)
#include "log_text_test.moc"
