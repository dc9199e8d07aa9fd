// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/presenters/connection_presenter.h"

namespace trialdeck::app::presenters {

/// "Host key", as the connection's page lists it.
[[nodiscard]] QString stepName(transport::ConnectionStep step);
/// "done", for screen readers.
[[nodiscard]] QString stepMarkWord(StepRow::Mark mark);
/// "21 ms", "4.2 s", "2 m 05 s".
[[nodiscard]] QString stepTime(std::chrono::milliseconds time);
/// English, for diagnostics.
[[nodiscard]] QString linkStateName(client::LinkStatus::State state);
[[nodiscard]] PromptWords promptWords(const client::AskedPrompt& asked, const QString& connection);

} // namespace trialdeck::app::presenters
