// SPDX-License-Identifier: Apache-2.0
#include "app/presenters/connection_presenter.h"

#include "app/models/visible_text.h"
#include "app/presenters/connection_words.h"
#include "app/presenters/ssh_words.h"
#include "app/text/durations.h"
#include "app/text/error_sentences.h"
#include "app/text/times.h"

#include <QStringList>

#include <algorithm>
#include <array>

namespace trialdeck::app::presenters {

using client::HeadClient;
using client::LinkStatus;
using transport::ConnectionStep;
using transport::StepPhase;
using transport::StepState;

namespace {

constexpr std::array<ConnectionStep, 8> kAllSteps = {
    ConnectionStep::name,  ConnectionStep::tcp,  ConnectionStep::host_key, ConnectionStep::login,
    ConnectionStep::shell, ConnectionStep::home, ConnectionStep::head,     ConnectionStep::version};
/// Of a way over a pipe.
constexpr std::array<ConnectionStep, 1> kLocalSteps = {ConnectionStep::version};

StepRow::Mark markOf(StepPhase phase) {
    switch (phase) {
    case StepPhase::running:
        return StepRow::Mark::running;
    case StepPhase::done:
        return StepRow::Mark::done;
    case StepPhase::failed:
        return StepRow::Mark::failed;
    }
    return StepRow::Mark::waiting;
}

} // namespace

ConnectionPresenter::ConnectionPresenter(HeadClient& head, const models::ConnectionTreeModel& tree,
                                         const base::Clock& clock, QObject* parent)
    : QObject(parent), m_head(head), m_tree(tree), m_clock(clock) {
    connect(&head, &HeadClient::statusChanged, this, &ConnectionPresenter::changed);
    connect(&head, &HeadClient::stepsChanged, this, &ConnectionPresenter::changed);
    connect(&head, &HeadClient::nameChanged, this, &ConnectionPresenter::changed);
    connect(&head, &HeadClient::promptAsked, this, &ConnectionPresenter::promptChanged);
    connect(&head, &HeadClient::promptWithdrawn, this, &ConnectionPresenter::promptChanged);
    connect(&tree, &models::ConnectionTreeModel::nodesChanged, this, &ConnectionPresenter::changed);
    if (head.secrets())
        connect(head.secrets(), &client::RememberedSecrets::changed, this, &ConnectionPresenter::changed);
    if (head.hostWork())
        m_work = std::make_unique<HostWorkPresenter>(head);
}

void ConnectionPresenter::setSaved(trialdeck::client::SavedConnection saved) {
    m_saved = std::move(saved);
    if (m_work)
        m_work->setSaved(*m_saved);
    emit changed();
}

QString ConnectionPresenter::stateText() const {
    const LinkStatus& status = m_head.status();
    if (m_head.prompt())
        return tr("Waits for your answer");
    QString text;
    switch (status.state) {
    case LinkStatus::State::connected:
        return tr("Connected");
    case LinkStatus::State::connecting:
        return tr("Connecting…");
    case LinkStatus::State::lost:
        //: %1 is a time of day
        text = tr("Unknown since %1").arg(text::shortTime(status.since, m_clock.wallNow()));
        break;
    case LinkStatus::State::ended:
        //: %1 is a time of day
        text = tr("Shut down, unknown since %1").arg(text::shortTime(status.since, m_clock.wallNow()));
        break;
    case LinkStatus::State::closed:
        return tr("Disconnected");
    case LinkStatus::State::failed:
        text = tr("Not connected");
        break;
    }
    if (status.isTrying)
        //: %1 is how a connection stands, such as "Not connected"
        return tr("%1, trying again…").arg(text);
    if (!status.nextTry)
        return text;
    const double seconds = std::chrono::duration<double>(*status.nextTry - m_clock.wallNow()).count();
    //: %1 is how a connection stands, %2 a time span such as "8 s"
    return tr("%1, next try in %2").arg(text, text::roughDuration(seconds));
}

QString ConnectionPresenter::staleText() const {
    const LinkStatus& status = m_head.status();
    const bool wasConnected = status.state == LinkStatus::State::lost ||
                              status.state == LinkStatus::State::ended ||
                              (status.state == LinkStatus::State::closed && m_head.hello());
    return wasConnected
               //: %1 is a time of day
               ? tr("As it was at %1. Trials go on meanwhile.")
                     .arg(text::shortTime(status.since, m_clock.wallNow()))
               : QString();
}

QString ConnectionPresenter::errorSentence() const {
    const auto& error = m_head.status().error;
    return error && isStale() ? text::errorSentence(*error) : QString();
}

QString ConnectionPresenter::address() const {
    if (!m_saved)
        return {};
    QString text = shown(m_saved->host);
    if (!m_saved->user.empty())
        text = shown(m_saved->user) + QLatin1Char('@') + text;
    if (m_saved->port)
        text += QLatin1Char(':') + QString::number(*m_saved->port);
    if (!m_saved->jump.empty())
        //: %1 is a host, %2 the host that the way goes through
        text = tr("%1 via %2").arg(text, shown(m_saved->jump));
    return text;
}

std::vector<StepRow> ConnectionPresenter::steps() const {
    const std::vector<StepState>& walked = m_head.steps();
    std::vector<StepRow> rows;
    const auto add = [&](ConnectionStep step) {
        StepRow row;
        row.step = step;
        row.name = stepName(step);
        const auto found = std::find_if(walked.begin(), walked.end(),
                                        [step](const StepState& each) { return each.step == step; });
        if (found != walked.end()) {
            row.mark = markOf(found->phase);
            row.time = stepTime(found->time);
            row.detail = shown(found->detail);
            if (step == ConnectionStep::login && found->ssh)
                row.detail +=
                    (row.detail.isEmpty() ? QString() : QStringLiteral(" · ")) + sshClientWords(*found->ssh);
            if (found->error)
                row.error = text::errorSentence(*found->error);
        } else if (std::any_of(walked.begin(), walked.end(),
                               [step](const StepState& each) { return each.step > step; })) {
            row.mark = StepRow::Mark::kept;
        }
        row.markWord = stepMarkWord(row.mark);
        rows.push_back(std::move(row));
    };
    if (isLocal())
        std::for_each(kLocalSteps.begin(), kLocalSteps.end(), add);
    else
        std::for_each(kAllSteps.begin(), kAllSteps.end(), add);
    return rows;
}

std::optional<UploadRow> ConnectionPresenter::upload() const {
    for (const StepState& step : m_head.steps()) {
        if (step.phase != StepPhase::running || step.totalBytes == 0)
            continue;
        //: Progress of an upload: %1 and %2 are sizes such as "3.1 MiB"
        return UploadRow{step.doneBytes, step.totalBytes,
                         tr("%1 of %2").arg(text::byteSize(step.doneBytes), text::byteSize(step.totalBytes))};
    }
    return std::nullopt;
}

std::vector<FactRow> ConnectionPresenter::facts() const {
    const auto& hello = m_head.hello();
    if (!hello)
        return {};
    //: What a head says of itself
    std::vector<FactRow> rows = {{tr("Version"), shown(hello->headVersion)},
                                 //: Which build of the head it is
                                 {tr("Build"), shown(hello->buildId)},
                                 //: The name of the machine that the head runs on
                                 {tr("Host"), shown(hello->host)},
                                 //: The folder in which the head keeps its own files
                                 {tr("Home"), shown(hello->home)},
                                 {tr("Log"), shown(hello->logPath)}};
    std::erase_if(rows, [](const FactRow& row) { return row.value.isEmpty(); });
    return rows;
}

std::vector<NodeRow> ConnectionPresenter::nodes() const {
    std::vector<NodeRow> rows;
    for (const protocol::NodeState& node : m_tree.nodesOf(m_head)) {
        NodeRow row;
        row.name = shown(node.name);
        row.cpus = QStringLiteral("%1/%2").arg(QString::number(node.cpusUsed, 'g', 4),
                                               QString::number(node.cpus, 'g', 4));
        row.memory = text::byteSize(node.memoryBytes);
        row.gpus = QString::number(node.gpus.size());
        rows.push_back(std::move(row));
    }
    return rows;
}

std::optional<PromptWords> ConnectionPresenter::prompt() const {
    const client::AskedPrompt* asked = m_head.prompt();
    return asked ? std::optional(promptWords(*asked, name())) : std::nullopt;
}

QString ConnectionPresenter::diagnostics() const {
    QStringList lines;
    const LinkStatus& status = m_head.status();
    lines << QStringLiteral("connection: %1").arg(name());
    if (m_saved) {
        lines << QStringLiteral("address: %1").arg(address());
        lines << QStringLiteral("transport: %1").arg(QString::fromUtf8(nameOf(m_saved->transport).data()));
        if (!m_saved->identityFile.empty())
            lines << QStringLiteral("key file: %1").arg(shown(m_saved->identityFile));
        if (!m_saved->remoteHome.empty())
            lines << QStringLiteral("home there: %1").arg(shown(m_saved->remoteHome));
        for (const auto& [what, value] :
             {std::pair("proxy", &m_saved->proxy), {"package index", &m_saved->packageIndex}})
            lines << QStringLiteral("%1: %2").arg(QLatin1String(what),
                                                  QLatin1String(value->empty() ? "none" : "set"));
    }
    lines << QStringLiteral("state: %1").arg(linkStateName(status.state));
    if (status.error)
        lines << QStringLiteral("error: %1").arg(text::errorDetails(*status.error));
    for (const StepState& step : m_head.steps()) {
        QString line = QStringLiteral("step %1: %2, %3 ms")
                           .arg(QString::fromUtf8(nameOf(step.step).data()),
                                QString::fromUtf8(nameOf(step.phase).data()))
                           .arg(step.time.count());
        if (!step.detail.empty())
            line += QStringLiteral(", %1").arg(shown(step.detail));
        if (step.step == ConnectionStep::login && step.ssh)
            line += QStringLiteral(", by %1 (%2)")
                        .arg(QString::fromUtf8(nameOf(step.ssh->client).data()),
                             QString::fromUtf8(nameOf(step.ssh->reason).data()));
        if (step.totalBytes > 0)
            line += QStringLiteral(", %1 of %2 bytes").arg(step.doneBytes).arg(step.totalBytes);
        if (step.error)
            line += QStringLiteral(", %1").arg(text::errorDetails(*step.error));
        lines << line;
    }
    if (const auto& hello = m_head.hello())
        lines << QStringLiteral("head: %1 (%2) on %3, home %4")
                     .arg(shown(hello->headVersion), shown(hello->buildId), shown(hello->host),
                          shown(hello->home));
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

void ConnectionPresenter::reconnect() {
    m_head.reconnect();
}

void ConnectionPresenter::testAgain() {
    if (canTest())
        m_head.testAgain();
}

void ConnectionPresenter::answer(QString& text, HeadClient::Remember remember) {
    const client::AskedPrompt* asked = m_head.prompt();
    if (asked) {
        QByteArray bytes = text.toUtf8();
        const bool isYes = asked->prompt.kind == transport::Prompt::Kind::host_key;
        m_head.answerPrompt(asked->number, isYes ? "yes" : bytes.toStdString(), remember);
        bytes.fill('\0');
    }
    text.fill(QChar(0));
    text.clear();
}

bool ConnectionPresenter::hasRememberedSecrets() const {
    return m_head.secrets() && m_head.secrets()->hasAny();
}

void ConnectionPresenter::forgetSecrets() {
    if (m_head.secrets())
        m_head.secrets()->forgetAll();
}

void ConnectionPresenter::cancel() {
    if (const client::AskedPrompt* asked = m_head.prompt())
        m_head.answerPrompt(asked->number, std::nullopt);
}

} // namespace trialdeck::app::presenters
