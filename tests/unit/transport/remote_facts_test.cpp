// SPDX-License-Identifier: Apache-2.0
#include "core/transport/remote/remote_facts.h"

#include "core/transport/remote/head_deployment.h"
#include "core/transport/remote/remote_shell.h"
#include "tests/support/compare.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

using namespace trialdeck;
using namespace trialdeck::transport;

namespace {

/// What a login shell makes of the one command line with this script behind it.
QByteArray runBy(const QString& shell, const std::string& script, const QByteArray& input = {},
                 const QStringList& environment = {}) {
    QProcess process;
    if (!environment.isEmpty())
        process.setEnvironment(environment);
    process.start(shell, {"-c", QString::fromUtf8(kShellCommand.data(), qsizetype(kShellCommand.size()))});
    process.write(QByteArray::fromStdString(asShellLine(script)) + input);
    process.closeWriteChannel();
    if (!process.waitForFinished(20'000))
        return "no end";
    return process.readAllStandardOutput() + process.readAllStandardError();
}

} // namespace

class RemoteFactsTest : public QObject {
    Q_OBJECT
private slots:
    void everyLoginShellRunsTheSameLine_data() {
        QTest::addColumn<QString>("shell");
        for (const char* shell :
             {"/bin/sh", "/bin/bash", "/bin/dash", "/usr/bin/fish", "/bin/tcsh", "/bin/zsh"})
            QTest::newRow(shell) << QString::fromLatin1(shell);
    }
    void everyLoginShellRunsTheSameLine() {
        QFETCH(QString, shell);
        if (!QFile::exists(shell))
            QSKIP("this shell is not installed");
        const std::string word = "$HOME !! it's \"quoted\" `id` \\ * ? [a] {b,c} ; & | < > ~ # 中文";
        QCOMPARE(runBy(shell, "printf '%s|' " + shellQuoted(word) + "; cat", "rest\nof it\n"),
                 QByteArray::fromStdString(word) + "|rest\nof it\n");
    }

    void thisComputersFactsAreFound() {
        QTemporaryDir home;
        const QByteArray printed = runBy("/bin/sh", factsScript(), {},
                                         {"HOME=" + home.path(), "PATH=/usr/bin:/bin", "SHELL=/bin/sh"});
        const RemoteFacts facts = parseFacts(("motd\n" + printed).toStdString());
        QCOMPARE(facts.system, std::string("Linux"));
        QCOMPARE(facts.home, home.path().toStdString());
        QCOMPARE(facts.shell, std::string("/bin/sh"));
        QVERIFY(facts.seconds > 1'700'000'000);
        QVERIFY(facts.hasGzip);
        QCOMPARE(facts.hashCommand, std::string("sha256sum"));
        QCOMPARE(facts.places.size(), size_t{3});
        QCOMPARE(facts.places[0].folder, home.path().toStdString() + "/.local/share/trialdeck");
        QVERIFY(facts.places[0].condition == RemotePlace::Condition::good);
        QVERIFY(facts.places[0].freeBytes > 0u);
    }

    void aPlaceIsChosen_data() {
        QTest::addColumn<QByteArray>("printed");
        QTest::addColumn<QByteArray>("expected");
        const QByteArray linux = "td system Linux\ntd machine x86_64\n";
        QTest::newRow("home") << linux + "td place good 900000 /home/a b/x\ntd place good 900000 /tmp/x\n"
                              << QByteArray("/home/a b/x");
        QTest::newRow("noexec home")
            << linux + "td place no_execution 900000 /home/x\ntd place good 900000 /var/x\n"
            << QByteArray("/var/x");
        QTest::newRow("unknown room") << linux + "td place good - /home/x\n" << QByteArray("/home/x");
        QTest::newRow("full")
            << linux + "td place good 10240 /home/x\ntd place read_only - /var/x\n"
            << QByteArray("no_place_for_head /home/x has 10 MiB free of 20; /var/x cannot be written");
        QTest::newRow("other processor")
            << QByteArray("td system Linux\ntd machine aarch64\ntd place good - /x\n")
            << QByteArray("unsupported_system Linux aarch64");
        QTest::newRow("other system")
            << QByteArray("td system Darwin\ntd machine x86_64\ntd place good - /x\n")
            << QByteArray("unsupported_system Darwin x86_64");
    }
    void aPlaceIsChosen() {
        QFETCH(QByteArray, printed);
        QFETCH(QByteArray, expected);
        const auto place = choosePlace(parseFacts(printed.toStdString()), uint64_t{20} << 20, "lab");
        std::string told = place ? *place : std::string(nameOf(place.error().code));
        if (!place) {
            for (const char* name : {"reason", "system", "machine"}) {
                if (const auto at = place.error().arguments.find(name); at != place.error().arguments.end())
                    told += " " + at->second;
            }
        }
        QCOMPARE(told, expected.toStdString());
    }

    void theHeadsPlaceIsTriedInOrder() {
        QTemporaryDir home;
        const QString folder = home.path() + "/.local/share/trialdeck/heads/b1";
        QVERIFY(QDir().mkpath(folder));
        QFile head(folder + "/trialdeck-head");
        QVERIFY(head.open(QIODevice::WriteOnly));
        head.write("#!/bin/sh\necho \"$* in $TRIALDECK_HOME\"\n");
        head.close();
        const QStringList environment = {"HOME=" + home.path(), "PATH=/usr/bin:/bin"};
        const QByteArray shell = "\x02trialdeck-head n-shell\x03";
        QCOMPARE(runBy("/bin/sh", attachScript("b1", "n", "/r h"), {}, environment), shell);
        head.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        QCOMPARE(runBy("/bin/sh", attachScript("b1", "n", "/r h"), {}, environment),
                 shell + "attach --nonce n in /r h\n");
        QVERIFY(QFile::exists(folder + "/used"));
    }
};

QTEST_APPLESS_MAIN(RemoteFactsTest)
#include "remote_facts_test.moc"
