// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/message.h"

namespace trialdeck::protocol {

/// One finding in an experiment.yaml or form.
struct Problem {
    /// Canonical path, "param_space.lr.loguniform[0]"; empty for the whole file.
    std::string path;
    /// From 1; 0 where the draft came as a form or the whole file is meant.
    int line = 0;
    int column = 0;
    Severity severity = Severity::error;
    ErrorCode code = ErrorCode::internal;
    base::ErrorArguments arguments;
    /// What could stand there instead, as YAML; empty where nothing is near.
    std::string suggestion;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v("path", s.path);
        v("line", s.line);
        v("column", s.column);
        v.required("severity", s.severity);
        v.required("code", s.code);
        v("arguments", s.arguments);
        v("suggestion", s.suggestion);
    }
};

/// Values that a parameter would take: 200 draws, or all of them where they are few.
struct ParameterPreview {
    std::string parameter;
    Array values;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v.required("parameter", s.parameter);
        v.required("values", s.values);
    }
};

struct SpecPreview {
    /// Missing where open (num_samples: -1) or the draft has errors.
    std::optional<uint64_t> trials;
    /// After the node's size and max_concurrent_trials.
    std::optional<uint64_t> concurrentTrials;
    /// Largest training_iteration that stop or scheduler allow.
    std::optional<int64_t> iterationsPerTrial;
    std::vector<ParameterPreview> parameters;
    /// The first trial's command line, placeholders filled.
    std::vector<std::string> firstCommand;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v("trials", s.trials);
        v("concurrent_trials", s.concurrentTrials);
        v("iterations_per_trial", s.iterationsPerTrial);
        v("parameters", s.parameters);
        v("first_command", s.firstCommand);
    }
};

struct SpecCheckResult {
    /// The draft as experiment.yaml: the user's own text where the draft was one, else written from the form.
    std::string yaml;
    /// The draft as a map with canonical keys and the structure of experiment.yaml; defaults left out.
    Value form;
    std::vector<Problem> problems;
    SpecPreview preview;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v.required("yaml", s.yaml);
        v("form", s.form);
        v("problems", s.problems);
        v("preview", s.preview);
    }
};

/// Checks a draft; starts and writes nothing. Exactly one of yaml and form is given.
struct SpecCheckRequest {
    static constexpr std::string_view kMethod = "spec.check";
    static constexpr RequestKind kKind = RequestKind::read;
    using Result = SpecCheckResult;
    std::optional<std::string> yaml;
    std::optional<Value> form;
    /// Absolute folder for relative paths; empty: the home.
    std::string baseDirectory;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v("yaml", s.yaml);
        v("form", s.form);
        v("base_directory", s.baseDirectory);
    }
};

} // namespace trialdeck::protocol
