// SPDX-License-Identifier: Apache-2.0
#include "core/ctl/standard_input.h"

#include <array>
#include <asio/redirect_error.hpp>
#include <asio/use_awaitable.hpp>
#include <fcntl.h>
#include <unistd.h>

namespace trialdeck::ctl {

namespace {

constexpr size_t kPieceBytes = size_t{64} << 10;

/// Opened anew it has flags of its own; sockets cannot be.
int ownInput() {
    const int opened = ::open("/proc/self/fd/0", O_RDONLY | O_CLOEXEC);
    return opened >= 0 ? opened : ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
}

} // namespace

StandardInput::StandardInput(const asio::any_io_executor& executor) : m_input(executor) {
    std::error_code ignored;
    m_input.assign(ownInput(), ignored);
}

asio::awaitable<std::string> StandardInput::read() {
    std::string bytes(kPieceBytes, '\0');
    std::error_code failure;
    size_t count = co_await m_input.async_read_some(asio::buffer(bytes),
                                                    asio::redirect_error(asio::use_awaitable, failure));
    // A file is always ready and cannot be waited for.
    if (failure == asio::error::operation_not_supported) {
        const ssize_t got = ::read(m_input.native_handle(), bytes.data(), bytes.size());
        count = got > 0 ? static_cast<size_t>(got) : 0;
    }
    bytes.resize(count);
    co_return bytes;
}

} // namespace trialdeck::ctl
