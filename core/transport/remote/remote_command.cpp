// SPDX-License-Identifier: Apache-2.0
#include "core/transport/remote/remote_command.h"

#include "core/base/host.h"
#include "core/protocol/frame.h"
#include "core/transport/remote/command_output.h"
#include "core/transport/remote/head_deployment.h"
#include "core/transport/remote/remote_shell.h"

#include <algorithm>
#include <array>
#include <asio/co_spawn.hpp>
#include <asio/detached.hpp>
#include <asio/local/stream_protocol.hpp>
#include <asio/redirect_error.hpp>
#include <asio/steady_timer.hpp>
#include <asio/this_coro.hpp>
#include <asio/use_awaitable.hpp>
#include <asio/write.hpp>

namespace trialdeck::transport {

using asio::local::stream_protocol;

namespace {

constexpr size_t kReadBytes = size_t{64} << 10;
/// What ssh and shells say where nothing can be run, in bytes.
constexpr size_t kShownChatter = 4096;
constexpr int kSignalBase = 128;
constexpr int kCodeOfSsh = 255;

/// As shellQuoted(), within a script of one line that has a line break in $n.
std::string quotedInLine(std::string_view word) {
    std::string quoted = shellQuoted(word);
    for (size_t at = 0; (at = quoted.find('\n', at)) != std::string::npos;) {
        constexpr std::string_view kBreak = "'\"$n\"'";
        quoted.replace(at, 1, kBreak);
        at += kBreak.size();
    }
    return quoted;
}

std::string folderWord(const std::string& folder) {
    if (folder == "~" || folder.empty())
        return "\"$HOME\"";
    if (folder.substr(0, 2) == "~/")
        return "\"$HOME\"/" + quotedInLine(folder.substr(2));
    return quotedInLine(folder);
}

/// What the login shell is given. Words go through the environment: shells differ in how they read quotes.
std::string loginLine(const CommandOrder& order, const std::string& mark) {
    const std::string begin = "echo " + mark + "-begin\n";
    if (order.words.empty())
        return begin + order.line;
    return begin + R"(exec /bin/sh -c 'eval "unset TRIALDECK_WORDS; exec $TRIALDECK_WORDS"')";
}

/// Ends everything in this session when the input of the connection ends: with it, or when nobody wants the
/// command any more.
std::string watchScript() {
    return "exec 3<&0; (while IFS= read -r x <&3; do :; done; trap '' TERM; kill -TERM 0; sleep " +
           std::to_string(RemoteCommand::kMercy.count()) + "; kill -KILL 0) >/dev/null 2>&1 & w=$!; ";
}

std::string commandScript(const CommandOrder& order, const std::string& mark) {
    std::string script = R"(n=`printf '\nx'`; n=${n%x}; )";
    script += "printf '%s-shell %s\\n' " + mark + " $$; ";
    script += "cd " + folderWord(order.folder) + " || exit 1; ";
    if (!order.words.empty()) {
        std::string words;
        for (const std::string& word : order.words)
            words += shellQuoted(word) + " ";
        script += "TRIALDECK_WORDS=" + quotedInLine(words) + "; export TRIALDECK_WORDS; ";
    }
    const bool isWatched = order.input == CommandOrder::Input::none;
    if (isWatched)
        script += watchScript();
    const std::string line = quotedInLine(loginLine(order, mark)) + (isWatched ? " </dev/null 3<&-" : "");
    // csh takes -l only alone; it reads .cshrc, where its users keep their settings, without it too.
    script += "s=${SHELL:-/bin/sh}; case $s in */csh|*/tcsh) \"$s\" -c " + line + " ;; *) \"$s\" -l -c " +
              line + " ;; esac; c=$?; ";
    if (isWatched)
        script += "kill $w 2>/dev/null; ";
    script += "[ $c = 255 ] && printf '%s-255' " + mark + "; exit $c";
    return asShellLine(script);
}

/// Ends a process group from another session of the same user.
std::string endScript(const std::string& process) {
    return "kill -TERM -" + process + "; for i in 1 2 3 4 5; do sleep 1; kill -0 -" + process +
           " || exit 0; done; kill -KILL -" + process;
}

bool isNumber(const std::string& text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

asio::awaitable<void> endGroup(std::shared_ptr<RemoteHost> host, std::string process) {
    (void)co_await runScript(*host, endScript(process));
}

} // namespace

/// Kept alive by finish().
class RemoteCommand::Run : public std::enable_shared_from_this<Run> {
public:
    Run(const asio::any_io_executor& executor, std::shared_ptr<RemoteHost> host, CommandOrder order,
        CommandListener& listener)
        : m_host(std::move(host)), m_order(std::move(order)), m_listener(&listener),
          m_mark("trialdeck-" + base::newUuid()), m_output(m_mark), m_socket(executor), m_mercy(executor) {}

    asio::awaitable<Expected<void>> start() {
        const std::shared_ptr<Run> self = shared_from_this();
        auto program = co_await m_host->start(std::string(kShellCommand));
        if (!program)
            co_return tl::make_unexpected(std::move(program).error());
        m_program = std::move(*program);
        std::error_code failure;
        m_socket.assign(stream_protocol(), m_program->takeSocket().release(), failure);
        if (failure)
            co_return base::fail(ErrorCode::internal, {{"reason", failure.message()}}, "adopt a socket");
        const std::string script = commandScript(m_order, m_mark);
        // Where it cannot be written finish() says why.
        co_await asio::async_write(m_socket, asio::buffer(script),
                                   asio::redirect_error(asio::use_awaitable, failure));
        co_return Expected<void>();
    }

    asio::awaitable<Expected<int>> finish() {
        const std::shared_ptr<Run> self = shared_from_this();
        m_program->setErrorListener([weak = weak_from_this()](std::string_view bytes) {
            const auto run = weak.lock();
            if (run && run->m_listener)
                run->m_listener->onErrors(bytes);
        });
        std::vector<char> buffer(kReadBytes);
        for (;;) {
            std::error_code failure;
            const size_t count = co_await m_socket.async_read_some(
                asio::buffer(buffer), asio::redirect_error(asio::use_awaitable, failure));
            if (failure)
                break;
            tell(m_output.read({buffer.data(), count}));
        }
        tell(m_output.finish());
        const base::ProcessExit exit =
            co_await m_program->finish(m_abandoned ? std::chrono::milliseconds::zero() : kLastWordsTimeout);
        m_mercy.cancel();
        co_return ending(exit);
    }

    asio::awaitable<bool> write(std::string bytes) {
        const std::shared_ptr<Run> self = shared_from_this();
        std::error_code failure;
        co_await asio::async_write(m_socket, asio::buffer(bytes),
                                   asio::redirect_error(asio::use_awaitable, failure));
        co_return !failure;
    }

    void endInput() {
        std::error_code ignored;
        m_socket.shutdown(asio::socket_base::shutdown_send, ignored);
    }

    void cancel() {
        if (std::exchange(m_cancelled, true))
            return;
        const std::string process = m_output.shellProcess().value_or("");
        if (m_order.input == CommandOrder::Input::none)
            endInput();
        else if (isNumber(process))
            asio::co_spawn(m_socket.get_executor(), endGroup(m_host, process), asio::detached);
        m_mercy.expires_after(isNumber(process) ? kMercy + kLastWordsTimeout : kLastWordsTimeout);
        m_mercy.async_wait([self = shared_from_this()](const std::error_code& cancelled) {
            if (!cancelled)
                self->abandon();
        });
    }

    void abandon() {
        m_abandoned = true;
        m_cancelled = true;
        std::error_code ignored;
        m_socket.close(ignored);
    }

    void forgetListener() { m_listener = nullptr; }

private:
    void tell(const std::string& output) {
        if (m_listener && !output.empty())
            m_listener->onOutput(output);
    }

    [[nodiscard]] Expected<int> ending(const base::ProcessExit& exit) const {
        if (m_cancelled)
            return base::fail(ErrorCode::cancelled);
        if (!m_output.shellProcess()) {
            const bool isCut = !exit.code && !exit.signal;
            return tl::make_unexpected(
                whyNoShell(m_order.hostName, protocol::cleanTerminalText(m_output.chatter(), kShownChatter),
                           m_program->errors(), isCut));
        }
        if (m_output.endedWith255())
            return kCodeOfSsh;
        if (exit.code)
            return *exit.code;
        if (exit.signal)
            return kSignalBase + *exit.signal;
        return base::fail(ErrorCode::connection_lost,
                          {{"host", m_order.hostName}, {"reason", m_program->errors()}}, "run a command");
    }

    std::shared_ptr<RemoteHost> m_host;
    const CommandOrder m_order;
    CommandListener* m_listener;
    const std::string m_mark;
    CommandOutput m_output;
    std::unique_ptr<RemoteProgram> m_program;
    stream_protocol::socket m_socket;
    asio::steady_timer m_mercy;
    bool m_cancelled = false;
    bool m_abandoned = false;
};

RemoteCommand::RemoteCommand(std::shared_ptr<Run> run) : m_run(std::move(run)) {}

RemoteCommand::~RemoteCommand() {
    m_run->forgetListener();
    m_run->abandon();
}

asio::awaitable<Expected<std::unique_ptr<RemoteCommand>>>
RemoteCommand::start(std::shared_ptr<RemoteHost> host, CommandOrder order, CommandListener& listener) {
    auto run = std::make_shared<Run>(co_await asio::this_coro::executor, std::move(host), std::move(order),
                                     listener);
    if (auto started = co_await run->start(); !started)
        co_return tl::make_unexpected(std::move(started).error());
    co_return std::unique_ptr<RemoteCommand>(new RemoteCommand(std::move(run)));
}

asio::awaitable<Expected<int>> RemoteCommand::finish() {
    return m_run->finish();
}

asio::awaitable<bool> RemoteCommand::write(std::string bytes) {
    return m_run->write(std::move(bytes));
}

void RemoteCommand::endInput() {
    m_run->endInput();
}

void RemoteCommand::cancel() {
    m_run->cancel();
}

} // namespace trialdeck::transport
