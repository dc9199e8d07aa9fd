// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.h"
#include "core/base/error.h"
#include "core/base/unique_fd.h"

#include <asio/awaitable.hpp>
#include <asio/posix/stream_descriptor.hpp>
#include <asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <libssh2.h>
#include <memory>
#include <optional>
#include <string>
#include <thread>

namespace trialdeck::transport {

/// Starts the library, once in a program. @return whether it runs
[[nodiscard]] bool startLibssh2();

/// One SSH connection of libssh2 on a non-blocking socket. The library reads packets for all channels in
/// whichever call comes first, so every call that does not block wakes all that wait; and while one packet is
/// half sent nobody else may send. Shared by the host and its channels; on one event loop.
class LibsshSession : public std::enable_shared_from_this<LibsshSession> {
public:
    /// @param socket  connected, made non-blocking here
    /// @param clock  outlives the session
    [[nodiscard]] static Expected<std::shared_ptr<LibsshSession>>
    make(const asio::any_io_executor& executor, base::UniqueFd socket, const base::Clock& clock);
    ~LibsshSession();
    LibsshSession(const LibsshSession&) = delete;
    LibsshSession& operator=(const LibsshSession&) = delete;

    [[nodiscard]] LIBSSH2_SESSION* raw() const { return m_session; }
    [[nodiscard]] asio::any_io_executor executor() { return m_socket.get_executor(); }

    /// libssh2_session_handshake() on the socket: an operation for call(). Fails where too much comes, or for
    /// too long, before the name with which SSH begins.
    [[nodiscard]] long handshake();
    /// That was how it failed.
    [[nodiscard]] bool isNameless() const { return m_isNameless; }

    /// Calls until the answer is not LIBSSH2_ERROR_EAGAIN. @return the answer;
    /// LIBSSH2_ERROR_SOCKET_DISCONNECT after close()
    [[nodiscard]] asio::awaitable<long> call(std::function<long()> operation);

    /// For functions that return a pointer: null with EAGAIN as the session's last error means "again".
    template<typename T>
    [[nodiscard]] asio::awaitable<T*> callForPointer(std::function<T*()> operation) {
        T* result = nullptr;
        (void)co_await call([&]() -> long {
            result = operation();
            if (result != nullptr)
                return 0;
            return libssh2_session_last_errno(m_session);
        });
        co_return result;
    }

    /// Operations whose state lies in the session (opening a channel, logging in) one after the other.
    class Turn;
    [[nodiscard]] asio::awaitable<Turn> takeTurn();

    /// Runs what blocks for long (deriving a key) on a thread of its own, with the session to itself.
    [[nodiscard]] asio::awaitable<long> callOnThread(std::function<long()> operation);

    using Answer = std::optional<std::string>;
    /// From within the operation of callOnThread(): has the loop ask and waits for the answer. Nothing where
    /// the session goes meanwhile, as it does with its loop.
    [[nodiscard]] Answer askLoop(std::function<asio::awaitable<Answer>()> ask);

    /// Closes the session when somebody has waited so long for a word of the host.
    void limitSilence(std::chrono::milliseconds patience) { m_patience = patience; }
    /// Asks for a sign of life each interval from now on.
    void keepAlive(std::chrono::seconds interval);

    /// Asked from within an operation: it has sent half of a packet and must be carried to its end.
    [[nodiscard]] bool isHalfSent() const { return m_sender != nullptr; }

    [[nodiscard]] bool isClosed() const { return m_closed; }
    /// Closed, or the other end has: an operation that failed then says nothing of the host.
    [[nodiscard]] bool isCut();
    /// Wakes all; what comes later fails.
    void close(std::string reason);
    /// Why it was closed.
    [[nodiscard]] const std::string& reason() const { return m_reason; }
    /// It was closed because the host said nothing.
    [[nodiscard]] bool wasSilent() const { return m_wasSilent; }
    /// The library's last words.
    [[nodiscard]] std::string lastError() const;

private:
    /// Where the thread waits for the loop. Shared with the answer, which may come when the session is gone.
    struct Mailbox;
    LibsshSession(const asio::any_io_executor& executor, const base::Clock& clock);
    [[nodiscard]] asio::awaitable<void> changed();
    void waitForSocket();
    void wake() { m_changed.cancel(); }
    /// Ends what the thread waits for, and waits for it.
    void endThread();
    static asio::awaitable<void> watch(std::weak_ptr<LibsshSession> weak);
    static LIBSSH2_RECV_FUNC(receiveName);

    LIBSSH2_SESSION* m_session = nullptr;
    asio::posix::stream_descriptor m_socket;
    const base::Clock& m_clock;
    /// Never rings: cancelled to wake who waits.
    asio::steady_timer m_changed;
    bool m_readWait = false;
    bool m_writeWait = false;
    base::SteadyTime m_readSince{};
    /// The library's own way to read, while ours stands before it.
    void* m_receive = nullptr;
    size_t m_nameBytes = 0;
    std::optional<base::SteadyTime> m_handshakeBegan;
    bool m_isNameless = false;
    std::chrono::milliseconds m_patience{std::chrono::milliseconds::max()};
    bool m_isKeptAlive = false;
    /// The operation that has sent half of a packet.
    const void* m_sender = nullptr;
    bool m_turnTaken = false;
    bool m_onThread = false;
    std::thread m_thread;
    std::shared_ptr<Mailbox> m_mailbox;
    bool m_closed = false;
    bool m_wasSilent = false;
    std::string m_reason;
};

/// Holds the turn while it lives.
class LibsshSession::Turn {
public:
    explicit Turn(std::shared_ptr<LibsshSession> session) : m_session(std::move(session)) {}
    Turn(Turn&&) noexcept = default;
    Turn& operator=(Turn&&) = delete;
    ~Turn() {
        if (!m_session)
            return;
        m_session->m_turnTaken = false;
        m_session->wake();
    }

private:
    std::shared_ptr<LibsshSession> m_session;
};

} // namespace trialdeck::transport
