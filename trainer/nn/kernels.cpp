// SPDX-License-Identifier: Apache-2.0
#include "trainer/nn/kernels.h"

#include <vector>

namespace trialdeck::trainer::nn {

extern const Kernels kKernelsBaseline;
#ifdef TRIALDECK_KERNELS_X86_64
extern const Kernels kKernelsV3;
extern const Kernels kKernelsV4;
#endif

namespace {

std::vector<const Kernels*> detect() {
    std::vector<const Kernels*> levels{&kKernelsBaseline};
#ifdef TRIALDECK_KERNELS_X86_64
    // The features of each level of the psABI that compilers make use of. __builtin_cpu_supports also asks
    // whether the operating system keeps the wide registers.
    __builtin_cpu_init();
    const bool v3 = __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt") &&
                    __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                    __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                    __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                    __builtin_cpu_supports("avx512vl");
    if (v3)
        levels.push_back(&kKernelsV3);
    if (v4)
        levels.push_back(&kKernelsV4);
#endif
    return levels;
}

} // namespace

std::span<const Kernels* const> supportedKernels() {
    static const std::vector<const Kernels*> levels = detect();
    return levels;
}

} // namespace trialdeck::trainer::nn
