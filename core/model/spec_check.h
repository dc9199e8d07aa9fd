// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/value.h"
#include "core/model/experiment_spec.h"
#include "core/protocol/messages/spec.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace trialdeck::model {

/// Where something stands in the user's text; lines and columns from 1, columns in characters.
struct SourcePosition {
    int line = 0;
    int column = 0;
    friend bool operator==(const SourcePosition&, const SourcePosition&) = default;
};

/// What is known of a draft from the draft alone. Facts of the machine (is the command there, is the storage
/// writable, is the name taken) are added by the head, with problem().
struct SpecCheck {
    /// yaml, form, problems and preview for the client.
    protocol::SpecCheckResult result;
    /// Present where no problem is an error.
    std::optional<ExperimentSpec> spec;
    /// Canonical path ("trial.command[0]") to the place of its value; empty for drafts that came as a form.
    std::map<std::string, SourcePosition, std::less<>> positions;

    [[nodiscard]] bool hasErrors() const;
    /// Adds a finding at the place of `path` (or of the nearest map around it), and takes back the spec where
    /// it is an error.
    void addProblem(std::string path, protocol::Severity severity, ErrorCode code,
                    base::ErrorArguments arguments = {}, std::string suggestion = {});
};

/// Reads an experiment.yaml: every mistake at once. Pure: no file is looked at. Safe for any bytes.
[[nodiscard]] SpecCheck checkYaml(std::string_view text);

/// The same for a draft from a form: a map with the structure and the keys of experiment.yaml. result.yaml is
/// written from it; reading that again gives the same form.
[[nodiscard]] SpecCheck checkForm(const Value& form);

/// The text of a map in the style of the documentation's example: short lists and maps on one line, quotes
/// only where needed, numbers that YAML 1.1 and 1.2 both read as numbers. Same map, same text.
[[nodiscard]] std::string writeYaml(const Value& form);

} // namespace trialdeck::model
