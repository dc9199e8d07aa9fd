// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace trialdeck::trainer::program {

/// From now on SIGTERM and SIGINT set a mark instead of ending the process; the second one of a kind ends it.
/// The mark belongs to the process, because signals do.
[[nodiscard]] const std::atomic<bool>& watchStopSignals();

/// Exit code after a stop: 128 + the signal that came here; SIGTERM's where it came to another rank.
[[nodiscard]] int stopExitCode();

} // namespace trialdeck::trainer::program
