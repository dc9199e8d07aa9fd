// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace trialdeck::trainer::data {

/// Every index 0..count-1 once, in an order that depends on (seed, epoch) alone: all workers, and a resumed
/// run, shuffle alike without speaking to each other. Source: Fisher and Yates, in Durstenfeld's form.
/// @param epoch  from 0
[[nodiscard]] std::vector<uint32_t> epochOrder(size_t count, uint64_t seed, uint64_t epoch);

/// Half-open range of positions.
struct Slice {
    size_t begin = 0;
    size_t end = 0;

    [[nodiscard]] size_t size() const { return end - begin; }
    friend bool operator==(const Slice&, const Slice&) = default;
};

/// The rank's part of `count` things: contiguous, in rank order, sizes differ by at most one.
[[nodiscard]] Slice sliceOf(size_t count, size_t rank, size_t ranks);

} // namespace trialdeck::trainer::data
