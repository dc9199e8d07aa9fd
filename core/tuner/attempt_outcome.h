// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/experiment_spec.h"
#include "core/model/trial.h"
#include "core/protocol/record.h"
#include "core/tuner/ledger.h"

namespace trialdeck::tuner {

/// What a trial becomes when every rank of its open attempt has ended: by what it was told, how its ranks
/// ended, what it reported, and how often it may still be tried. Pure.
/// @param counts  of the attempts before this one
[[nodiscard]] protocol::TrialStateChanged outcomeOf(const model::Trial& trial, const OpenAttempt& open,
                                                    const model::ExperimentSpec& spec,
                                                    const AttemptCounts& counts, base::WallTime now);

constexpr std::chrono::milliseconds kLongestRetryWait = std::chrono::minutes(5);

/// How long a trial waits after so many attempts in a row that failed or were lost: nothing after the first,
/// since most failures pass by themselves or come back at once; 5 s after the second and twice as long after
/// each further one, at most 5 minutes, so that a machine in trouble is left in peace and is still used soon
/// after it has recovered.
[[nodiscard]] std::chrono::milliseconds waitBeforeRetry(uint32_t failuresInRow);

/// After so many attempts that went on from a checkpoint and failed before their first report, it is the
/// checkpoint that they fail of.
constexpr uint32_t kMostFruitless = 2;

/// "accuracy, loss": for the sentence that names the metrics which do come.
[[nodiscard]] std::string namesOf(const Object& metrics);

} // namespace trialdeck::tuner
