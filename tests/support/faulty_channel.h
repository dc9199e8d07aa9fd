// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/rng.h"
#include "core/transport/transport.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace trialdeck::tests {

/// Where and how a connection breaks. Frames are counted over both directions, from 0.
struct Fault {
    enum class Cut {
        /// The frame is handed over whole; then the line is gone.
        after_frame,
        /// The sender is told that the frame went out, but it never arrives: lost in flight.
        frame_lost,
        /// The line breaks inside the frame: the sender sees an error and nothing arrives.
        frame_torn,
    };
    uint64_t frame = 0;
    Cut cut = Cut::after_frame;
};

/// A channel that breaks where it is told. It may hold frames back for a few turns of the loop, but it
/// reorders nothing and makes nothing up.
/// @param delays  draws how many turns each frame waits; none without
[[nodiscard]] std::unique_ptr<transport::FrameChannel>
makeFaultyChannel(std::unique_ptr<transport::FrameChannel> inner, std::optional<Fault> fault,
                  base::Rng* delays = nullptr);

} // namespace trialdeck::tests
