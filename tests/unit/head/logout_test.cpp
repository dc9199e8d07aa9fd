// SPDX-License-Identifier: Apache-2.0
#include "core/head/logout.h"
#include "tests/support/compare.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace trialdeck;
using namespace trialdeck::head;

namespace {

/// "kills, only a b, except root".
std::string textOf(const LogindRules& rules) {
    std::string text = rules.killsProcesses ? "kills" : "leaves";
    const auto add = [&text](const char* word, const std::vector<std::string>& users) {
        text += std::string(", ") + word;
        for (const std::string& user : users)
            text += " " + user;
    };
    add("only", rules.only);
    add("except", rules.except);
    return text;
}

const char kSession[] = "0::/user.slice/user-1000.slice/session-3.scope\n";
const char kUserScope[] = "0::/user.slice/user-1000.slice/user@1000.service/app.slice/run-r1.scope\n";

} // namespace

class LogoutTest : public QObject {
    Q_OBJECT
private slots:
    void rulesAreReadAsSystemdDoes_data() {
        QTest::addColumn<QStringList>("written");
        QTest::addColumn<QByteArray>("rules");
        const auto row = [](const char* name, const QStringList& files, const char* rules) {
            QTest::newRow(name) << files << QByteArray(rules);
        };
        row("no systemd", {}, "leaves, only, except root");
        row("as Debian ships it", {"etc/systemd/logind.conf", "[Login]\n#KillUserProcesses=no\n"},
            "leaves, only, except root");
        row("as built upstream", {"etc/systemd/logind.conf", "[Login]\n#KillUserProcesses=yes\n"},
            "kills, only, except root");
        row("set", {"etc/systemd/logind.conf", "[Login]\r\n KillUserProcesses = TRUE \r\n"},
            "kills, only, except root");
        row("in another section", {"etc/systemd/logind.conf", "[Manager]\nKillUserProcesses=yes\n"},
            "leaves, only, except root");
        row("a word that is none", {"etc/systemd/logind.conf", "[Login]\nKillUserProcesses=maybe\n"},
            "leaves, only, except root");
        row("a drop-in wins",
            {"etc/systemd/logind.conf", "[Login]\nKillUserProcesses=no\n",
             "usr/lib/systemd/logind.conf.d/50-lab.conf", "[Login]\nKillUserProcesses=yes\n"},
            "kills, only, except root");
        row("the same drop-in in /etc hides the vendor's",
            {"usr/lib/systemd/logind.conf.d/50-lab.conf", "[Login]\nKillUserProcesses=yes\n",
             "etc/systemd/logind.conf.d/50-lab.conf", "[Login]\n"},
            "leaves, only, except root");
        row("drop-ins by their names",
            {"etc/systemd/logind.conf.d/10-a.conf", "[Login]\nKillUserProcesses=yes\n",
             "run/systemd/logind.conf.d/90-b.conf", "[Login]\nKillUserProcesses=no\n",
             "etc/systemd/logind.conf.d/95-c.conf.bak", "[Login]\nKillUserProcesses=yes\n"},
            "leaves, only, except root");
        row("users",
            {"etc/systemd/logind.conf", "[Login]\nKillUserProcesses=1\nKillOnlyUsers=anna ben\n"
                                        "KillExcludeUsers=\nKillExcludeUsers=carl\n"},
            "kills, only anna ben, except carl");
    }
    void rulesAreReadAsSystemdDoes() {
        QFETCH(QStringList, written);
        QFETCH(QByteArray, rules);
        const QTemporaryDir root;
        for (qsizetype at = 0; at + 1 < written.size(); at += 2)
            write(root, written[at], written[at + 1]);
        QCOMPARE(textOf(readLogindRules(m_files, root.path().toStdString())), rules.toStdString());
    }

    void theFateIsKnown_data() {
        QTest::addColumn<QByteArray>("cgroups");
        QTest::addColumn<bool>("kills");
        QTest::addColumn<bool>("lingers");
        QTest::addColumn<int>("fate");
        QTest::addColumn<bool>("movesOut");
        const auto row = [](const char* name, const char* cgroups, bool kills, bool lingers, LogoutFate fate,
                            bool movesOut = false) {
            QTest::newRow(name) << QByteArray(cgroups) << kills << lingers << static_cast<int>(fate)
                                << movesOut;
        };
        row("a session that is left alone", kSession, false, false, LogoutFate::survives);
        row("a session that is killed", kSession, true, false, LogoutFate::endsWithSession);
        row("lingering does not help a session", kSession, true, true, LogoutFate::endsWithSession, true);
        row("the user's systemd", kUserScope, true, false, LogoutFate::endsWithUser);
        row("it ends whatever is killed", kUserScope, false, false, LogoutFate::endsWithUser);
        row("it lingers", kUserScope, true, true, LogoutFate::survives);
        row("no logind saw the login", "0::/system.slice/ssh.service\n", true, false, LogoutFate::survives);
        row("a container", "0::/\n", true, false, LogoutFate::survives);
        row("nothing is known", "", true, false, LogoutFate::survives);
        row("version 1",
            "12:memory:/user.slice\n1:name=systemd:/user.slice/user-1000.slice/session-c2.scope\n", true,
            false, LogoutFate::endsWithSession);
        row("both versions", "1:name=systemd:/user.slice/user-1000.slice/session-5.scope\n0::/user.slice\n",
            true, false, LogoutFate::endsWithSession);
    }
    void theFateIsKnown() {
        QFETCH(QByteArray, cgroups);
        QFETCH(bool, kills);
        QFETCH(bool, lingers);
        QFETCH(int, fate);
        QFETCH(bool, movesOut);
        LogoutFacts facts{"anna", cgroups.toStdString(), lingers, {}};
        facts.rules.killsProcesses = kills;
        QCOMPARE(static_cast<int>(fateAtLogout(facts)), fate);
        QCOMPARE(survivingPrefix(facts, true).empty(), !movesOut);
        QVERIFY(survivingPrefix(facts, false).empty());
    }

    void someUsersAreSpared() {
        LogoutFacts facts{"root", kSession, false, {true, {}, {"root"}}};
        QVERIFY(fateAtLogout(facts) == LogoutFate::survives);
        facts.user = "anna";
        QVERIFY(fateAtLogout(facts) == LogoutFate::endsWithSession);
        facts.rules.only = {"ben"};
        QVERIFY(fateAtLogout(facts) == LogoutFate::survives);
    }

    void factsComeFromTheSystem() {
        const QTemporaryDir root;
        write(root, "proc/self/cgroup", kSession);
        write(root, "var/lib/systemd/linger/anna", "");
        write(root, "etc/systemd/logind.conf", "[Login]\nKillUserProcesses=yes\n");
        const LogoutFacts facts = readLogoutFacts(m_files, {{"LOGNAME", "anna"}}, root.path().toStdString());
        QCOMPARE(facts.user, std::string("anna"));
        QVERIFY(facts.lingers);
        QVERIFY(fateAtLogout(facts) == LogoutFate::endsWithSession);
        QVERIFY(!readLogoutFacts(m_files, {{"USER", "ben"}}, root.path().toStdString()).lingers);
    }

private:
    static void write(const QTemporaryDir& root, const QString& name, const QString& text) {
        const QString path = root.filePath(name);
        std::filesystem::create_directories(base::Path(path.toStdString()).parent_path());
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text.toUtf8());
    }
    base::PosixFileSystem m_files;
};

QTEST_APPLESS_MAIN(LogoutTest)
#include "logout_test.moc"
