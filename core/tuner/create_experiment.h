// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tuner/tuner_loop.h"

namespace trialdeck::tuner {

/// Makes the folder of a new experiment with its first record. After an error nothing of it is left.
[[nodiscard]] Expected<TunerLoop::Opened> createExperiment(const Services& services,
                                                           NewExperiment experiment);

} // namespace trialdeck::tuner
