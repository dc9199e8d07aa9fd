// SPDX-License-Identifier: Apache-2.0
#include "core/transport/libssh2/libssh_host.h"

#include "core/transport/libssh2/libssh_program.h"

#include <asio/connect.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/redirect_error.hpp>
#include <asio/steady_timer.hpp>
#include <asio/this_coro.hpp>
#include <asio/use_awaitable.hpp>
#include <cassert>

namespace trialdeck::transport {

using asio::ip::tcp;

namespace {

constexpr int kMissedSigns = 3;

class LibsshStream final : public RemoteStream {
public:
    explicit LibsshStream(std::unique_ptr<LibsshProgram> channel) : m_channel(std::move(channel)) {}
    base::UniqueFd takeSocket() override { return m_channel->takeSocket(); }
    /// It is open before it exists.
    asio::awaitable<std::optional<Error>> refusal() override { co_return std::nullopt; }

private:
    std::unique_ptr<LibsshProgram> m_channel;
};

} // namespace

/// From here to the host: a session for each hop, each over a channel of the one before.
class LibsshHost::Way : public std::enable_shared_from_this<Way> {
public:
    Way(const asio::any_io_executor& executor, const LibsshOptions& options)
        : m_options(options), m_resolver(executor), m_tcp(executor) {}

    asio::awaitable<Expected<void>> open(const base::Clock& clock, HostKeys& hostKeys, Prompts& prompts,
                                         StepTrace& trace) {
        const std::shared_ptr<Way> self = shared_from_this();
        auto socket = co_await connect(trace);
        for (const LibsshHop& hop : m_options.hops) {
            if (!socket)
                co_return tl::make_unexpected(std::move(socket).error());
            auto session = LibsshSession::make(m_tcp.get_executor(), std::move(*socket), clock);
            if (!session)
                co_return tl::make_unexpected(std::move(session).error());
            m_sessions.push_back(*session);
            (*session)->limitSilence(m_options.patience);
            if (m_closed)
                (*session)->close("the connection is not wanted any more");
            HostKeys& keys = hop.hostKeys ? *hop.hostKeys : hostKeys;
            if (auto in = co_await loginOver(*session, hop, keys, prompts, trace); !in) {
                const bool isUnwanted = m_closed && in.error().code == ErrorCode::connection_lost;
                co_return isUnwanted ? base::fail(ErrorCode::cancelled) : in;
            }
            (*session)->keepAlive(m_options.keepaliveInterval);
            (*session)->limitSilence(kMissedSigns * m_options.keepaliveInterval);
            if (&hop == &m_options.hops.back())
                break;
            const LibsshHop& next = *(&hop + 1);
            auto channel = co_await LibsshProgram::connect(*session, next.address, next.port);
            if (!channel)
                co_return tl::make_unexpected(jumpFailure(hop, next, channel.error()));
            socket = (*channel)->takeSocket();
            m_jumps.push_back(std::move(*channel));
        }
        m_ready = true;
        co_return Expected<void>();
    }

    [[nodiscard]] bool isOpen() const { return m_ready && !m_sessions.back()->isClosed(); }
    [[nodiscard]] const std::shared_ptr<LibsshSession>& session() const { return m_sessions.back(); }

    void close() {
        m_closed = true;
        m_resolver.cancel();
        std::error_code ignored;
        m_tcp.close(ignored);
        m_jumps.clear();
        for (auto session = m_sessions.rbegin(); session != m_sessions.rend(); ++session)
            (*session)->close("the connection was closed");
    }

private:
    asio::awaitable<Expected<base::UniqueFd>> connect(StepTrace& trace) {
        const LibsshHop& first = m_options.hops.front();
        trace.begin(ConnectionStep::name);
        std::error_code failure;
        const auto addresses = co_await resolve(first, failure);
        if (failure)
            co_return base::fail(m_closed ? ErrorCode::cancelled : ErrorCode::host_not_found,
                                 {{"host", firstName()}}, first.address + ": " + failure.message());
        trace.setDetail(addresses.begin()->endpoint().address().to_string() + " port " +
                        std::to_string(first.port));
        trace.begin(ConnectionStep::tcp);
        asio::steady_timer timer(m_tcp.get_executor(), m_options.connectTimeout);
        bool isLate = false;
        timer.async_wait([self = shared_from_this(), &isLate](const std::error_code& cancelled) {
            if (cancelled)
                return;
            isLate = true;
            std::error_code ignored;
            self->m_tcp.close(ignored);
        });
        co_await asio::async_connect(m_tcp, addresses, asio::redirect_error(asio::use_awaitable, failure));
        const bool inTime = timer.cancel() > 0;
        if (isLate || (!inTime && failure))
            failure = asio::error::timed_out;
        if (failure)
            co_return tl::make_unexpected(connectFailure(failure));
        m_tcp.set_option(tcp::no_delay(true), failure);
        base::UniqueFd socket(m_tcp.release(failure));
        co_return socket;
    }

    asio::awaitable<tcp::resolver::results_type> resolve(const LibsshHop& hop, std::error_code& failure) {
        const std::string port = std::to_string(hop.port);
        const bool isFour = m_options.addressFamily == SshAddressFamily::inet;
        if (m_options.addressFamily == SshAddressFamily::any)
            co_return co_await m_resolver.async_resolve(hop.address, port,
                                                        asio::redirect_error(asio::use_awaitable, failure));
        co_return co_await m_resolver.async_resolve(isFour ? tcp::v4() : tcp::v6(), hop.address, port,
                                                    asio::redirect_error(asio::use_awaitable, failure));
    }

    /// Whom the line from here leads to.
    [[nodiscard]] const std::string& firstName() const {
        return m_options.hops.size() == 1 ? m_options.name : m_options.hops.front().name;
    }

    /// The library does not pass on what the jump host says of its reason.
    [[nodiscard]] Error jumpFailure(const LibsshHop& hop, const LibsshHop& next, const Error& error) const {
        if (m_closed)
            return {ErrorCode::cancelled, {}, {}};
        if (error.code == ErrorCode::connection_lost)
            return {error.code, {{"host", hop.name}, {"reason", error.detail}}, "go on from a jump host"};
        const bool isForbidden = error.code == ErrorCode::forwarding_refused;
        return {
            ErrorCode::host_unreachable,
            {{"host", next.name},
             {"reason", hop.name + (isForbidden ? " does not allow to connect to " : " cannot connect to ") +
                            next.address + " port " + std::to_string(next.port)}},
            error.detail};
    }

    [[nodiscard]] Error connectFailure(const std::error_code& failure) const {
        if (m_closed)
            return {ErrorCode::cancelled, {}, {}};
        const ErrorCode code = failure == asio::error::connection_refused ? ErrorCode::host_refused
                                                                          : ErrorCode::host_unreachable;
        return {code, {{"host", firstName()}, {"reason", failure.message()}}, "connect"};
    }

    const LibsshOptions m_options;
    tcp::resolver m_resolver;
    tcp::socket m_tcp;
    std::vector<std::shared_ptr<LibsshSession>> m_sessions;
    /// Each carries the session that follows.
    std::vector<std::unique_ptr<LibsshProgram>> m_jumps;
    bool m_ready = false;
    bool m_closed = false;
};

LibsshHost::LibsshHost(LibsshOptions options, const base::Clock& clock, HostKeys& hostKeys, Prompts& prompts)
    : m_options(std::move(options)), m_clock(clock), m_hostKeys(hostKeys), m_prompts(prompts) {
    assert(!m_options.hops.empty());
}

LibsshHost::~LibsshHost() {
    close();
}

std::string LibsshHost::destination() const {
    return "ssh " + m_options.name;
}

asio::awaitable<Expected<void>> LibsshHost::open(StepListener listener) {
    close();
    const asio::any_io_executor executor = co_await asio::this_coro::executor;
    const auto way = std::make_shared<Way>(executor, m_options);
    m_way = way;
    StepTrace trace(m_clock, std::move(listener));
    auto opened = co_await way->open(m_clock, m_hostKeys, m_prompts, trace);
    if (!opened) {
        trace.fail(opened.error());
        way->close();
    }
    co_return opened;
}

bool LibsshHost::isOpen() const {
    return m_way && m_way->isOpen();
}

asio::awaitable<Expected<std::unique_ptr<RemoteProgram>>> LibsshHost::start(std::string commandLine) {
    if (!isOpen())
        co_return base::fail(ErrorCode::connection_lost, {{"host", m_options.name}}, "not open");
    const std::shared_ptr<Way> way = m_way;
    auto program = co_await LibsshProgram::start(way->session(), std::move(commandLine));
    if (!program) {
        program.error().arguments.try_emplace("host", m_options.name);
        co_return tl::make_unexpected(std::move(program).error());
    }
    std::unique_ptr<RemoteProgram> result = std::move(*program);
    co_return result;
}

asio::awaitable<Expected<std::unique_ptr<RemoteStream>>> LibsshHost::openTcp(std::string host,
                                                                             uint16_t port) {
    if (!isOpen())
        co_return base::fail(ErrorCode::connection_lost, {{"host", m_options.name}}, "not open");
    const std::shared_ptr<Way> way = m_way;
    auto channel = co_await LibsshProgram::connect(way->session(), std::move(host), port);
    if (!channel) {
        channel.error().arguments["host"] = m_options.name;
        co_return tl::make_unexpected(std::move(channel).error());
    }
    std::unique_ptr<RemoteStream> stream = std::make_unique<LibsshStream>(std::move(*channel));
    co_return stream;
}

std::unique_ptr<RemoteHost> LibsshHost::neighbour(const NeighbourHost& to, NeighbourWay way) {
    LibsshOptions options = m_options;
    LibsshHop hop = options.hops.back();
    hop.name = hop.address = options.name = to.name;
    hop.hostKeyAlias.clear();
    if (!to.user.empty())
        hop.user = to.user;
    if (to.port != 0)
        hop.port = to.port;
    if (way == NeighbourWay::direct)
        options.hops.pop_back();
    options.hops.push_back(std::move(hop));
    return std::make_unique<LibsshHost>(std::move(options), m_clock, m_hostKeys, m_prompts);
}

void LibsshHost::close() {
    if (m_way)
        m_way->close();
    m_way.reset();
}

} // namespace trialdeck::transport
