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

/// storage_path/name with "~" expanded; absolute.
[[nodiscard]] base::Path experimentFolder(const model::ExperimentSpec& spec, const Place& place);

/// Adds what only this machine can tell of a draft without errors of its own: command_not_found,
/// command_not_executable, working_directory_missing, storage_not_writable, experiment_name_taken. Looks at
/// files, so it may take long on a network file system: not for the loop.
void addMachineFacts(model::SpecCheck& check, base::FileSystem& files, const Place& place);

/// Adds the warning resources_exceed_node, and the number of trials that fit side by side to the preview. On
/// the loop.
void addNodeFacts(model::SpecCheck& check, const engine::Engine& engine);

} // namespace trialdeck::head
