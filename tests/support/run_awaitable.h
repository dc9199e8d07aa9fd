// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <asio/awaitable.hpp>
#include <asio/co_spawn.hpp>
#include <asio/io_context.hpp>
#include <chrono>
#include <exception>
#include <optional>
#include <stdexcept>

namespace trialdeck::tests {

/// Runs the loop until the coroutine has its result. Throws where nothing comes within the time.
template<typename T>
[[nodiscard]] T runAwaitable(asio::io_context& loop, asio::awaitable<T> awaitable,
                             std::chrono::seconds patience = std::chrono::seconds(20)) {
    std::optional<T> result;
    asio::co_spawn(loop, std::move(awaitable), [&result](std::exception_ptr failure, T value) {
        if (failure)
            std::rethrow_exception(failure);
        result = std::move(value);
    });
    loop.restart();
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (!result && loop.run_one_until(deadline) > 0) {
    }
    if (!result)
        throw std::runtime_error("the coroutine has no result");
    return std::move(*result);
}

} // namespace trialdeck::tests
