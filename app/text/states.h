// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/states.h"

#include <QString>

namespace trialdeck::app::text {

/// One word, as the user reads it: "Running".
[[nodiscard]] QString stateWord(TrialState state);
[[nodiscard]] QString stateWord(ExperimentState state);
/// Why it is so, as a short phrase: "waits for free resources"; empty where the state says all.
[[nodiscard]] QString reasonPhrase(TrialReason reason);
[[nodiscard]] QString reasonPhrase(ExperimentReason reason);

} // namespace trialdeck::app::text
