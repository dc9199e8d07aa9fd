// SPDX-License-Identifier: Apache-2.0
#include "core/transport/remote/remote_service.h"

#include "core/protocol/frame.h"

#include <array>
#include <asio/co_spawn.hpp>
#include <asio/detached.hpp>
#include <asio/redirect_error.hpp>
#include <asio/steady_timer.hpp>
#include <asio/this_coro.hpp>
#include <asio/use_awaitable.hpp>
#include <charconv>

namespace trialdeck::transport {

namespace {

constexpr int kNotInstalled = 47;
/// Of what a service says before it has started, in bytes.
constexpr size_t kKeptPrinted = size_t{8} << 10;
constexpr size_t kLongestLine = size_t{8} << 10;

constexpr std::string_view kTensorBoardScript =
    R"(if command -v tensorboard >/dev/null 2>&1; then
  exec tensorboard --logdir "$1" --host localhost --port 0 2>&1; fi;
for p in python3 python; do
  if command -v $p >/dev/null 2>&1 && $p -c "import tensorboard" >/dev/null 2>&1; then
    exec $p -m tensorboard.main --logdir "$1" --host localhost --port 0 2>&1; fi; done;
exit 47)";

/// Jupyter with port 0 says that it listens at 0; it tries the ports that follow a taken one. It starts as
/// root only where that was asked for.
constexpr std::string_view kJupyterScript =
    R"(cd "${1:-$HOME}" || exit 1; p=$((20000 + $$ % 20000)); r=; [ "`id -u`" = 0 ] && r=--allow-root;
if command -v jupyter-lab >/dev/null 2>&1; then set -- jupyter-lab;
elif command -v jupyter-notebook >/dev/null 2>&1; then set -- jupyter-notebook;
else exit 47; fi;
exec "$@" --no-browser --ip=localhost --port=$p --port-retries=100 $r 2>&1)";

ErrorCode missingCode(ServiceKind kind) {
    return kind == ServiceKind::tensorboard ? ErrorCode::tensorboard_missing : ErrorCode::jupyter_missing;
}

uint16_t customaryPort(ServiceKind kind) {
    return kind == ServiceKind::tensorboard ? kTensorBoardPort : kJupyterPort;
}

CommandOrder commandOf(const ServiceOrder& order) {
    CommandOrder command;
    command.hostName = order.hostName;
    const std::string_view script =
        order.kind == ServiceKind::tensorboard ? kTensorBoardScript : kJupyterScript;
    command.words = {"/bin/sh", "-c", std::string(script), "sh", order.folder};
    return command;
}

/// Reads the first address in the line that is this computer's own, as the service names it.
std::optional<ServiceAddress> addressIn(std::string_view line) {
    for (const std::string_view scheme : {"http", "https"}) {
        for (const std::string_view host : {"localhost", "127.0.0.1", "[::1]"}) {
            const std::string start = std::string(scheme) + "://" + std::string(host) + ":";
            const size_t at = line.find(start);
            if (at == std::string_view::npos)
                continue;
            const std::string_view rest = line.substr(at + start.size());
            ServiceAddress address;
            const auto number = std::from_chars(rest.data(), rest.data() + rest.size(), address.port);
            if (number.ec != std::errc() || address.port == 0)
                continue;
            address.scheme = scheme;
            const std::string_view path = rest.substr(static_cast<size_t>(number.ptr - rest.data()));
            address.path = path.substr(0, path.find_first_of(" \t\r\"'"));
            if (address.path.empty())
                address.path = "/";
            return address;
        }
    }
    return std::nullopt;
}

} // namespace

std::string_view nameOf(ServiceKind kind) {
    return kind == ServiceKind::tensorboard ? "TensorBoard" : "Jupyter";
}

std::optional<ServiceAddress> serviceAddressIn(std::string_view line, ServiceKind kind) {
    auto address = addressIn(line);
    if (!address)
        return std::nullopt;
    if (kind == ServiceKind::tensorboard)
        return line.find("TensorBoard") != std::string_view::npos ? address : std::nullopt;
    const std::string& path = address->path;
    const bool isStart = path == "/" || path.find("token=") != std::string::npos ||
                         path.find("/lab") != std::string::npos || path.find("/tree") != std::string::npos;
    return isStart ? address : std::nullopt;
}

std::string withoutTokens(std::string_view text) {
    constexpr std::string_view kToken = "token=";
    std::string result;
    while (!text.empty()) {
        const size_t at = text.find(kToken);
        const size_t end = at == std::string_view::npos ? text.size() : at + kToken.size();
        result += text.substr(0, end);
        text.remove_prefix(end);
        if (at == std::string_view::npos)
            break;
        result += "…";
        const size_t behind = text.find_first_of(" \t\r\n&\"'");
        text.remove_prefix(behind == std::string_view::npos ? text.size() : behind);
    }
    return result;
}

/// Kept alive by follow(), which ends with the service.
class RemoteService::Run final : public CommandListener, public std::enable_shared_from_this<Run> {
public:
    Run(const asio::any_io_executor& executor, ServiceOrder order, std::function<void(const Error&)> onEnd)
        : m_order(std::move(order)), m_onEnd(std::move(onEnd)), m_changed(executor) {}

    asio::awaitable<Expected<void>> start(std::shared_ptr<RemoteHost> host) {
        const std::shared_ptr<Run> self = shared_from_this();
        auto command = co_await RemoteCommand::start(std::move(host), commandOf(m_order), *this);
        if (!command)
            co_return tl::make_unexpected(std::move(command).error());
        m_command = std::move(*command);
        m_changed.expires_after(m_order.startTimeout);
        asio::co_spawn(m_changed.get_executor(), follow(self), asio::detached);
        std::error_code cancelled;
        if (!m_address && !m_end)
            co_await m_changed.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
        if (m_address && !m_end)
            co_return Expected<void>();
        m_onEnd = nullptr;
        if (!m_end)
            m_command->cancel();
        co_return tl::make_unexpected(m_end.value_or(notStarted("it said nothing for too long")));
    }

    void close() {
        m_onEnd = nullptr;
        if (!m_end)
            m_command->cancel();
    }

    [[nodiscard]] const ServiceAddress& address() const { return *m_address; }

    void onOutput(std::string_view bytes) override { read(bytes); }
    void onErrors(std::string_view bytes) override { read(bytes); }

private:
    static asio::awaitable<void> follow(std::shared_ptr<Run> self) {
        const auto code = co_await self->m_command->finish();
        self->m_end = self->endOf(code);
        self->m_changed.cancel();
        if (self->m_address && self->m_onEnd)
            self->m_onEnd(*self->m_end);
    }

    void read(std::string_view bytes) {
        if (m_address)
            return;
        m_printed += bytes;
        if (m_printed.size() > 2 * kKeptPrinted)
            m_printed.erase(0, m_printed.size() - kKeptPrinted);
        m_line += bytes;
        for (size_t end; !m_address && (end = m_line.find('\n')) != std::string::npos;) {
            m_address = serviceAddressIn(std::string_view(m_line).substr(0, end), m_order.kind);
            m_line.erase(0, end + 1);
        }
        if (m_line.size() > kLongestLine)
            m_line.clear();
        if (!m_address)
            return;
        // What follows may hold the token.
        m_printed.clear();
        m_line.clear();
        m_changed.cancel();
    }

    [[nodiscard]] Error notStarted(const std::string& reason) const {
        std::string printed = withoutTokens(protocol::cleanTerminalText(m_printed, kKeptPrinted));
        return {ErrorCode::service_did_not_start,
                {{"host", m_order.hostName},
                 {"program", std::string(nameOf(m_order.kind))},
                 {"printed", printed.empty() ? reason : std::move(printed)}},
                reason};
    }

    [[nodiscard]] Error endOf(const Expected<int>& code) const {
        if (!code)
            return code.error();
        if (m_address)
            return {ErrorCode::service_ended,
                    {{"host", m_order.hostName}, {"program", std::string(nameOf(m_order.kind))}},
                    "exit code " + std::to_string(*code)};
        if (*code == kNotInstalled)
            return {missingCode(m_order.kind), {{"host", m_order.hostName}}, {}};
        return notStarted("exit code " + std::to_string(*code));
    }

    const ServiceOrder m_order;
    std::function<void(const Error&)> m_onEnd;
    std::unique_ptr<RemoteCommand> m_command;
    /// Rings when the service takes too long; cancelled when it has started or ended.
    asio::steady_timer m_changed;
    std::string m_line;
    std::string m_printed;
    std::optional<ServiceAddress> m_address;
    std::optional<Error> m_end;
};

RemoteService::RemoteService(std::shared_ptr<Run> run) : m_run(std::move(run)) {}

RemoteService::~RemoteService() {
    m_run->close();
}

asio::awaitable<Expected<std::unique_ptr<RemoteService>>>
RemoteService::start(std::shared_ptr<RemoteHost> host, ServiceOrder order,
                     std::function<void(const Error&)> onEnd) {
    auto run = std::make_shared<Run>(co_await asio::this_coro::executor, std::move(order), std::move(onEnd));
    if (auto started = co_await run->start(std::move(host)); !started)
        co_return tl::make_unexpected(std::move(started).error());
    co_return std::unique_ptr<RemoteService>(new RemoteService(std::move(run)));
}

const ServiceAddress& RemoteService::address() const {
    return m_run->address();
}

asio::awaitable<Expected<std::unique_ptr<OpenedService>>>
OpenedService::open(std::shared_ptr<RemoteHost> host, ServiceOrder order, uint16_t localPort,
                    std::function<void(const Error&)> onEnd) {
    const uint16_t wanted = localPort == 0 ? customaryPort(order.kind) : localPort;
    auto service = co_await RemoteService::start(host, std::move(order), std::move(onEnd));
    if (!service)
        co_return tl::make_unexpected(std::move(service).error());
    ForwardOrder forwarded;
    forwarded.port = (*service)->address().port;
    forwarded.localPort = wanted;
    auto forward = PortForward::listen(co_await asio::this_coro::executor, std::move(host), forwarded);
    if (!forward)
        co_return tl::make_unexpected(std::move(forward).error());
    auto opened = std::make_unique<OpenedService>();
    opened->m_service = std::move(*service);
    opened->m_forward = std::move(*forward);
    co_return opened;
}

std::string OpenedService::address() const {
    const ServiceAddress& at = m_service->address();
    return at.scheme + "://127.0.0.1:" + std::to_string(m_forward->localPort()) + at.path;
}

} // namespace trialdeck::transport
