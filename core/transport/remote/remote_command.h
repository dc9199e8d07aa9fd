// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/remote/remote_host.h"

#include <vector>

namespace trialdeck::transport {

/// What is run on a host.
struct CommandOrder {
    /// As the user named the host, for errors.
    std::string hostName;
    /// For the user's own login shell; may have several lines.
    std::string line;
    /// In place of a line: a program and its arguments, which it gets as they are, in the environment that
    /// the login shell makes.
    std::vector<std::string> words;
    /// Where it runs; "~/…" is in the home. Empty: the home.
    std::string folder;
    /// none: its standard input is empty, and it ends with the connection.
    enum class Input { none, given };
    Input input = Input::none;
};

/// Hears a command, on the host's loop.
class CommandListener {
public:
    virtual ~CommandListener() = default;
    virtual void onOutput(std::string_view bytes) = 0;
    virtual void onErrors(std::string_view bytes) = 0;
};

/// A command of the user's on a host, run by the login shell (`$SHELL -l -c`), whose start-up chatter on
/// standard output is left out. Owned by whoever shows it, on the host's loop; when it is destroyed the
/// command over there is ended as far as the line allows.
class RemoteCommand {
public:
    /// @param listener  outlives the command; called from finish() on
    /// @return too_many_sessions, connection_lost
    [[nodiscard]] static asio::awaitable<Expected<std::unique_ptr<RemoteCommand>>>
    start(std::shared_ptr<RemoteHost> host, CommandOrder order, CommandListener& listener);
    ~RemoteCommand();

    /// Reads its output to its end. Called once; the command outlives the call.
    /// @return its exit code, 128 and the signal's number for one that a signal ended; cancelled,
    ///         connection_lost, shell_blocked, account_closed, too_many_sessions
    [[nodiscard]] asio::awaitable<Expected<int>> finish();

    /// With Input::given: comes back when the bytes have been taken, or nobody takes them any more.
    /// @return whether they were taken
    [[nodiscard]] asio::awaitable<bool> write(std::string bytes);
    void endInput();

    /// Ends it: asked to first (SIGTERM to all that it started and that kept its process group), forced after
    /// kMercy. finish() then returns `cancelled`.
    void cancel();
    static constexpr std::chrono::seconds kMercy{5};

private:
    class Run;
    explicit RemoteCommand(std::shared_ptr<Run> run);
    std::shared_ptr<Run> m_run;
};

} // namespace trialdeck::transport
