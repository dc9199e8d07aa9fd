// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tuner/services.h"

namespace trialdeck::tuner {

/// By the daemon's JournalSource, else storage's own.
[[nodiscard]] Expected<std::unique_ptr<storage::JournalWriter>>
createJournal(const Services& services, const base::Path& folder, const ExperimentId& experiment);
[[nodiscard]] Expected<std::unique_ptr<storage::JournalWriter>>
resumeJournal(const Services& services, const storage::JournalReader& reader, const ExperimentId& experiment);

} // namespace trialdeck::tuner
