// SPDX-License-Identifier: Apache-2.0
#include "core/transport/libssh2/libssh_program.h"

#include "core/protocol/frame.h"

#include <array>
#include <asio/co_spawn.hpp>
#include <asio/detached.hpp>
#include <asio/local/stream_protocol.hpp>
#include <asio/redirect_error.hpp>
#include <asio/use_awaitable.hpp>
#include <asio/write.hpp>
#include <cerrno>
#include <sys/socket.h>

namespace trialdeck::transport {

namespace {

constexpr size_t kPumpBytes = size_t{64} << 10;
constexpr size_t kKeptErrors = size_t{16} << 10;
/// sshd counts a session that ended just now until it has read all that came with its end.
constexpr int kOpenTries = 2;

/// An operation for call(), to be repeated until it is answered.
long askToStart(LIBSSH2_CHANNEL* channel, const std::string& commandLine) {
    return libssh2_channel_process_startup(channel, "exec", 4, commandLine.data(),
                                           static_cast<unsigned>(commandLine.size()));
}

} // namespace

/// Kept alive by its three pumps, which end with the channel or its session.
class LibsshProgram::Channel : public std::enable_shared_from_this<Channel> {
public:
    Channel(std::shared_ptr<LibsshSession> session, LIBSSH2_CHANNEL* raw, Carries carries)
        : m_session(std::move(session)), m_raw(raw), m_carries(carries), m_socket(m_session->executor()),
          m_ended(m_session->executor(), asio::steady_timer::time_point::max()) {}

    Expected<void> open(base::UniqueFd socket) {
        std::error_code failure;
        m_socket.assign(asio::local::stream_protocol(), socket.get(), failure);
        if (failure)
            return base::fail(ErrorCode::internal, {{"reason", failure.message()}}, "adopt a socket");
        (void)socket.release();
        const auto executor = m_session->executor();
        asio::co_spawn(executor, carryIn(shared_from_this()), asio::detached);
        asio::co_spawn(executor, carryOut(shared_from_this()), asio::detached);
        if (m_carries == Carries::program)
            asio::co_spawn(executor, keepErrors(shared_from_this()), asio::detached);
        return {};
    }

    void listen(std::function<void(std::string_view)> listener) {
        m_onErrors = std::move(listener);
        if (m_onErrors && !m_errors.empty())
            m_onErrors(m_errors);
    }

    /// The command has been sent: its answer comes a round trip later, and until then its input may go out.
    void awaitStart(std::string commandLine) {
        asio::co_spawn(m_session->executor(), hearStart(shared_from_this(), std::move(commandLine)),
                       asio::detached);
    }

    [[nodiscard]] std::string errors() const { return protocol::cleanTerminalText(m_errors, kKeptErrors); }

    asio::awaitable<base::ProcessExit> finish(std::chrono::milliseconds timeout) {
        asio::steady_timer timer(m_session->executor(), timeout);
        timer.async_wait([self = shared_from_this()](const std::error_code& cancelled) {
            if (!cancelled)
                self->abandon();
        });
        std::error_code ignored;
        if (!m_over)
            co_await m_ended.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        timer.cancel();
        co_return m_exit;
    }

    /// Nobody wants it any more.
    void abandon() {
        if (std::exchange(m_abandoned, true))
            return;
        m_onErrors = nullptr;
        std::error_code ignored;
        m_socket.close(ignored);
        end();
        asio::co_spawn(m_session->executor(), release(shared_from_this()), asio::detached);
    }

private:
    static asio::awaitable<void> hearStart(std::shared_ptr<Channel> self, std::string commandLine) {
        const long started = co_await self->call([&] { return askToStart(self->m_raw, commandLine); });
        if (started == 0 || self->m_abandoned)
            co_return;
        const std::string said = "the host did not start the command: " + self->m_session->lastError();
        self->m_errors += said;
        if (self->m_onErrors)
            self->m_onErrors(said);
        self->abandon();
    }

    /// From us to the host.
    static asio::awaitable<void> carryIn(std::shared_ptr<Channel> self) {
        std::array<char, kPumpBytes> buffer;
        std::error_code failure;
        for (;;) {
            const size_t count = co_await self->m_socket.async_read_some(
                asio::buffer(buffer), asio::redirect_error(asio::use_awaitable, failure));
            if (failure)
                break;
            for (size_t done = 0; done < count;) {
                const long sent = co_await self->call([&] {
                    return long{libssh2_channel_write(self->m_raw, buffer.data() + done, count - done)};
                });
                if (sent < 0)
                    co_return;
                done += static_cast<size_t>(sent);
            }
        }
        if (failure == asio::error::eof)
            (void)co_await self->call([&] {
                // Servers end the connection for a word about a channel that is closed; libssh2 would send
                // it.
                return self->m_isClosing ? 0L : long{libssh2_channel_send_eof(self->m_raw)};
            });
    }

    /// From the host to us, and then how it ended.
    static asio::awaitable<void> carryOut(std::shared_ptr<Channel> self) {
        std::array<char, kPumpBytes> buffer;
        bool isWanted = true;
        for (;;) {
            const long count = co_await self->call(
                [&] { return long{libssh2_channel_read(self->m_raw, buffer.data(), buffer.size())}; });
            // Zero is the end of this stream. libssh2_channel_eof() would say no while the other one holds
            // bytes.
            if (count <= 0)
                break;
            if (!isWanted && self->m_carries == Carries::program)
                continue;
            if (!isWanted)
                break;
            std::error_code failure;
            co_await asio::async_write(self->m_socket,
                                       asio::buffer(buffer.data(), static_cast<size_t>(count)),
                                       asio::redirect_error(asio::use_awaitable, failure));
            isWanted = !failure;
        }
        std::error_code ignored;
        if (isWanted && self->m_carries == Carries::stream)
            co_await untilClosedThere(self);
        // Who still writes hears of it; what was written to us stays to be read.
        self->m_socket.shutdown(asio::socket_base::shutdown_both, ignored);
        (void)co_await self->call([&] {
            self->m_isClosing = true;
            return long{libssh2_channel_close(self->m_raw)};
        });
        const long closed =
            co_await self->call([&] { return long{libssh2_channel_wait_closed(self->m_raw)}; });
        if (closed == 0 && !self->m_abandoned)
            self->readExit();
        self->end();
    }

    /// The other end says no more but may listen: until it has heard our end, or gone.
    static asio::awaitable<void> untilClosedThere(std::shared_ptr<Channel> self) {
        std::error_code ignored;
        self->m_socket.shutdown(asio::socket_base::shutdown_send, ignored);
        (void)co_await self->call([&] { return long{libssh2_channel_wait_closed(self->m_raw)}; });
    }

    static asio::awaitable<void> keepErrors(std::shared_ptr<Channel> self) {
        std::array<char, 4096> buffer;
        for (;;) {
            const long count = co_await self->call(
                [&] { return long{libssh2_channel_read_stderr(self->m_raw, buffer.data(), buffer.size())}; });
            if (count <= 0)
                co_return;
            if (self->m_onErrors)
                self->m_onErrors({buffer.data(), static_cast<size_t>(count)});
            self->m_errors.append(buffer.data(), static_cast<size_t>(count));
            if (self->m_errors.size() > 2 * kKeptErrors)
                self->m_errors.erase(0, self->m_errors.size() - kKeptErrors);
        }
    }

    static asio::awaitable<void> release(std::shared_ptr<Channel> self) {
        if (self->m_raw == nullptr)
            co_return;
        LIBSSH2_CHANNEL* const raw = self->m_raw;
        (void)co_await self->m_session->call([&self, raw] {
            self->m_isClosing = true;
            return long{libssh2_channel_close(raw)};
        });
        (void)co_await self->m_session->call([raw] { return long{libssh2_channel_free(raw)}; });
        self->m_raw = nullptr;
    }

    /// After abandon() the pumps touch the channel no more.
    asio::awaitable<long> call(std::function<long()> operation) {
        return m_session->call([this, operation = std::move(operation)]() -> long {
            const bool isOver = m_abandoned && !m_session->isHalfSent();
            return isOver ? long{LIBSSH2_ERROR_CHANNEL_CLOSED} : operation();
        });
    }

    void readExit() {
        char* signal = nullptr;
        size_t length = 0;
        libssh2_channel_get_exit_signal(m_raw, &signal, &length, nullptr, nullptr, nullptr, nullptr);
        if (signal == nullptr)
            m_exit.code = libssh2_channel_get_exit_status(m_raw);
        libssh2_free(m_session->raw(), signal);
    }

    void end() {
        m_over = true;
        m_ended.cancel();
    }

    std::shared_ptr<LibsshSession> m_session;
    LIBSSH2_CHANNEL* m_raw;
    const Carries m_carries;
    asio::local::stream_protocol::socket m_socket;
    asio::steady_timer m_ended;
    base::ProcessExit m_exit;
    std::string m_errors;
    std::function<void(std::string_view)> m_onErrors;
    bool m_over = false;
    bool m_isClosing = false;
    bool m_abandoned = false;
};

LibsshProgram::LibsshProgram(std::shared_ptr<Channel> channel, base::UniqueFd socket)
    : m_channel(std::move(channel)), m_socket(std::move(socket)) {}

LibsshProgram::~LibsshProgram() {
    m_channel->abandon();
}

Expected<std::unique_ptr<LibsshProgram>> LibsshProgram::pumped(std::shared_ptr<LibsshSession> session,
                                                               LIBSSH2_CHANNEL* raw, Carries carries) {
    auto channel = std::make_shared<Channel>(std::move(session), raw, carries);
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        channel->abandon();
        return base::fail(ErrorCode::internal, {{"reason", std::generic_category().message(errno)}},
                          "make a pair of sockets");
    }
    base::UniqueFd ours(ends[0]);
    if (auto opened = channel->open(base::UniqueFd(ends[1])); !opened) {
        channel->abandon();
        return tl::make_unexpected(std::move(opened).error());
    }
    return std::unique_ptr<LibsshProgram>(new LibsshProgram(std::move(channel), std::move(ours)));
}

asio::awaitable<Expected<std::unique_ptr<LibsshProgram>>>
LibsshProgram::start(std::shared_ptr<LibsshSession> session, std::string commandLine) {
    const LibsshSession::Turn turn = co_await session->takeTurn();
    LIBSSH2_CHANNEL* raw = nullptr;
    for (int tried = 0; tried < kOpenTries && raw == nullptr && !session->isClosed(); ++tried)
        raw = co_await session->callForPointer<LIBSSH2_CHANNEL>(
            [&session] { return libssh2_channel_open_session(session->raw()); });
    if (raw == nullptr) {
        if (session->isClosed())
            co_return base::fail(ErrorCode::connection_lost, {{"reason", session->reason()}},
                                 "open a channel");
        co_return base::fail(ErrorCode::too_many_sessions, {}, session->lastError());
    }
    bool isAnswered = true;
    const long asked = co_await session->call([&]() -> long {
        const long answer = askToStart(raw, commandLine);
        isAnswered = answer != LIBSSH2_ERROR_EAGAIN;
        const bool isSent = !isAnswered && (libssh2_session_block_directions(session->raw()) &
                                            LIBSSH2_SESSION_BLOCK_OUTBOUND) == 0;
        return isSent ? 0 : answer;
    });
    if (asked != 0) {
        (void)co_await session->call([raw] { return long{libssh2_channel_free(raw)}; });
        co_return base::fail(ErrorCode::connection_lost, {{"reason", session->lastError()}},
                             "start a program");
    }
    auto program = pumped(session, raw, Carries::program);
    if (program && !isAnswered)
        (*program)->m_channel->awaitStart(std::move(commandLine));
    co_return program;
}

asio::awaitable<Expected<std::unique_ptr<LibsshProgram>>>
LibsshProgram::connect(std::shared_ptr<LibsshSession> session, std::string host, uint16_t port) {
    const LibsshSession::Turn turn = co_await session->takeTurn();
    LIBSSH2_CHANNEL* const raw = co_await session->callForPointer<LIBSSH2_CHANNEL>(
        [&] { return libssh2_channel_direct_tcpip(session->raw(), host.c_str(), port); });
    if (raw == nullptr) {
        std::string reason = session->isClosed() ? session->reason() : session->lastError();
        ErrorCode code = ErrorCode::port_not_listening;
        if (session->isClosed())
            code = ErrorCode::connection_lost;
        else if (reason.find("prohibited") != std::string::npos)
            code = ErrorCode::forwarding_refused;
        Error error{code, {{"host", host}, {"port", std::to_string(port)}, {"reason", reason}}, reason};
        co_return tl::make_unexpected(std::move(error));
    }
    co_return pumped(session, raw, Carries::stream);
}

base::UniqueFd LibsshProgram::takeSocket() {
    return std::move(m_socket);
}

void LibsshProgram::setErrorListener(std::function<void(std::string_view)> listener) {
    m_channel->listen(std::move(listener));
}

std::string LibsshProgram::errors() const {
    return m_channel->errors();
}

asio::awaitable<base::ProcessExit> LibsshProgram::finish(std::chrono::milliseconds timeout) {
    const std::shared_ptr<Channel> channel = m_channel;
    co_return co_await channel->finish(timeout);
}

} // namespace trialdeck::transport
