// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/models/connection_tree_model.h"
#include "app/models/trial_table_model.h"

namespace trialdeck::app::presenters {

/// The words of the trial table in the user's language.
[[nodiscard]] models::TrialTableWords tableWords();
/// The words of the sidebar.
[[nodiscard]] models::ConnectionTreeWords sidebarWords(const base::Clock& clock);

} // namespace trialdeck::app::presenters
