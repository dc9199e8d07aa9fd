// SPDX-License-Identifier: Apache-2.0
#include "core/transport/ssh/master_forwards.h"

#include "core/transport/child_process.h"

#include <asio/this_coro.hpp>
#include <cerrno>
#include <charconv>
#include <sys/socket.h>
#include <sys/un.h>

namespace trialdeck::transport {

namespace {

constexpr std::chrono::milliseconds kMasterAnswers{10'000};

bool takePrefix(std::string_view& text, std::string_view prefix) {
    if (text.substr(0, prefix.size()) != prefix)
        return false;
    text.remove_prefix(prefix.size());
    return true;
}

/// "localhost port 6006".
std::optional<TcpTarget> targetFrom(std::string_view text) {
    constexpr std::string_view kPort = " port ";
    const size_t at = text.rfind(kPort);
    if (at == std::string_view::npos)
        return std::nullopt;
    const std::string_view number = text.substr(at + kPort.size());
    TcpTarget target{std::string(text.substr(0, at)), 0};
    const auto end = std::from_chars(number.data(), number.data() + number.size(), target.port);
    if (end.ec != std::errc())
        return std::nullopt;
    return target;
}

} // namespace

bool ForwardMessages::readLine(std::string_view line) {
    takePrefix(line, "debug1: ");
    // "Connection to port -2 forwarding to localhost port 6006 requested."
    if (takePrefix(line, "Connection to port ")) {
        constexpr std::string_view kTo = " forwarding to ";
        constexpr std::string_view kEnd = " requested.";
        const size_t to = line.find(kTo);
        const size_t end = line.rfind(kEnd);
        if (to != std::string_view::npos && end != std::string_view::npos && end > to)
            m_requested = targetFrom(line.substr(to + kTo.size(), end - to - kTo.size()));
        return true;
    }
    if (!takePrefix(line, "channel "))
        return false;
    const size_t colon = line.find(": ");
    if (colon == std::string_view::npos)
        return false;
    const std::string number(line.substr(0, colon));
    line.remove_prefix(colon + 2);
    // "new direct-tcpip [direct-tcpip] (inactive timeout: 0)", older: "new [direct-tcpip]"
    if (takePrefix(line, "new ")) {
        m_channels.erase(number);
        if (m_requested && line.find("[direct-tcpip]") != std::string_view::npos) {
            m_channels.emplace(number, *m_requested);
            m_requested.reset();
        }
        return true;
    }
    if (!takePrefix(line, "open failed: "))
        return takePrefix(line, "free: ");
    if (const auto channel = m_channels.find(number); channel != m_channels.end()) {
        Refusals& refusals = m_refusals[channel->second];
        ++refusals.count;
        const bool isForbidden = line.find("administratively prohibited") == 0;
        refusals.code = isForbidden ? ErrorCode::forwarding_refused : ErrorCode::port_not_listening;
        refusals.reason = line;
    }
    return true;
}

ForwardMessages::Refusals ForwardMessages::refusalsOf(const TcpTarget& target) const {
    const auto found = m_refusals.find(target);
    return found == m_refusals.end() ? Refusals() : found->second;
}

MasterForwards::MasterForwards(std::string program, base::Environment environment, base::Path control,
                               base::Path folder, std::string host)
    : m_program(std::move(program)), m_environment(std::move(environment)), m_control(std::move(control)),
      m_folder(std::move(folder)), m_host(std::move(host)) {}

std::vector<std::string> MasterForwards::command(const TcpTarget& target, const base::Path& path) const {
    const bool isAddress6 = target.host.find(':') != std::string::npos;
    const std::string host = isAddress6 ? "[" + target.host + "]" : target.host;
    return {m_program,
            "-F",
            "/dev/null",
            "-S",
            m_control.native(),
            "-O",
            "forward",
            "-L",
            path.native() + ":" + host + ":" + std::to_string(target.port),
            "--",
            m_host};
}

asio::awaitable<Expected<base::Path>> MasterForwards::pathTo(const TcpTarget& target) {
    if (const auto known = m_paths.find(target); known != m_paths.end())
        co_return known->second;
    // Who asks at the same time gets a socket of its own, which costs a call and no more.
    const base::Path path = m_folder / ("to" + std::to_string(++m_made));
    auto started =
        ChildProcess::start(co_await asio::this_coro::executor, command(target, path), m_environment);
    if (!started)
        co_return tl::make_unexpected(std::move(started).error().during("forward a port"));
    const std::string host = m_host;
    const base::ProcessExit exit = co_await started->child.finish(kMasterAnswers);
    if (exit.code != 0)
        co_return base::fail(ErrorCode::connection_lost,
                             {{"host", host}, {"reason", started->child.errors()}}, "forward a port");
    m_paths.emplace(target, path);
    co_return path;
}

Expected<base::UniqueFd> connectToPath(const base::Path& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.native().size() >= sizeof address.sun_path)
        return base::fail(ErrorCode::internal, {{"reason", "the path is too long"}}, path.native());
    path.native().copy(address.sun_path, sizeof address.sun_path - 1);
    base::UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!socket || ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        return base::fail(ErrorCode::connection_lost, {{"reason", std::generic_category().message(errno)}},
                          "connect to the master");
    return socket;
}

} // namespace trialdeck::transport
