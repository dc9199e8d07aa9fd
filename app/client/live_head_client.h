// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/client/head_client.h"
#include "app/client/live_host_work.h"
#include "core/base/log.h"
#include "core/client/client.h"

#include <memory>

namespace trialdeck::transport {
class Transport;
}

namespace trialdeck::app::client {

/// A real head: core's client on a loop and thread of its own, what it says as signals on the window's
/// thread. Records are read from their lines over there, so that the window only takes them in.
class LiveHeadClient final : public HeadClient {
    Q_OBJECT

public:
    /// How a head is reached, and the host for what is done there besides; none for this computer.
    struct Way {
        std::unique_ptr<transport::Transport> transport;
        std::optional<HostMeans> host;
    };
    /// Called once, from the constructor. What it makes is used on the client's loop, and asks there through
    /// the prompts, which outlive it.
    using MakeWay = std::function<Way(transport::Prompts&)>;

    /// @param clock, log  outlive the client and are callable from every thread
    LiveHeadClient(QString name, const MakeWay& makeWay, trialdeck::client::ClientOptions options,
                   const base::Clock& clock, base::Log& log, QObject* parent = nullptr);
    ~LiveHeadClient() override;

    [[nodiscard]] HostWork* hostWork() const override;
    void start() override;
    void reconnect() override;
    void testAgain() override;
    void hangUp() override;
    void subscribeRecords(const ExperimentId& experiment) override;
    void unsubscribeRecords(const ExperimentId& experiment) override;
    void subscribeLog(const protocol::LogAddress& address, uint64_t offset) override;
    void unsubscribeLog(const protocol::LogAddress& address) override;

protected:
    void send(AnyRequest request, AnyAnswer answer) override;
    void sendAnswer(int number, std::optional<std::string> answer) override;

private:
    class Worker;
    void takeState(const trialdeck::client::ConnectionState& state);

    const base::Clock& m_clock;
    bool m_isClosed = false;
    std::unique_ptr<Worker> m_worker;
};

} // namespace trialdeck::app::client
