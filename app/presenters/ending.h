// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>

namespace trialdeck::app::presenters {

class ExperimentPresenter;

/// How an experiment ended, for a window that nobody looks at.
struct Ending {
    bool isCompleted = false;
    /// What went wrong: the experiment, then its trials, the first few of them. Empty when nothing did.
    QStringList sentences;
};

[[nodiscard]] Ending endingOf(const ExperimentPresenter& experiment);

} // namespace trialdeck::app::presenters
