// SPDX-License-Identifier: Apache-2.0
#include "core/transport/libssh2/libssh_session.h"

#include "core/base/wipe.h"

#include <asio/co_spawn.hpp>
#include <asio/detached.hpp>
#include <asio/post.hpp>
#include <asio/redirect_error.hpp>
#include <asio/use_awaitable.hpp>
#include <cerrno>
#include <condition_variable>
#include <fcntl.h>
#include <mutex>
#include <string_view>
#include <sys/socket.h>
#include <thread>
#include <utility>

namespace trialdeck::transport {

namespace {

constexpr std::chrono::milliseconds kLookEvery{1'000};
/// Lines that a host may say before its name; sshd says none, others a notice.
constexpr size_t kMaxNameBytes = size_t{64} << 10;

/// After these nothing goes over the connection any more.
bool endsSession(long answer) {
    return answer == LIBSSH2_ERROR_SOCKET_DISCONNECT || answer == LIBSSH2_ERROR_SOCKET_RECV ||
           answer == LIBSSH2_ERROR_SOCKET_SEND || answer == LIBSSH2_ERROR_SOCKET_TIMEOUT;
}

} // namespace

bool startLibssh2() {
    static std::once_flag once;
    static bool started = false;
    std::call_once(once, [] { started = libssh2_init(0) == 0; });
    return started;
}

struct LibsshSession::Mailbox {
    std::mutex mutex;
    std::condition_variable changed;
    bool abandoned = false;
    /// One question at a time waits; answers to others come too late.
    int question = 0;
    std::optional<Answer> answer;
};

LibsshSession::LibsshSession(const asio::any_io_executor& executor, const base::Clock& clock)
    : m_socket(executor), m_clock(clock), m_changed(executor, asio::steady_timer::time_point::max()),
      m_mailbox(std::make_shared<Mailbox>()) {}

LibsshSession::~LibsshSession() {
    if (m_session == nullptr)
        return;
    // Says good-bye only as far as the socket takes it at once.
    if (!m_closed && m_sender == nullptr)
        libssh2_session_disconnect(m_session, "");
    libssh2_session_free(m_session);
}

void LibsshSession::endThread() {
    if (!m_thread.joinable())
        return;
    {
        const std::scoped_lock lock(m_mailbox->mutex);
        m_mailbox->abandoned = true;
    }
    m_mailbox->changed.notify_all();
    shutdown(m_socket.native_handle(), SHUT_RDWR);
    m_thread.join();
    m_onThread = false;
}

Expected<std::shared_ptr<LibsshSession>>
LibsshSession::make(const asio::any_io_executor& executor, base::UniqueFd socket, const base::Clock& clock) {
    if (!startLibssh2())
        return base::fail(ErrorCode::internal, {}, "start libssh2");
    const int flags = fcntl(socket.get(), F_GETFL);
    if (flags < 0 || fcntl(socket.get(), F_SETFL, flags | O_NONBLOCK) != 0)
        return base::fail(ErrorCode::internal, {}, "make a socket non-blocking");
    std::shared_ptr<LibsshSession> session(new LibsshSession(executor, clock));
    session->m_session = libssh2_session_init();
    if (session->m_session == nullptr)
        return base::fail(ErrorCode::internal, {}, "make a session of libssh2");
    libssh2_session_set_blocking(session->m_session, 0);
    std::error_code failure;
    session->m_socket.assign(socket.get(), failure);
    if (failure)
        return base::fail(ErrorCode::internal, {{"reason", failure.message()}}, "adopt a socket");
    (void)socket.release();
    asio::co_spawn(executor, watch(session), asio::detached);
    return session;
}

long LibsshSession::handshake() {
    if (!m_handshakeBegan) {
        m_handshakeBegan = m_clock.steadyNow();
        *libssh2_session_abstract(m_session) = this;
        m_receive = libssh2_session_callback_set(m_session, LIBSSH2_CALLBACK_RECV,
                                                 reinterpret_cast<void*>(&LibsshSession::receiveName));
    }
    const long answer = libssh2_session_handshake(m_session, m_socket.native_handle());
    if (answer != LIBSSH2_ERROR_EAGAIN)
        (void)libssh2_session_callback_set(m_session, LIBSSH2_CALLBACK_RECV, m_receive);
    return answer;
}

/// The library reads lines until one is a name, for as long as they come and without a pause.
LIBSSH2_RECV_FUNC(LibsshSession::receiveName) {
    auto* const self = static_cast<LibsshSession*>(*abstract);
    const char* const name = libssh2_session_banner_get(self->m_session);
    if (name == nullptr || std::string_view(name).substr(0, 4) != "SSH-") {
        self->m_nameBytes += length;
        if (self->m_nameBytes > kMaxNameBytes ||
            self->m_clock.steadyNow() - *self->m_handshakeBegan > self->m_patience) {
            self->m_isNameless = true;
            return -ECONNABORTED;
        }
    }
    return reinterpret_cast<decltype(&LibsshSession::receiveName)>(self->m_receive)(socket, buffer, length,
                                                                                    flags, abstract);
}

asio::awaitable<long> LibsshSession::call(std::function<long()> operation) {
    const std::shared_ptr<LibsshSession> self = shared_from_this();
    const void* const me = &operation;
    for (;;) {
        while (!m_closed && (m_onThread || (m_sender != nullptr && m_sender != me)))
            co_await changed();
        if (m_closed)
            co_return LIBSSH2_ERROR_SOCKET_DISCONNECT;
        const long answer = operation();
        if (answer != LIBSSH2_ERROR_EAGAIN) {
            m_sender = nullptr;
            if (endsSession(answer))
                close(lastError());
            wake();
            co_return answer;
        }
        const bool isSending =
            (libssh2_session_block_directions(m_session) & LIBSSH2_SESSION_BLOCK_OUTBOUND) != 0;
        m_sender = isSending ? me : nullptr;
        waitForSocket();
        co_await changed();
    }
}

asio::awaitable<LibsshSession::Turn> LibsshSession::takeTurn() {
    const std::shared_ptr<LibsshSession> self = shared_from_this();
    while (m_turnTaken && !m_closed)
        co_await changed();
    m_turnTaken = true;
    co_return Turn(self);
}

asio::awaitable<void> LibsshSession::changed() {
    std::error_code ignored;
    co_await m_changed.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
}

void LibsshSession::waitForSocket() {
    const auto wait = [this](bool& waiting, asio::posix::stream_descriptor::wait_type kind) {
        if (waiting)
            return;
        waiting = true;
        m_socket.async_wait(kind, [self = shared_from_this(), &waiting](const std::error_code&) {
            waiting = false;
            self->wake();
        });
    };
    if (!m_readWait)
        m_readSince = m_clock.steadyNow();
    wait(m_readWait, asio::posix::stream_descriptor::wait_read);
    if (m_sender != nullptr)
        wait(m_writeWait, asio::posix::stream_descriptor::wait_write);
}

asio::awaitable<long> LibsshSession::callOnThread(std::function<long()> operation) {
    const std::shared_ptr<LibsshSession> self = shared_from_this();
    while (!m_closed && (m_onThread || m_sender != nullptr))
        co_await changed();
    if (m_closed)
        co_return LIBSSH2_ERROR_SOCKET_DISCONNECT;
    m_onThread = true;
    const auto answer = std::make_shared<long>(LIBSSH2_ERROR_SOCKET_DISCONNECT);
    m_thread = std::thread([this, weak = weak_from_this(), answer, operation = std::move(operation)] {
        libssh2_session_set_blocking(m_session, 1);
        const long result = operation();
        libssh2_session_set_blocking(m_session, 0);
        asio::post(m_socket.get_executor(), [weak, answer, result] {
            const std::shared_ptr<LibsshSession> session = weak.lock();
            if (!session)
                return;
            *answer = result;
            session->m_thread.join();
            session->m_onThread = false;
            session->wake();
        });
    });
    // It works with what the caller holds: waited for after close() too, which ends it soon, and also where
    // this coroutine is destroyed with its loop.
    const auto endThread = [](LibsshSession* session) { session->endThread(); };
    const std::unique_ptr<LibsshSession, decltype(endThread)> ended(this, endThread);
    while (m_onThread)
        co_await changed();
    if (!m_closed && endsSession(*answer))
        close(lastError());
    co_return m_closed ? LIBSSH2_ERROR_SOCKET_DISCONNECT : *answer;
}

LibsshSession::Answer LibsshSession::askLoop(std::function<asio::awaitable<Answer>()> ask) {
    const std::shared_ptr<Mailbox> mailbox = m_mailbox;
    std::unique_lock lock(mailbox->mutex);
    if (mailbox->abandoned)
        return std::nullopt;
    const int question = ++mailbox->question;
    mailbox->answer.reset();
    lock.unlock();
    asio::co_spawn(m_socket.get_executor(), std::move(ask),
                   [mailbox, question](const std::exception_ptr&, Answer said) {
                       const std::scoped_lock inside(mailbox->mutex);
                       if (mailbox->question != question)
                           return base::wipe(said);
                       mailbox->answer = std::move(said);
                       mailbox->changed.notify_all();
                   });
    lock.lock();
    mailbox->changed.wait(lock, [&] { return mailbox->abandoned || mailbox->answer; });
    return mailbox->answer ? *std::exchange(mailbox->answer, std::nullopt) : std::nullopt;
}

void LibsshSession::keepAlive(std::chrono::seconds interval) {
    libssh2_keepalive_config(m_session, 1, static_cast<unsigned>(interval.count()));
    m_isKeptAlive = true;
}

asio::awaitable<void> LibsshSession::watch(std::weak_ptr<LibsshSession> weak) {
    asio::steady_timer timer(co_await asio::this_coro::executor);
    for (;;) {
        timer.expires_after(kLookEvery);
        co_await timer.async_wait(asio::use_awaitable);
        const std::shared_ptr<LibsshSession> self = weak.lock();
        if (!self || self->m_closed)
            co_return;
        const auto silence = self->m_clock.steadyNow() - self->m_readSince;
        if (self->m_readWait && silence > self->m_patience) {
            self->m_wasSilent = true;
            self->close("the host did not answer for " +
                        std::to_string(std::chrono::duration_cast<std::chrono::seconds>(silence).count()) +
                        " s");
            co_return;
        }
        if (!self->m_isKeptAlive || self->m_sender != nullptr || self->m_onThread)
            continue;
        int next = 0;
        (void)co_await self->call(
            [&self, &next] { return long{libssh2_keepalive_send(self->m_session, &next)}; });
    }
}

void LibsshSession::close(std::string reason) {
    if (m_closed)
        return;
    m_closed = true;
    m_reason = std::move(reason);
    std::error_code ignored;
    // While a thread works with the session its socket is only shut down, which ends that work.
    if (m_onThread)
        shutdown(m_socket.native_handle(), SHUT_RDWR);
    else
        m_socket.close(ignored);
    wake();
}

bool LibsshSession::isCut() {
    if (m_closed)
        return true;
    char byte = 0;
    const ssize_t count = recv(m_socket.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return count == 0 || (count < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}

std::string LibsshSession::lastError() const {
    char* text = nullptr;
    int length = 0;
    libssh2_session_last_error(m_session, &text, &length, 0);
    return std::string(text == nullptr ? "" : text, text == nullptr ? 0 : static_cast<size_t>(length));
}

} // namespace trialdeck::transport
