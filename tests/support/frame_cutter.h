// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/remote/remote_host.h"
#include "tests/support/fault_proxy.h"

#include <deque>

namespace trialdeck::tests {

/// A place in what goes one way between a client and its head, counted from the beginning of a channel.
struct FramePlace {
    FaultProxy::Direction direction = FaultProxy::Direction::toClient;
    /// So many frames arrive whole.
    uint64_t frames = 0;
    /// And so much of the next one's bytes, below 1; 0: the line breaks between two frames.
    double ofNext = 0;
};

/// A host whose line breaks at chosen places of the conversation with its head. Bytes that a proxy sees are
/// encrypted; here, between a transport and its SSH client, frames can still be told. At the place the proxy
/// cuts the real line, and nothing of the channel goes on.
class FrameCutter final : public transport::RemoteHost {
public:
    /// @param host   reached over the proxy
    /// @param proxy  outlives the host
    FrameCutter(std::unique_ptr<transport::RemoteHost> host, FaultProxy& proxy);

    /// Each of the next channels breaks at the place that comes next in the list.
    void cutAt(std::deque<FramePlace> places) { *m_places = std::move(places); }
    /// Places of channels that are still to begin.
    [[nodiscard]] size_t placesLeft() const { return m_places->size(); }
    /// Places at which the line broke.
    [[nodiscard]] int cuts() const { return *m_cuts; }
    /// Frames that have gone over the newest channel that way.
    [[nodiscard]] uint64_t frames(FaultProxy::Direction direction) const;

    [[nodiscard]] std::string destination() const override { return m_host->destination(); }
    [[nodiscard]] asio::awaitable<Expected<void>> open(transport::StepListener listener) override {
        return m_host->open(std::move(listener));
    }
    [[nodiscard]] bool isOpen() const override { return m_host->isOpen(); }
    [[nodiscard]] asio::awaitable<Expected<std::unique_ptr<transport::RemoteProgram>>>
    start(std::string commandLine) override;
    [[nodiscard]] asio::awaitable<Expected<std::unique_ptr<transport::RemoteStream>>>
    openTcp(std::string host, uint16_t port) override {
        return m_host->openTcp(std::move(host), port);
    }
    void close() override { m_host->close(); }

private:
    class Channel;
    class Program;
    std::unique_ptr<transport::RemoteHost> m_host;
    FaultProxy& m_proxy;
    std::shared_ptr<std::deque<FramePlace>> m_places = std::make_shared<std::deque<FramePlace>>();
    std::shared_ptr<int> m_cuts = std::make_shared<int>(0);
    std::weak_ptr<Channel> m_newest;
};

} // namespace trialdeck::tests
