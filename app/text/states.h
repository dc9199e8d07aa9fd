// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/ids.h"
#include "core/protocol/states.h"

#include <QString>

namespace trialdeck::app::text {

/// One word, as the user reads it: "Running".
[[nodiscard]] QString stateWord(TrialState state);
[[nodiscard]] QString stateWord(ExperimentState state);
/// Why it is so, as a short phrase: "waits for free resources"; empty where the state says all.
[[nodiscard]] QString reasonPhrase(TrialReason reason);
/// "checkpoint_000004"
[[nodiscard]] QString checkpointName(CheckpointIndex index);
/// The same for a trial that waits, with what it waits for ("1 GPU"; may be empty) and the name of the
/// checkpoint that it goes on from (may be empty): "waits for 1 GPU to go on from checkpoint_000004".
[[nodiscard]] QString reasonPhrase(TrialReason reason, const QString& waitsFor, const QString& checkpoint);
[[nodiscard]] QString reasonPhrase(ExperimentReason reason);

} // namespace trialdeck::app::text
