// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/unique_fd.h"

#include <asio/awaitable.hpp>
#include <asio/posix/stream_descriptor.hpp>
#include <string>

namespace trialdeck::ctl {

/// What is piped into this program, read on its loop. Leaves the descriptor's own flags alone, which other
/// programs share.
class StandardInput {
public:
    explicit StandardInput(const asio::any_io_executor& executor);

    /// @return the next bytes; nothing at the end
    [[nodiscard]] asio::awaitable<std::string> read();

private:
    asio::posix::stream_descriptor m_input;
};

} // namespace trialdeck::ctl
