// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/client/host_work.h"

#include <functional>
#include <memory>

namespace asio {
class io_context;
}

namespace trialdeck::app::client {

/// What is done on a host is done with.
struct HostMeans {
    /// Logged in by the transport that shares it.
    std::shared_ptr<transport::RemoteHost> host;
    /// As the user named it, for errors.
    std::string hostName;
    transport::SyncMeans sync;
    base::FileSystem* files = nullptr;
    const base::Clock* clock = nullptr;
};

/// Works on the loop of the host's client, tells on the window's thread. The loop's thread has ended before
/// this goes.
class LiveHostWork final : public HostWork {
    Q_OBJECT

public:
    /// @param loop  outlives this
    LiveHostWork(asio::io_context& loop, HostMeans means, QObject* parent = nullptr);
    ~LiveHostWork() override;

    /// Ends everything that is under way. On the loop's thread.
    void endAll();

    void cancelCommand() override;
    void cancelSync() override;

protected:
    void beginForward(int number, const ForwardWish& wish) override;
    void endForward(int number) override;
    void beginCommand(const std::string& line) override;
    void beginSync(const transport::SyncRequest& request, SyncStatus::Repeat repeat) override;

private:
    class Jobs;
    template<typename Deed>
    void onLoop(Deed deed);

    asio::io_context& m_loop;
    std::shared_ptr<Jobs> m_jobs;
};

} // namespace trialdeck::app::client
