// SPDX-License-Identifier: Apache-2.0
// exec and forward: what goes on beside experiments on a host.
#include "core/ctl/standard_input.h"
#include "core/ctl/verbs.h"
#include "core/ctl/words.h"

#include <asio/co_spawn.hpp>
#include <asio/detached.hpp>
#include <asio/this_coro.hpp>
#include <charconv>

namespace trialdeck::ctl {

using transport::CommandOrder;

namespace {

class Printer final : public transport::CommandListener {
public:
    explicit Printer(Terminal& terminal) : m_terminal(terminal) {}
    void onOutput(std::string_view bytes) override { m_terminal.print(bytes); }
    void onErrors(std::string_view bytes) override { m_terminal.printError(bytes); }

private:
    Terminal& m_terminal;
};

std::string hostNameOf(const Desk& desk) {
    return desk.command.host.empty() ? "this computer" : desk.target.host;
}

/// A single word is a line for the shell there, as with ssh; several are a program and its arguments.
CommandOrder orderOf(const Desk& desk) {
    CommandOrder order;
    order.hostName = hostNameOf(desk);
    order.folder = desk.command.folder;
    if (desk.command.words.size() == 1)
        order.line = desk.command.words.front();
    else
        order.words = desk.command.words;
    if (!desk.terminal.canAsk())
        order.input = CommandOrder::Input::given;
    return order;
}

asio::awaitable<void> passInput(std::shared_ptr<transport::RemoteCommand> command) {
    StandardInput input(co_await asio::this_coro::executor);
    for (;;) {
        std::string bytes = co_await input.read();
        if (bytes.empty())
            break;
        if (!co_await command->write(std::move(bytes)))
            co_return;
    }
    command->endInput();
}

struct Ended {
    std::optional<Expected<int>> code;
};

asio::awaitable<void> passOutput(Desk& desk, std::shared_ptr<transport::RemoteCommand> command,
                                 std::shared_ptr<Ended> ended) {
    ended->code = co_await command->finish();
    desk.notify();
}

std::optional<uint16_t> portFrom(std::string_view text) {
    uint16_t port = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), port);
    if (end.ec != std::errc() || end.ptr != text.data() + text.size() || port == 0)
        return std::nullopt;
    return port;
}

/// What `forward` is to bring here.
struct Wanted {
    client::SavedForward forward;
    /// The port here was named.
    bool isNamed = false;
};

/// "6006", "8080:80", "tensorboard", "jupyter", "dashboard".
std::optional<Wanted> wantedFrom(const std::string& what) {
    Wanted wanted;
    if (const auto kind = client::forwardKindFromString(what); kind && *kind != client::ForwardKind::port) {
        wanted.forward.kind = *kind;
        if (*kind == client::ForwardKind::dashboard)
            wanted.forward.port = transport::kRayDashboardPort;
        return wanted;
    }
    const size_t colon = what.find(':');
    const auto port = portFrom(colon == std::string::npos ? what : what.substr(colon + 1));
    const auto local = colon == std::string::npos ? port : portFrom(what.substr(0, colon));
    if (!port || !local)
        return std::nullopt;
    wanted.forward.port = *port;
    wanted.isNamed = colon != std::string::npos;
    if (wanted.isNamed)
        wanted.forward.localPort = *local;
    return wanted;
}

/// Says where something can be reached, and what goes wrong with it as long as it is open.
class Watch {
public:
    explicit Watch(Desk& desk) : m_desk(desk) {}

    void opened(const std::string& address, uint16_t localPort) {
        if (m_desk.command.json)
            m_desk.printJson(Object{{"address", address}, {"local_port", int64_t{localPort}}});
        else
            m_desk.terminal.print(address + "\n");
        m_desk.terminal.printError("Ctrl-C ends it.\n");
    }
    void tell(const transport::ForwardState& state) {
        if (state.error && (!m_told || m_told->code != state.error->code))
            m_desk.terminal.printError(errorText(*state.error));
        m_told = state.error;
    }

private:
    Desk& m_desk;
    std::optional<Error> m_told;
};

void remember(Desk& desk, client::SavedForward forward, uint16_t localPort) {
    forward.localPort = localPort;
    if (client::rememberForward(desk.target, forward) && desk.saveTarget)
        desk.saveTarget(desk.target);
}

Ending keepPort(Desk& desk, const Wanted& wanted) {
    transport::ForwardOrder order;
    order.port = wanted.forward.port;
    order.localPort =
        wanted.isNamed ? wanted.forward.localPort : client::localPortFor(desk.target, wanted.forward);
    if (wanted.isNamed)
        order.ifTaken = transport::ForwardOrder::IfTaken::fail;
    const auto forward = transport::PortForward::listen(co_await asio::this_coro::executor, desk.host, order,
                                                        [&desk] { desk.notify(); });
    if (!forward)
        co_return desk.fail(forward.error());
    remember(desk, wanted.forward, (*forward)->localPort());
    Watch watch(desk);
    watch.opened((*forward)->address(), (*forward)->localPort());
    while (!desk.interrupted()) {
        co_await desk.wait();
        watch.tell((*forward)->state());
    }
    co_return ExitCode::interrupted;
}

/// A service ends with its line; once that is back it is started again, at the same port here.
Ending keepService(Desk& desk, const Wanted& wanted, transport::ServiceOrder order) {
    uint16_t localPort = client::localPortFor(desk.target, wanted.forward);
    Watch watch(desk);
    for (;;) {
        std::optional<Error> end;
        const auto service =
            co_await transport::OpenedService::open(desk.host, order, localPort, [&](const Error& error) {
                end = error;
                desk.notify();
            });
        if (desk.interrupted())
            co_return ExitCode::interrupted;
        if (!service && service.error().code != ErrorCode::connection_lost)
            co_return desk.fail(service.error());
        if (service) {
            localPort = (*service)->forward().localPort();
            remember(desk, wanted.forward, localPort);
            watch.opened((*service)->address(), localPort);
        }
        while (service && !end && !desk.interrupted())
            co_await desk.wait();
        if (end && end->code != ErrorCode::connection_lost)
            co_return desk.fail(*end);
        if (!desk.interrupted())
            desk.terminal.printError("the connection was lost; trying again\n");
        while (!desk.interrupted() && desk.client.state().phase != client::ConnectionPhase::connected)
            co_await desk.wait();
        if (desk.interrupted())
            co_return ExitCode::interrupted;
    }
}

/// On this computer nothing has to be brought here.
Ending keepLocalService(Desk& desk, transport::ServiceOrder order) {
    std::optional<Error> end;
    const auto service =
        co_await transport::RemoteService::start(desk.host, std::move(order), [&](const Error& error) {
            end = error;
            desk.notify();
        });
    if (!service && desk.interrupted())
        co_return ExitCode::interrupted;
    if (!service)
        co_return desk.fail(service.error());
    const transport::ServiceAddress& at = (*service)->address();
    Watch(desk).opened(at.scheme + "://127.0.0.1:" + std::to_string(at.port) + at.path, at.port);
    while (!end && !desk.interrupted())
        co_await desk.wait();
    co_return end && !desk.interrupted() ? desk.fail(*end) : ExitCode::interrupted;
}

ExitCode usage(Desk& desk, const std::string& text) {
    desk.terminal.printError("error: " + text + "\n");
    return ExitCode::bad_input;
}

} // namespace

Ending runCommand(Desk& desk) {
    if (const auto opened = co_await desk.host->open({}); !opened)
        co_return desk.fail(opened.error());
    Printer printer(desk.terminal);
    CommandOrder order = orderOf(desk);
    const bool hasInput = order.input == CommandOrder::Input::given;
    auto started = co_await transport::RemoteCommand::start(desk.host, std::move(order), printer);
    if (!started)
        co_return desk.fail(started.error());
    const std::shared_ptr<transport::RemoteCommand> command = std::move(*started);
    const auto executor = co_await asio::this_coro::executor;
    const auto ended = std::make_shared<Ended>();
    asio::co_spawn(executor, passOutput(desk, command, ended), asio::detached);
    if (hasInput)
        asio::co_spawn(executor, passInput(command), asio::detached);
    while (!ended->code) {
        co_await desk.wait();
        if (desk.interrupted())
            command->cancel();
    }
    if (desk.interrupted())
        co_return ExitCode::interrupted;
    if (!*ended->code)
        co_return desk.fail(ended->code->error());
    co_return static_cast<ExitCode>(**ended->code);
}

Ending forwardPort(Desk& desk) {
    const auto wanted = wantedFrom(desk.command.words.front());
    const bool isTensorBoard = wanted && wanted->forward.kind == client::ForwardKind::tensorboard;
    const bool isService = isTensorBoard || (wanted && wanted->forward.kind == client::ForwardKind::jupyter);
    if (!wanted)
        co_return usage(desk, "forward what? [LOCAL:]PORT, tensorboard EXPERIMENT, jupyter or dashboard");
    if (isTensorBoard && desk.command.words.size() < 2)
        co_return usage(desk, "forward tensorboard needs an EXPERIMENT");
    if (desk.command.host.empty() && !isService)
        co_return usage(desk, "ports of this computer need no forward; --host names another one");
    transport::ServiceOrder order;
    order.hostName = hostNameOf(desk);
    order.kind = isTensorBoard ? transport::ServiceKind::tensorboard : transport::ServiceKind::jupyter;
    if (isTensorBoard) {
        desk.command.experiment = desk.command.words[1];
        const auto summary = co_await desk.findExperiment();
        if (!summary)
            co_return desk.fail(summary.error());
        order.folder = summary->folder;
    } else if (desk.command.words.size() > 1) {
        order.folder = desk.command.words[1];
    }
    if (isService && desk.command.host.empty())
        co_return co_await keepLocalService(desk, std::move(order));
    if (isService)
        co_return co_await keepService(desk, *wanted, std::move(order));
    co_return co_await keepPort(desk, *wanted);
}

} // namespace trialdeck::ctl
