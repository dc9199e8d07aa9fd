// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/models/connection_tree_model.h"

#include <QTreeView>

namespace trialdeck::app::views {

/// Connections and their experiments: state shape, name, progress, counts. A press on a connection's arrow
/// folds it.
class Sidebar : public QTreeView {
    Q_OBJECT

public:
    explicit Sidebar(models::ConnectionTreeModel& model, QWidget* parent = nullptr);

    /// No experiment is shown: none is marked.
    void showNone();
    void showCurrent(const client::HeadClient& head, const ExperimentId& experiment);
    void showCurrent(const client::HeadClient& connection);

signals:
    void experimentChosen(const trialdeck::app::client::HeadClient& head,
                          const trialdeck::ExperimentId& experiment);
    void connectionChosen(const trialdeck::app::client::HeadClient& connection);
    /// On a connection, which was chosen by it.
    void menuWanted(const QPoint& place);

protected:
    void contextMenuEvent(QContextMenuEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void changeEvent(QEvent* event) override;
    void drawBranches(QPainter* painter, const QRect& rect, const QModelIndex& index) const override;

private:
    void choose(const QModelIndex& index);
    void mark(const QModelIndex& index);
    void retranslate();

    models::ConnectionTreeModel& m_model;
    /// The window marks what it shows: nobody chose it here.
    bool m_isMarking = false;
};

} // namespace trialdeck::app::views
