// SPDX-License-Identifier: Apache-2.0
#include "core/base/host.h"
#include "core/base/process.h"
#include "tests/support/compare.h"

#include <QDir>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <csignal>
#include <fcntl.h>
#include <sys/wait.h>

using namespace trialdeck;
using namespace trialdeck::base;

class ProcessTest : public QObject {
    Q_OBJECT
private slots:
    void collectsOutputAndKeepsCodeAndSignalApart() {
        const auto code = runAndCollect(shell("echo hello; exit 137"), kTimeoutMs);
        QCOMPARE(code->standardOutput, std::string("hello\n"));
        QVERIFY((code->exit == ProcessExit{137, std::nullopt}));
        const auto signal = runAndCollect(shell("kill -9 $$"), kTimeoutMs);
        QVERIFY((signal->exit == ProcessExit{std::nullopt, SIGKILL}));
    }

    void aProgramThatHangsIsKilledWithItsChildren() {
        const auto output = runAndCollect(shell("sleep 1000 & sleep 1000"), 200);
        QVERIFY(output.error().code == ErrorCode::timed_out);
    }

    void whatItLeavesBehindIsNotWaitedFor() {
        QElapsedTimer timer;
        timer.start();
        const auto output = runAndCollect(shell("sleep 5 & echo $!; echo done"), kTimeoutMs);
        QVERIFY(output);
        const auto lines = QByteArray::fromStdString(output->standardOutput).split('\n');
        QCOMPARE(lines.value(1), QByteArray("done"));
        // It goes on: an agent that a login script starts is no business of ours.
        QCOMPARE(kill(lines.value(0).toInt(), SIGKILL), 0);
        QVERIFY(timer.elapsed() < 4000);
    }

    void oneThatClosesItsOutputIsNotWaitedForWithoutEnd() {
        const auto output = runAndCollect(shell("exec >&-; exec sleep 1000"), 200);
        QVERIFY(output.error().code == ErrorCode::timed_out);
    }

    void outputBeyondTheLimitIsRefused() {
        QVERIFY(runAndCollect(shell("yes"), kTimeoutMs, 1000).error().code == ErrorCode::too_large);
    }

    void refusesByName() {
        const Environment environment = currentEnvironment();
        const auto codeOf = [&](SpawnOptions options) { return spawn(options).error().code; };
        QVERIFY(codeOf({{"no-such-program"}, environment, {}, {}, false}) == ErrorCode::command_not_found);
        QVERIFY(codeOf({{"/no/such/program"}, environment, {}, {}, false}) == ErrorCode::command_not_found);
        QVERIFY(codeOf({{"/etc/passwd"}, environment, {}, {}, false}) == ErrorCode::command_not_executable);
        QVERIFY(codeOf({{"/tmp"}, environment, {}, {}, false}) == ErrorCode::command_not_executable);
        QVERIFY(codeOf({{"true"}, environment, "/no/such/folder", {}, false}) ==
                ErrorCode::working_directory_missing);
    }

    void aMissingInterpreterIsNamed_data() {
        QTest::addColumn<QByteArray>("firstLine");
        QTest::addColumn<QByteArray>("missing");
        QTest::newRow("missing") << QByteArray("#!/no/such/python3 -u\n") << QByteArray("/no/such/python3");
        QTest::newRow("blank before")
            << QByteArray("#! /no/such/python3\n") << QByteArray("/no/such/python3");
        QTest::newRow("Windows line end") << QByteArray("#!/bin/sh\r\n") << QByteArray("/bin/sh\r");
        QTest::newRow("there") << QByteArray("#!/bin/sh\n") << QByteArray();
        QTest::newRow("none") << QByteArray("exit\n") << QByteArray();
    }
    void aMissingInterpreterIsNamed() {
        QFETCH(QByteArray, firstLine);
        QFETCH(QByteArray, missing);
        QTemporaryDir folder;
        const std::string script = folder.filePath("train").toStdString();
        PosixFileSystem files;
        QVERIFY(replaceFile(files, script, firstLine.toStdString()));
        std::filesystem::permissions(script, std::filesystem::perms::owner_all);
        const auto found = findProgram(script, currentEnvironment(), "/");
        QCOMPARE(found.has_value(), missing.isEmpty());
        if (found)
            return;
        QVERIFY(found.error().code == ErrorCode::command_not_found);
        QCOMPARE(found.error().arguments.at("command"), missing.toStdString());
        QVERIFY(found.error().detail.find(script) != std::string::npos);
    }

    void passesEnvironmentDirectoryAndArgumentsUntouched() {
        SpawnOptions options = shell("printf '%s|%s|%s' \"$1\" \"$X\" \"$PWD\"");
        options.command.insert(options.command.end(), {"sh", "a b'\"$(x)*\n"});
        options.environment["X"] = "值";
        options.workingDirectory = "/usr";
        QCOMPARE(runAndCollect(options, kTimeoutMs)->standardOutput, std::string("a b'\"$(x)*\n|值|/usr"));
    }

    void descriptorsAreMappedAlsoWhereTheyCross() {
        QTemporaryDir folder;
        const std::string name = folder.filePath("out").toStdString();
        const UniqueFd out(::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
        const UniqueFd null(::open("/dev/null", O_RDWR | O_CLOEXEC));
        SpawnOptions options = shell("echo three >&3; echo four >&4; ls /proc/self/fd | wc -l >&3");
        // 3 and 4 swapped over what they are here must not disturb each other.
        options.descriptors = {{null.get(), 4}, {out.get(), 3}};
        const pid_t pid = spawn(options).value();
        int status = 0;
        QCOMPARE(waitpid(pid, &status, 0), pid);
        PosixFileSystem files;
        // ls sees 0, 1, 2, 3, 4 and the folder that it reads.
        QCOMPARE(readWholeFile(files, name).value(), std::string("three\n6\n"));
    }

    void namesProcessesForGood() {
        QVERIFY(processStartTicks(getpid()).has_value());
        QVERIFY(!processStartTicks(0));
        QCOMPARE(bootId().size(), size_t{36});
        QVERIFY(!hostName().empty());
        QVERIFY(newUuid() != newUuid());
        QCOMPARE(newUuid().size(), size_t{36});
    }

    void pathsAreExpandedAsAShellWould_data() {
        QTest::addColumn<QString>("written");
        QTest::addColumn<QString>("path");
        const auto row = [](const char* written, const char* path) {
            QTest::newRow(written) << written << path;
        };
        row("~", "/home/u");
        row("~/a", "/home/u/a");
        row("$HOME", "/home/u");
        row("$HOME/a", "/home/u/a");
        row("${HOME}/a", "/home/u/a");
        row("${HOME}a", "/home/ua");
        row("~root/a", "/root/a");
        row("/a/~", "/a/~");
        row("/a/~root", "/a/~root");
        row("a$/5$5", "a$/5$5");
        row("~no-such-user/a", "unknown ~no-such-user");
        row("~-x", "unknown ~-x");
        row("~0/a", "unknown ~0");
        row("$HOMER/a", "unknown $HOMER");
        row("$SCRATCH/a", "unknown $SCRATCH");
        row("~/$A", "unknown $A");
        row("/a/${B}/c", "unknown ${B}");
        row("/a/$HOME", "unknown $HOME");
        row("${HOME", "unknown ${HOME");
    }
    void pathsAreExpandedAsAShellWould() {
        QFETCH(QString, written);
        QFETCH(QString, path);
        const auto expanded = expandPath(written.toStdString(), "/home/u");
        QCOMPARE(expanded ? expanded->native() : "unknown " + expanded.error().arguments.at("value"),
                 path.toStdString());
        QVERIFY(expanded || expanded.error().code == ErrorCode::unknown_value);
    }

    void withoutUsersNothingIsAsked() {
        QCOMPARE(expandHome("~root/a", "/home/u").native(), std::string("~root/a"));
        QCOMPARE(expandHome("${HOME}/a", "/home/u").native(), std::string("/home/u/a"));
    }

    void theHomeOfTrialdeckIsAbsolute_data() {
        QTest::addColumn<QByteArray>("given");
        QTest::addColumn<QByteArray>("home");
        QTest::newRow("empty") << QByteArray("") << QByteArray("/home/u/.trialdeck");
        QTest::newRow("absolute") << QByteArray("/x/../y") << QByteArray("/y");
        QTest::newRow("relative") << QByteArray("x/y") << QByteArray("/usr/x/y");
        QTest::newRow("of the user") << QByteArray("~/t") << QByteArray("/home/u/t");
        QTest::newRow("of a variable") << QByteArray("$HOME/t") << QByteArray("/home/u/t");
    }
    void theHomeOfTrialdeckIsAbsolute() {
        QFETCH(QByteArray, given);
        QFETCH(QByteArray, home);
        const QString before = QDir::currentPath();
        const QByteArray userHome = qgetenv("HOME");
        QVERIFY(QDir::setCurrent("/usr"));
        qputenv("HOME", "/home/u");
        qputenv("TRIALDECK_HOME", given);
        const auto settled = settleTrialdeckHome();
        QVERIFY(QDir::setCurrent(before));
        const auto elsewhere = trialdeckHome();
        const QByteArray passedOn = qgetenv("TRIALDECK_HOME");
        qputenv("HOME", userHome);
        qunsetenv("TRIALDECK_HOME");
        QCOMPARE(settled.value().native(), home.toStdString());
        QCOMPARE(elsewhere.value().native(), home.toStdString());
        QCOMPARE(passedOn, given.isEmpty() ? given : home);
    }

private:
    static constexpr int kTimeoutMs = 20000;

    static SpawnOptions shell(const char* script) {
        return {{"/bin/sh", "-c", script}, currentEnvironment(), {}, {}, false};
    }
};

QTEST_APPLESS_MAIN(ProcessTest)
#include "process_test.moc"
