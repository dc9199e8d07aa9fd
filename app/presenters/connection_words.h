// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/presenters/connection_presenter.h"

namespace trialdeck::app::presenters {

/// A text of somebody else on one line, without what could hide or turn it.
[[nodiscard]] QString shown(const std::string& text);
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
