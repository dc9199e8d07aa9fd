// SPDX-License-Identifier: Apache-2.0
#include "core/transport/remote/ssh_transport.h"

#include "core/base/host.h"
#include "core/protocol/attach_failure.h"
#include "core/transport/remote/program_channel.h"
#include "core/transport/remote/remote_shell.h"

#include <asio/this_coro.hpp>
#include <charconv>
#include <sys/socket.h>

namespace trialdeck::transport {

namespace {

std::string printedIn(const Error& noAnswer) {
    const auto printed = noAnswer.arguments.find("printed");
    return printed == noAnswer.arguments.end() ? std::string() : printed->second;
}

/// A host could not be reached; all other errors are answers of the host.
bool isOfTheLine(ErrorCode code) {
    switch (code) {
    case ErrorCode::host_not_found:
    case ErrorCode::host_unreachable:
    case ErrorCode::host_refused:
    case ErrorCode::not_an_ssh_server:
    case ErrorCode::connection_lost:
    case ErrorCode::connection_refused:
    case ErrorCode::timed_out:
    case ErrorCode::unavailable:
        return true;
    default:
        return false;
    }
}

NeighbourHost neighbourOf(Error& elsewhere) {
    NeighbourHost host;
    host.name = elsewhere.arguments["daemon_host"];
    host.user = elsewhere.arguments["user"];
    const std::string& port = elsewhere.arguments["port"];
    std::from_chars(port.data(), port.data() + port.size(), host.port);
    return host;
}

} // namespace

SshTransport::SshTransport(std::shared_ptr<RemoteHost> host, base::FileSystem& files,
                           const base::Clock& clock, SshTransportOptions options)
    : m_host(std::move(host)), m_files(files), m_clock(clock), m_options(std::move(options)) {}

SshTransport::~SshTransport() = default;

std::string SshTransport::destination() const {
    return m_host->destination();
}

asio::awaitable<Expected<std::unique_ptr<FrameChannel>>> SshTransport::connect() {
    m_gaveUp = false;
    m_connecting = true;
    StepTrace trace(m_clock, m_listener);
    auto channel = co_await walk(trace);
    m_connecting = false;
    if (!channel && m_gaveUp)
        channel.error() = Error{ErrorCode::cancelled, {}, "the connection is not wanted any more"};
    co_return channel;
}

asio::awaitable<Expected<std::unique_ptr<FrameChannel>>> SshTransport::walk(StepTrace& trace) {
    if (m_neighbour && m_neighbour->isOpen()) {
        auto channel = co_await reach(*m_neighbour, m_neighbourName, trace);
        if (channel || channel.error().code != ErrorCode::daemon_elsewhere)
            co_return channel;
    }
    if (!m_host->isOpen()) {
        if (auto opened = co_await m_host->open(m_listener); !opened)
            co_return tl::make_unexpected(std::move(opened).error());
    }
    auto channel = co_await reach(*m_host, m_options.hostName, trace);
    if (channel || channel.error().code != ErrorCode::daemon_elsewhere)
        co_return channel;
    co_return co_await goOn(std::move(channel).error(), trace);
}

asio::awaitable<Expected<std::unique_ptr<FrameChannel>>> SshTransport::goOn(Error elsewhere,
                                                                            StepTrace& trace) {
    const NeighbourHost place = neighbourOf(elsewhere);
    elsewhere.arguments = {{"host", m_options.hostName}, {"daemon_host", place.name}};
    for (const NeighbourWay way : {NeighbourWay::throughThisOne, NeighbourWay::direct}) {
        if (m_gaveUp)
            break;
        m_neighbour = m_host->neighbour(place, way);
        m_neighbourName = place.name;
        if (!m_neighbour)
            break;
        auto opened = co_await m_neighbour->open(m_listener);
        if (opened)
            co_return co_await reach(*m_neighbour, m_neighbourName, trace);
        if (!isOfTheLine(opened.error().code))
            co_return tl::make_unexpected(std::move(opened).error());
        // The first way says more: the other one often only does not know the name.
        const auto reason = opened.error().arguments.find("reason");
        const bool isSaid = reason != opened.error().arguments.end() && !reason->second.empty();
        elsewhere.arguments.try_emplace("reason",
                                        isSaid ? reason->second : std::string(nameOf(opened.error().code)));
    }
    m_neighbour.reset();
    trace.fail(elsewhere);
    co_return tl::make_unexpected(std::move(elsewhere));
}

asio::awaitable<Expected<std::unique_ptr<FrameChannel>>>
SshTransport::reach(RemoteHost& host, const std::string& name, StepTrace& trace) {
    for (const bool mayDeploy : {true, false}) {
        auto attached = co_await attach(host, name, trace);
        if (!attached) {
            if (attached.error().code != ErrorCode::daemon_elsewhere)
                trace.fail(attached.error());
            co_return tl::make_unexpected(std::move(attached).error());
        }
        if (*attached)
            co_return std::move(**attached);
        if (!mayDeploy)
            break;
        auto facts = co_await deployHead(host, m_files, m_options.programs, name, trace);
        if (!facts) {
            trace.fail(facts.error());
            co_return tl::make_unexpected(std::move(facts).error());
        }
    }
    Error error{ErrorCode::head_does_not_run, {{"host", name}, {"reason", ""}}, "after deployment"};
    trace.fail(error);
    co_return tl::make_unexpected(std::move(error));
}

/// @return nothing where the program is not there
asio::awaitable<Expected<SshTransport::Attached>>
SshTransport::attach(RemoteHost& host, const std::string& name, StepTrace& trace) {
    const asio::any_io_executor executor = co_await asio::this_coro::executor;
    trace.begin(ConnectionStep::shell);
    auto program = co_await host.start(std::string(kShellCommand));
    if (!program)
        co_return tl::make_unexpected(std::move(program).error());
    const std::string nonce = base::newUuid();
    const std::string line = asShellLine(attachScript(m_options.programs.buildId, nonce, m_options.remoteHome,
                                                      m_options.here ? "--here" : ""));
    base::UniqueFd socket = (*program)->takeSocket();
    // A new socket has room for the line.
    if (::send(socket.get(), line.data(), line.size(), MSG_NOSIGNAL | MSG_DONTWAIT) !=
        static_cast<ssize_t>(line.size()))
        co_return base::fail(ErrorCode::connection_lost, {{"host", name}}, "send the script");
    auto channel = SocketChannel::adopt(executor, std::move(socket));
    if (!channel)
        co_return tl::make_unexpected(std::move(channel).error());
    auto found = co_await (*channel)->findStart(nonce + "-shell", m_options.shellTimeout);
    if (!found) {
        const bool ended = (*channel)->ended();
        const base::ProcessExit exit =
            co_await (*program)->finish(ended ? kLastWordsTimeout : std::chrono::milliseconds::zero());
        co_return tl::make_unexpected(
            whyNoShell(name, printedIn(found.error()), (*program)->errors(), ended && !exit.code));
    }
    trace.begin(ConnectionStep::head);
    trace.setDetail(m_options.programs.buildId);
    found = co_await (*channel)->findStart(nonce, m_options.startTimeout);
    if (found) {
        trace.done();
        std::unique_ptr<FrameChannel> result =
            std::make_unique<ProgramChannel>(std::move(*program), std::move(*channel));
        co_return Attached(std::move(result));
    }
    const bool ended = (*channel)->ended();
    const base::ProcessExit exit =
        co_await (*program)->finish(ended ? kLastWordsTimeout : std::chrono::milliseconds::zero());
    if (exit.code == kHeadMissing)
        co_return Attached();
    Error error = std::move(found).error();
    // Another reason is told in the program's own words, which say more.
    if (auto failure = protocol::findAttachFailure(error.arguments["printed"], nonce);
        failure && failure->code != ErrorCode::head_did_not_answer)
        co_return tl::make_unexpected(std::move(*failure));
    if (const std::string errors = (*program)->errors(); !errors.empty()) {
        std::string& printed = error.arguments["printed"];
        printed = errors + (printed.empty() ? "" : "\n") + printed;
    }
    if (ended && !exit.code)
        error.code = ErrorCode::connection_lost;
    co_return tl::make_unexpected(std::move(error));
}

void SshTransport::giveUp() {
    if (!m_connecting)
        return;
    m_gaveUp = true;
    m_host->close();
    if (m_neighbour)
        m_neighbour->close();
}

} // namespace trialdeck::transport
