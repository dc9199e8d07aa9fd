// SPDX-License-Identifier: Apache-2.0
#include "app/views/connection_pictures.h"

#include "app/views/appearance.h"
#include "app/views/confirm_dialog.h"
#include "app/views/connect_dialog.h"
#include "app/views/connection_desk.h"
#include "app/views/main_window.h"
#include "app/views/memory.h"
#include "app/views/picture_looks.h"
#include "app/views/sync_dialog.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QPixmap>
#include <QToolButton>

namespace trialdeck::app::views {

using client::LinkStatus;
using transport::ConnectionStep;
using transport::Prompt;
using transport::StepPhase;
using transport::StepState;
using trialdeck::client::SavedConnection;

namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;

StepState step(ConnectionStep which, std::chrono::milliseconds time, const char* detail = "") {
    StepState state;
    state.step = which;
    state.phase = StepPhase::done;
    state.time = time;
    state.detail = detail;
    return state;
}

/// The way up to and with a step, as a host nearby walks it.
std::vector<StepState> wayTo(ConnectionStep last) {
    using namespace std::chrono_literals;
    std::vector<StepState> steps = {
        step(ConnectionStep::name, 2ms, "10.20.0.7"),
        step(ConnectionStep::tcp, 21ms),
        step(ConnectionStep::host_key, 48ms, "ED25519 SHA256:hF2mpyOqUdbjRmUXwVVPrNMoYnWgvS4bN3f0m6Z0Ebs"),
        step(ConnectionStep::login, 164ms, "publickey"),
        step(ConnectionStep::shell, 73ms, "zsh"),
        step(ConnectionStep::home, 41ms, "/home/ada/.local/share/trialdeck"),
        step(ConnectionStep::head, 1240ms, "5f6ba69"),
        step(ConnectionStep::version, 38ms, "0.1.0")};
    std::erase_if(steps, [last](const StepState& each) { return each.step > last; });
    return steps;
}

Prompt question(Prompt::Kind kind) {
    Prompt prompt;
    prompt.kind = kind;
    prompt.user = "ada";
    prompt.host = "gpu-head";
    return prompt;
}

} // namespace

/// A host on which something is going on.
class ConnectionPictures::PosedWork final : public client::HostWork {
public:
    void cancelCommand() override {}
    void cancelSync() override {}

    void pose() {
        using client::ForwardStatus;
        using client::ForwardWish;
        const auto pose = [this](ForwardWish::What what, uint16_t port, uint16_t localPort) {
            ForwardStatus status;
            status.wish.what = what;
            status.wish.port = port;
            status.number = openForward(status.wish);
            status.localPort = localPort;
            status.state = localPort == 0 ? ForwardStatus::State::failed : ForwardStatus::State::open;
            status.traffic.openConnections = 2;
            status.traffic.receivedBytes = 3 * kMiB;
            if (localPort == 0)
                status.error = Error{ErrorCode::jupyter_missing, {{"host", "gpu-head"}}, {}};
            takeForward(status);
        };
        pose(ForwardWish::What::tensorboard, 0, 6006);
        pose(ForwardWish::What::port, 8080, 8081);
        pose(ForwardWish::What::jupyter, 0, 0);
        runCommand("nvidia-smi -L");
        emit commandPrinted("GPU 0: NVIDIA A100-SXM4-80GB\nGPU 1: NVIDIA A100-SXM4-80GB\n");
        takeCommandEnd(0);
        transport::SyncRequest request;
        request.local = "/data/resnet";
        request.remote = "~/resnet";
        startSync(request);
    }
    void progress() {
        transport::SyncProgress progress;
        progress.doneFiles = 128;
        progress.totalFiles = 240;
        progress.doneBytes = 31 * kMiB;
        progress.current = "data/cifar/batch_3.bin";
        takeSyncProgress(progress);
    }

protected:
    void beginForward(int, const client::ForwardWish&) override {}
    void endForward(int) override {}
    void beginCommand(const std::string&) override {}
    void beginSync(const transport::SyncRequest&, client::SyncStatus::Repeat) override {}
};

/// Looks as it is told to.
class ConnectionPictures::PosedHead final : public client::HeadClient {
public:
    using HeadClient::dropPrompt;
    using HeadClient::HeadClient;
    using HeadClient::setSteps;
    using HeadClient::showPrompt;

    [[nodiscard]] client::HostWork* hostWork() const override { return m_work.get(); }
    [[nodiscard]] PosedWork& work() const { return *m_work; }
    void start() override {}
    void reconnect() override {}
    void testAgain() override {}
    void hangUp() override { show(LinkStatus::State::closed); }
    void subscribeRecords(const ExperimentId&) override {}
    void unsubscribeRecords(const ExperimentId&) override {}
    void subscribeLog(const protocol::LogAddress&, uint64_t) override {}
    void unsubscribeLog(const protocol::LogAddress&) override {}

    void connectAs(const char* host, double cpus) {
        protocol::HelloResult hello;
        hello.headVersion = "0.1.0";
        hello.buildId = "5f6ba69";
        hello.host = host;
        hello.home = "/home/ada/.trialdeck";
        hello.logPath = "/home/ada/.trialdeck/hosts/" + hello.host + "/head.log";
        setHello(hello);
        protocol::StateSubscribeResult state;
        protocol::NodeState node;
        node.name = host;
        node.cpus = node.machineCpus = cpus;
        node.cpusUsed = cpus / 2;
        node.memoryBytes = static_cast<uint64_t>(cpus) * 4096 * kMiB;
        node.gpus.resize(cpus > 8 ? 4 : 0);
        state.nodes = {node};
        protocol::ExperimentSummary summary;
        summary.experiment = ExperimentId(std::string(host) + "-1");
        summary.name = cpus > 8 ? "resnet-cifar" : "fashion-mnist-lr";
        summary.plannedTrials = summary.trials = 8;
        summary.terminated = 5;
        summary.running = 2;
        state.experiments = {summary};
        show(LinkStatus::State::connected);
        emit stateReceived(state);
    }
    void show(LinkStatus::State state, std::optional<Error> error = {}, base::WallTime since = {}) {
        LinkStatus status;
        status.state = state;
        status.since = since;
        status.error = std::move(error);
        status.isTrying = state == LinkStatus::State::connecting;
        setStatus(std::move(status));
    }

protected:
    void send(client::AnyRequest, AnyAnswer) override {}
    void sendAnswer(int, std::optional<std::string>) override {}

private:
    std::unique_ptr<PosedWork> m_work = std::make_unique<PosedWork>();
};

ConnectionPictures::ConnectionPictures(const base::Clock& clock, Appearance& appearance, QSize size,
                                       QString folder)
    : m_clock(clock), m_appearance(appearance), m_size(size), m_folder(std::move(folder)) {}

ConnectionPictures::~ConnectionPictures() = default;

QString ConnectionPictures::photograph() {
    openWindow();
    poseSteps();
    poseQuestions();
    takeDialogs();
    m_window.reset();
    return m_failure;
}

void ConnectionPictures::openWindow() {
    m_memory = std::make_unique<Memory>(m_scratch.filePath(QStringLiteral("window.ini")));
    m_local = std::make_unique<PosedHead>(QStringLiteral("ada-laptop"));
    m_presenter = std::make_unique<presenters::WindowPresenter>(m_clock);
    m_presenter->addHead(*m_local);
    m_saved = std::make_unique<trialdeck::client::SavedConnections>(
        m_files, m_scratch.filePath(QStringLiteral("connections.json")).toStdString());
    m_book = std::make_unique<presenters::ConnectionBook>(
        *m_saved,
        presenters::ConnectionBook::Means{
            [this](const SavedConnection& connection) {
                auto head = std::make_unique<PosedHead>(QString::fromStdString(connection.name));
                m_head = head.get();
                return head;
            },
            {},
            {trialdeck::client::SshWay::automatic, trialdeck::client::SshWay::system_ssh}},
        *m_presenter);
    m_window = std::make_unique<MainWindow>(*m_presenter, m_appearance, *m_memory, m_book.get());
    m_window->resize(m_size);
    // Laid out and painted like one that is shown, and in nobody's way.
    m_window->setAttribute(Qt::WA_DontShowOnScreen);
    m_window->show();
    m_local->connectAs("ada-laptop", 8);
    SavedConnection other;
    other.host = "login1.lab";
    m_book->keep(other);
    m_head->show(LinkStatus::State::failed, Error{ErrorCode::host_not_found, {{"host", "login1.lab"}}, {}});
    SavedConnection connection;
    connection.host = "gpu-head";
    connection.user = "ada";
    connection.port = 2222;
    connection.jump = "login.lab";
    m_book->keep(connection);
}

void ConnectionPictures::poseSteps() {
    using namespace std::chrono_literals;
    m_head->show(LinkStatus::State::connecting);
    std::vector<StepState> uploading = wayTo(ConnectionStep::head);
    uploading.back().phase = StepPhase::running;
    uploading.back().doneBytes = 3 * kMiB;
    uploading.back().totalBytes = 12 * kMiB;
    m_head->setSteps(uploading);
    take("connection-upload");
    std::vector<StepState> failed = wayTo(ConnectionStep::host_key);
    failed.back().phase = StepPhase::failed;
    failed.back().error = Error{ErrorCode::host_key_changed,
                                {{"host", "gpu-head"},
                                 {"key_type", "ED25519"},
                                 {"fingerprint", "SHA256:q8Zk0dV5x2kq8S1rjJ0w6F3v9pX1mM5yTn0oH4cR2bA"},
                                 {"line", "14"},
                                 {"known", "SHA256:hF2mpyOqUdbjRmUXwVVPrNMoYnWgvS4bN3f0m6Z0Ebs"},
                                 {"path", "/home/ada/.ssh/known_hosts"}},
                                {}};
    m_head->show(LinkStatus::State::failed, failed.back().error);
    m_head->setSteps(failed);
    take("connection-key-changed");
    m_head->setSteps(wayTo(ConnectionStep::version));
    m_head->connectAs("gpu-head", 64);
    take("connection");
    m_head->show(LinkStatus::State::lost, Error{ErrorCode::connection_lost, {}, {}},
                 m_clock.wallNow() - std::chrono::seconds(12));
    take("connection-lost");
    m_head->show(LinkStatus::State::connected);
    m_head->work().pose();
    m_head->work().progress();
    take("connection-work");
    m_presenter->showConnection(*m_local);
    take("connection-local");
}

void ConnectionPictures::poseQuestions() {
    m_presenter->showConnection(*m_head);
    m_head->show(LinkStatus::State::connecting);
    int number = 0;
    const auto pose = [&](const char* name, const Prompt& prompt, ConnectionStep at) {
        std::vector<StepState> steps = wayTo(at);
        steps.back().phase = StepPhase::running;
        steps.back().detail.clear();
        m_head->setSteps(steps);
        m_head->showPrompt({++number, prompt, prompt.kind == Prompt::Kind::passphrase});
        take(name);
        m_head->dropPrompt(number);
    };
    Prompt key = question(Prompt::Kind::host_key);
    key.keyType = "ED25519";
    key.fingerprint = "SHA256:hF2mpyOqUdbjRmUXwVVPrNMoYnWgvS4bN3f0m6Z0Ebs";
    pose("prompt-host-key", key, ConnectionStep::host_key);
    Prompt password = question(Prompt::Kind::password);
    password.again = true;
    pose("prompt-password", password, ConnectionStep::login);
    Prompt passphrase = question(Prompt::Kind::passphrase);
    passphrase.text = "/home/ada/.ssh/id_ed25519";
    pose("prompt-passphrase", passphrase, ConnectionStep::login);
    Prompt code = question(Prompt::Kind::interactive);
    code.text = "Verification code:";
    code.echo = true;
    pose("prompt-interactive", code, ConnectionStep::login);
    m_presenter->showConnection(*m_local);
    pose("prompt-elsewhere", password, ConnectionStep::login);
}

void ConnectionPictures::takeDialogs() {
    m_presenter->showConnection(*m_head);
    m_head->setSteps(wayTo(ConnectionStep::version));
    m_head->connectAs("gpu-head", 64);
    const auto dialogWith = [this](const SavedConnection& connection) {
        return new ConnectDialog(*m_book, connection, m_window.get());
    };
    take("connect", [&] { return dialogWith({}); });
    take("connect-mistakes", [&] {
        SavedConnection connection;
        connection.host = "gpu head";
        connection.port = 22;
        connection.identityFile = "~/.ssh/id_nowhere";
        connection.transport = trialdeck::client::SshWay::system_ssh;
        return dialogWith(connection);
    });
    take("connection-edit", [&] { return dialogWith(*m_presenter->connectionOf(*m_head)->saved()); });
    take("sync", [&] {
        presenters::SyncDraft draft =
            m_presenter->connectionOf(*m_head)->work()->syncDraft(transport::SyncDirection::up);
        draft.local = QStringLiteral("/data/resnet");
        draft.remote = QStringLiteral("~/resnet");
        return new SyncDialog(draft, m_window.get());
    });
    take("connection-remove",
         [&] { return new ConfirmDialog(m_book->removeQuestion(*m_head), m_window.get()); });
    take("connection-menu", [&]() -> QWidget* {
        QMenu* menu = m_window->connections().makeMenu();
        menu->ensurePolished();
        menu->resize(menu->sizeHint());
        return menu;
    });
}

void ConnectionPictures::take(const char* name, const std::function<QWidget*()>& dialog) {
    for (const PictureLook& look : pictureLooks()) {
        dress(m_appearance, look);
        QPixmap picture = m_window->grab();
        if (dialog) {
            const std::unique_ptr<QWidget> above(dialog());
            above->setAttribute(Qt::WA_DontShowOnScreen);
            above->show();
            layOutNow();
            const QPoint place((m_window->width() - above->width()) / 2,
                               (m_window->height() - above->height()) / 3);
            QPainter painter(&picture);
            painter.drawPixmap(place, above->grab());
            painter.setPen(Theme::of(m_appearance.theme()).line);
            painter.drawRect(QRect(place, above->size()).adjusted(0, 0, -1, -1));
        }
        const QString file = QStringLiteral("%1/%2%3.png").arg(m_folder, QLatin1String(name), look.suffix);
        if (!picture.save(file) && m_failure.isEmpty())
            //: %1 is a file
            m_failure = QCoreApplication::translate("trialdeck::app::views::Photographer",
                                                    "The picture %1 cannot be written.")
                            .arg(file);
    }
}

} // namespace trialdeck::app::views
