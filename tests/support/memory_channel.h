// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/frame_channel.h"

#include <asio/any_io_executor.hpp>
#include <memory>
#include <utility>

namespace trialdeck::tests {

/// Two channels that hand each other frames in memory, one for each end. What was sent before the other end
/// closed still arrives; then comes connection_lost.
[[nodiscard]] std::pair<std::unique_ptr<transport::FrameChannel>, std::unique_ptr<transport::FrameChannel>>
makeMemoryChannels(const asio::any_io_executor& executor);

} // namespace trialdeck::tests
