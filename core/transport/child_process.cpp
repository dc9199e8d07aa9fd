// SPDX-License-Identifier: Apache-2.0
#include "core/transport/child_process.h"

#include "core/protocol/frame.h"

#include <algorithm>
#include <array>
#include <asio/posix/stream_descriptor.hpp>
#include <asio/redirect_error.hpp>
#include <asio/steady_timer.hpp>
#include <asio/use_awaitable.hpp>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

namespace trialdeck::transport {

namespace {

base::Unexpected spawnFailed(const std::vector<std::string>& command, int errnoValue) {
    return base::fail(ErrorCode::spawn_failed,
                      {{"command", command.front()},
                       {"reason", std::error_code(errnoValue, std::generic_category()).message()}});
}

/// Becomes readable at the process's end. Empty on kernels before 5.3.
base::UniqueFd openPidDescriptor(pid_t pid) {
#ifdef SYS_pidfd_open
    return base::UniqueFd(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
#else
    return {};
#endif
}

} // namespace

/// Kept alive by the reads that are under way.
class ChildProcess::State : public std::enable_shared_from_this<ChildProcess::State> {
public:
    State(const asio::any_io_executor& executor, pid_t pid, base::UniqueFd errorsEnd,
          std::function<void(std::string_view)> onErrors)
        : m_pid(pid), m_errorsEnd(executor, errorsEnd.release()), m_end(executor),
          m_errorsClosed(executor, asio::steady_timer::time_point::max()), m_onErrors(std::move(onErrors)) {
        base::UniqueFd end = openPidDescriptor(pid);
        if (end)
            m_end.assign(end.release());
    }
    ~State() { reap(SIGKILL); }

    void readErrors() {
        m_errorsEnd.async_read_some(
            asio::buffer(m_buffer),
            [self = shared_from_this()](const std::error_code& failure, size_t count) {
                if (failure) {
                    self->m_errorsClosed.cancel();
                    self->m_errorsOpen = false;
                    return;
                }
                self->keep({self->m_buffer.data(), count});
                self->readErrors();
            });
    }

    [[nodiscard]] std::string errors() const {
        const size_t from = m_errors.size() - std::min(m_errors.size(), kKeptErrorBytes);
        return protocol::cleanTerminalText(std::string_view(m_errors).substr(from), kKeptErrorBytes);
    }

    void listen(std::function<void(std::string_view)> onErrors) {
        m_onErrors = std::move(onErrors);
        if (m_onErrors && !m_errors.empty())
            m_onErrors(m_errors);
    }

    asio::awaitable<base::ProcessExit> finish(std::chrono::milliseconds timeout) {
        // Both waits end with the timer: something that the child started may hold its standard error.
        asio::steady_timer timer(m_end.get_executor(), timeout);
        timer.async_wait([self = shared_from_this()](const std::error_code& cancelled) {
            if (cancelled)
                return;
            self->m_late = true;
            self->m_end.cancel();
            self->m_errorsClosed.cancel();
        });
        std::error_code ignored;
        if (m_end.is_open())
            co_await m_end.async_wait(asio::posix::stream_descriptor::wait_read,
                                      asio::redirect_error(asio::use_awaitable, ignored));
        if (m_errorsOpen && !m_late)
            co_await m_errorsClosed.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        timer.cancel();
        reap(SIGKILL);
        co_return m_exit;
    }

    void release() {
        m_onErrors = nullptr;
        std::error_code ignored;
        m_errorsEnd.close(ignored);
        reap(SIGKILL);
    }

private:
    void keep(std::string_view bytes) {
        if (m_onErrors)
            m_onErrors(bytes);
        m_errors += bytes;
        if (m_errors.size() > 2 * kKeptErrorBytes)
            m_errors.erase(0, m_errors.size() - kKeptErrorBytes);
    }

    void reap(int signal) {
        if (m_pid <= 0)
            return;
        int status = 0;
        pid_t ended = waitpid(m_pid, &status, WNOHANG);
        if (ended == 0) {
            kill(m_pid, signal);
            do
                ended = waitpid(m_pid, &status, 0);
            while (ended < 0 && errno == EINTR);
        }
        if (ended > 0)
            m_exit = base::processExitFromStatus(status);
        m_pid = -1;
    }

    pid_t m_pid;
    base::ProcessExit m_exit;
    asio::posix::stream_descriptor m_errorsEnd;
    asio::posix::stream_descriptor m_end;
    /// Never rings: cancelled when standard error is closed.
    asio::steady_timer m_errorsClosed;
    bool m_errorsOpen = true;
    bool m_late = false;
    std::array<char, 4096> m_buffer{};
    std::string m_errors;
    std::function<void(std::string_view)> m_onErrors;
};

ChildProcess::ChildProcess(std::shared_ptr<State> state) : m_state(std::move(state)) {}
ChildProcess::ChildProcess(ChildProcess&&) noexcept = default;
ChildProcess& ChildProcess::operator=(ChildProcess&&) noexcept = default;
ChildProcess::~ChildProcess() {
    if (m_state)
        m_state->release();
}

Expected<ChildProcess::Started> ChildProcess::start(const asio::any_io_executor& executor,
                                                    std::vector<std::string> command,
                                                    base::Environment environment,
                                                    std::function<void(std::string_view)> onErrors,
                                                    std::vector<std::pair<int, int>> descriptors) {
    int sockets[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
        return spawnFailed(command, errno);
    base::UniqueFd ours(sockets[0]);
    const base::UniqueFd theirs(sockets[1]);
    int pipes[2];
    if (pipe2(pipes, O_CLOEXEC) != 0)
        return spawnFailed(command, errno);
    base::UniqueFd errorsEnd(pipes[0]);
    const base::UniqueFd errorsStart(pipes[1]);

    base::SpawnOptions options;
    options.command = std::move(command);
    options.environment = std::move(environment);
    options.descriptors = std::move(descriptors);
    options.descriptors.insert(options.descriptors.end(),
                               {{theirs.get(), 0}, {theirs.get(), 1}, {errorsStart.get(), 2}});
    options.newSession = true;
    const auto pid = base::spawn(options);
    if (!pid)
        return tl::make_unexpected(pid.error());
    auto state = std::make_shared<State>(executor, *pid, std::move(errorsEnd), std::move(onErrors));
    state->readErrors();
    return Started{ChildProcess(std::move(state)), std::move(ours)};
}

std::string ChildProcess::errors() const {
    return m_state->errors();
}

void ChildProcess::setErrorListener(std::function<void(std::string_view)> onErrors) {
    m_state->listen(std::move(onErrors));
}

asio::awaitable<base::ProcessExit> ChildProcess::finish(std::chrono::milliseconds timeout) {
    const std::shared_ptr<State> state = m_state;
    co_return co_await state->finish(timeout);
}

} // namespace trialdeck::transport
