// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/presenters/connection_book.h"
#include "app/presenters/new_experiment_presenter.h"
#include "app/presenters/window_presenter.h"

#include <QMainWindow>

QT_BEGIN_NAMESPACE
class QLabel;
class QSplitter;
class QStackedWidget;
class QToolButton;
QT_END_NAMESPACE

namespace trialdeck::app::views {

class Appearance;
class CommandPalette;
class ConnectionDesk;
class ConnectionPage;
class ExperimentPage;
class Face;
class Memory;
class NewExperimentPage;
class Sidebar;
class WindowNotice;
struct WindowActions;

/// The window: toolbar, sidebar, the page of the chosen experiment, status line. Actions are made once and
/// appear in toolbar, menus and command palette alike.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    /// @param book  null where no other host can be connected
    MainWindow(presenters::WindowPresenter& presenter, Appearance& appearance, Memory& memory,
               presenters::ConnectionBook* book = nullptr);
    ~MainWindow() override;

    /// Null while no experiment is shown.
    [[nodiscard]] ExperimentPage* page() const { return m_page; }
    [[nodiscard]] ConnectionDesk& connections() { return *m_connections; }
    void openPalette();
    /// The form, as it was left; empty at first. Null while there is no head to ask.
    NewExperimentPage* showForm();
    /// A YAML file or a script, in the form.
    void openDropped(const QString& path);

protected:
    void changeEvent(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeActions();
    void makeToolbar();
    void makeStatusBar();
    void retranslate();
    void retranslateToolbar();
    void updateIcons();
    void updateActions();
    void updateStatus();
    void showCurrent();
    void updateFace();
    void updatePrompts();
    [[nodiscard]] const presenters::ConnectionPresenter* shownConnection() const;
    void showAsking();
    void openFile();
    void switchLanguage();
    void switchTheme();
    void confirm(const presenters::Confirmation& confirmation);
    [[nodiscard]] std::vector<presenters::PaletteEntry> paletteActions() const;

    presenters::WindowPresenter& m_presenter;
    Appearance& m_appearance;
    Memory& m_memory;
    std::unique_ptr<WindowActions> m_actions;
    std::unique_ptr<ConnectionDesk> m_connections;
    QAction* m_separator = nullptr;
    QToolButton* m_newButton = nullptr;
    QToolButton* m_searchButton = nullptr;
    QToolButton* m_languageButton = nullptr;
    QToolButton* m_themeButton = nullptr;
    Sidebar* m_sidebar;
    QSplitter* m_splitter;
    QStackedWidget* m_center;
    WindowNotice* m_notice;
    /// Of a head that was shut down.
    WindowNotice* m_headNotice;
    /// Of a connection that waits for an answer on another page.
    WindowNotice* m_promptNotice;
    Face* m_face;
    ExperimentPage* m_page = nullptr;
    ConnectionPage* m_connectionPage = nullptr;
    /// Made when it is first wanted, with the head that is there then.
    std::unique_ptr<presenters::NewExperimentPresenter> m_draft;
    NewExperimentPage* m_form = nullptr;
    CommandPalette* m_palette;
    QLabel* m_linkMark = nullptr;
    QLabel* m_link = nullptr;
    QLabel* m_nodes = nullptr;
    QLabel* m_limits = nullptr;
    QLabel* m_lastEvent = nullptr;
    QLabel* m_fontHint = nullptr;
};

} // namespace trialdeck::app::views
