// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/models/file_tree_model.h"
#include "app/presenters/experiment_presenter.h"

#include <QWidget>

QT_BEGIN_NAMESPACE
class QLabel;
class QToolButton;
class QTreeView;
QT_END_NAMESPACE

namespace trialdeck::app::views {

/// The experiment's folder, as its head sees it.
class FilesTab : public QWidget {
    Q_OBJECT

public:
    explicit FilesTab(presenters::ExperimentPresenter& experiment, QWidget* parent = nullptr);

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void listAgain();
    void retranslate();

    presenters::ExperimentPresenter& m_experiment;
    models::FileTreeModel m_model;
    QLabel* m_folder;
    QToolButton* m_copy;
    QToolButton* m_refresh;
    QTreeView* m_tree;
};

} // namespace trialdeck::app::views
