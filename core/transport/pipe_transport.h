// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/process.h"
#include "core/transport/transport.h"

#include <chrono>
#include <vector>

namespace trialdeck::transport {

class SocketChannel;

struct PipeOptions {
    /// trialdeck-head's file.
    base::Path program;
    /// Complete: TRIALDECK_HOME in it decides which daemon is meant.
    base::Environment environment;
    /// From the start of the program to its marker: it may have to start the daemon first, and says within 20
    /// s why that failed.
    std::chrono::milliseconds startTimeout{25'000};
};

/// A head on this computer: runs `trialdeck-head attach --nonce <nonce> --here`, which relays between its
/// standard streams and the daemon.
class PipeTransport final : public Transport {
public:
    explicit PipeTransport(PipeOptions options) : m_options(std::move(options)) {}

    [[nodiscard]] std::string destination() const override { return "this computer"; }
    [[nodiscard]] asio::awaitable<Expected<std::unique_ptr<FrameChannel>>> connect() override;
    void giveUp() override;

private:
    PipeOptions m_options;
    /// Wait for the marker; owned by the connect() that put them here.
    std::vector<SocketChannel*> m_waiting;
};

} // namespace trialdeck::transport
