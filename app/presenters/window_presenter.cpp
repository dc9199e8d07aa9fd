// SPDX-License-Identifier: Apache-2.0
#include "app/presenters/window_presenter.h"

#include "app/models/visible_text.h"
#include "app/presenters/table_words.h"
#include "app/text/error_sentences.h"
#include "app/text/states.h"
#include "app/text/times.h"

#include <algorithm>
#include <climits>

namespace trialdeck::app::presenters {

using client::HeadClient;
using client::LinkStatus;

namespace {

constexpr std::chrono::milliseconds kClockTick{1000};

/// "2 of 64 CPUs (container limit)", by its name where there are several; empty where nothing is limited.
QString limitsOf(const std::vector<protocol::NodeState>& nodes) {
    QStringList limits;
    for (const protocol::NodeState& node : nodes) {
        if (node.machineCpus <= 0 || node.cpus >= node.machineCpus)
            continue;
        //: What trials may use of a machine's processors, %1 of %2
        const QString limit =
            WindowPresenter::tr("%1 of %2 CPUs (container limit)")
                .arg(QString::number(node.cpus, 'g', 4), QString::number(node.machineCpus, 'g', 4));
        limits << (nodes.size() == 1
                       ? limit
                       : QStringLiteral("%1: %2").arg(QString::fromStdString(node.name), limit));
    }
    return limits.join(QStringLiteral(" · "));
}

} // namespace

WindowPresenter::WindowPresenter(const base::Clock& clock, QObject* parent)
    : QObject(parent), m_clock(clock),
      m_sidebar(std::make_unique<models::ConnectionTreeModel>(sidebarWords(clock))) {
    connect(m_sidebar.get(), &models::ConnectionTreeModel::experimentChanged, this,
            [this](const HeadClient& head, const protocol::ExperimentSummary& summary) {
                if (m_current && &m_current->head() == &head && m_current->id() == summary.experiment)
                    m_current->setSummary(summary);
                emit statusChanged();
                openWaiting();
            });
    connect(m_sidebar.get(), &models::ConnectionTreeModel::nodesChanged, this,
            &WindowPresenter::statusChanged);
    connect(m_sidebar.get(), &models::ConnectionTreeModel::experimentsKnown, this,
            [this](const HeadClient& head) {
                for (Connection& connection : m_connections)
                    connection.isKnown = connection.isKnown || connection.head == &head;
                openWaiting();
            });
    m_clockTick.setInterval(kClockTick);
    connect(&m_clockTick, &QTimer::timeout, this, [this] {
        emit statusChanged();
        const bool isLost =
            std::any_of(m_connections.begin(), m_connections.end(), [](const Connection& connection) {
                return connection.head->status().state == LinkStatus::State::lost ||
                       connection.head->status().state == LinkStatus::State::ended;
            });
        if (isLost)
            m_sidebar->retranslate();
        if (m_connection && m_connection->isStale())
            emit m_connection->changed();
    });
    m_clockTick.start();
}

WindowPresenter::~WindowPresenter() = default;

ConnectionPresenter& WindowPresenter::addHead(HeadClient& head, std::optional<int> row) {
    const int place = std::clamp(row.value_or(INT_MAX), 0, static_cast<int>(m_connections.size()));
    auto page = std::make_unique<ConnectionPresenter>(head, *m_sidebar, m_clock);
    ConnectionPresenter& made = *page;
    m_connections.insert(m_connections.begin() + place, Connection{&head, std::move(page), false});
    m_sidebar->addHead(head, place);
    connect(&head, &HeadClient::statusChanged, this, &WindowPresenter::statusChanged);
    connect(&head, &HeadClient::statusChanged, this, &WindowPresenter::linkChanged);
    connect(&head, &HeadClient::statusChanged, this, &WindowPresenter::openWaiting);
    connect(&made, &ConnectionPresenter::promptChanged, this, &WindowPresenter::promptsChanged);
    connect(&made, &ConnectionPresenter::promptChanged, this, &WindowPresenter::openWaiting);
    emit headsChanged();
    return made;
}

void WindowPresenter::removeHead(const HeadClient& head) {
    const auto found = std::find_if(m_connections.begin(), m_connections.end(),
                                    [&](const Connection& connection) { return connection.head == &head; });
    if (found == m_connections.end())
        return;
    if (shownHead() == &head)
        close();
    if (m_waitingOn == &head) {
        m_waitingOn = nullptr;
        m_waitingFor.clear();
    }
    head.disconnect(this);
    // Views let go of its page while they hear that it goes.
    const std::unique_ptr<ConnectionPresenter> page = std::move(found->page);
    m_connections.erase(found);
    m_sidebar->removeHead(head);
    emit headsChanged();
    emit promptsChanged();
    emit statusChanged();
}

std::vector<HeadClient*> WindowPresenter::heads() const {
    std::vector<HeadClient*> all;
    for (const Connection& connection : m_connections)
        all.push_back(connection.head);
    return all;
}

HeadClient* WindowPresenter::localHead() const {
    return m_connections.empty() ? nullptr : m_connections.front().head;
}

HeadClient* WindowPresenter::shownHead() const {
    if (m_current)
        return &m_current->head();
    return m_connection ? &m_connection->head() : nullptr;
}

ConnectionPresenter* WindowPresenter::connectionOf(const HeadClient& head) const {
    for (const Connection& connection : m_connections) {
        if (connection.head == &head)
            return connection.page.get();
    }
    return nullptr;
}

ConnectionPresenter* WindowPresenter::asking(const ConnectionPresenter* seen) const {
    for (const Connection& connection : m_connections) {
        if (connection.head->prompt() && connection.page.get() != seen)
            return connection.page.get();
    }
    return nullptr;
}

void WindowPresenter::showConnection(const HeadClient& head) {
    ConnectionPresenter* page = connectionOf(head);
    if (!page)
        return;
    const std::unique_ptr<ExperimentPresenter> old = std::move(m_current);
    m_connection = page;
    emit currentChanged();
    emit statusChanged();
    emit promptsChanged();
}

void WindowPresenter::open(const ExperimentId& experiment) {
    show(experiment, nullptr);
}

void WindowPresenter::openOn(const HeadClient& head, const ExperimentId& experiment) {
    show(experiment, &head);
}

void WindowPresenter::show(const ExperimentId& experiment, const HeadClient* head) {
    if (m_current && m_current->id() == experiment && (!head || head == &m_current->head())) {
        // Something else may be shown in its place.
        emit currentChanged();
        return;
    }
    const QModelIndex index = m_sidebar->indexOf(experiment, head);
    const protocol::ExperimentSummary* summary = m_sidebar->summaryOf(index);
    if (!summary) {
        m_waitingFor = QString::fromStdString(experiment.raw());
        m_waitingOn = head;
        m_mustExist = false;
        return;
    }
    // Views let go of the old one while they hear of the new one.
    const std::unique_ptr<ExperimentPresenter> old = std::move(m_current);
    m_connection = nullptr;
    m_current = std::make_unique<ExperimentPresenter>(*m_sidebar->headOf(index), *summary, m_clock);
    emit currentChanged();
    emit statusChanged();
    emit promptsChanged();
}

void WindowPresenter::close() {
    const std::unique_ptr<ExperimentPresenter> old = std::move(m_current);
    m_connection = nullptr;
    emit currentChanged();
    emit statusChanged();
    emit promptsChanged();
}

void WindowPresenter::openByText(const QString& idOrName) {
    m_waitingFor = idOrName;
    m_waitingOn = nullptr;
    m_mustExist = true;
    openWaiting();
}

void WindowPresenter::openNewest() {
    m_wantsNewest = true;
    openWaiting();
}

void WindowPresenter::whenConnected(const std::function<void()>& deed) {
    HeadClient* head = localHead();
    if (!head)
        return;
    if (head->status().state == LinkStatus::State::connected) {
        deed();
        return;
    }
    // Until the first answer only: what was meant then is not meant after a long absence.
    auto* once = new QObject(this);
    connect(head, &HeadClient::statusChanged, once, [head, once, deed](const LinkStatus& status) {
        if (status.state != LinkStatus::State::connected)
            return;
        head->disconnect(once);
        once->deleteLater();
        deed();
    });
}

/// Each connection has told its experiments, has failed to, or will not before somebody answers it.
bool WindowPresenter::allKnown() const {
    return std::all_of(m_connections.begin(), m_connections.end(), [](const Connection& connection) {
        return connection.isKnown || connection.head->prompt() ||
               connection.head->status().state == LinkStatus::State::failed ||
               connection.head->status().state == LinkStatus::State::closed;
    });
}

void WindowPresenter::openWaiting() {
    // This computer's alone: another host may be long in coming, and something else chosen by then.
    const bool isLocalKnown = !m_connections.empty() && m_connections.front().isKnown;
    if (const auto all = m_sidebar->experiments(); m_wantsNewest && isLocalKnown && !all.empty()) {
        m_wantsNewest = false;
        open(ExperimentId(all.front()->experiment));
    }
    if (m_waitingFor.isEmpty())
        return;
    if (m_waitingOn) {
        const ExperimentId wanted(m_waitingFor.toStdString());
        if (m_sidebar->indexOf(wanted, m_waitingOn).isValid()) {
            m_waitingFor.clear();
            openOn(*std::exchange(m_waitingOn, nullptr), wanted);
        }
    } else if (const protocol::ExperimentSummary* summary = m_sidebar->findByText(m_waitingFor)) {
        m_waitingFor.clear();
        open(ExperimentId(summary->experiment));
    } else if (m_mustExist && isLocalKnown && allKnown()) {
        emit notFound(std::exchange(m_waitingFor, {}));
    }
}

void WindowPresenter::create(const QString& yaml, const QString& baseDirectory, bool single) {
    if (!localHead())
        return;
    localHead()->ask(
        this, protocol::ExperimentCreateRequest{yaml.toStdString(), baseDirectory.toStdString(), single},
        [this](Expected<protocol::ExperimentCreateResult> result) {
            if (!result) {
                emit createFailed(result.error());
            } else if (result->experiment.raw().empty()) {
                emit createRefused(result->problems);
            } else {
                emit created(result->experiment);
                open(result->experiment);
            }
        });
}

void WindowPresenter::reconnect() {
    const auto isAway = [](const HeadClient& head) {
        return head.status().state != LinkStatus::State::connected;
    };
    // One that the user disconnected comes back only where it is shown: somebody asks for it then.
    if (HeadClient* head = shownHead(); head && isAway(*head)) {
        head->reconnect();
        return;
    }
    for (const Connection& connection : m_connections) {
        if (isAway(*connection.head) && connection.head->status().state != LinkStatus::State::closed)
            connection.head->reconnect();
    }
}

bool WindowPresenter::isShutDown() const {
    return localHead() && localHead()->status().state == LinkStatus::State::ended;
}

std::optional<Error> WindowPresenter::linkError() const {
    const HeadClient* head = localHead();
    if (!head)
        return std::nullopt;
    const LinkStatus& status = head->status();
    const bool isGone = status.state == LinkStatus::State::failed || status.state == LinkStatus::State::ended;
    return isGone ? status.error : std::nullopt;
}

StatusLine WindowPresenter::status() const {
    StatusLine line;
    const HeadClient* head = shownHead() ? shownHead() : localHead();
    if (!head)
        return line;
    line.link = head->status().state;
    switch (line.link) {
    case LinkStatus::State::connecting:
        //: %1 is a connection such as "This computer"
        line.connection = tr("%1: connecting…").arg(head->name());
        break;
    case LinkStatus::State::connected:
        line.connection = head->name();
        break;
    case LinkStatus::State::lost:
        //: %1 is a connection, %2 a time of day
        line.connection = tr("%1: unknown since %2, reconnecting…")
                              .arg(head->name(), text::shortTime(head->status().since, m_clock.wallNow()));
        break;
    case LinkStatus::State::ended:
        //: %1 is a connection, %2 a time of day
        line.connection = tr("%1: shut down, unknown since %2")
                              .arg(head->name(), text::shortTime(head->status().since, m_clock.wallNow()));
        break;
    case LinkStatus::State::closed:
        //: %1 is a connection
        line.connection = tr("%1: disconnected").arg(head->name());
        break;
    case LinkStatus::State::failed:
        line.connection = tr("%1: not reachable").arg(head->name());
        break;
    }
    if (head->status().error)
        line.details = text::errorSentence(*head->status().error);
    else if (head->hello())
        //: %1 is the host's name, %2 a version, %3 a folder
        line.details = tr("Head %2 on %1, home %3")
                           .arg(QString::fromStdString(head->hello()->host),
                                QString::fromStdString(head->hello()->headVersion),
                                QString::fromStdString(head->hello()->home));
    const auto& nodes = m_sidebar->nodesOf(*head);
    double used = 0;
    double all = 0;
    for (const protocol::NodeState& node : nodes) {
        used += node.cpusUsed;
        all += node.cpus;
    }
    if (!nodes.empty())
        //: %2 of %3 processors are in use on %n machines
        line.nodes = tr("%n node(s) · %1/%2 CPU", nullptr, static_cast<int>(nodes.size()))
                         .arg(QString::number(used, 'g', 4), QString::number(all, 'g', 4));
    line.limits = limitsOf(nodes);
    if (m_current && m_current->data().lastEvent() != base::WallTime())
        //: %1 is such as "2 s ago"
        line.lastEvent = tr("last event %1").arg(text::ago(m_current->data().lastEvent(), m_clock.wallNow()));
    return line;
}

std::vector<PaletteEntry> WindowPresenter::paletteEntries(const std::vector<PaletteEntry>& actions,
                                                          const QString& words) {
    std::vector<PaletteEntry> all = actions;
    for (const Connection& connection : m_connections) {
        const QModelIndex parent = m_sidebar->indexOf(*connection.head);
        for (int row = 0; row < m_sidebar->rowCount(parent); ++row) {
            const auto* summary = m_sidebar->summaryOf(m_sidebar->index(row, 0, parent));
            all.push_back({models::visibleText(QString::fromStdString(summary->name)),
                           text::stateWord(summary->state),
                           [this, head = QPointer<HeadClient>(connection.head), id = summary->experiment] {
                               if (head)
                                   openOn(*head, id);
                           }});
        }
    }
    const QStringList wanted = words.toCaseFolded().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    std::erase_if(all, [&](const PaletteEntry& entry) {
        const QString text = entry.text.toCaseFolded();
        return !std::all_of(wanted.begin(), wanted.end(),
                            [&](const QString& word) { return text.contains(word); });
    });
    std::stable_partition(all.begin(), all.end(), [&](const PaletteEntry& entry) {
        return !wanted.isEmpty() && entry.text.toCaseFolded().startsWith(wanted.front());
    });
    return all;
}

void WindowPresenter::retranslate() {
    m_sidebar->retranslate();
    if (m_current)
        m_current->retranslate();
    if (m_connection)
        emit m_connection->changed();
    emit statusChanged();
    emit promptsChanged();
}

} // namespace trialdeck::app::presenters
