// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/files.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace trialdeck::trainer::checkpoint {

/// Everything that training goes on from. All randomness is counted from (seed, epoch), so these two are the
/// position of every random stream at the end of an epoch.
struct Checkpoint {
    /// Inputs, hidden layers, classes: {784, 512, 512, 10}.
    std::vector<uint64_t> widths;
    uint64_t seed = 0;
    /// Epochs done.
    uint64_t epoch = 0;
    /// The network's flat parameter vector as nn::Layout lays it out, and the velocity of each of them.
    std::vector<float> parameters;
    std::vector<float> velocity;

    friend bool operator==(const Checkpoint&, const Checkpoint&) = default;
};

/// The name of the one file in a checkpoint's folder.
inline constexpr std::string_view kFileName = "trialdeck-train.checkpoint";

/// Writes a folder that appears under its name only when it is whole and durable. A folder of that name is
/// replaced.
/// @param folder  its parent must exist
/// @return the file errors of base.
[[nodiscard]] Expected<void> save(base::FileSystem& files, const base::Path& folder,
                                  const Checkpoint& checkpoint);

/// @return checkpoint_unreadable with path, reason and a sentence as detail, where the file is missing, cut
/// short, of a later version, or its bytes are not those that were written.
[[nodiscard]] Expected<Checkpoint> load(base::FileSystem& files, const base::Path& folder);

} // namespace trialdeck::trainer::checkpoint
