// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAction>
#include <QCoreApplication>
#include <QWidget>

#include <vector>

namespace trialdeck::app::views {

struct Theme;

/// Every action of the window, made once: toolbar, menus, command palette and the list of shortcuts show the
/// same ones. Owned by the window.
struct WindowActions {
    Q_DECLARE_TR_FUNCTIONS(WindowActions)

public:
    explicit WindowActions(QWidget& window);

    void retranslate();
    void setIcons(const Theme& theme);
    /// What hangUp does: end the connection that is shown, or make again what the user ended.
    enum class HangUp { end, undo };
    void setHangUpText(HangUp what);
    /// In the order of the palette.
    [[nodiscard]] std::vector<QAction*> all() const;
    /// What palette and list of shortcuts call it: a menu may say less, where its own name says the rest.
    [[nodiscard]] static QString fullText(const QAction& action);

    QAction* newExperiment;
    QAction* openYaml;
    QAction* connectHost;
    QAction* pause;
    QAction* resume;
    QAction* stop;
    QAction* overview;
    QAction* trials;
    QAction* logs;
    QAction* files;
    QAction* setup;
    QAction* search;
    QAction* copyCommand;
    QAction* palette;
    QAction* reconnect;
    QAction* testConnection;
    QAction* tensorBoard;
    QAction* hangUp;
    QAction* editConnection;
    QAction* duplicateConnection;
    QAction* copyDiagnostics;
    QAction* forgetSecrets;
    QAction* removeConnection;
    QAction* language;
    QAction* theme;
    QAction* shortcuts;
    QAction* about;
};

} // namespace trialdeck::app::views
