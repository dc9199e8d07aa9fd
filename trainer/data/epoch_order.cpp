// SPDX-License-Identifier: Apache-2.0
#include "trainer/data/epoch_order.h"

#include "core/base/rng.h"

#include <numeric>
#include <utility>

namespace trialdeck::trainer::data {

std::vector<uint32_t> epochOrder(size_t count, uint64_t seed, uint64_t epoch) {
    std::vector<uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0U);
    base::Rng rng(seed, epoch, "shuffle");
    for (size_t i = count; i > 1; --i) {
        const auto other = static_cast<size_t>(rng.uniformInteger(0, static_cast<int64_t>(i) - 1));
        std::swap(order[i - 1], order[other]);
    }
    return order;
}

Slice sliceOf(size_t count, size_t rank, size_t ranks) {
    return {count * rank / ranks, count * (rank + 1) / ranks};
}

} // namespace trialdeck::trainer::data
