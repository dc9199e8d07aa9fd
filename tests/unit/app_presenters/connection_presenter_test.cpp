// SPDX-License-Identifier: Apache-2.0
#include "app/presenters/connection_presenter.h"

#include "app/presenters/ssh_words.h"
#include "tests/support/compare.h"
#include "tests/unit/app_presenters/presenter_scene.h"

#include <QSignalSpy>
#include <QtTest>

using namespace trialdeck;
using namespace std::chrono_literals;
using app::presenters::ConnectionPresenter;
using app::presenters::StepRow;
using transport::ConnectionStep;
using transport::Prompt;
using transport::StepPhase;
using transport::StepState;

namespace {

StepState step(ConnectionStep which, StepPhase phase, std::chrono::milliseconds time,
               const char* detail = "") {
    StepState state;
    state.step = which;
    state.phase = phase;
    state.time = time;
    state.detail = detail;
    return state;
}

/// A connection over SSH beside this computer.
struct Scene : tests::PresenterScene {
    Scene() {
        client::SavedConnection saved;
        saved.host = "gpu-head";
        saved.name = "gpu-head";
        saved.user = "ada";
        saved.port = 2222;
        saved.proxy = "http://ada:hunter2@proxy:3128";
        page = &window.addHead(remote);
        page->setSaved(saved);
    }
    [[nodiscard]] QStringList lines() const {
        QStringList all;
        for (const StepRow& row : page->steps()) {
            QString line = row.name + ": " + row.markWord;
            for (const QString& more : {row.time, row.detail, row.error}) {
                if (!more.isEmpty())
                    line += ", " + more;
            }
            all << line;
        }
        return all;
    }
    void ask(Prompt::Kind kind, bool again = false) {
        Prompt prompt;
        prompt.kind = kind;
        prompt.user = "ada";
        prompt.host = "gpu-head";
        prompt.keyType = "ED25519";
        prompt.fingerprint = "SHA256:abc";
        prompt.text = kind == Prompt::Kind::passphrase ? "/home/ada/.ssh/id_ed25519" : "Code\xe2\x80\xae:";
        prompt.again = again;
        remote.takePrompt(++number, prompt);
    }

    fakes::FakeHeadClient remote{QStringLiteral("gpu-head")};
    ConnectionPresenter* page = nullptr;
    int number = 0;
};

} // namespace

class ConnectionPresenterTest : public QObject {
    Q_OBJECT

private slots:
    void thisComputerHasOnlyTheHeadsAnswer() {
        tests::PresenterScene scene;
        const ConnectionPresenter* page = scene.window.connectionOf(scene.head);
        QVERIFY(page);
        QCOMPARE(page->steps().size(), size_t{1});
        QCOMPARE(page->address(), QString());
    }

    void theStepsOfATryAreListedAsFarAsItHasCome() {
        Scene scene;
        scene.remote.beginTry();
        StepState failed = step(ConnectionStep::login, StepPhase::failed, 4200ms);
        failed.error = Error{ErrorCode::timed_out, {}, {}};
        scene.remote.takeSteps({step(ConnectionStep::name, StepPhase::done, 2ms, "10.0.0.7"),
                                step(ConnectionStep::tcp, StepPhase::done, 21ms),
                                step(ConnectionStep::host_key, StepPhase::done, 8ms, "ED25519 SHA256:abc"),
                                failed});
        QCOMPARE(scene.lines(),
                 QStringList({"Name: done, 2 ms, 10.0.0.7", "TCP: done, 21 ms",
                              "Host key: done, 8 ms, ED25519 SHA256:abc",
                              "Login: failed, 4.2 s, It took too long and was given up. Try again.",
                              "Shell: not yet", "Home: not yet", "Head: not yet", "Version: not yet"}));
    }

    void theLoginSaysWhichClientMakesItAndWhy() {
        Scene scene;
        StepState login = step(ConnectionStep::login, StepPhase::done, 90ms, "publickey");
        login.ssh = transport::SshClientChoice{};
        scene.remote.takeSteps({login});
        QCOMPARE(scene.lines().at(3), QString("Login: done, 90 ms, publickey · libssh2"));
        login.ssh = transport::SshClientChoice{transport::SshClient::system_ssh,
                                               transport::SshReason::rsa_key, "/home/ada/.ssh/id_rsa"};
        scene.remote.takeSteps({login});
        QCOMPARE(scene.lines().at(3),
                 QString("Login: done, 90 ms, publickey · ssh of this computer: /home/ada/.ssh/id_rsa is an "
                         "RSA key, which this libssh2 can only use with SHA-1"));
        QVERIFY(scene.page->diagnostics().contains("publickey, by system_ssh (rsa_key)"));
    }

    void eachReasonForAClientHasItsWords() {
        // The first one needs none.
        for (int at = 1; at <= int(transport::SshReason::no_common_algorithm); ++at) {
            const auto reason = static_cast<transport::SshReason>(at);
            const QString words =
                app::presenters::sshClientWords({transport::SshClient::system_ssh, reason, "lab"});
            QVERIFY2(words.startsWith("ssh of this computer: "), std::string(nameOf(reason)).c_str());
            QVERIFY(!words.contains('%'));
        }
    }

    void whatALaterTryNeedsNotStillHolds() {
        Scene scene;
        scene.remote.takeSteps({step(ConnectionStep::shell, StepPhase::done, 60ms, "bash"),
                                step(ConnectionStep::head, StepPhase::running, 5ms)});
        QCOMPARE(scene.lines(),
                 QStringList({"Name: still holds", "TCP: still holds", "Host key: still holds",
                              "Login: still holds", "Shell: done, 60 ms, bash", "Home: still holds",
                              "Head: under way, 5 ms", "Version: not yet"}));
    }

    void anUploadIsShownWhileItLasts() {
        Scene scene;
        StepState upload = step(ConnectionStep::head, StepPhase::running, 900ms);
        upload.doneBytes = 3 << 20;
        upload.totalBytes = 12 << 20;
        scene.remote.takeSteps({upload});
        QCOMPARE(scene.page->upload()->text, QString("3.0 MiB of 12.0 MiB"));
        upload.phase = StepPhase::done;
        scene.remote.takeSteps({upload});
        QVERIFY(!scene.page->upload());
    }

    void saysHowTheConnectionStands() {
        Scene scene;
        QCOMPARE(scene.page->stateText(), QString("Connecting…"));
        scene.remote.start();
        QCOMPARE(scene.page->stateText(), QString("Connected"));
        QVERIFY(!scene.page->isStale());
        scene.remote.lose(scene.clock.wallNow());
        QVERIFY(scene.page->stateText().startsWith("Unknown since"));
        QVERIFY(!scene.page->staleText().isEmpty());
        QVERIFY(scene.page->errorSentence().startsWith("The connection to the head was lost."));
        scene.remote.fail({ErrorCode::host_not_found, {{"host", "gpu-head"}}, {}});
        QCOMPARE(scene.page->stateText(), QString("Not connected"));
        scene.ask(Prompt::Kind::password);
        QCOMPARE(scene.page->stateText(), QString("Waits for your answer"));
    }

    void headAndNodesSayWhatTheyAre() {
        Scene scene;
        scene.remote.start();
        QCOMPARE(scene.page->facts().front().value, QString("0.1.0"));
        QCOMPARE(scene.page->nodes().size(), size_t{1});
        QCOMPARE(scene.page->nodes().front().cpus, QString("2/2"));
        QCOMPARE(scene.page->nodes().front().memory, QString("16.0 GiB"));
        QCOMPARE(scene.page->address(), QString("ada@gpu-head:2222"));
    }

    void questionsAreWordedByTheirKind_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QStringList>("words");
        QTest::newRow("host key") << static_cast<int>(Prompt::Kind::host_key)
                                  << QStringList({"Is this the host you mean?", "ED25519 SHA256:abc", "",
                                                  "Trust and connect"});
        QTest::newRow("password") << static_cast<int>(Prompt::Kind::password)
                                  << QStringList({"Password of ada@gpu-head", "", "Password", "Log in"});
        QTest::newRow("passphrase") << static_cast<int>(Prompt::Kind::passphrase)
                                    << QStringList({"Passphrase of a key", "", "Passphrase", "Unlock"});
        QTest::newRow("interactive") << static_cast<int>(Prompt::Kind::interactive)
                                     << QStringList({"ada@gpu-head asks", "", "Answer", "Answer"});
    }
    void questionsAreWordedByTheirKind() {
        QFETCH(const int, kind);
        QFETCH(const QStringList, words);
        Scene scene;
        scene.ask(static_cast<Prompt::Kind>(kind));
        const auto prompt = scene.page->prompt();
        QVERIFY(prompt);
        QCOMPARE(QStringList({prompt->title, prompt->key, prompt->field, prompt->verb}), words);
        QVERIFY(prompt->refusal.isEmpty());
        QVERIFY(prompt->notice.startsWith("gpu-head"));
        if (prompt->kind == Prompt::Kind::passphrase)
            QCOMPARE(prompt->sentence, QString("The key /home/ada/.ssh/id_ed25519 is locked."));
        if (prompt->kind == Prompt::Kind::interactive)
            QVERIFY2(!prompt->sentence.contains(QChar(0x202e)), "what turns the line round is written out");
    }

    void anAnswerGoesToTheHeadAndIsForgotten() {
        Scene scene;
        QSignalSpy changed(scene.page, &ConnectionPresenter::promptChanged);
        scene.ask(Prompt::Kind::password, true);
        QVERIFY(!scene.page->prompt()->refusal.isEmpty());
        QString text = QStringLiteral("hunter2");
        scene.page->answer(text, app::client::HeadClient::Remember::no);
        QVERIFY(text.isEmpty());
        QVERIFY(!scene.page->prompt());
        QCOMPARE(changed.size(), 2);
        scene.ask(Prompt::Kind::host_key);
        scene.page->answer(text, app::client::HeadClient::Remember::no);
        scene.ask(Prompt::Kind::interactive);
        scene.page->cancel();
        scene.ask(Prompt::Kind::password);
        scene.remote.dropPrompt(scene.number);
        QVERIFY(!scene.page->prompt());
        scene.page->cancel();
        QCOMPARE(QStringList(scene.remote.asked().size() == 3 ? QStringList({scene.remote.asked()[0].c_str(),
                                                                             scene.remote.asked()[1].c_str(),
                                                                             scene.remote.asked()[2].c_str()})
                                                              : QStringList()),
                 QStringList({"answer 1 hunter2", "answer 2 yes", "answer 3 -"}));
    }

    void diagnosticsTellEverythingButSecrets() {
        Scene scene;
        scene.remote.start();
        scene.remote.fail({ErrorCode::login_refused, {{"methods", "publickey"}}, "none left"});
        scene.remote.takeSteps({step(ConnectionStep::tcp, StepPhase::done, 21ms, "10.0.0.7:2222")});
        const QString text = scene.page->diagnostics();
        for (const char* part : {"ada@gpu-head:2222", "login_refused", "step tcp: done, 21 ms, 10.0.0.7:2222",
                                 "proxy: set", "state: failed", "head: 0.1.0"})
            QVERIFY2(text.contains(part), part);
        QVERIFY(!text.contains("hunter2"));
    }

    void aTestIsMadeWhereNoneIsUnderWay() {
        Scene scene;
        scene.remote.beginTry();
        scene.page->testAgain();
        QVERIFY(scene.remote.asked().empty());
        scene.remote.start();
        scene.page->testAgain();
        QCOMPARE(scene.remote.asked().size(), size_t{1});
    }
};

QTEST_GUILESS_MAIN(ConnectionPresenterTest)
#include "connection_presenter_test.moc"
