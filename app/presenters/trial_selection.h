// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

#include "core/protocol/ids.h"

#include <optional>
#include <set>

namespace trialdeck::app::presenters {

/// Which trials are selected on an experiment's page, shared by its charts, tables and log.
class TrialSelection : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    [[nodiscard]] const std::set<TrialId>& selected() const { return m_selected; }
    /// The one that details and log are about.
    [[nodiscard]] std::optional<TrialId> current() const { return m_current; }
    [[nodiscard]] bool contains(TrialId trial) const { return m_selected.contains(trial); }

public slots:
    void set(const std::set<trialdeck::TrialId>& selected, std::optional<trialdeck::TrialId> current);
    void setOnly(trialdeck::TrialId trial) { set({trial}, trial); }
    void clear() { set({}, std::nullopt); }

signals:
    void changed();

private:
    std::set<TrialId> m_selected;
    std::optional<TrialId> m_current;
};

} // namespace trialdeck::app::presenters
