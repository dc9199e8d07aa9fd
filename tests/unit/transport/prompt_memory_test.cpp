// SPDX-License-Identifier: Apache-2.0
#include "core/transport/remote/prompt_memory.h"

#include "tests/support/compare.h"

#include <QtTest>

using namespace trialdeck::transport;

namespace {

/// Somebody who says the same each time, and counts.
class Person final : public Prompts {
public:
    void ask(const Prompt&, std::function<void(std::optional<std::string>)> answer) override {
        ++asked;
        answer(says);
    }
    void withdraw() override {}
    int asked = 0;
    std::optional<std::string> says = "secret";
};

Prompt promptOf(Prompt::Kind kind, std::string text, bool again = false) {
    Prompt prompt;
    prompt.kind = kind;
    prompt.user = "anna";
    prompt.host = "lab";
    prompt.text = std::move(text);
    prompt.again = again;
    return prompt;
}

} // namespace

class PromptMemoryTest : public QObject {
    Q_OBJECT
private slots:
    void whatIsAnsweredOnceIsKept_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("asked");
        const auto row = [](const char* name, Prompt::Kind kind, const char* text, int asked) {
            QTest::newRow(name) << static_cast<int>(kind) << QByteArray(text) << asked;
        };
        row("password", Prompt::Kind::password, "anna@lab's password: ", 1);
        row("passphrase", Prompt::Kind::passphrase, "/home/anna/.ssh/id", 1);
        row("password asked by the host", Prompt::Kind::interactive, "Password: ", 1);
        row("in Chinese", Prompt::Kind::interactive, "密码：", 1);
        row("second factor", Prompt::Kind::interactive, "Verification code: ", 2);
        row("host key", Prompt::Kind::host_key, "", 2);
    }
    void whatIsAnsweredOnceIsKept() {
        QFETCH(int, kind);
        QFETCH(QByteArray, text);
        QFETCH(int, asked);
        Person person;
        PromptMemory memory(person);
        std::string heard;
        for (int time = 0; time < 2; ++time)
            memory.ask(promptOf(static_cast<Prompt::Kind>(kind), text.toStdString()),
                       [&](std::optional<std::string> answer) { heard += answer.value_or("nothing") + " "; });
        QCOMPARE(heard, std::string("secret secret "));
        QCOMPARE(person.asked, asked);
    }

    void aRefusedAnswerIsAskedForAnew() {
        Person person;
        PromptMemory memory(person);
        std::string heard;
        const auto ask = [&](bool again) {
            memory.ask(promptOf(Prompt::Kind::password, "", again),
                       [&](std::optional<std::string> answer) { heard += answer.value_or("nothing") + " "; });
        };
        ask(false);
        person.says = "better";
        ask(true);
        ask(false);
        QCOMPARE(heard, std::string("secret better better "));
        QCOMPARE(person.asked, 2);
    }

    void noAnswerIsNotKept() {
        Person person;
        person.says = std::nullopt;
        PromptMemory memory(person);
        int gaveUp = 0;
        for (int time = 0; time < 2; ++time)
            memory.ask(promptOf(Prompt::Kind::password, ""),
                       [&](std::optional<std::string> answer) { gaveUp += answer ? 0 : 1; });
        QCOMPARE(gaveUp, 2);
        QCOMPARE(person.asked, 2);
    }
};

QTEST_APPLESS_MAIN(PromptMemoryTest)
#include "prompt_memory_test.moc"
