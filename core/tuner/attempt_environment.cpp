// SPDX-License-Identifier: Apache-2.0
#include "core/tuner/attempt_environment.h"

#include "core/base/host.h"

namespace trialdeck::tuner {

namespace {

base::Path homeOf(const base::Environment& login) {
    const auto home = login.find("HOME");
    return home == login.end() ? base::Path() : base::Path(home->second);
}

base::Path against(const base::Path& baseDirectory, const std::string& written,
                   const base::Environment& login) {
    return (baseDirectory / base::expandHome(written, homeOf(login))).lexically_normal();
}

/// A login environment may be that of a trial (a search started by a trial): its own contract is not passed
/// on.
void forgetOuterTrial(base::Environment& environment) {
    std::erase_if(environment, [](const auto& variable) {
        return variable.first.starts_with("TRIALDECK_") && variable.first != "TRIALDECK_HOME";
    });
}

} // namespace

base::Path workingDirectory(const model::ExperimentSpec& spec, const base::Path& baseDirectory,
                            const base::Environment& login) {
    const std::string& written = spec.trial.runtimeEnv.workingDir;
    return written.empty() ? baseDirectory : against(baseDirectory, written, login);
}

base::Environment commandEnvironment(const base::Environment& login, const model::ExperimentSpec& spec,
                                     const base::Path& baseDirectory) {
    base::Environment environment = login;
    forgetOuterTrial(environment);
    // A Python script's lines would come in blocks of 8 KiB.
    environment.try_emplace("PYTHONUNBUFFERED", "1");
    const model::RuntimeEnv& runtime = spec.trial.runtimeEnv;
    if (runtime.python.find('/') != std::string::npos) {
        const base::Path folder = against(baseDirectory, runtime.python, login).parent_path();
        std::string& path = environment["PATH"];
        path = path.empty() ? folder.native() : folder.native() + ":" + path;
    }
    for (const auto& [name, value] : runtime.envVars)
        environment[name] = value;
    return environment;
}

base::Environment attemptEnvironment(const base::Environment& login, const model::ExperimentSpec& spec,
                                     const base::Path& baseDirectory, const model::Trial& trial,
                                     const AttemptFacts& facts) {
    base::Environment environment = commandEnvironment(login, spec, baseDirectory);
    environment["TRIALDECK_TRIAL_ID"] = std::to_string(trial.id().raw());
    environment["TRIALDECK_SEED"] = std::to_string(trial.seed());
    environment["TRIALDECK_CONFIG"] = facts.configPath.native();
    environment["TRIALDECK_RESUME_FROM"] = facts.resumeFrom.native();
    environment["TRIALDECK_CHECKPOINT_FREQUENCY"] = std::to_string(spec.checkpoint.frequency);
    environment["TRIALDECK_CHECKPOINT_AT_END"] = spec.checkpoint.atEnd ? "1" : "0";
    return environment;
}

} // namespace trialdeck::tuner
