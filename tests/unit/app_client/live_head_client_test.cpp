// SPDX-License-Identifier: Apache-2.0
#include "app/client/live_head_client.h"

#include "core/transport/pipe_transport.h"
#include "tests/support/compare.h"

#include <asio/redirect_error.hpp>
#include <asio/steady_timer.hpp>
#include <asio/this_coro.hpp>
#include <asio/use_awaitable.hpp>

#include <QElapsedTimer>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

using namespace trialdeck;
using app::client::LinkStatus;
using app::client::LiveHeadClient;

namespace {

/// A window's client whose head is a shell script; $3 is the nonce.
struct Scene {
    explicit Scene(const QByteArray& script) {
        QFile file(path("trialdeck-head"));
        if (!file.open(QIODevice::WriteOnly))
            qFatal("no script");
        file.write("#!/bin/sh\nbegun() { echo >\"$(dirname \"$0\")/begun\"; }\n" + script);
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        file.close();
        client::ClientOptions options;
        options.name = "test";
        transport::PipeOptions pipe;
        pipe.program = path("trialdeck-head").toStdString();
        pipe.environment = base::currentEnvironment();
        head = std::make_unique<LiveHeadClient>(
            QStringLiteral("here"),
            [pipe](transport::Prompts&) {
                return LiveHeadClient::Way{std::make_unique<transport::PipeTransport>(pipe), {}};
            },
            std::move(options), clock, log);
    }
    [[nodiscard]] QString path(const char* name) const { return folder.filePath(QLatin1String(name)); }
    [[nodiscard]] bool hasBegun() const { return QFile::exists(path("begun")); }

    QTemporaryDir folder;
    base::SystemClock clock;
    base::NullLog log;
    std::unique_ptr<LiveHeadClient> head;
};

/// A way that asks one question on the loop and ends when it is answered or given up.
class AskingTransport final : public transport::Transport {
public:
    explicit AskingTransport(transport::Prompts& prompts) : m_prompts(prompts) {}
    [[nodiscard]] std::string destination() const override { return "ssh gpu-head"; }
    [[nodiscard]] asio::awaitable<Expected<std::unique_ptr<transport::FrameChannel>>> connect() override {
        asio::steady_timer waits(co_await asio::this_coro::executor, asio::steady_timer::time_point::max());
        transport::Prompt prompt;
        prompt.kind = transport::Prompt::Kind::password;
        prompt.host = "gpu-head";
        m_listener({transport::ConnectionStep::login, transport::StepPhase::running, {}, {}, 0, 0, {}});
        std::optional<std::string> answer;
        m_prompts.ask(prompt, [&](std::optional<std::string> given) {
            answer = std::move(given);
            waits.cancel();
        });
        m_waits = &waits;
        std::error_code ignored;
        co_await waits.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        m_waits = nullptr;
        if (!answer)
            co_return base::fail(ErrorCode::cancelled);
        co_return base::fail(ErrorCode::connection_refused, {{"answer", *answer}});
    }
    void giveUp() override {
        m_prompts.withdraw();
        if (m_waits)
            m_waits->cancel();
    }
    void setStepListener(const transport::StepListener& listener) override { m_listener = listener; }

private:
    transport::Prompts& m_prompts;
    transport::StepListener m_listener;
    asio::steady_timer* m_waits = nullptr;
};

/// A window's client on that way.
struct AskingScene {
    AskingScene() {
        client::ClientOptions options;
        options.firstPause = std::chrono::hours(1);
        head = std::make_unique<LiveHeadClient>(
            QStringLiteral("gpu-head"),
            [](transport::Prompts& prompts) {
                return LiveHeadClient::Way{std::make_unique<AskingTransport>(prompts), {}};
            },
            options, clock, log);
        QObject::connect(head.get(), &app::client::HeadClient::promptAsked, head.get(),
                         [this](int number, const transport::Prompt& prompt) {
                             heard << QStringLiteral("asked %1 %2").arg(number).arg(prompt.host.c_str());
                         });
        QObject::connect(head.get(), &app::client::HeadClient::promptWithdrawn, head.get(),
                         [this](int number) { heard << QStringLiteral("withdrawn %1").arg(number); });
    }

    base::SystemClock clock;
    base::NullLog log;
    QStringList heard;
    std::unique_ptr<LiveHeadClient> head;
};

} // namespace

class LiveHeadClientTest : public QObject {
    Q_OBJECT

private slots:
    void closesAtOnce_data() {
        QTest::addColumn<QByteArray>("script");
        QTest::newRow("while a head is silent") << QByteArray("trap '' TERM; begun; exec cat >/dev/null");
        QTest::newRow("while a head has said its marker and no more")
            << QByteArray("printf '\\002trialdeck-head %s\\003' \"$3\"; begun; exec cat >/dev/null");
        QTest::newRow("while the last words of a head are waited for")
            << QByteArray("exec cat >/dev/null 1>&- & begun; exec 0>&- 1>&-; exec sleep 20");
        QTest::newRow("between two tries") << QByteArray("begun; exit 1");
    }
    void closesAtOnce() {
        QFETCH(const QByteArray, script);
        Scene scene(script);
        scene.head->start();
        QTRY_VERIFY(scene.hasBegun());
        QElapsedTimer taken;
        taken.start();
        scene.head.reset();
        QVERIFY2(taken.elapsed() < 900, QByteArray::number(taken.elapsed()).constData());
    }

    void aHeadThatEndsIsAFailureWithItsWords() {
        Scene scene("echo 'no space left' >&2; exit 1");
        scene.head->start();
        QTRY_COMPARE(scene.head->status().state, LinkStatus::State::failed);
        QCOMPARE(scene.head->status().error->code, ErrorCode::head_did_not_answer);
        QCOMPARE(scene.head->status().error->arguments.at("printed"), std::string("no space left"));
        QCOMPARE(scene.head->steps().size(), size_t{0});
    }

    void anAnswerReachesTheTransportThatAsked() {
        AskingScene scene;
        scene.head->start();
        QTRY_COMPARE(scene.heard, QStringList({"asked 1 gpu-head"}));
        QCOMPARE(scene.head->steps().size(), size_t{1});
        QVERIFY(scene.head->status().isTrying);
        scene.head->answerPrompt(7, std::string("to nobody"));
        scene.head->answerPrompt(1, std::string("secret"));
        QTRY_COMPARE(scene.head->status().state, LinkStatus::State::failed);
        QCOMPARE(scene.head->status().error->arguments.at("answer"), std::string("secret"));
        QVERIFY(!scene.head->status().isTrying);
        QVERIFY(scene.head->status().nextTry);
    }

    void whoGivesUpIsNotAskedAgainByItself() {
        AskingScene scene;
        scene.head->start();
        QTRY_COMPARE(scene.heard, QStringList({"asked 1 gpu-head"}));
        scene.head->answerPrompt(1, std::nullopt);
        QTRY_COMPARE(scene.head->status().state, LinkStatus::State::failed);
        QCOMPARE(scene.head->status().error->code, ErrorCode::cancelled);
        QVERIFY(!scene.head->status().nextTry);
        scene.head->testAgain();
        QTRY_COMPARE(scene.heard, QStringList({"asked 1 gpu-head", "withdrawn 1", "asked 2 gpu-head"}));
    }

    void aWindowMayCloseWhileItIsAsked() {
        AskingScene scene;
        scene.head->start();
        QTRY_COMPARE(scene.heard.size(), 1);
        scene.head.reset();
        QCOMPARE(scene.heard.size(), 1);
    }
};

QTEST_GUILESS_MAIN(LiveHeadClientTest)
#include "live_head_client_test.moc"
