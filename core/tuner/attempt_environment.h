// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/process.h"
#include "core/model/experiment_spec.h"
#include "core/model/trial.h"

namespace trialdeck::tuner {

/// What an attempt's variables speak of.
struct AttemptFacts {
    /// Absolute path of params.json.
    base::Path configPath;
    /// Absolute path of the checkpoint to go on from; empty on a fresh start.
    base::Path resumeFrom;
};

/// What a trial's command is looked up and started in: the login environment without the contract of an outer
/// trial, the folder of runtime_env.python first in PATH, env_vars.
/// @param baseDirectory  absolute; a relative interpreter is read against it
[[nodiscard]] base::Environment commandEnvironment(const base::Environment& login,
                                                   const model::ExperimentSpec& spec,
                                                   const base::Path& baseDirectory);

/// The complete environment of an attempt's workers but for what the engine sets for each rank: the login
/// environment, then the interpreter of runtime_env, then env_vars, then the contract's TRIALDECK_*
/// variables. Source: DESIGN, "Trial contract".
/// @param baseDirectory  absolute; a relative interpreter is read against it
[[nodiscard]] base::Environment attemptEnvironment(const base::Environment& login,
                                                   const model::ExperimentSpec& spec,
                                                   const base::Path& baseDirectory, const model::Trial& trial,
                                                   const AttemptFacts& facts);

/// runtime_env.working_dir against the folder that the user's file was opened from.
[[nodiscard]] base::Path workingDirectory(const model::ExperimentSpec& spec, const base::Path& baseDirectory,
                                          const base::Environment& login);

} // namespace trialdeck::tuner
