// SPDX-License-Identifier: Apache-2.0
#include "core/transport/sync/rsync_output.h"

#include "tests/support/compare.h"

#include <QtTest>

using namespace trialdeck;
using namespace trialdeck::transport;

namespace {

constexpr const char* kOutput = "created directory /x\n"
                                "td cd+++++++++ 4096 ./\n"
                                "td *deleting   0 gone/\n"
                                "td >f+++++++++ 2 -dash\n"
                                "\r              2   0%    0.00kB/s    0:00:00  \r              2   0%    "
                                "0.00kB/s    0:00:00 (xfr#1, to-chk=5/7)\n"
                                "td cL+++++++++ 3 link\n"
                                "td <f.st...... 10 new\\#012line\n"
                                "td .d..t...... 4096 sub/\n"
                                "skipping non-regular file \"fifo\"\n"
                                "\r       62914566  99%  821.92MB/s    0:00:00 (xfr#4, to-chk=0/7)\n"
                                "\nNumber of files: 7 (reg: 4, dir: 2, link: 1)\n"
                                "Number of created files: 7 (reg: 4, dir: 2, link: 1)\n"
                                "Number of regular files transferred: 2\n";

constexpr const char* kErrors =
    "rsync: [sender] send_files failed to open \"/home/anna/p/secret\": Permission denied (13)\n"
    "rsync: [receiver] mkstemp \"/data/p/sub/.model.pt.Ab12Cd\" failed: Permission denied (13)\n"
    "file has vanished: \"/home/anna/p/tmp\"\n"
    "rsync: connection unexpectedly closed\n"
    "rsync error: some files/attrs were not transferred (see previous errors) (code 23) at main.c(1338)\n";

std::string textOf(const RsyncOutput& output) {
    const SyncReport& report = output.report();
    std::string text = "copied " + std::to_string(report.copied) + ", unchanged " +
                       std::to_string(report.unchanged) + ", removed " + std::to_string(report.removed) +
                       ", bytes " + std::to_string(report.bytes) + "\n";
    for (const SyncChange& change : report.changes)
        text +=
            std::string(nameOf(change.kind)) + " " + std::to_string(change.bytes) + " " + change.name + "\n";
    for (const SyncFailure& failure : report.failures)
        text += "failed " + failure.name + ": " + failure.reason + "\n";
    return text + output.complaint();
}

} // namespace

class RsyncOutputTest : public QObject {
    Q_OBJECT
private slots:
    void readsWhatWasDone() {
        const std::string expected = "copied 2, unchanged 2, removed 1, bytes 12\n"
                                     "removed 0 gone\n"
                                     "copied 2 -dash\n"
                                     "made 0 link\n"
                                     "copied 10 new\nline\n"
                                     "adjusted 0 sub\n"
                                     "failed fifo: not a file, folder or link\n"
                                     "failed secret: Permission denied\n"
                                     "failed sub/model.pt: Permission denied\n"
                                     "failed tmp: it went away while it was copied\n"
                                     "rsync: connection unexpectedly closed";
        for (const size_t piece : {size_t{1}, size_t{7}, size_t{100'000}}) {
            RsyncOutput output({"/home/anna/p", "/data/p"});
            const std::string_view printed = kOutput;
            for (size_t i = 0; i < printed.size(); i += piece)
                (void)output.readOutput(printed.substr(i, piece));
            const std::string_view errors = kErrors;
            for (size_t i = 0; i < errors.size(); i += piece)
                output.readErrors(errors.substr(i, piece));
            QCOMPARE(textOf(output), expected);
            const SyncProgress progress{7, 7, 62914566, {}, "sub"};
            QVERIFY(output.progress() == progress);
        }
    }

    void knowsWhatAnRsyncCan_data() {
        QTest::addColumn<QString>("printed");
        QTest::addColumn<bool>("isUsable");
        QTest::addColumn<bool>("hasZstd");
        QTest::newRow("Debian 12")
            << "rsync  version 3.2.7  protocol version 31\nCompress list:\n  zstd lz4\n"
            << true << true;
        QTest::newRow("CentOS 7") << "rsync  version 3.1.2  protocol version 31\n" << true << false;
        QTest::newRow("with a v") << "rsync  version v3.4.1  protocol version 32\n" << true << false;
        QTest::newRow("old") << "rsync  version 3.0.9  protocol version 30\n" << false << false;
        QTest::newRow("older") << "rsync  version 2.6.9  protocol version 29\n" << false << false;
        QTest::newRow("openrsync") << "openrsync: protocol version 29\nrsync version 2.6.9 compatible\n"
                                   << false << false;
        QTest::newRow("nothing") << "" << false << false;
    }
    void knowsWhatAnRsyncCan() {
        QFETCH(QString, printed);
        QFETCH(bool, isUsable);
        QFETCH(bool, hasZstd);
        const RsyncHere here = rsyncHereFrom(printed.toStdString());
        QCOMPARE(here.isUsable, isUsable);
        QCOMPARE(here.hasZstd, hasZstd);
    }

    void unescapesNames_data() {
        QTest::addColumn<QByteArray>("printed");
        QTest::addColumn<QByteArray>("name");
        QTest::newRow("plain") << QByteArray("a b") << QByteArray("a b");
        QTest::newRow("line break") << QByteArray("a\\#012b") << QByteArray("a\nb");
        QTest::newRow("an escape that is a name") << QByteArray("\\#134#012") << QByteArray("\\#012");
        QTest::newRow("cut") << QByteArray("a\\#01") << QByteArray("a\\#01");
        QTest::newRow("no digits") << QByteArray("\\#0x2") << QByteArray("\\#0x2");
    }
    void unescapesNames() {
        QFETCH(QByteArray, printed);
        QFETCH(QByteArray, name);
        QCOMPARE(unescapedRsyncName(printed.toStdString()), name.toStdString());
    }

    void rubbishIsPassedOver() {
        RsyncOutput output({});
        (void)output.readOutput(
            "td \ntd >f\ntd >f+++++++++ x\n  12x%\n(to-chk=9/7)\r   5  1% to-chk=9/7\n\0\n");
        (void)output.readOutput(std::string(1'000'000, 'x'));
        QCOMPARE(textOf(output), std::string("copied 0, unchanged 0, removed 0, bytes 0\n"));
        QCOMPARE(output.progress().totalFiles, uint64_t{0});
    }
};

QTEST_APPLESS_MAIN(RsyncOutputTest)
#include "rsync_output_test.moc"
