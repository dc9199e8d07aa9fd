// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/connection_steps.h"
#include "core/transport/frame_channel.h"

#include <memory>
#include <string>

namespace trialdeck::transport {

/// A way to a head: pipe to one on this computer, the system's ssh, libssh2. Made by a composition root and
/// owned by the client that uses it, on whose event loop it works. Nothing above can tell near from far.
class Transport {
public:
    virtual ~Transport() = default;

    /// Where it leads, for logs: "this computer", "ssh gpu-head".
    [[nodiscard]] virtual std::string destination() const = 0;

    /// A new connection, ready for the first frame. May be called again after one has ended or failed.
    /// @return head_binary_missing, head_did_not_answer (argument printed), connection_refused,
    ///         connection_lost, timed_out.
    [[nodiscard]] virtual asio::awaitable<Expected<std::unique_ptr<FrameChannel>>> connect() = 0;

    /// Makes a connect() that is under way fail soon: nobody wants the connection any more.
    virtual void giveUp() = 0;

    /// Who hears of the steps of each connect(), from the first on. One listener; an empty one for none.
    virtual void setStepListener(const StepListener&) {}
};

} // namespace trialdeck::transport
