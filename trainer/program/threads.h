// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/process.h"

namespace trialdeck::trainer::program {

/// Threads that one worker's matrix products may use: the first number of OMP_NUM_THREADS, 1 where that is
/// not set. Threads of one product wait for each other by spinning: beside other work two of them were forty
/// times slower than one, while two workers share a machine well.
/// @return value_out_of_range with name, value and a sentence as detail.
[[nodiscard]] Expected<int> threadCount(const base::Environment& environment);

/// Results too small for a normal float become 0 on this thread and those it starts: the velocities of dead
/// units decay into such numbers, and arithmetic with them is a hundred times slower.
void flushTinyNumbers();

} // namespace trialdeck::trainer::program
