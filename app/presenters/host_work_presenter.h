// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/client/head_client.h"
#include "app/models/log_text.h"
#include "core/client/saved_connections.h"

#include <QString>
#include <QStringList>
#include <QTimer>

#include <optional>
#include <vector>

namespace trialdeck::app::presenters {

/// One forwarded port, as its line says it.
struct ForwardRow {
    int number = 0;
    client::ForwardStatus::State state = client::ForwardStatus::State::opening;
    /// "TensorBoard", "localhost:8080".
    QString what;
    /// "127.0.0.1:6006"; empty where it is not open.
    QString here;
    /// "2 connections · 3.1 MiB received", "opening…".
    QString note;
    /// Why it, or its last connection, failed.
    QString error;
};

/// A sync while somebody sets it up.
struct SyncDraft {
    transport::SyncDirection direction = transport::SyncDirection::up;
    QString local;
    QString remote;
    /// Patterns, separated by spaces; quotes hold one with spaces together.
    QString exclude;
    bool removeExtra = false;
    bool dryRun = false;
    /// Upwards: each change here is copied, as long as the window is open.
    bool keepsSynced = false;

    /// A sentence about what is missing or wrong; empty where nothing is.
    [[nodiscard]] QString problem() const;
    /// Of a draft without a problem.
    [[nodiscard]] transport::SyncRequest request() const;
};

/// How the sync that was started last goes.
struct SyncWords {
    /// "Copying… 12 of 240 files", "Copied 12 files (3.1 MiB), 228 unchanged".
    QString sentence;
    /// What it works on now.
    QString current;
    bool isRunning = false;
    /// Waits for the next change; can be given up like one that runs.
    bool isWatching = false;
    bool isBad = false;
    /// 0 to 1; missing while nobody knows.
    std::optional<double> progress;
    /// What was, or would be, done and what failed: one line each.
    QStringList details;
};

/// Everything but the head on a connection's page: ports, a command, folders. Owned by the connection's
/// presenter.
class HostWorkPresenter : public QObject {
    Q_OBJECT

public:
    /// @param head  has host work; outlives this
    explicit HostWorkPresenter(client::HeadClient& head, QObject* parent = nullptr);

    /// Nothing can be begun without a connection; what is open stays.
    [[nodiscard]] bool canWork() const;

    [[nodiscard]] std::vector<ForwardRow> forwards() const;
    /// Of an open one, for the browser; holds Jupyter's token.
    [[nodiscard]] QString address(int number) const;
    /// @param text  "8080", "db:5432", or with the port here in front "9000:db:5432"
    /// @return nothing where it cannot be read
    [[nodiscard]] static std::optional<client::ForwardWish> forwardFrom(const QString& text);

    [[nodiscard]] bool isCommandRunning() const;
    /// The last lines, as a terminal would show them.
    [[nodiscard]] QString commandOutput() const;
    /// "Exit code 0", "Running…"; empty before the first command.
    [[nodiscard]] QString commandNote() const;
    [[nodiscard]] bool hasCommandFailed() const;
    /// Commands of this session, the newest last.
    [[nodiscard]] const QStringList& commandHistory() const { return m_history; }

    /// A draft for that direction, with the folders that were used last.
    [[nodiscard]] SyncDraft syncDraft(transport::SyncDirection direction) const;
    [[nodiscard]] SyncWords sync() const;
    /// "~/project → ~/project"; empty where nothing was synced yet.
    [[nodiscard]] QString lastSync() const;

    /// What the connection remembers of ports and folders.
    void setSaved(const trialdeck::client::SavedConnection& saved);
    void retranslate();

public slots:
    void open(const trialdeck::app::client::ForwardWish& wish);
    void close(int number);
    void runCommand(const QString& line);
    void cancelCommand();
    void startSync(const trialdeck::app::presenters::SyncDraft& draft);
    /// With the folders, direction and excludes of the last one.
    void syncAgain();
    void cancelSync();

signals:
    void forwardsChanged();
    /// A browser is to be sent there.
    void addressReady(const QString& address);
    /// What was to be started for the browser was not.
    void serviceFailed(const trialdeck::Error& error);
    void commandChanged();
    void syncChanged();
    /// The connection came or went.
    void canWorkChanged();
    /// To be kept with the connection.
    void forwardsToKeep(const trialdeck::Array& forwards);
    void syncToKeep(const trialdeck::client::SyncedFolders& folders);

private:
    void takeStatus(const client::LinkStatus& status);
    void keepForwards();
    void restartSync();

    client::HeadClient& m_head;
    client::HostWork& m_work;
    bool m_couldWork = false;
    /// Remembered ones are opened with the first connection.
    bool m_isRestored = false;
    Array m_savedForwards;
    std::optional<trialdeck::client::SyncedFolders> m_lastFolders;
    std::optional<SyncDraft> m_lastDraft;
    /// The line was lost while a folder was kept synced.
    bool m_restartsSync = false;
    models::LogText m_output;
    /// Output that comes fast is shown in steps.
    QTimer m_outputTimer;
    QStringList m_history;
};

} // namespace trialdeck::app::presenters
