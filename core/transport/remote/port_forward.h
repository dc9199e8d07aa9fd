// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/remote/remote_host.h"

#include <asio/any_io_executor.hpp>
#include <functional>

namespace trialdeck::transport {

/// The customary ports of what is opened most.
inline constexpr uint16_t kTensorBoardPort = 6006;
inline constexpr uint16_t kJupyterPort = 8888;
inline constexpr uint16_t kRayDashboardPort = 8265;

/// Which port of a host is brought here.
struct ForwardOrder {
    /// As the host names it.
    std::string host = "localhost";
    uint16_t port = 0;
    /// The port here; 0: any free one.
    uint16_t localPort = 0;
    enum class IfTaken { choose_another, fail };
    IfTaken ifTaken = IfTaken::choose_another;
};

/// How it goes with a forward.
struct ForwardState {
    size_t openConnections = 0;
    uint64_t allConnections = 0;
    /// From the host to here, and the other way.
    uint64_t receivedBytes = 0;
    uint64_t sentBytes = 0;
    /// Why the last connection that failed did; nothing once one has come about again.
    std::optional<Error> error;
};

/// A port of a host, brought to 127.0.0.1 of this computer: each connection to it becomes one over the login.
/// Stays where it is when the line is lost; connections fail until the host is open again, which is for its
/// transport to see to. Owned by whoever opened it, on the host's loop; ends with its connections when
/// destroyed. Programs of other users of this computer can connect too, as with every loopback port.
class PortForward {
public:
    /// So many connections at once; more wait.
    static constexpr size_t kMostConnections = 256;

    /// @param onChange  after each change of the state, from the loop; may be empty
    /// @return port_taken
    [[nodiscard]] static Expected<std::unique_ptr<PortForward>> listen(const asio::any_io_executor& executor,
                                                                       std::shared_ptr<RemoteHost> host,
                                                                       ForwardOrder order,
                                                                       std::function<void()> onChange = {});
    ~PortForward();
    PortForward(const PortForward&) = delete;
    PortForward& operator=(const PortForward&) = delete;

    [[nodiscard]] uint16_t localPort() const;
    /// For a browser: "http://127.0.0.1:6006" and what follows it.
    /// @param path  "/lab?token=…"
    [[nodiscard]] std::string address(std::string_view path = "/") const;
    [[nodiscard]] const ForwardState& state() const;

private:
    class Listener;
    explicit PortForward(std::shared_ptr<Listener> listener);
    std::shared_ptr<Listener> m_listener;
};

} // namespace trialdeck::transport
