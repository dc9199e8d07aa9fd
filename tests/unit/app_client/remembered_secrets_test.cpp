// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/app/fake_head_client.h"
#include "tests/fakes/app/fake_keychain.h"

#include <QtTest>

using namespace trialdeck;
using app::client::HeadClient;
using app::client::LinkStatus;
using fakes::FakeHeadClient;
using fakes::FakeKeychain;
using transport::Prompt;

namespace {

const QString kPassword = QStringLiteral("password of ada@gpu-head");
const QString kPassphrase = QStringLiteral("passphrase of /keys/id_ed25519");

Prompt question(Prompt::Kind kind, bool again = false) {
    Prompt prompt;
    prompt.kind = kind;
    prompt.user = "ada";
    prompt.host = "gpu-head";
    if (kind == Prompt::Kind::passphrase)
        prompt.text = "/keys/id_ed25519";
    if (kind == Prompt::Kind::interactive)
        prompt.text = "Verification code:";
    prompt.again = again;
    return prompt;
}

struct Scene {
    Scene() { head.setKeychain(keychain); }

    [[nodiscard]] QString lastAsked() const {
        return head.asked().empty() ? QString() : QString::fromStdString(head.asked().back());
    }
    void logIn() {
        transport::StepState login;
        login.step = transport::ConnectionStep::login;
        login.phase = transport::StepPhase::done;
        head.takeSteps({login});
    }

    FakeKeychain keychain;
    FakeHeadClient head;
};

} // namespace

class RememberedSecretsTest : public QObject {
    Q_OBJECT

private slots:
    void whatIsRememberedAsksNobody() {
        Scene scene;
        scene.keychain.secrets[kPassphrase] = "opensesame";
        QSignalSpy asked(&scene.head, &HeadClient::promptAsked);
        scene.head.takePrompt(1, question(Prompt::Kind::passphrase));
        QCOMPARE(scene.lastAsked(), QString("answer 1 opensesame"));
        QCOMPARE(asked.count(), 0);
        QVERIFY(scene.head.secrets()->hasAny());
    }

    void whatIsNotThereIsAskedAndMayBeKept() {
        Scene scene;
        scene.head.takePrompt(1, question(Prompt::Kind::password));
        QVERIFY(scene.head.prompt() && scene.head.prompt()->canRemember);
        QVERIFY(scene.head.asked().empty());
    }

    void anAnswerIsKeptOnceItHasLetIn() {
        Scene scene;
        scene.head.takePrompt(1, question(Prompt::Kind::password));
        scene.head.answerPrompt(1, "hunter2", HeadClient::Remember::yes);
        QVERIFY(scene.keychain.secrets.empty());
        scene.logIn();
        QCOMPARE(scene.keychain.secrets[kPassword], std::string("hunter2"));
        QVERIFY(scene.head.secrets()->hasAny());
    }

    void anAnswerIsNotKeptUnasked() {
        Scene scene;
        scene.head.takePrompt(1, question(Prompt::Kind::password));
        scene.head.answerPrompt(1, "hunter2");
        scene.logIn();
        QVERIFY(scene.keychain.secrets.empty());
    }

    void aRefusedAnswerIsNotKept() {
        Scene scene;
        scene.head.takePrompt(1, question(Prompt::Kind::password));
        scene.head.answerPrompt(1, "mistyped", HeadClient::Remember::yes);
        scene.head.takePrompt(2, question(Prompt::Kind::password, true));
        scene.head.answerPrompt(2, "hunter2");
        scene.logIn();
        QVERIFY(scene.keychain.secrets.empty());
    }

    void anAnswerOfAFailedTryIsNotKept() {
        Scene scene;
        scene.head.takePrompt(1, question(Prompt::Kind::password));
        scene.head.answerPrompt(1, "mistyped", HeadClient::Remember::yes);
        scene.head.fail(Error{ErrorCode::login_refused, {}, {}});
        scene.logIn();
        QVERIFY(scene.keychain.secrets.empty());
    }

    void aRefusedSecretIsForgottenAndNotTriedAgain_data() {
        QTest::addColumn<bool>("isToldSo");
        QTest::newRow("asked again") << true;
        QTest::newRow("asked anew in the next try") << false;
    }
    void aRefusedSecretIsForgottenAndNotTriedAgain() {
        QFETCH(bool, isToldSo);
        Scene scene;
        scene.keychain.secrets[kPassword] = "old";
        scene.head.takePrompt(1, question(Prompt::Kind::password));
        QCOMPARE(scene.lastAsked(), QString("answer 1 old"));
        scene.head.takePrompt(2, question(Prompt::Kind::password, isToldSo));
        QVERIFY(scene.keychain.secrets.empty());
        QCOMPARE(scene.head.asked().size(), size_t{1});
        QVERIFY(scene.head.prompt() && scene.head.prompt()->canRemember);
        QVERIFY(!scene.head.secrets()->hasAny());
    }

    void aSecretThatCannotBeForgottenIsNotTriedAgain() {
        struct Stubborn final : app::client::Keychain {
            void read(const QString&, Reader reader) override { reader(Answer::found, "old"); }
            void write(const QString&, const std::string&) override {}
            void remove(const QString&) override {}
        } keychain;
        FakeHeadClient head;
        head.setKeychain(keychain);
        head.takePrompt(1, question(Prompt::Kind::password));
        head.takePrompt(2, question(Prompt::Kind::password, true));
        QCOMPARE(head.asked().size(), size_t{1});
        QVERIFY(head.prompt());
    }

    void whatIsGoodOnceOrNoSecretIsNotLookedFor_data() {
        QTest::addColumn<Prompt::Kind>("kind");
        QTest::newRow("a host's key") << Prompt::Kind::host_key;
        QTest::newRow("a code") << Prompt::Kind::interactive;
    }
    void whatIsGoodOnceOrNoSecretIsNotLookedFor() {
        QFETCH(Prompt::Kind, kind);
        Scene scene;
        scene.head.takePrompt(1, question(kind));
        QVERIFY(scene.keychain.reads.empty());
        QVERIFY(scene.head.prompt() && !scene.head.prompt()->canRemember);
    }

    void withoutAKeychainNothingIsOffered() {
        Scene scene;
        scene.keychain.works = false;
        scene.head.takePrompt(1, question(Prompt::Kind::password));
        QVERIFY(scene.head.prompt() && !scene.head.prompt()->canRemember);
    }

    void aLockedKeychainKeepsNobodyWaiting() {
        Scene scene;
        scene.keychain.secrets[kPassword] = "hunter2";
        scene.keychain.isLocked = true;
        scene.head.takePrompt(1, question(Prompt::Kind::password));
        QTRY_VERIFY(scene.head.prompt());
        // The user unlocks it after all.
        scene.keychain.answer();
        QCOMPARE(scene.lastAsked(), QString("answer 1 hunter2"));
        QVERIFY(!scene.head.prompt());
    }

    void aLateAnswerOfTheKeychainIsNotGivenTwice() {
        Scene scene;
        scene.keychain.secrets[kPassword] = "hunter2";
        scene.keychain.isLocked = true;
        scene.head.takePrompt(1, question(Prompt::Kind::password));
        QTRY_VERIFY(scene.head.prompt());
        scene.head.answerPrompt(1, "typed");
        scene.keychain.answer();
        QCOMPARE(scene.head.asked(), std::vector<std::string>{"answer 1 typed"});
    }

    void rememberedSecretsCanBeForgotten() {
        Scene scene;
        scene.keychain.secrets[kPassphrase] = "opensesame";
        scene.keychain.secrets[kPassword] = "of another connection";
        scene.head.takePrompt(1, question(Prompt::Kind::passphrase));
        QSignalSpy changed(scene.head.secrets(), &app::client::RememberedSecrets::changed);
        scene.head.secrets()->forgetAll();
        QCOMPARE(changed.count(), 1);
        QVERIFY(!scene.head.secrets()->hasAny());
        QCOMPARE(scene.keychain.secrets.size(), size_t{1});
        QVERIFY(scene.keychain.secrets.contains(kPassword));
    }
};

QTEST_GUILESS_MAIN(RememberedSecretsTest)
#include "remembered_secrets_test.moc"
