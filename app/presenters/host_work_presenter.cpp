// SPDX-License-Identifier: Apache-2.0
#include "app/presenters/host_work_presenter.h"

#include "app/presenters/connection_words.h"
#include "app/text/durations.h"
#include "app/text/error_sentences.h"

#include <QDir>
#include <QProcess>

#include <algorithm>

namespace trialdeck::app::presenters {

using client::CommandStatus;
using client::ForwardStatus;
using client::ForwardWish;
using client::LinkStatus;
using client::SyncStatus;
using transport::SyncDirection;

namespace {

constexpr size_t kShownLines = 2'000;
constexpr std::chrono::milliseconds kOutputPause{100};
constexpr std::chrono::milliseconds kRestartPause{1'000};
/// Of what a sync did; the rest is counted.
constexpr size_t kShownChanges = 500;
constexpr qsizetype kKeptCommands = 100;

std::optional<uint16_t> portFrom(const QString& text) {
    bool isNumber = false;
    const uint number = text.toUInt(&isNumber);
    if (!isNumber || number == 0 || number > UINT16_MAX)
        return std::nullopt;
    return static_cast<uint16_t>(number);
}

/// As forwardFrom() reads it; the port here in front, so that it is the same one next time.
std::string textOf(const ForwardStatus& forward) {
    const ForwardWish& wish = forward.wish;
    const uint16_t here = forward.localPort != 0 ? forward.localPort : wish.localPort;
    std::string text = wish.host + ":" + std::to_string(wish.port);
    return here == 0 ? text : std::to_string(here) + ":" + text;
}

QString nameOf(const ForwardWish& wish) {
    switch (wish.what) {
    case ForwardWish::What::tensorboard:
        return QStringLiteral("TensorBoard");
    case ForwardWish::What::jupyter:
        return QStringLiteral("Jupyter");
    case ForwardWish::What::ray_dashboard:
        return QStringLiteral("Ray");
    case ForwardWish::What::port:
        break;
    }
    return QStringLiteral("%1:%2").arg(shown(wish.host)).arg(wish.port);
}

QString describe(const transport::SyncReport& report, bool isDry) {
    QStringList parts;
    const int copied = static_cast<int>(report.copied);
    const QString size = text::byteSize(report.bytes);
    //: Outcome of a sync; %1 is a size such as "3.1 MiB"
    parts << (isDry ? HostWorkPresenter::tr("Would copy %n file(s) (%1)", nullptr, copied)
                    //: Outcome of a sync; %1 is a size such as "3.1 MiB"
                    : HostWorkPresenter::tr("Copied %n file(s) (%1)", nullptr, copied))
                 .arg(size);
    //: Part of a sync's outcome: so many files were alike already
    parts << HostWorkPresenter::tr("%n unchanged", nullptr, static_cast<int>(report.unchanged));
    if (report.removed > 0)
        //: Part of a sync's outcome: so many files would be, or were, removed
        parts << (isDry ? HostWorkPresenter::tr("%n to be removed", nullptr, static_cast<int>(report.removed))
                        //: Part of a sync's outcome
                        : HostWorkPresenter::tr("%n removed", nullptr, static_cast<int>(report.removed)));
    if (report.failed > 0)
        //: Part of a sync's outcome: so many files could not be copied
        parts << HostWorkPresenter::tr("%n failed", nullptr, static_cast<int>(report.failed));
    //: Joins the parts of a sync's outcome
    return parts.join(HostWorkPresenter::tr(", "));
}

QStringList detailsOf(const transport::SyncReport& report) {
    QStringList lines;
    for (const transport::SyncFailure& failure : report.failures)
        lines << QStringLiteral("✗ %1  %2").arg(shown(failure.name), shown(failure.reason));
    for (const transport::SyncChange& change : report.changes) {
        if (static_cast<size_t>(lines.size()) >= kShownChanges) {
            lines << QStringLiteral("…");
            break;
        }
        const bool isRemoval = change.kind == transport::SyncChange::Kind::removed;
        lines << QStringLiteral("%1 %2").arg(isRemoval ? QStringLiteral("−") : QStringLiteral("+"),
                                             shown(change.name));
    }
    return lines;
}

} // namespace

QString SyncDraft::problem() const {
    if (local.trimmed().isEmpty())
        return HostWorkPresenter::tr("Which folder on this computer?");
    if (!QDir::isAbsolutePath(local.trimmed()) && !local.trimmed().startsWith(QLatin1Char('~')))
        return HostWorkPresenter::tr("Write the folder on this computer from / or ~ on.");
    if (remote.trimmed().isEmpty())
        return HostWorkPresenter::tr("Which folder on the host?");
    return {};
}

transport::SyncRequest SyncDraft::request() const {
    transport::SyncRequest request;
    QString here = local.trimmed();
    if (here == QLatin1String("~") || here.startsWith(QLatin1String("~/")))
        here = QDir::homePath() + here.mid(1);
    request.local = here.toStdString();
    request.remote = remote.trimmed().toStdString();
    request.direction = direction;
    for (const QString& pattern : QProcess::splitCommand(exclude))
        request.exclude.push_back(pattern.toStdString());
    request.removeExtra = removeExtra;
    request.dryRun = dryRun;
    return request;
}

HostWorkPresenter::HostWorkPresenter(client::HeadClient& head, QObject* parent)
    : QObject(parent), m_head(head), m_work(*head.hostWork()) {
    m_outputTimer.setSingleShot(true);
    m_outputTimer.setInterval(kOutputPause);
    connect(&m_outputTimer, &QTimer::timeout, this, &HostWorkPresenter::commandChanged);
    connect(&head, &client::HeadClient::statusChanged, this, &HostWorkPresenter::takeStatus);
    connect(&m_work, &client::HostWork::forwardsChanged, this, &HostWorkPresenter::forwardsChanged);
    connect(&m_work, &client::HostWork::forwardOpened, this, [this](int number) {
        keepForwards();
        for (const ForwardStatus& forward : m_work.forwards()) {
            // A port may be no page at all.
            if (forward.number == number && forward.wish.what != ForwardWish::What::port)
                emit addressReady(QString::fromStdString(forward.address));
        }
    });
    connect(&m_work, &client::HostWork::forwardFailed, this, [this](int number) {
        for (const ForwardStatus& forward : std::vector(m_work.forwards())) {
            if (forward.number == number && forward.wish.what == ForwardWish::What::tensorboard &&
                forward.error)
                emit serviceFailed(*forward.error);
        }
    });
    connect(&m_work, &client::HostWork::commandChanged, this, &HostWorkPresenter::commandChanged);
    connect(&m_work, &client::HostWork::commandPrinted, this, [this](const QByteArray& bytes) {
        m_output.append(m_output.end(), {bytes.constData(), static_cast<size_t>(bytes.size())});
        if (!m_outputTimer.isActive())
            m_outputTimer.start();
    });
    connect(&m_work, &client::HostWork::syncChanged, this, [this] {
        const SyncStatus& status = m_work.sync();
        m_restartsSync = status.state == SyncStatus::State::ended &&
                         status.repeat == SyncStatus::Repeat::on_change && status.error &&
                         status.error->code == ErrorCode::connection_lost;
        emit syncChanged();
        // The loss may be told after the line is back, and before the connection is known to be lost.
        if (m_restartsSync)
            QTimer::singleShot(kRestartPause, this, &HostWorkPresenter::restartSync);
    });
}

bool HostWorkPresenter::canWork() const {
    return m_head.status().state == LinkStatus::State::connected;
}

void HostWorkPresenter::takeStatus(const LinkStatus&) {
    if (canWork() && !std::exchange(m_isRestored, true)) {
        for (const Value& saved : Array(m_savedForwards)) {
            const std::string* text = saved.asString();
            if (const auto wish = text ? forwardFrom(QString::fromStdString(*text)) : std::nullopt)
                m_work.openForward(*wish);
        }
    }
    if (std::exchange(m_couldWork, canWork()) != canWork())
        emit canWorkChanged();
    restartSync();
}

void HostWorkPresenter::restartSync() {
    if (canWork() && std::exchange(m_restartsSync, false))
        m_work.startSync(transport::SyncRequest(m_work.sync().request), SyncStatus::Repeat::on_change);
}

std::vector<ForwardRow> HostWorkPresenter::forwards() const {
    std::vector<ForwardRow> rows;
    for (const ForwardStatus& forward : m_work.forwards()) {
        ForwardRow row;
        row.number = forward.number;
        row.state = forward.state;
        row.what = nameOf(forward.wish);
        if (forward.error)
            row.error = text::errorSentence(*forward.error);
        if (forward.state == ForwardStatus::State::opening)
            //: A port is about to be forwarded, a program on the host to be started
            row.note = tr("opening…");
        if (forward.state == ForwardStatus::State::open) {
            row.here = QStringLiteral("127.0.0.1:%1").arg(forward.localPort);
            //: Of a forwarded port; %1 is a size such as "3.1 MiB"
            row.note = tr("%n connection(s) · %1", nullptr, static_cast<int>(forward.traffic.openConnections))
                           .arg(text::byteSize(forward.traffic.receivedBytes + forward.traffic.sentBytes));
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

QString HostWorkPresenter::address(int number) const {
    for (const ForwardStatus& forward : m_work.forwards()) {
        if (forward.number == number)
            return QString::fromStdString(forward.address);
    }
    return {};
}

std::optional<ForwardWish> HostWorkPresenter::forwardFrom(const QString& text) {
    QStringList parts = text.trimmed().split(QLatin1Char(':'));
    ForwardWish wish;
    const auto port = portFrom(parts.takeLast());
    if (!port)
        return std::nullopt;
    wish.port = *port;
    if (!parts.isEmpty()) {
        // "9000:8080" has no host between its two ports.
        const bool isPortHere = parts.size() == 1 && portFrom(parts.last());
        if (const QString host = isPortHere ? QString() : parts.takeLast(); !host.isEmpty())
            wish.host = host.toStdString();
    }
    if (!parts.isEmpty()) {
        const auto here = portFrom(parts.takeLast());
        if (!here || !parts.isEmpty())
            return std::nullopt;
        wish.localPort = *here;
    }
    const bool hasSpace = std::any_of(wish.host.begin(), wish.host.end(), [](char c) {
        return static_cast<unsigned char>(c) <= ' ' || c == '/' || c == '@';
    });
    return hasSpace ? std::nullopt : std::optional(wish);
}

void HostWorkPresenter::open(const ForwardWish& wish) {
    m_work.openForward(wish);
}

void HostWorkPresenter::close(int number) {
    m_work.closeForward(number);
    keepForwards();
}

void HostWorkPresenter::keepForwards() {
    // Those that a person opened by number; a service is started where somebody wants to see it.
    Array kept;
    for (const ForwardStatus& forward : m_work.forwards()) {
        if (forward.wish.what == ForwardWish::What::port)
            kept.emplace_back(textOf(forward));
    }
    if (kept == m_savedForwards)
        return;
    m_savedForwards = kept;
    emit forwardsToKeep(kept);
}

bool HostWorkPresenter::isCommandRunning() const {
    return m_work.command().state == CommandStatus::State::running;
}

QString HostWorkPresenter::commandOutput() const {
    const size_t lines = m_output.lineCount();
    QStringList text;
    for (size_t line = lines > kShownLines ? lines - kShownLines : 0; line < lines; ++line) {
        if (const auto kept = m_output.line(line))
            text << QString::fromStdString(models::plainLogText(*kept));
    }
    return text.join(QLatin1Char('\n'));
}

QString HostWorkPresenter::commandNote() const {
    const CommandStatus& command = m_work.command();
    if (command.state == CommandStatus::State::running)
        //: A command on the host
        return tr("Running…");
    if (command.error)
        return text::errorSentence(*command.error);
    if (command.exitCode)
        //: Of a command that has ended
        return tr("Exit code %1").arg(*command.exitCode);
    return {};
}

bool HostWorkPresenter::hasCommandFailed() const {
    const CommandStatus& command = m_work.command();
    return command.error || command.exitCode.value_or(0) != 0;
}

void HostWorkPresenter::runCommand(const QString& line) {
    if (line.trimmed().isEmpty() || isCommandRunning())
        return;
    m_history.removeAll(line);
    m_history << line;
    if (m_history.size() > kKeptCommands)
        m_history.removeFirst();
    m_output.clear();
    m_work.runCommand(line.toStdString());
}

void HostWorkPresenter::cancelCommand() {
    m_work.cancelCommand();
}

SyncDraft HostWorkPresenter::syncDraft(SyncDirection direction) const {
    SyncDraft draft;
    if (m_lastDraft)
        draft = *m_lastDraft;
    else {
        QStringList customary;
        for (const std::string_view pattern : transport::customaryExcludes())
            customary << QString::fromUtf8(pattern.data(), static_cast<qsizetype>(pattern.size()));
        draft.exclude = customary.join(QLatin1Char(' '));
        if (m_lastFolders) {
            draft.local = QString::fromStdString(m_lastFolders->local);
            draft.remote = QString::fromStdString(m_lastFolders->remote);
        }
    }
    // To be meant each time anew.
    draft.removeExtra = false;
    draft.dryRun = false;
    draft.direction = direction;
    return draft;
}

void HostWorkPresenter::startSync(const SyncDraft& draft) {
    if (m_work.isSyncing())
        return;
    m_lastDraft = draft;
    const trialdeck::client::SyncedFolders folders{draft.local.trimmed().toStdString(),
                                                   draft.remote.trimmed().toStdString()};
    if (m_lastFolders != folders) {
        m_lastFolders = folders;
        emit syncToKeep(folders);
    }
    const bool isKept = draft.keepsSynced && draft.direction == SyncDirection::up && !draft.dryRun;
    m_work.startSync(draft.request(), isKept ? SyncStatus::Repeat::on_change : SyncStatus::Repeat::once);
}

void HostWorkPresenter::syncAgain() {
    const auto direction = m_lastDraft ? m_lastDraft->direction : SyncDirection::up;
    const SyncDraft draft = syncDraft(direction);
    if (draft.problem().isEmpty())
        startSync(draft);
}

void HostWorkPresenter::cancelSync() {
    m_restartsSync = false;
    m_work.cancelSync();
}

QString HostWorkPresenter::lastSync() const {
    if (!m_lastFolders)
        return {};
    const bool isUp = !m_lastDraft || m_lastDraft->direction == SyncDirection::up;
    //: Two folders of a sync: %1 is copied to %2
    return tr("%1 → %2").arg(shown(isUp ? m_lastFolders->local : m_lastFolders->remote),
                             shown(isUp ? m_lastFolders->remote : m_lastFolders->local));
}

SyncWords HostWorkPresenter::sync() const {
    const SyncStatus& status = m_work.sync();
    SyncWords words;
    if (status.state == SyncStatus::State::running) {
        const transport::SyncProgress& progress = status.progress;
        words.isRunning = true;
        words.current = shown(progress.current);
        if (progress.totalFiles > 0) {
            words.progress =
                static_cast<double>(progress.doneFiles) / static_cast<double>(progress.totalFiles);
            //: Progress of a sync; %1 of %2 files, %3 is a size such as "3.1 MiB"
            words.sentence =
                tr("Copying… %1 of %2 files, %3")
                    .arg(QString::number(progress.doneFiles), QString::number(progress.totalFiles),
                         text::byteSize(progress.doneBytes));
        } else {
            //: A sync finds out what differs
            words.sentence = tr("Comparing the folders…");
        }
        if (progress.totalBytes && *progress.totalBytes > 0)
            words.progress =
                static_cast<double>(progress.doneBytes) / static_cast<double>(*progress.totalBytes);
    } else if (status.error) {
        words.sentence = text::errorSentence(*status.error);
        words.isBad = status.error->code != ErrorCode::cancelled;
    } else if (status.report) {
        words.sentence = describe(*status.report, status.request.dryRun);
        words.isBad = status.report->failed > 0;
        words.isWatching = status.state == SyncStatus::State::watching;
        if (words.isWatching)
            //: A folder is kept synced; %1 is what was done last, such as "Copied 2 files (3 KiB), 5
            //: unchanged"
            words.sentence = tr("%1. Waiting for the next change…").arg(words.sentence);
        words.details = detailsOf(*status.report);
    }
    return words;
}

void HostWorkPresenter::setSaved(const trialdeck::client::SavedConnection& saved) {
    m_savedForwards = saved.forwards;
    m_lastFolders = saved.lastSync;
    emit syncChanged();
}

void HostWorkPresenter::retranslate() {
    emit forwardsChanged();
    emit commandChanged();
    emit syncChanged();
}

} // namespace trialdeck::app::presenters
