// SPDX-License-Identifier: Apache-2.0
#include "core/head/machine_facts.h"

#include "core/base/host.h"
#include "core/protocol/finding_words.h"
#include "core/tuner/attempt_environment.h"
#include "core/tuner/trial_runner.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <sys/statvfs.h>
#include <unistd.h>

namespace trialdeck::head {

namespace {

void addCommandFacts(model::SpecCheck& check, const model::ExperimentSpec& spec, const Place& place) {
    const base::Path directory = tuner::workingDirectory(spec, place.baseDirectory, place.loginEnvironment);
    std::error_code error;
    if (!std::filesystem::is_directory(directory, error)) {
        check.addProblem("trial.runtime_env.working_dir", protocol::Severity::error,
                         ErrorCode::working_directory_missing, {{"path", directory.native()}});
        return;
    }
    const std::string& program = spec.trial.command.front();
    if (program.find('{') != std::string::npos)
        return;
    const auto environment = tuner::commandEnvironment(place.loginEnvironment, spec, place.baseDirectory);
    if (auto found = base::findProgram(program, environment, directory); !found)
        check.addProblem("trial.command[0]", protocol::Severity::error, found.error().code,
                         found.error().arguments);
}

/// The nearest folder of the path that exists.
base::Path existingParent(base::Path path) {
    std::error_code error;
    while (path.has_relative_path() && !std::filesystem::exists(path, error))
        path = path.parent_path();
    return path;
}

/// Some file systems do not say how much room they have, /proc and a few remote ones: making a folder tells.
bool takesFolders(const base::Path& parent) {
    std::string probe = (parent / ".trialdeck-XXXXXX").native();
    return mkdtemp(probe.data()) && rmdir(probe.c_str()) == 0;
}

/// Room for the paths of logs and checkpoints below the experiment's folder (bytes).
constexpr size_t kPathsBelow = 512;

bool isTooLong(const base::Path& folder, const base::Path& existing) {
    const long limit = pathconf(existing.c_str(), _PC_NAME_MAX);
    const size_t longest = limit > 0 ? static_cast<size_t>(limit) : NAME_MAX;
    return folder.native().size() + kPathsBelow > PATH_MAX ||
           std::any_of(folder.begin(), folder.end(),
                       [longest](const base::Path& name) { return name.native().size() > longest; });
}

/// Why nothing can be written at `folder`, whose nearest parent that exists is `parent`.
std::optional<FindingReason> faultOfStorage(const base::Path& folder, const base::Path& parent) {
    std::error_code error;
    if (isTooLong(folder, parent))
        return FindingReason::too_long;
    if (!std::filesystem::is_directory(parent, error))
        return FindingReason::not_a_folder;
    if (access(parent.c_str(), W_OK | X_OK) != 0)
        return errno == EROFS ? FindingReason::read_only : FindingReason::no_permission;
    struct statvfs room {};
    if (statvfs(parent.c_str(), &room) != 0)
        return std::nullopt;
    if (room.f_blocks == 0 && !takesFolders(parent))
        return FindingReason::no_permission;
    return room.f_blocks > 0 && room.f_bavail == 0 ? std::optional(FindingReason::no_space) : std::nullopt;
}

void addStorageFacts(model::SpecCheck& check, base::FileSystem& files, const model::ExperimentSpec& spec,
                     const Place& place) {
    if (auto path = base::expandPath(spec.storagePath, place.home); !path) {
        check.addProblem("storage_path", protocol::Severity::error, path.error().code,
                         path.error().arguments);
        return;
    }
    const base::Path folder = experimentFolder(spec, place);
    if (base::exists(files, folder)) {
        check.addProblem("name", protocol::Severity::error, ErrorCode::experiment_name_taken,
                         {{"name", folder.filename().native()}, {"path", folder.native()}});
        return;
    }
    const base::Path parent = existingParent(folder.parent_path());
    if (const auto reason = faultOfStorage(folder, parent))
        check.addProblem(
            "storage_path", protocol::Severity::error, ErrorCode::storage_not_writable,
            {{"path", folder.parent_path().native()}, {"folder", parent.native()}, because(*reason)});
}

} // namespace

base::Path experimentFolder(const model::ExperimentSpec& spec, const Place& place) {
    const auto storage = base::expandPath(spec.storagePath, place.home);
    return (place.baseDirectory / storage.value_or(base::Path(spec.storagePath)) / spec.name)
        .lexically_normal();
}

void addMachineFacts(model::SpecCheck& check, base::FileSystem& files, const Place& place) {
    if (!check.spec)
        return;
    // A finding takes the spec back, so both looks are taken at a copy.
    const model::ExperimentSpec spec = *check.spec;
    addCommandFacts(check, spec, place);
    addStorageFacts(check, files, spec, place);
}

void addNodeFacts(model::SpecCheck& check, const engine::Engine& engine) {
    if (!check.spec)
        return;
    const model::TrialSpec& trial = check.spec->trial;
    const engine::WorkerResources asked = tuner::resourcesPerWorker(trial);
    const uint32_t workers = std::max<uint32_t>(trial.numWorkers.min, 1);
    double nodeCpus = 0;
    double nodeGpus = 0;
    for (const engine::Node& node : engine.nodes()) {
        nodeCpus = std::max(nodeCpus, node.cpus);
        nodeGpus = std::max(nodeGpus, static_cast<double>(node.gpus.size()));
    }
    if (engine.place(workers, asked).aboveNode)
        check.addProblem("trial.resources_per_worker", protocol::Severity::warning,
                         ErrorCode::resources_exceed_node,
                         {{"cpu", std::to_string(asked.cpu * workers)},
                          {"gpu", std::to_string(asked.gpu * workers)},
                          {"node_cpu", std::to_string(nodeCpus)},
                          {"node_gpu", std::to_string(nodeGpus)}});
    // Also where next to nothing is asked for.
    double fit = static_cast<double>(UINT32_MAX);
    if (asked.cpu > 0)
        fit = std::min(fit, nodeCpus / (asked.cpu * workers));
    if (asked.gpu > 0)
        fit = std::min(fit, nodeGpus / (asked.gpu * workers));
    auto& preview = check.result.preview;
    uint64_t concurrent = std::max<uint64_t>(static_cast<uint64_t>(std::floor(fit)), 1);
    if (check.spec->search.maxConcurrentTrials)
        concurrent = std::min<uint64_t>(concurrent, *check.spec->search.maxConcurrentTrials);
    if (preview.trials)
        concurrent = std::min(concurrent, *preview.trials);
    preview.concurrentTrials = concurrent;
}

} // namespace trialdeck::head
