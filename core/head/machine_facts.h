// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/process.h"
#include "core/engine/engine.h"
#include "core/model/spec_check.h"

namespace trialdeck::head {

/// Where a draft would run.
struct Place {
    /// Absolute folder for the user's relative paths.
    base::Path baseDirectory;
    base::Path home;
    base::Environment loginEnvironment;
};

/// spec.workingDir against the place; absolute.
[[nodiscard]] base::Path workingDirectory(const model::TrialSpec& trial, const Place& place);

/// storage_path/name with "~" expanded; absolute.
[[nodiscard]] base::Path experimentFolder(const model::ExperimentSpec& spec, const Place& place);

/// The environment that the command is looked up in: login environment, env_vars, the interpreter's folder
/// first.
[[nodiscard]] base::Environment commandEnvironment(const model::TrialSpec& trial, const Place& place);

/// Adds what only this machine can tell of a draft without errors of its own: command_not_found,
/// command_not_executable, working_directory_missing, storage_not_writable, experiment_name_taken. Looks at
/// files, so it may take long on a network file system: not for the loop.
void addMachineFacts(model::SpecCheck& check, base::FileSystem& files, const Place& place);

/// Adds the warning resources_exceed_node, and the number of trials that fit side by side to the preview. On
/// the loop.
void addNodeFacts(model::SpecCheck& check, const engine::Engine& engine);

/// What the engine is asked for each worker.
[[nodiscard]] engine::WorkerResources workerResources(const model::Resources& resources);

} // namespace trialdeck::head
