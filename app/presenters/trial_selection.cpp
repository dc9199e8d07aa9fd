// SPDX-License-Identifier: Apache-2.0
#include "app/presenters/trial_selection.h"

namespace trialdeck::app::presenters {

void TrialSelection::set(const std::set<TrialId>& selected, std::optional<TrialId> current) {
    if (selected == m_selected && current == m_current)
        return;
    m_selected = selected;
    m_current = current;
    emit changed();
}

} // namespace trialdeck::app::presenters
