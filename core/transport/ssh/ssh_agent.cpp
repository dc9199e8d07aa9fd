// SPDX-License-Identifier: Apache-2.0
#include "core/transport/ssh/ssh_agent.h"

#include "core/transport/ssh/ssh_key_blob.h"

#include <array>
#include <asio/local/stream_protocol.hpp>
#include <asio/read.hpp>
#include <asio/redirect_error.hpp>
#include <asio/steady_timer.hpp>
#include <asio/this_coro.hpp>
#include <asio/use_awaitable.hpp>
#include <asio/write.hpp>
#include <memory>
#include <sys/un.h>

namespace trialdeck::transport {

namespace {

using AgentSocket = asio::local::stream_protocol::socket;

constexpr char kRequestIdentities = 11;
constexpr char kIdentitiesAnswer = 12;
/// OpenSSH's limit for an answer.
constexpr uint32_t kMaxAgentBytes = 256U << 10;

asio::awaitable<std::optional<std::string>> agentAnswer(AgentSocket& socket) {
    constexpr std::array<char, 5> kRequest{0, 0, 0, 1, kRequestIdentities};
    std::error_code failure;
    co_await asio::async_write(socket, asio::buffer(kRequest),
                               asio::redirect_error(asio::use_awaitable, failure));
    std::array<char, 4> length{};
    if (!failure)
        co_await asio::async_read(socket, asio::buffer(length),
                                  asio::redirect_error(asio::use_awaitable, failure));
    const auto bytes = SshBlobReader({length.data(), length.size()}).number().value_or(0);
    if (failure || bytes == 0 || bytes > kMaxAgentBytes)
        co_return std::nullopt;
    std::string answer(bytes, '\0');
    co_await asio::async_read(socket, asio::buffer(answer),
                              asio::redirect_error(asio::use_awaitable, failure));
    if (failure)
        co_return std::nullopt;
    co_return answer;
}

} // namespace

std::optional<std::vector<SshAgentKey>> parseSshAgentKeys(std::string_view answer) {
    if (answer.empty() || answer.front() != kIdentitiesAnswer)
        return std::nullopt;
    SshBlobReader reader(answer.substr(1));
    const auto count = reader.number();
    if (!count)
        return std::nullopt;
    std::vector<SshAgentKey> keys;
    for (uint32_t at = 0; at < *count; ++at) {
        const auto blob = reader.string();
        const auto comment = reader.string();
        const auto type = blob ? SshBlobReader(*blob).string() : std::nullopt;
        if (!type || !comment)
            return std::nullopt;
        keys.push_back({std::string(*type), std::string(*blob), std::string(*comment)});
    }
    return keys;
}

asio::awaitable<std::optional<std::vector<SshAgentKey>>> listSshAgentKeys(base::Path path,
                                                                          std::chrono::milliseconds timeout) {
    const auto none = std::make_optional<std::vector<SshAgentKey>>();
    if (path.empty() || path.native().size() >= sizeof(sockaddr_un::sun_path))
        co_return none;
    const auto executor = co_await asio::this_coro::executor;
    // The timer may ring while this frame goes.
    const auto socket = std::make_shared<AgentSocket>(executor);
    std::error_code failure;
    // A unix socket connects at once, or not at all.
    socket->connect(asio::local::stream_protocol::endpoint(path.native()), failure);
    if (failure)
        co_return none;
    asio::steady_timer timer(executor, timeout);
    timer.async_wait([socket](const std::error_code& cancelled) {
        std::error_code ignored;
        if (!cancelled)
            socket->close(ignored);
    });
    const auto answer = co_await agentAnswer(*socket);
    timer.cancel();
    if (!answer)
        co_return std::nullopt;
    co_return parseSshAgentKeys(*answer);
}

} // namespace trialdeck::transport
