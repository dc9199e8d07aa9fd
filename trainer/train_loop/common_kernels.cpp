// SPDX-License-Identifier: Apache-2.0
#include "trainer/train_loop/common_kernels.h"

#include <array>

namespace trialdeck::trainer::train_loop {

Expected<const nn::Kernels*> commonKernels(collective::Collective& collective) {
    const auto levels = nn::supportedKernels();
    // Each level includes the slower ones. How many ranks have the first, the second, …
    std::array<double, 8> ranksWith{};
    for (size_t i = 0; i < levels.size(); ++i)
        ranksWith.at(i) = 1;
    TRIALDECK_TRY(collective.allReduce(std::span<double>(ranksWith)));
    const nn::Kernels* common = levels.front();
    for (size_t i = 0; i < levels.size(); ++i) {
        if (ranksWith.at(i) == static_cast<double>(collective.size()))
            common = levels[i];
    }
    return common;
}

} // namespace trialdeck::trainer::train_loop
