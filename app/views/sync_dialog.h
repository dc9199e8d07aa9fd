// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/presenters/host_work_presenter.h"

#include <QDialog>

QT_BEGIN_NAMESPACE
class QCheckBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;
QT_END_NAMESPACE

namespace trialdeck::app::views {

/// Which folder goes where, and what of it.
class SyncDialog : public QDialog {
    Q_OBJECT

public:
    explicit SyncDialog(const presenters::SyncDraft& draft, QWidget* parent);

signals:
    void wanted(const trialdeck::app::presenters::SyncDraft& draft);

private:
    QLineEdit* addField(QGridLayout& grid, const QString& name, const QString& text, const char* objectName);
    void makeButtons();
    void chooseFolder();
    void edited();
    void start(bool isDry);

    presenters::SyncDraft m_draft;
    QLineEdit* m_local;
    QLineEdit* m_remote;
    QLineEdit* m_exclude;
    QCheckBox* m_remove;
    QCheckBox* m_keep;
    QLabel* m_problem;
    QPushButton* m_try = nullptr;
    QPushButton* m_sync = nullptr;
};

} // namespace trialdeck::app::views
