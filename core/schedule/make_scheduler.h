// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/experiment_spec.h"
#include "core/schedule/scheduler.h"

#include <memory>

namespace trialdeck::schedule {

/// The Scheduler that the specification names.
/// @return not_available_yet (argument value) for types that are known and not built; metric_required where
/// the type compares trials and no metric is named
[[nodiscard]] Expected<std::unique_ptr<Scheduler>> makeScheduler(const model::ExperimentSpec& spec);

} // namespace trialdeck::schedule
