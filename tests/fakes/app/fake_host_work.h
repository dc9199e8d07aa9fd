// SPDX-License-Identifier: Apache-2.0
// Work on a host that is not there: remembers what was asked, and is told what came of it.
#pragma once

#include "app/client/host_work.h"

#include <string>
#include <vector>

namespace trialdeck::fakes {

class FakeHostWork final : public app::client::HostWork {
    Q_OBJECT

public:
    void cancelCommand() override { m_asked.emplace_back("cancel command"); }
    void cancelSync() override { m_asked.emplace_back("cancel sync"); }

    using HostWork::takeCommandEnd;
    using HostWork::takeForward;
    using HostWork::takeNextSyncPass;
    using HostWork::takeSyncEnd;
    using HostWork::takeSyncPass;
    using HostWork::takeSyncProgress;

    /// As if the host had answered.
    void open(int number, uint16_t localPort, const std::string& address);
    void fail(int number, Error error);

    /// "forward 1 localhost:8080 at 9000", "sync up /here there": one line each.
    [[nodiscard]] const std::vector<std::string>& asked() const { return m_asked; }

protected:
    void beginForward(int number, const app::client::ForwardWish& wish) override;
    void endForward(int number) override;
    void beginCommand(const std::string& line) override;
    void beginSync(const transport::SyncRequest& request, app::client::SyncStatus::Repeat repeat) override;

private:
    [[nodiscard]] app::client::ForwardStatus statusOf(int number) const;

    std::vector<std::string> m_asked;
};

} // namespace trialdeck::fakes
