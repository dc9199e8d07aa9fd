// SPDX-License-Identifier: Apache-2.0
#include "app/views/photographer.h"

#include "app/presenters/questions.h"
#include "app/presenters/window_presenter.h"
#include "app/views/appearance.h"
#include "app/views/command_palette.h"
#include "app/views/confirm_dialog.h"
#include "app/views/connection_pictures.h"
#include "app/views/experiment_page.h"
#include "app/views/main_window.h"
#include "app/views/new_experiment_page.h"
#include "app/views/picture_looks.h"

#include <QApplication>
#include <QDir>
#include <QMenu>
#include <QPainter>
#include <QPixmap>
#include <QToolButton>

#include <algorithm>

namespace trialdeck::app::views {

using Tab = ExperimentPage::Tab;

namespace {
/// For answers, layout and the last merged update to come in.
constexpr std::chrono::milliseconds kSettle{600};
constexpr std::chrono::milliseconds kLook{200};
} // namespace

Photographer::Photographer(MainWindow& window, presenters::WindowPresenter& presenter, Appearance& appearance,
                           RareStates::MakeHead makeHead, QObject* parent)
    : QObject(parent), m_window(window), m_presenter(presenter), m_appearance(appearance),
      m_makeHead(std::move(makeHead)) {
    m_look.setInterval(kLook);
}

bool Photographer::isShown(bool finished) const {
    const presenters::ExperimentPresenter* current = m_presenter.current();
    if (!current || current->face() != presenters::PageFace::ready)
        return false;
    return !finished || protocol::isFinished(current->summary().state);
}

bool Photographer::isRefused() const {
    const presenters::ExperimentPresenter* current = m_presenter.current();
    return current && current->face() != presenters::PageFace::ready &&
           current->face() != presenters::PageFace::loading;
}

void Photographer::waitForExperiment(bool finished, std::function<void()> then) {
    m_look.disconnect();
    connect(&m_look, &QTimer::timeout, this, [this, finished, then = std::move(then)] {
        if (!isShown(finished) && !isRefused())
            return;
        m_look.stop();
        QTimer::singleShot(2 * kSettle, this, then);
    });
    m_look.start();
}

void Photographer::takeOne(const QString& file, bool whenFinished) {
    waitForExperiment(whenFinished, [this, file, whenFinished] {
        if (!file.isEmpty() && !m_window.grab().save(file))
            emit done(tr("The picture %1 cannot be written.").arg(file));
        else if (whenFinished && isRefused())
            emit done(experiment().faceSentence());
        else
            emit done({});
    });
}

void Photographer::takeAll(const QString& folder) {
    m_folder = folder;
    if (!QDir().mkpath(folder)) {
        emit done(tr("The folder %1 cannot be made.").arg(folder));
        return;
    }
    connect(&m_presenter.sidebar(), &models::ConnectionTreeModel::experimentsKnown, this, [this] {
        if (m_presenter.sidebar().experiments().empty())
            emit done(tr("There is no experiment to photograph. Start one first."));
    });
    waitForExperiment(false, [this] {
        m_experiment = experiment().id();
        plan();
        next();
    });
}

void Photographer::plan() {
    const auto dressed = [this](const PictureLook& look) {
        return [this, look] {
            m_appearance.setLanguage(look.language);
            m_appearance.setTheme(look.theme);
        };
    };
    // The form stays as it was left: empty in the first pictures only.
    for (const PictureLook& look : pictureLooks()) {
        m_pictures.push_back({{}, dressed(look)});
        m_pictures.push_back({QStringLiteral("new-empty") + look.suffix, [this] { m_window.showForm(); }});
    }
    m_pictures.push_back({{}, [this] { m_presenter.open(m_experiment); }});
    for (const PictureLook& look : pictureLooks()) {
        m_pictures.push_back({{}, dressed(look)});
        addPictures(look.suffix);
    }
}

void Photographer::takeRareStates() {
    ConnectionPictures connections(m_presenter.clock(), m_appearance, m_window.size(), m_folder);
    if (const QString failure = connections.photograph(); m_failure.isEmpty())
        m_failure = failure;
    auto* states =
        new RareStates(m_makeHead, m_presenter.clock(), m_appearance, m_window.size(), m_folder, this);
    connect(states, &RareStates::done, this,
            [this](const QString& failure) { emit done(m_failure.isEmpty() ? failure : m_failure); });
    states->photograph();
}

void Photographer::addPictures(const QString& suffix) {
    const auto add = [&](const char* name, std::function<void()> prepare) {
        m_pictures.push_back({QLatin1String(name) + suffix, std::move(prepare)});
    };
    const auto tab = [this](Tab which) { return [this, which] { m_window.page()->showTab(which); }; };
    add("overview", [this] {
        experiment().selection().clear();
        m_window.page()->showTab(Tab::overview);
    });
    add("selected", [this] {
        const TrialId trial = experiment().data().bestTrial().value_or(TrialId(0));
        experiment().selection().setOnly(trial);
        const auto charts = experiment().charts();
        const models::Series* series = charts.empty() ? nullptr : charts.front()->series(trial);
        if (series)
            experiment().steps().setHover(
                presenters::SharedSteps::Hover{series->steps[series->size() / 2], trial});
    });
    add("chart-menu", [this] {
        experiment().steps().setHover(std::nullopt);
        openMenu("chartMenu");
    });
    add("charts-menu", [this] { openMenu("chartsButton"); });
    add("columns-menu", [this] { openMenu("columnsButton"); });
    add("new-menu", [this] { openMenu("newButton"); });
    add("trials", tab(Tab::trials));
    add("logs", tab(Tab::logs));
    add("files", tab(Tab::files));
    add("setup", tab(Tab::setup));
    addQuestions(suffix);
    addForm(suffix);
    add("no-experiment", [this] { m_presenter.close(); });
    m_pictures.push_back({{}, [this] { m_presenter.open(m_experiment); }});
}

void Photographer::addQuestions(const QString& suffix) {
    const auto add = [&](const char* name, std::function<void()> prepare) {
        m_pictures.push_back({QLatin1String(name) + suffix, std::move(prepare)});
    };
    add("palette", [this] {
        m_window.page()->showTab(Tab::overview);
        m_window.openPalette();
    });
    // Invented, so that a finished experiment can be asked about too, and that nothing is stopped.
    protocol::WorkAtRiskResult risk;
    risk.runningTrials = 2;
    risk.runningSeconds = 41 * 60;
    risk.lostSeconds = 3 * 60;
    risk.withoutCheckpoint = {TrialId(6), TrialId(7)};
    add("stop-question", [this, risk] {
        m_window.findChild<CommandPalette*>()->hide();
        ask(presenters::stopQuestion(risk, QString::fromStdString(experiment().summary().name), {}));
    });
    add("pause-question", [this, risk] { ask(presenters::pauseQuestion(risk)); });
    add("shortcuts", [this] { trigger("showShortcuts"); });
    add("about", [this] { trigger("showAbout"); });
}

void Photographer::addForm(const QString& suffix) {
    const auto add = [&](const char* name, std::function<void()> prepare) {
        m_pictures.push_back({QLatin1String(name) + suffix, std::move(prepare)});
    };
    add("new-filled", [this] {
        // Under another name: its own is taken.
        QString yaml = QString::fromStdString(experiment().shown()->yaml);
        const QString name = QStringLiteral("name: ") + QString::fromStdString(experiment().summary().name);
        fillForm(yaml.replace(name, name + QStringLiteral("-again")));
    });
    add("new-mistakes", [this] {
        fillForm(QStringLiteral("name: fashion-mnist-lr\n"
                                "trial:\n"
                                "  command: [python3, train.py, --lr, \"{lr}\", --momentum, \"{momentun}\"]\n"
                                "  num_workers: two\n"
                                "param_space:\n"
                                "  lr: {loguniform: [1.0, 1.0e-5]}\n"
                                "  momentum: {uniform: [0.1, 0.9]}\n"
                                "search: {num_sample: 32, metric: accuracy, mode: biggest}\n"
                                "stop: {training_iteration: 10}\n"));
    });
}

presenters::ExperimentPresenter& Photographer::experiment() const {
    return *m_presenter.current();
}

void Photographer::openMenu(const char* button) {
    // Tabs that are not shown have such a button too.
    const auto tools = m_window.findChildren<QToolButton*>(QLatin1String(button));
    const auto tool = std::find_if(tools.begin(), tools.end(),
                                   [](const QToolButton* each) { return each->isVisible() && each->menu(); });
    if (tool != tools.end())
        (*tool)->menu()->popup((*tool)->mapToGlobal(QPoint(0, (*tool)->height())));
}

void Photographer::trigger(const char* action) {
    if (auto* found = m_window.findChild<QAction*>(QLatin1String(action)))
        found->trigger();
}

void Photographer::ask(const presenters::Confirmation& question) {
    auto* dialog = new ConfirmDialog(question, &m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void Photographer::fillForm(const QString& yaml) {
    if (NewExperimentPage* form = m_window.showForm())
        form->presenter().load(yaml, QString::fromStdString(experiment().shown()->baseDirectory));
}

/// The window with what lies above it: menus where they are, dialogs in the middle, as a window manager
/// would.
void Photographer::save(const QString& name) {
    const QString file = QStringLiteral("%1/%2.png").arg(m_folder, name);
    QPixmap picture = m_window.grab();
    QPainter painter(&picture);
    for (QWidget* widget : QApplication::topLevelWidgets()) {
        const auto* dialog = qobject_cast<QDialog*>(widget);
        if (!widget->isVisible() || (!dialog && !qobject_cast<QMenu*>(widget)))
            continue;
        QPoint place = m_window.mapFromGlobal(widget->pos());
        if (dialog)
            place = {(m_window.width() - widget->width()) / 2, (m_window.height() - widget->height()) / 3};
        painter.drawPixmap(place, widget->grab());
        painter.setPen(Theme::of(m_appearance.theme()).line);
        painter.drawRect(QRect(place, widget->size()).adjusted(0, 0, -1, -1));
        widget->close();
    }
    painter.end();
    if (!picture.save(file) && m_failure.isEmpty())
        m_failure = tr("The picture %1 cannot be written.").arg(file);
}

void Photographer::next() {
    if (m_at >= m_pictures.size()) {
        takeRareStates();
        return;
    }
    m_pictures[m_at].prepare();
    QTimer::singleShot(kSettle, this, [this] {
        if (const QString& name = m_pictures[m_at].name; !name.isEmpty())
            save(name);
        ++m_at;
        next();
    });
}

} // namespace trialdeck::app::views
