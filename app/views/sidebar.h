// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/models/connection_tree_model.h"

#include <QTreeView>

namespace trialdeck::app::views {

/// Connections and their experiments: state shape, name, progress, counts.
class Sidebar : public QTreeView {
    Q_OBJECT

public:
    explicit Sidebar(models::ConnectionTreeModel& model, QWidget* parent = nullptr);

    /// No experiment is shown: none is marked.
    void showNone();
    void showCurrent(const ExperimentId& experiment);

signals:
    void experimentChosen(const trialdeck::ExperimentId& experiment);

protected:
    void changeEvent(QEvent* event) override;
    void drawBranches(QPainter* painter, const QRect& rect, const QModelIndex& index) const override;

private:
    void choose(const QModelIndex& index);
    void retranslate();

    models::ConnectionTreeModel& m_model;
};

} // namespace trialdeck::app::views
