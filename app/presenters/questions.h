// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/presenters/experiment_presenter.h"

namespace trialdeck::app::presenters {

/// The sentence names what stopping loses; without the deeds.
[[nodiscard]] Confirmation stopQuestion(const protocol::WorkAtRiskResult& risk, const QString& experiment,
                                        std::optional<TrialId> trial);
/// Some trials have no checkpoint to go on from.
[[nodiscard]] Confirmation pauseQuestion(const protocol::WorkAtRiskResult& risk);

} // namespace trialdeck::app::presenters
