// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>

#include <vector>

QT_BEGIN_NAMESPACE
class QAction;
QT_END_NAMESPACE

namespace trialdeck::app::views {

/// Version, licences and where the parts come from.
class AboutDialog : public QDialog {
    Q_OBJECT

public:
    explicit AboutDialog(QWidget* parent = nullptr);
};

/// Every action with its keys, and the keys of charts, tables and logs.
class ShortcutsDialog : public QDialog {
    Q_OBJECT

public:
    explicit ShortcutsDialog(const std::vector<QAction*>& actions, QWidget* parent = nullptr);
};

} // namespace trialdeck::app::views
