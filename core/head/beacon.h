// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/head/head_home.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace trialdeck::head {

inline constexpr std::chrono::seconds kBeaconEvery{10};
/// A beacon that was not renewed for so long belongs to a daemon that is gone.
inline constexpr std::chrono::seconds kBeaconLasts{35};

/// A daemon as it tells other hosts of itself.
struct Beacon {
    std::string host;
    std::string boot;
    int64_t pid = 0;
};

/// Says in the home, which other hosts may share, that a daemon serves here. A lock would say it better, but
/// many network file systems show locks to one host only. The file's time counts, which the home's own clock
/// gives, and not what the hosts take for the time. To be called again every kBeaconEvery.
[[nodiscard]] Expected<void> lightBeacon(base::FileSystem& files, const HeadHome& home, const Beacon& beacon);
/// The daemon ends as it should: others need not wait until the beacon has burnt down.
void quenchBeacon(base::FileSystem& files, const HeadHome& home);

/// A daemon of this home that lives on another host: its lock is seen to be held, or its beacon burns.
/// Nothing where there is none, or where the home cannot be looked at.
[[nodiscard]] std::optional<Beacon> findElsewhere(base::FileSystem& files, const HeadHome& home);

} // namespace trialdeck::head
