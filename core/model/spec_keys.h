// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/field_reader.h"

#include <array>
#include <span>
#include <string_view>

namespace trialdeck::model {

/// One key of a section, with the short forms that are accepted for it.
struct KeyInfo {
    std::string_view name;
    std::array<std::string_view, 2> aliases = {};
};

/// One map of experiment.yaml with fixed keys: the only list of what may stand in it.
struct SectionInfo {
    /// "", "trial", "trial.runtime_env", …
    std::string_view path;
    /// In the order in which they are written.
    std::span<const KeyInfo> keys;
    /// Keys of Ray that mean nothing here: accepted, with a note.
    std::span<const std::string_view> withoutEffect = {};
    /// Known and not built: refused by name.
    std::span<const std::string_view> later = {};
};

/// All sections, outer ones first.
[[nodiscard]] std::span<const SectionInfo> specSections();

/// Gives a draft its canonical keys, in canonical order: short forms are replaced, both forms at once and
/// unknown keys are reported, keys without effect noted, missing values (key:) taken out. Values are looked
/// at only where a whole section has a short form (scheduler: asha, engine: process).
void canonicalise(SpecNode& root, ProblemList& problems);

} // namespace trialdeck::model
