// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/transport/remote/port_forward.h"
#include "core/transport/sync/folder_sync.h"

#include <QByteArray>
#include <QObject>

#include <optional>
#include <string>
#include <vector>

namespace trialdeck::app::client {

/// What somebody wants to see of a host in a browser here.
struct ForwardWish {
    enum class What {
        /// A port on which something listens already.
        port,
        /// Started there for a folder, on a port of its own choice.
        tensorboard,
        jupyter,
        /// Ray's own page on its customary port.
        ray_dashboard,
    };
    What what = What::port;
    /// Of a port or Ray: as the host names the machine that has it, itself or another one that it reaches.
    std::string host = "localhost";
    uint16_t port = 0;
    /// The port here that is tried first; 0: the customary one.
    uint16_t localPort = 0;
    /// TensorBoard: what it shows. Jupyter: where it begins; empty: the home.
    std::string folder;

    friend bool operator==(const ForwardWish&, const ForwardWish&) = default;
};

/// A port that is brought here, or is about to be.
struct ForwardStatus {
    enum class State { opening, open, failed };
    int number = 0;
    ForwardWish wish;
    State state = State::opening;
    uint16_t localPort = 0;
    /// For the browser. Jupyter's holds its token: into no log and no file.
    std::string address;
    transport::ForwardState traffic;
    /// Why it failed; of an open one, why its last connection did.
    std::optional<Error> error;
};

/// The command that runs on the host, or ran there last.
struct CommandStatus {
    enum class State { none, running, ended };
    State state = State::none;
    std::string line;
    /// Its own, or 128 and a signal's number.
    std::optional<int> exitCode;
    std::optional<Error> error;
};

/// The sync that is under way, or was last.
struct SyncStatus {
    /// Until it is cancelled or fails, upwards only.
    enum class Repeat { once, on_change };
    enum class State {
        none,
        running,
        /// All is alike; the next change here begins another pass.
        watching,
        ended,
    };
    State state = State::none;
    transport::SyncRequest request;
    Repeat repeat = Repeat::once;
    transport::SyncProgress progress;
    std::optional<transport::SyncReport> report;
    std::optional<Error> error;
};

/// What is done on a host besides its head, over the same login: ports, a command, folders. One command and
/// one sync at a time. Lives on the window's thread; what works behind it does not. Owned by the host's
/// HeadClient.
class HostWork : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// In the order in which they were opened; those that failed stay until they are closed.
    [[nodiscard]] const std::vector<ForwardStatus>& forwards() const { return m_forwards; }
    /// @return the forward's number
    int openForward(ForwardWish wish);
    void closeForward(int number);

    [[nodiscard]] const CommandStatus& command() const { return m_command; }
    /// In the user's login shell there. Nothing while another one runs.
    void runCommand(const std::string& line);
    virtual void cancelCommand() = 0;

    [[nodiscard]] const SyncStatus& sync() const { return m_sync; }
    /// Nothing while another one is under way.
    void startSync(const transport::SyncRequest& request,
                   SyncStatus::Repeat repeat = SyncStatus::Repeat::once);
    [[nodiscard]] bool isSyncing() const {
        return m_sync.state == SyncStatus::State::running || m_sync.state == SyncStatus::State::watching;
    }
    virtual void cancelSync() = 0;

signals:
    void forwardsChanged();
    /// Once for each that somebody wanted to see: a browser may be sent there.
    void forwardOpened(int number);
    /// It was being opened.
    void forwardFailed(int number);
    void commandChanged();
    /// Both of its streams as they came.
    void commandPrinted(const QByteArray& bytes);
    void syncChanged();

protected:
    virtual void beginForward(int number, const ForwardWish& wish) = 0;
    virtual void endForward(int number) = 0;
    virtual void beginCommand(const std::string& line) = 0;
    virtual void beginSync(const transport::SyncRequest& request, SyncStatus::Repeat repeat) = 0;

    /// Passed over where the forward was closed meanwhile.
    void takeForward(ForwardStatus status);
    void takeCommandEnd(Expected<int> end);
    void takeSyncProgress(transport::SyncProgress progress);
    /// One of several passes is done, and what came next.
    void takeSyncPass(transport::SyncReport report);
    void takeNextSyncPass();
    void takeSyncEnd(Expected<transport::SyncReport> end);

private:
    std::vector<ForwardStatus> m_forwards;
    int m_numbers = 0;
    CommandStatus m_command;
    SyncStatus m_sync;
};

} // namespace trialdeck::app::client
