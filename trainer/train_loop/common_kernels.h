// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "trainer/collective/collective.h"
#include "trainer/nn/kernels.h"

namespace trialdeck::trainer::train_loop {

/// The fastest level of instructions that the processors of all ranks have: levels round differently, and
/// ranks that round differently would drift apart.
[[nodiscard]] Expected<const nn::Kernels*> commonKernels(collective::Collective& collective);

} // namespace trialdeck::trainer::train_loop
