// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/experiment_spec.h"
#include "core/model/trial.h"
#include "core/protocol/record.h"
#include "core/tuner/open_attempt.h"

namespace trialdeck::tuner {

/// What a trial becomes when every rank of its open attempt has ended: by what it was told, how its ranks
/// ended, and what it reported. Pure.
/// @param unbegun  attempts in a row before this one of which nothing came (TrialEntry::unbegun)
[[nodiscard]] protocol::TrialStateChanged outcomeOf(const model::Trial& trial, const OpenAttempt& open,
                                                    const model::ExperimentSpec& spec, uint32_t unbegun);

/// "accuracy, loss": for the sentence that names the metrics which do come.
[[nodiscard]] std::string namesOf(const Object& metrics);

} // namespace trialdeck::tuner
