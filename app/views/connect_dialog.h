// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/presenters/connection_book.h"
#include "app/presenters/connection_draft.h"

#include <QDialog>

QT_BEGIN_NAMESPACE
class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QToolButton;
QT_END_NAMESPACE

namespace trialdeck::app::views {

/// Where a host is named: a new connection, one that is edited, or a copy of one. Keeps it and connects.
class ConnectDialog : public QDialog {
    Q_OBJECT

public:
    /// @param connection  with an empty id: a new one
    /// @param book  outlives the dialog
    ConnectDialog(presenters::ConnectionBook& book, const trialdeck::client::SavedConnection& connection,
                  QWidget* parent);

private:
    using Draft = presenters::ConnectionDraft;
    struct Row {
        Draft::Field field;
        QString Draft::*text;
        QLineEdit* edit;
        QLabel* problem;
    };
    void addRow(QGridLayout& grid, Draft::Field field, QString Draft::*text, const char* objectName,
                const QString& name, const QString& placeholder, QWidget* beside = nullptr);
    void addLabel(QGridLayout& grid, const QString& name, QWidget* editor);
    void makeFields();
    void makeAdvanced();
    void makeButtons();
    void completeHosts(QLineEdit& edit);
    void fold();
    void edited();
    void chooseKey(QLineEdit& edit);
    void keep();
    [[nodiscard]] bool isNameTaken(const QString& name) const;

    presenters::ConnectionBook& m_book;
    Draft m_draft;
    std::vector<Row> m_rows;
    QGridLayout* m_fields;
    QToolButton* m_fold;
    QWidget* m_advanced;
    QComboBox* m_way = nullptr;
    QLabel* m_failure = nullptr;
    QPushButton* m_connect = nullptr;
};

} // namespace trialdeck::app::views
