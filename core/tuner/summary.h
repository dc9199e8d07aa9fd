// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/messages.h"
#include "core/tuner/ledger.h"

namespace trialdeck::tuner {

/// What a list of experiments shows of this one. `folder` and `cursor` are the caller's to fill in.
[[nodiscard]] protocol::ExperimentSummary summaryOf(const Ledger& ledger, base::WallTime now);

/// Estimate of the time until the experiment ends: the mean time of finished trials, else how far the running
/// ones have come towards their last iteration; bounded by time_budget_s. Nothing while neither is known, or
/// where no end is planned.
[[nodiscard]] std::optional<double> secondsLeft(const Ledger& ledger, base::WallTime now);

/// What ending these trials now would lose.
[[nodiscard]] protocol::WorkAtRiskResult workAtRisk(const Ledger& ledger, std::optional<TrialId> only,
                                                    base::WallTime now);

} // namespace trialdeck::tuner
