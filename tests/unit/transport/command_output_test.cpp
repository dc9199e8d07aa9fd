// SPDX-License-Identifier: Apache-2.0
#include "core/transport/remote/command_output.h"

#include "tests/support/compare.h"

#include <QtTest>

using namespace trialdeck::transport;

class CommandOutputTest : public QObject {
    Q_OBJECT

private slots:
    void theOutputIsTheSameHoweverItIsCut_data() {
        QTest::addColumn<QByteArray>("stream");
        QTest::addColumn<QByteArray>("output");
        QTest::addColumn<bool>("endedWith255");
        const auto row = [](const char* name, const char* stream, const char* output, bool endedWith255) {
            QTest::addRow("%s", name) << QByteArray(stream) << QByteArray(output) << endedWith255;
        };
        row("plain", "m-shell 12\nm-begin\nhello\n", "hello\n", false);
        row("chatter", "Welcome\nm-\nm-shell 12\nprofile says\nm-begin\nhello\n", "hello\n", false);
        row("nothing", "m-shell 12\nm-begin\n", "", false);
        row("255", "m-shell 12\nm-begin\nbad\nm-255", "bad\n", true);
        row("nearly 255", "m-shell 12\nm-begin\nm-25m-2", "m-25m-2", false);
        row("a 255 of its own", "m-shell 12\nm-begin\nm-255 and on", "m-255 and on", false);
        row("no begin", "m-shell 12\nlost: syntax error\n", "lost: syntax error\n", false);
        row("no shell", "This account is not available.\n", "", false);
    }
    void theOutputIsTheSameHoweverItIsCut() {
        QFETCH(QByteArray, stream);
        QFETCH(QByteArray, output);
        QFETCH(bool, endedWith255);
        for (qsizetype piece = 1; piece <= stream.size(); ++piece) {
            CommandOutput cut("m");
            std::string read;
            for (qsizetype at = 0; at < stream.size(); at += piece)
                read += cut.read(stream.mid(at, piece).toStdString());
            read += cut.finish();
            QCOMPARE(read, output.toStdString());
            QCOMPARE(cut.endedWith255(), endedWith255);
        }
    }

    void theShellIsKnownByItsNumber() {
        CommandOutput cut("m");
        (void)cut.read("hello\nm-shell 1");
        QVERIFY(!cut.shellProcess());
        QCOMPARE(cut.chatter(), std::string("hello\nm-shell 1"));
        (void)cut.read("23\n");
        QCOMPARE(cut.shellProcess().value(), std::string("123"));
    }

    void endlessChatterIsOutput() {
        CommandOutput cut("m");
        std::string read = cut.read("m-shell 1\n");
        read += cut.read(std::string(CommandOutput::kLongestChatter + 1, 'x'));
        QCOMPARE(read.size(), CommandOutput::kLongestChatter + 1);
    }
};

QTEST_APPLESS_MAIN(CommandOutputTest)
#include "command_output_test.moc"
