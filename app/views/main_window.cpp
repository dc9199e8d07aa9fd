// SPDX-License-Identifier: Apache-2.0
#include "app/views/main_window.h"

#include "app/text/error_sentences.h"
#include "app/views/about_dialog.h"
#include "app/views/appearance.h"
#include "app/views/command_palette.h"
#include "app/views/confirm_dialog.h"
#include "app/views/connection_desk.h"
#include "app/views/connection_page.h"
#include "app/views/draft_templates.h"
#include "app/views/experiment_page.h"
#include "app/views/face.h"
#include "app/views/icons.h"
#include "app/views/memory.h"
#include "app/views/new_experiment_page.h"
#include "app/views/sidebar.h"
#include "app/views/state_mark.h"
#include "app/views/window_actions.h"
#include "app/views/window_notice.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QStatusBar>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace trialdeck::app::views {

using client::LinkStatus;
using presenters::ExperimentPresenter;
using presenters::WindowPresenter;

namespace {
constexpr int kSidebarWidth = 240;
constexpr int kSearchWidth = 240;

/// The one local file that is dragged; empty for anything else.
QString droppedFile(const QMimeData& data) {
    const QList<QUrl> urls = data.urls();
    if (urls.size() != 1 || !urls.front().isLocalFile())
        return {};
    const QString path = urls.front().toLocalFile();
    return QFileInfo(path).isFile() ? path : QString();
}
} // namespace

MainWindow::MainWindow(WindowPresenter& presenter, Appearance& appearance, Memory& memory,
                       presenters::ConnectionBook* book)
    : m_presenter(presenter), m_appearance(appearance), m_memory(memory),
      m_actions(std::make_unique<WindowActions>(*this)),
      m_connections(std::make_unique<ConnectionDesk>(presenter, book, *m_actions, *this)),
      m_sidebar(new Sidebar(presenter.sidebar())), m_splitter(new QSplitter(Qt::Horizontal)),
      m_center(new QStackedWidget), m_notice(new WindowNotice), m_headNotice(new WindowNotice),
      m_promptNotice(new WindowNotice), m_face(new Face),
      m_palette(new CommandPalette(
          [this](const QString& words) { return m_presenter.paletteEntries(paletteActions(), words); },
          this)) {
    setObjectName(QStringLiteral("mainWindow"));
    setWindowIcon(programIcon());
    setContextMenuPolicy(Qt::NoContextMenu);
    setAcceptDrops(true);
    m_center->addWidget(m_face);
    auto* right = new QWidget;
    auto* rightLayout = new QVBoxLayout(right);
    rightLayout->setContentsMargins(0, 0, 0, 0);
    rightLayout->setSpacing(0);
    m_headNotice->setObjectName(QStringLiteral("headNotice"));
    m_promptNotice->setObjectName(QStringLiteral("promptNotice"));
    rightLayout->addWidget(m_headNotice);
    rightLayout->addWidget(m_promptNotice);
    rightLayout->addWidget(m_notice);
    // A window smaller than a page needs scrolls the page, so that every button can be reached.
    auto* scroll = new QScrollArea;
    scroll->setObjectName(QStringLiteral("pageScroll"));
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(m_center);
    rightLayout->addWidget(scroll, 1);
    m_splitter->addWidget(m_sidebar);
    m_splitter->addWidget(right);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setSizes({kSidebarWidth, 1200});
    m_splitter->setHandleWidth(1);
    m_splitter->setChildrenCollapsible(false);
    setCentralWidget(m_splitter);
    makeActions();
    makeToolbar();
    makeStatusBar();
    connect(m_sidebar, &Sidebar::experimentChosen, &presenter, &WindowPresenter::openOn);
    connect(m_sidebar, &Sidebar::connectionChosen, &presenter, &WindowPresenter::showConnection);
    connect(m_sidebar, &Sidebar::menuWanted, m_connections.get(), &ConnectionDesk::openMenu);
    connect(m_connections.get(), &ConnectionDesk::confirmationWanted, this, &MainWindow::confirm);
    connect(m_connections.get(), &ConnectionDesk::failed, this, [this](const Error& error) {
        m_notice->show(text::errorSentence(error), text::errorDetails(error));
    });
    connect(m_promptNotice, &WindowNotice::actionTriggered, this, &MainWindow::showAsking);
    connect(&presenter, &WindowPresenter::promptsChanged, this, &MainWindow::updatePrompts);
    if (book)
        connect(book, &presenters::ConnectionBook::failed, this, [this](const Error& error) {
            m_notice->show(text::errorSentence(error), text::errorDetails(error));
        });
    connect(&presenter, &WindowPresenter::currentChanged, this, &MainWindow::showCurrent);
    connect(&presenter, &WindowPresenter::statusChanged, this, &MainWindow::updateStatus);
    connect(&presenter, &WindowPresenter::statusChanged, this, &MainWindow::updateActions);
    connect(&presenter.sidebar(), &QAbstractItemModel::rowsInserted, this, &MainWindow::updateFace);
    connect(&presenter, &WindowPresenter::linkChanged, this, &MainWindow::updateFace);
    connect(&presenter, &WindowPresenter::createFailed, this, [this](const Error& error) {
        m_notice->show(text::errorSentence(error), text::errorDetails(error));
    });
    connect(&presenter, &WindowPresenter::createRefused, this, [this](const auto& problems) {
        for (const protocol::Problem& problem : problems) {
            if (problem.severity != protocol::Severity::error)
                continue;
            const QString sentence = text::errorSentence({problem.code, problem.arguments, {}});
            //: A mistake in an experiment.yaml; %1 and %2 are numbers, %3 a sentence
            m_notice->show(tr("Nothing was started. Line %1, column %2: %3")
                               .arg(QString::number(problem.line), QString::number(problem.column), sentence),
                           sentence);
            return;
        }
    });
    connect(&presenter, &WindowPresenter::notFound, this, [this](const QString& name) {
        m_notice->show(tr("There is no experiment \"%1\".").arg(name), name);
    });
    connect(&appearance, &Appearance::themeChanged, this, &MainWindow::updateIcons);
    resize(1280, 800);
    restoreGeometry(memory.value(QStringLiteral("window/geometry")).toByteArray());
    m_splitter->restoreState(memory.value(QStringLiteral("window/splitter")).toByteArray());
    retranslate();
    showCurrent();
}

MainWindow::~MainWindow() = default;

void MainWindow::makeActions() {
    const auto onExperiment = [this](QAction* action, auto deed) {
        connect(action, &QAction::triggered, this, [this, deed] {
            if (ExperimentPresenter* current = m_presenter.current())
                deed(*current);
        });
    };
    onExperiment(m_actions->pause, [](ExperimentPresenter& experiment) { experiment.pause(); });
    onExperiment(m_actions->resume, [](ExperimentPresenter& experiment) { experiment.resume(); });
    onExperiment(m_actions->stop, [](ExperimentPresenter& experiment) { experiment.stop(); });
    onExperiment(m_actions->copyCommand, [](ExperimentPresenter& experiment) {
        QApplication::clipboard()->setText(experiment.asCommand(QStringLiteral("show")));
    });
    connect(m_actions->newExperiment, &QAction::triggered, this, [this] { showForm(); });
    connect(m_actions->openYaml, &QAction::triggered, this, &MainWindow::openFile);
    connect(m_actions->palette, &QAction::triggered, this, &MainWindow::openPalette);
    connect(m_actions->search, &QAction::triggered, this, [this] {
        if (m_page)
            m_page->focusSearch();
    });
    connect(m_actions->reconnect, &QAction::triggered, &m_presenter, &WindowPresenter::reconnect);
    connect(m_actions->language, &QAction::triggered, this, &MainWindow::switchLanguage);
    connect(m_actions->theme, &QAction::triggered, this, &MainWindow::switchTheme);
    const auto showDialog = [](QDialog* dialog) {
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    };
    connect(m_actions->shortcuts, &QAction::triggered, this,
            [this, showDialog] { showDialog(new ShortcutsDialog(m_actions->all(), this)); });
    connect(m_actions->about, &QAction::triggered, this,
            [this, showDialog] { showDialog(new AboutDialog(this)); });
    const auto onTab = [this](QAction* action, ExperimentPage::Tab tab) {
        connect(action, &QAction::triggered, this, [this, tab] {
            if (m_page)
                m_page->showTab(tab);
        });
    };
    onTab(m_actions->overview, ExperimentPage::Tab::overview);
    onTab(m_actions->trials, ExperimentPage::Tab::trials);
    onTab(m_actions->logs, ExperimentPage::Tab::logs);
    onTab(m_actions->files, ExperimentPage::Tab::files);
    onTab(m_actions->setup, ExperimentPage::Tab::setup);
    connect(m_headNotice, &WindowNotice::actionTriggered, &m_presenter, &WindowPresenter::reconnect);
    connect(m_face, &Face::actionTriggered, this, [this] {
        if (m_presenter.linkError())
            m_presenter.reconnect();
        else
            showForm();
    });
}

void MainWindow::makeToolbar() {
    auto* bar = new QToolBar;
    bar->setObjectName(QStringLiteral("toolbar"));
    bar->setMovable(false);
    bar->setFloatable(false);
    bar->setIconSize(QSize(16, 16));
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    const auto addButton = [&](const char* name) {
        auto* button = new QToolButton;
        button->setObjectName(QLatin1String(name));
        button->setFocusPolicy(Qt::TabFocus);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        bar->addWidget(button);
        return button;
    };
    m_newButton = addButton("newButton");
    m_newButton->setProperty("kind", QStringLiteral("primary"));
    m_newButton->setPopupMode(QToolButton::InstantPopup);
    m_newButton->setMenu(new QMenu(m_newButton));
    m_newButton->menu()->addActions({m_actions->newExperiment, m_actions->openYaml, m_actions->connectHost});
    m_separator = bar->addSeparator();
    for (QAction* action : {m_actions->pause, m_actions->resume, m_actions->stop, m_actions->tensorBoard}) {
        bar->addAction(action);
        bar->widgetForAction(action)->setFocusPolicy(Qt::TabFocus);
    }
    auto* stretch = new QWidget;
    stretch->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(stretch);
    m_searchButton = addButton("searchButton");
    m_searchButton->setProperty("kind", QStringLiteral("field"));
    m_searchButton->setMinimumWidth(kSearchWidth);
    connect(m_searchButton, &QToolButton::clicked, this, &MainWindow::openPalette);
    m_languageButton = addButton("languageButton");
    connect(m_languageButton, &QToolButton::clicked, this, &MainWindow::switchLanguage);
    m_themeButton = addButton("themeButton");
    m_themeButton->setToolButtonStyle(Qt::ToolButtonIconOnly);
    connect(m_themeButton, &QToolButton::clicked, this, &MainWindow::switchTheme);
    addToolBar(bar);
}

void MainWindow::makeStatusBar() {
    statusBar()->setSizeGripEnabled(false);
    m_linkMark = new QLabel;
    m_link = new QLabel;
    m_link->setObjectName(QStringLiteral("statusLink"));
    m_nodes = new QLabel;
    m_nodes->setObjectName(QStringLiteral("statusNodes"));
    m_limits = new QLabel;
    m_limits->setObjectName(QStringLiteral("statusLimits"));
    m_lastEvent = new QLabel;
    m_lastEvent->setObjectName(QStringLiteral("statusLastEvent"));
    m_fontHint = new QLabel;
    m_fontHint->setObjectName(QStringLiteral("statusFontHint"));
    for (QLabel* label : {m_linkMark, m_link, m_nodes, m_limits, m_lastEvent})
        statusBar()->addWidget(label);
    statusBar()->addPermanentWidget(m_fontHint);
    m_linkMark->setContentsMargins(4, 0, 0, 0);
}

void MainWindow::showCurrent() {
    if (m_page) {
        m_center->removeWidget(m_page);
        delete m_page;
        m_page = nullptr;
    }
    if (m_connectionPage && &m_connectionPage->connection() != m_presenter.connection()) {
        m_center->removeWidget(m_connectionPage);
        delete m_connectionPage;
        m_connectionPage = nullptr;
    }
    if (ExperimentPresenter* current = m_presenter.current()) {
        m_page = new ExperimentPage(*current, m_memory);
        m_center->addWidget(m_page);
        m_center->setCurrentWidget(m_page);
        connect(current, &ExperimentPresenter::confirmationWanted, this, &MainWindow::confirm);
        connect(current, &ExperimentPresenter::headerChanged, this, &MainWindow::updateActions);
        m_sidebar->showCurrent(current->head(), current->id());
        //: Title of the window; %1 is the experiment's name
        setWindowTitle(tr("%1 – Trialdeck").arg(current->header().name));
    } else if (presenters::ConnectionPresenter* connection = m_presenter.connection()) {
        m_connections->updateActions(true);
        if (!m_connectionPage) {
            m_connectionPage = m_connections->makePage();
            m_center->addWidget(m_connectionPage);
        }
        m_center->setCurrentWidget(m_connectionPage);
        connect(connection, &presenters::ConnectionPresenter::changed, this, &MainWindow::updateActions,
                Qt::UniqueConnection);
        m_sidebar->showCurrent(connection->head());
        setWindowTitle(tr("%1 – Trialdeck").arg(connection->name()));
    } else {
        setWindowTitle(QStringLiteral("Trialdeck"));
        m_sidebar->showNone();
        m_center->setCurrentWidget(m_face);
    }
    updateFace();
    updateActions();
    updateStatus();
    updatePrompts();
}

void MainWindow::updateFace() {
    const client::HeadClient* head = m_presenter.localHead();
    const QString startHead = tr("Start the head");
    if (m_presenter.isShutDown() && m_center->currentWidget() != m_face)
        m_headNotice->offer(tr("The head on this computer was shut down. What is shown is as of then; trials "
                               "that were not stopped with it go on."),
                            startHead);
    else
        m_headNotice->hide();
    if (m_presenter.isShutDown())
        m_face->set(
            QStringLiteral("computer"), tr("The head on this computer was shut down"),
            tr("Trials that were not stopped with it go on. Start it to see them and to begin new ones."),
            startHead);
    else if (const auto error = m_presenter.linkError())
        m_face->set(QStringLiteral("error"), tr("The head on this computer does not answer"),
                    text::errorSentence(*error), tr("Try again"));
    else if (!head || head->status().state == LinkStatus::State::connecting)
        m_face->set(QStringLiteral("computer"), tr("Starting…"),
                    tr("Connecting to the head on this computer."));
    else if (m_presenter.sidebar().experiments().empty())
        m_face->set(QStringLiteral("chart"), tr("No experiments yet"),
                    tr("Start one from a template or your own script. You can also drag a script or a YAML "
                       "file onto the window."),
                    tr("New experiment"));
    else
        m_face->set(QStringLiteral("chart"), tr("No experiment is shown"),
                    tr("Choose one at the left, or start a new one."), tr("New experiment"));
}

const presenters::ConnectionPresenter* MainWindow::shownConnection() const {
    const bool isShown = m_connectionPage && m_center->currentWidget() == m_connectionPage;
    return isShown ? &m_connectionPage->connection() : nullptr;
}

void MainWindow::updatePrompts() {
    const presenters::ConnectionPresenter* asking = m_presenter.asking(shownConnection());
    const auto prompt = asking ? asking->prompt() : std::nullopt;
    if (prompt)
        //: Button that leads to the question of a connection
        m_promptNotice->offer(prompt->notice, tr("Answer…"));
    else
        m_promptNotice->hide();
}

void MainWindow::showAsking() {
    const presenters::ConnectionPresenter* asking = m_presenter.asking(shownConnection());
    if (!asking)
        return;
    m_presenter.showConnection(asking->head());
    if (m_connectionPage)
        m_connectionPage->focusPrompt();
}

void MainWindow::updateActions() {
    const ExperimentPresenter* current = m_presenter.current();
    const bool canPause = current && current->head().can("pause");
    const bool isPaused = current && current->canResume();
    // What is not on the screen cannot be meant.
    const bool isShown = m_center->currentWidget() != m_form || !m_form;
    m_actions->pause->setVisible(isShown && canPause && !isPaused);
    m_actions->resume->setVisible(isShown && canPause && isPaused);
    m_separator->setVisible(isShown && current);
    m_actions->pause->setEnabled(current && current->canPause());
    m_actions->resume->setEnabled(isPaused);
    m_actions->stop->setVisible(isShown && current);
    m_actions->stop->setEnabled(current && current->canStop());
    m_actions->copyCommand->setEnabled(current != nullptr);
    m_connections->updateActions(isShown);
    for (QAction* tab :
         {m_actions->overview, m_actions->trials, m_actions->logs, m_actions->files, m_actions->setup})
        tab->setEnabled(current != nullptr);
}

void MainWindow::updateStatus() {
    const presenters::StatusLine line = m_presenter.status();
    const StateMark mark = markOf(line.link, themeOf(*this));
    constexpr int kMark = 12;
    m_linkMark->setPixmap(markPixmap(*this, kMark, mark));
    m_link->setText(line.connection);
    m_link->setToolTip(line.details.toHtmlEscaped());
    m_nodes->setText(line.nodes);
    m_limits->setText(line.limits);
    m_limits->setVisible(!line.limits.isEmpty());
    m_lastEvent->setText(line.lastEvent);
}

void MainWindow::confirm(const presenters::Confirmation& confirmation) {
    auto* dialog = new ConfirmDialog(confirmation, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void MainWindow::openFile() {
    const QString path = QFileDialog::getOpenFileName(this, tr("Open an experiment.yaml"), {},
                                                      tr("Experiments (*.yaml *.yml);;All files (*)"));
    NewExperimentPage* form = path.isEmpty() ? nullptr : showForm();
    if (form)
        form->openYaml(path);
}

NewExperimentPage* MainWindow::showForm() {
    client::HeadClient* head = m_presenter.localHead();
    if (!m_form && head) {
        m_draft = std::make_unique<presenters::NewExperimentPresenter>(*head);
        m_form = new NewExperimentPage(*m_draft, templatesBeside(QCoreApplication::applicationDirPath()));
        m_center->addWidget(m_form);
        m_draft->setHeads(m_presenter.heads());
        connect(&m_presenter, &WindowPresenter::headsChanged, m_draft.get(),
                [this] { m_draft->setHeads(m_presenter.heads()); });
        connect(m_form, &NewExperimentPage::closeWanted, this, &MainWindow::showCurrent);
        connect(m_draft.get(), &presenters::NewExperimentPresenter::started, &m_presenter,
                &WindowPresenter::openOn);
        connect(m_draft.get(), &presenters::NewExperimentPresenter::failed, this, [this](const Error& error) {
            m_notice->show(text::errorSentence(error), text::errorDetails(error));
        });
    }
    if (m_form) {
        m_center->setCurrentWidget(m_form);
        m_sidebar->showNone();
        updateFace();
        updateActions();
        updatePrompts();
        setWindowTitle(tr("New experiment – Trialdeck"));
    }
    return m_form;
}

void MainWindow::openDropped(const QString& path) {
    NewExperimentPage* form = showForm();
    const QString suffix = QFileInfo(path).suffix().toLower();
    if (!form)
        return;
    if (suffix == QLatin1String("yaml") || suffix == QLatin1String("yml"))
        form->openYaml(path);
    else
        m_draft->beginWithScript(path);
}

void MainWindow::openPalette() {
    m_palette->open();
}

std::vector<presenters::PaletteEntry> MainWindow::paletteActions() const {
    std::vector<presenters::PaletteEntry> entries;
    for (QAction* action : m_actions->all()) {
        if (action == m_actions->palette)
            continue;
        if (!action->isEnabled() || !action->isVisible())
            continue;
        entries.push_back({WindowActions::fullText(*action),
                           action->shortcut().toString(QKeySequence::NativeText),
                           [action] { action->trigger(); }});
    }
    return entries;
}

void MainWindow::switchLanguage() {
    const bool isChinese = m_appearance.language() == QLatin1String("zh_CN");
    m_appearance.setLanguage(isChinese ? QStringLiteral("en") : QStringLiteral("zh_CN"));
    m_memory.set(QStringLiteral("language"), m_appearance.language());
}

void MainWindow::switchTheme() {
    const bool isDark = m_appearance.theme() == ThemeKind::dark;
    m_appearance.setTheme(isDark ? ThemeKind::light : ThemeKind::dark);
    m_memory.set(QStringLiteral("theme"), isDark ? QStringLiteral("light") : QStringLiteral("dark"));
}

void MainWindow::updateIcons() {
    const Theme& theme = Theme::of(m_appearance.theme());
    m_newButton->setIcon(icon(QStringLiteral("add"), theme.onAccent));
    m_actions->setIcons(theme);
    m_searchButton->setIcon(icon(QStringLiteral("search"), theme.muted));
    m_themeButton->setIcon(
        icon(theme.kind == ThemeKind::dark ? QStringLiteral("sun") : QStringLiteral("moon"), theme.text));
    updateStatus();
}

void MainWindow::retranslateToolbar() {
    //: Toolbar button with a menu of what can be made
    m_newButton->setText(tr("New"));
    m_newButton->setAccessibleName(tr("New"));
    m_searchButton->setText(
        tr("Search or command  %1").arg(m_actions->palette->shortcut().toString(QKeySequence::NativeText)));
    m_searchButton->setAccessibleName(tr("Search or command"));
    // In letters that are there: no box on a machine without a font for Chinese.
    m_languageButton->setText(Appearance::hasChineseFont() ? QStringLiteral("中 / EN")
                                                           : QStringLiteral("ZH / EN"));
    m_languageButton->setToolTip(m_actions->language->text());
    m_languageButton->setAccessibleName(m_actions->language->text());
    m_themeButton->setToolTip(m_actions->theme->text());
    m_themeButton->setAccessibleName(m_actions->theme->text());
}

void MainWindow::retranslate() {
    m_actions->retranslate();
    m_linkMark->setAccessibleName(tr("Connection"));
    // In Latin letters, whatever the language: there are no others.
    m_fontHint->setText(Appearance::hasChineseFont()
                            ? QString()
                            : QStringLiteral("No font for Chinese: install fonts-noto-cjk"));
    retranslateToolbar();
    updateIcons();
    updateFace();
    updatePrompts();
    if (m_page)
        setWindowTitle(tr("%1 – Trialdeck").arg(m_page->experiment().header().name));
}

void MainWindow::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        m_presenter.retranslate();
        retranslate();
    }
    QMainWindow::changeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (!droppedFile(*event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    const QString path = droppedFile(*event->mimeData());
    if (path.isEmpty())
        return;
    event->acceptProposedAction();
    openDropped(path);
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    if (m_palette->isVisible())
        m_palette->open();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    m_memory.set(QStringLiteral("window/geometry"), saveGeometry());
    m_memory.set(QStringLiteral("window/splitter"), m_splitter->saveState());
    event->accept();
}

} // namespace trialdeck::app::views
