// SPDX-License-Identifier: Apache-2.0
#include "core/engine/login_environment.h"
#include "tests/support/compare.h"

#include <QTemporaryDir>

using namespace trialdeck;
using namespace trialdeck::engine;

class LoginEnvironmentTest : public QObject {
    Q_OBJECT
private slots:
    void init() { m_home = std::make_unique<QTemporaryDir>(); }

    void takesWhatTheLoginFilesSetAndNotWhatTheyPrint() {
        write(".profile", "echo welcome; echo 'FAKE=1'; printf '\\0X=1\\0'\nexport FROM_PROFILE='a b\nc'\n"
                          "export PATH=\"$HOME/bin:$PATH\"\n");
        const LoginEnvironment captured = capture("/bin/sh");
        QCOMPARE(captured.note, std::string());
        QCOMPARE(captured.variables.at("FROM_PROFILE"), std::string("a b\nc"));
        QVERIFY(captured.variables.at("PATH").starts_with(home() + "/bin:"));
        QCOMPARE(captured.variables.at("OWN"), std::string("kept"));
        QVERIFY(!captured.variables.contains("FAKE"));
        QVERIFY(!captured.variables.contains("X"));
        QVERIFY(!captured.variables.contains("PWD"));
    }

    void bashReadsItsOwnLoginFile() {
        write(".bash_profile", "export FROM_BASH=1\n");
        QCOMPARE(capture("/bin/bash").variables.at("FROM_BASH"), std::string("1"));
    }

    void aLoginScriptThatEndsTheShellLeavesTheOwnEnvironment() {
        write(".profile", "exit 3\n");
        const LoginEnvironment captured = capture("/bin/sh");
        QVERIFY(captured.note.find("does not let commands through") != std::string::npos);
        QCOMPARE(captured.variables.at("OWN"), std::string("kept"));
    }

    void aLoginScriptThatHangsIsGivenUp() {
        write(".profile", "sleep 1000\n");
        QVERIFY(capture("/bin/sh", 300).note.find("timed_out") != std::string::npos);
    }

    void aShellThatIsNotThereIsNamed() {
        QVERIFY(capture("/no/such/shell").note.find("/no/such/shell") != std::string::npos);
    }

    void cshGetsItsLineWithoutTheOptionThatItRefuses() {
        QCOMPARE(loginCommand("/bin/tcsh", "x"), (std::vector<std::string>{"/bin/tcsh", "-c", "x"}));
        QCOMPARE(loginCommand("/usr/bin/fish", "x"),
                 (std::vector<std::string>{"/usr/bin/fish", "-l", "-c", "x"}));
    }

private:
    std::string home() const { return m_home->path().toStdString(); }
    void write(const char* name, const char* text) {
        QVERIFY(base::replaceFile(m_files, base::Path(home()) / name, text).has_value());
    }
    LoginEnvironment capture(const char* shell, int timeoutMs = 20'000) {
        return captureLoginEnvironment(shell, {{"HOME", home()}, {"PATH", "/usr/bin:/bin"}, {"OWN", "kept"}},
                                       timeoutMs);
    }

    std::unique_ptr<QTemporaryDir> m_home;
    base::PosixFileSystem m_files;
};

QTEST_APPLESS_MAIN(LoginEnvironmentTest)
#include "login_environment_test.moc"
