// SPDX-License-Identifier: Apache-2.0
#include "app/views/photographer.h"

#include "app/presenters/window_presenter.h"
#include "app/views/appearance.h"
#include "app/views/command_palette.h"
#include "app/views/confirm_dialog.h"
#include "app/views/experiment_page.h"
#include "app/views/main_window.h"

#include <QDir>
#include <QPainter>
#include <QPixmap>

#include <algorithm>

namespace trialdeck::app::views {

using Tab = ExperimentPage::Tab;

namespace {
/// For answers, layout and the last merged update to come in.
constexpr std::chrono::milliseconds kSettle{600};
constexpr std::chrono::milliseconds kLook{200};
} // namespace

Photographer::Photographer(MainWindow& window, presenters::WindowPresenter& presenter, Appearance& appearance,
                           QObject* parent)
    : QObject(parent), m_window(window), m_presenter(presenter), m_appearance(appearance) {
    m_look.setInterval(kLook);
}

bool Photographer::isShown(bool finished) const {
    const presenters::ExperimentPresenter* current = m_presenter.current();
    if (!current || current->face() != presenters::PageFace::ready)
        return false;
    return !finished || protocol::isFinished(current->summary().state);
}

void Photographer::waitForExperiment(bool finished, std::function<void()> then) {
    m_look.disconnect();
    connect(&m_look, &QTimer::timeout, this, [this, finished, then = std::move(then)] {
        if (!isShown(finished))
            return;
        m_look.stop();
        QTimer::singleShot(2 * kSettle, this, then);
    });
    m_look.start();
}

void Photographer::takeOne(const QString& file, bool whenFinished) {
    waitForExperiment(whenFinished, [this, file] {
        const bool saved = m_window.grab().save(file);
        emit done(saved ? QString() : QStringLiteral("cannot write the picture %1").arg(file));
    });
}

void Photographer::takeAll(const QString& folder) {
    m_folder = folder;
    if (!QDir().mkpath(folder)) {
        emit done(QStringLiteral("cannot make the folder %1").arg(folder));
        return;
    }
    waitForExperiment(false, [this] {
        plan();
        next();
    });
}

void Photographer::plan() {
    for (const QString& language : {QStringLiteral("en"), QStringLiteral("zh_CN")}) {
        for (const ThemeKind theme : {ThemeKind::light, ThemeKind::dark}) {
            const QString suffix = QStringLiteral("-%1-%2").arg(
                theme == ThemeKind::light ? QStringLiteral("light") : QStringLiteral("dark"),
                language.left(2));
            m_pictures.push_back({{}, [this, language, theme] {
                                      m_appearance.setLanguage(language);
                                      m_appearance.setTheme(theme);
                                  }});
            addPictures(suffix);
        }
    }
}

void Photographer::addPictures(const QString& suffix) {
    const auto add = [&](const char* name, std::function<void()> prepare) {
        m_pictures.push_back({QLatin1String(name) + suffix, std::move(prepare)});
    };
    const auto tab = [this](Tab which) { return [this, which] { m_window.page()->showTab(which); }; };
    auto& experiment = *m_presenter.current();
    add("overview", [this, &experiment] {
        experiment.selection().clear();
        m_window.page()->showTab(Tab::overview);
    });
    add("selected", [&experiment] {
        const TrialId trial = experiment.data().bestTrial().value_or(TrialId(0));
        experiment.selection().setOnly(trial);
        const auto charts = experiment.charts();
        const models::Series* series = charts.empty() ? nullptr : charts.front()->series(trial);
        if (series)
            experiment.steps().setHover(
                presenters::SharedSteps::Hover{series->steps[series->size() / 2], trial});
    });
    add("trials", [this, &experiment] {
        experiment.steps().setHover(std::nullopt);
        m_window.page()->showTab(Tab::trials);
    });
    add("logs", tab(Tab::logs));
    add("files", tab(Tab::files));
    add("setup", tab(Tab::setup));
    add("palette", [this] {
        m_window.page()->showTab(Tab::overview);
        m_window.openPalette();
    });
    add("stop-question", [this, &experiment] {
        m_window.findChild<CommandPalette*>()->hide();
        experiment.stop();
    });
}

void Photographer::save(const QString& name) {
    const QString file = QStringLiteral("%1/%2.png").arg(m_folder, name);
    QPixmap picture = m_window.grab();
    if (auto* dialog = m_window.findChild<ConfirmDialog*>()) {
        QPainter painter(&picture);
        QPixmap above = dialog->grab();
        painter.drawPixmap((m_window.width() - dialog->width()) / 2,
                           (m_window.height() - dialog->height()) / 3, above);
        painter.end();
        dialog->close();
    }
    if (!picture.save(file) && m_failure.isEmpty())
        m_failure = QStringLiteral("cannot write the picture %1").arg(file);
}

void Photographer::next() {
    if (m_at >= m_pictures.size()) {
        emit done(m_failure);
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
