// SPDX-License-Identifier: Apache-2.0
#include "app/views/rare_states.h"

#include "app/presenters/window_presenter.h"
#include "app/views/appearance.h"
#include "app/views/main_window.h"
#include "app/views/memory.h"
#include "app/views/picture_looks.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QPixmap>

namespace trialdeck::app::views {

using client::LinkStatus;

namespace {
constexpr std::chrono::milliseconds kLook{100};
/// For one step: a daemon that starts on a busy machine takes the longest.
constexpr int kMostLooks = 600;
constexpr QLatin1String kGone("resnet-on-a-usb-disk");
constexpr QLatin1String kDamaged("lr-sweep");
} // namespace

RareStates::RareStates(MakeHead makeHead, const base::Clock& clock, Appearance& appearance, QSize size,
                       QString folder, QObject* parent)
    : QObject(parent), m_makeHead(std::move(makeHead)), m_clock(clock), m_appearance(appearance),
      m_size(size), m_folder(std::move(folder)) {
    m_look.setInterval(kLook);
    connect(&m_look, &QTimer::timeout, this, &RareStates::look);
}

RareStates::~RareStates() = default;

QString RareStates::path(const QString& name) const {
    return m_scratch.filePath(name);
}

void RareStates::photograph() {
    m_memory = std::make_unique<Memory>(path(QStringLiteral("window.ini")));
    plan();
    m_look.start();
}

void RareStates::plan() {
    const auto always = [] { return true; };
    const auto linked = [this] { return isLinked(); };
    const auto ended = [this] { return m_head->status().state == LinkStatus::State::ended; };
    const auto add = [this](const char* awaited, std::function<bool()> isReady, std::function<void()> act) {
        m_steps.push_back({QLatin1String(awaited), std::move(isReady), std::move(act)});
    };
    add("a window", always, [this] {
        openWindow(Program::real);
        take(QStringLiteral("state-connecting"));
    });
    add("the head", linked, [this] {
        take(QStringLiteral("state-no-experiments"));
        createExperiment(kGone);
        createExperiment(kDamaged);
    });
    add(
        "the experiments' end", [this] { return isFinished(kGone) && isFinished(kDamaged); },
        [this] {
            m_presenter->open(idOf(kGone));
            take(QStringLiteral("state-loading"));
        });
    add("the experiment", always, [this] { shutDown(); });
    add("the head's end", ended, [this] {
        take(QStringLiteral("state-shut-down"));
        m_presenter->close();
        take(QStringLiteral("state-shut-down-empty"));
        QDir(path(QStringLiteral("trialdeck/%1").arg(kGone))).removeRecursively();
        QFile journal(path(QStringLiteral("trialdeck/%1/journal/000001.jsonl").arg(kDamaged)));
        if (journal.open(QIODevice::ReadWrite))
            journal.write("damage");
        journal.close();
        m_head->reconnect();
    });
    add(
        "the experiments as they are now", [this] { return isLinked() && isMissing(kGone); },
        [this] {
            m_presenter->open(idOf(kGone));
            take(QStringLiteral("state-missing"));
            m_presenter->open(idOf(kDamaged));
        });
    add(
        "the damaged experiment", [this] { return isMissing(kDamaged); },
        [this] {
            take(QStringLiteral("state-refused"));
            shutDown();
        });
    add("the head's end", ended, [this] { openWindow(Program::absent); });
    add(
        "a head that cannot be started",
        [this] { return m_head->status().state == LinkStatus::State::failed; },
        [this] { take(QStringLiteral("state-no-head")); });
}

void RareStates::look() {
    if (m_at < m_steps.size() && !m_steps[m_at].isReady()) {
        if (++m_looks < kMostLooks)
            return;
        m_failure =
            tr("The pictures of rare states are incomplete: the head did not bring them about in time.") +
            QStringLiteral(" [%1]").arg(m_steps[m_at].awaited);
        m_at = m_steps.size();
    }
    m_looks = 0;
    if (m_at < m_steps.size()) {
        m_steps[m_at].act();
        ++m_at;
        return;
    }
    m_look.stop();
    m_window.reset();
    emit done(m_failure);
}

void RareStates::openWindow(Program program) {
    m_window.reset();
    m_presenter.reset();
    m_head = m_makeHead(m_scratch.path(), program);
    m_presenter = std::make_unique<presenters::WindowPresenter>(m_clock);
    m_presenter->addHead(*m_head);
    m_window = std::make_unique<MainWindow>(*m_presenter, m_appearance, *m_memory);
    m_window->resize(m_size);
    // Laid out and painted like one that is shown, and in nobody's way.
    m_window->setAttribute(Qt::WA_DontShowOnScreen);
    m_window->show();
    m_head->start();
}

void RareStates::createExperiment(const QString& name) {
    m_presenter->localHead()->ask(
        this,
        protocol::ExperimentCreateRequest{QStringLiteral("name: %1\n"
                                                         "trial: {command: [sh, -c, 'echo loss=0.5']}\n"
                                                         "param_space: {lr: {grid_search: [0.1, 0.01]}}\n"
                                                         "storage_path: %2\n")
                                              .arg(name, path(QStringLiteral("trialdeck")))
                                              .toStdString(),
                                          m_scratch.path().toStdString(), false},
        [](const Expected<protocol::ExperimentCreateResult>&) {});
}

void RareStates::shutDown() {
    m_head->ask(this, protocol::ShutdownRequest{}, [](const Expected<protocol::EmptyResult>&) {});
}

bool RareStates::isLinked() const {
    return m_head->status().state == LinkStatus::State::connected &&
           !m_presenter->sidebar().nodesOf(*m_head).empty();
}

ExperimentId RareStates::idOf(const QString& name) const {
    const protocol::ExperimentSummary* summary = m_presenter->sidebar().findByText(name);
    return summary ? summary->experiment : ExperimentId();
}

bool RareStates::isFinished(const QString& name) const {
    const protocol::ExperimentSummary* summary = m_presenter->sidebar().findByText(name);
    return summary && protocol::isFinished(summary->state);
}

bool RareStates::isMissing(const QString& name) const {
    const protocol::ExperimentSummary* summary = m_presenter->sidebar().findByText(name);
    return summary && (summary->missing || (m_presenter->current() && m_presenter->current()->refusal()));
}

void RareStates::take(const QString& name) {
    for (const PictureLook& look : pictureLooks()) {
        dress(m_appearance, look);
        const QString file = QStringLiteral("%1/%2%3.png").arg(m_folder, name, look.suffix);
        if (!m_window->grab().save(file) && m_failure.isEmpty())
            m_failure = tr("The picture %1 cannot be written.").arg(file);
    }
}

} // namespace trialdeck::app::views
