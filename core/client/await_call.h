// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/client.h"

#include <asio/associated_executor.hpp>
#include <asio/async_result.hpp>
#include <asio/awaitable.hpp>
#include <asio/dispatch.hpp>
#include <asio/use_awaitable.hpp>

namespace trialdeck::client {

/// Client::call() for coroutines on the client's loop.
template<typename Request>
[[nodiscard]] asio::awaitable<Expected<typename Request::Result>> awaitCall(Client& client, Request request) {
    using Result = Expected<typename Request::Result>;
    co_return co_await asio::async_initiate<const asio::use_awaitable_t<>, void(Result)>(
        [&client, &request](auto handler) {
            // std::function wants to copy what it holds; a coroutine's handler only moves.
            auto shared = std::make_shared<decltype(handler)>(std::move(handler));
            client.call(std::move(request), [shared](Result result) { (*shared)(std::move(result)); });
        },
        asio::use_awaitable);
}

} // namespace trialdeck::client
