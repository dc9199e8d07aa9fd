// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/remote/port_forward.h"
#include "core/transport/remote/remote_command.h"

namespace trialdeck::transport {

/// Programs that show themselves in a browser.
enum class ServiceKind { tensorboard, jupyter };

/// "TensorBoard", "Jupyter".
[[nodiscard]] std::string_view nameOf(ServiceKind kind);

struct ServiceOrder {
    ServiceKind kind = ServiceKind::tensorboard;
    /// As the user named the host, for errors.
    std::string hostName;
    /// TensorBoard: what it shows, an experiment's folder as the head names it. Jupyter: where it begins;
    /// empty: the home.
    std::string folder;
    /// To the line in which it says where it listens; both load slowly from network folders.
    std::chrono::milliseconds startTimeout{90'000};
};

/// Where a service said that it listens.
struct ServiceAddress {
    uint16_t port = 0;
    /// "http" or "https".
    std::string scheme = "http";
    /// From the first slash on; Jupyter's holds its token, which belongs into no log and no file.
    std::string path = "/";

    friend bool operator==(const ServiceAddress&, const ServiceAddress&) = default;
};

/// Reads one line of a service's output: "TensorBoard 2.11.0 at http://localhost:39265/ (Press CTRL+C …)",
/// "    http://localhost:8889/lab?token=…".
[[nodiscard]] std::optional<ServiceAddress> serviceAddressIn(std::string_view line, ServiceKind kind);

/// The same text without the values of tokens.
[[nodiscard]] std::string withoutTokens(std::string_view text);

/// TensorBoard or Jupyter, started on a host for this user and listening on its loopback alone. Ends with the
/// connection and when destroyed. Owned by whoever opened it, on the host's loop. What it prints after its
/// start is read and kept nowhere.
class RemoteService {
public:
    /// @param onEnd  when it ends by itself or with the line, from the loop; not after the destructor
    /// @return tensorboard_missing, jupyter_missing, service_did_not_start (program, printed),
    ///         too_many_sessions, connection_lost
    [[nodiscard]] static asio::awaitable<Expected<std::unique_ptr<RemoteService>>>
    start(std::shared_ptr<RemoteHost> host, ServiceOrder order, std::function<void(const Error&)> onEnd = {});
    ~RemoteService();

    [[nodiscard]] const ServiceAddress& address() const;

private:
    class Run;
    explicit RemoteService(std::shared_ptr<Run> run);
    std::shared_ptr<Run> m_run;
};

/// A service and the forward that brings it here: what one click opens.
class OpenedService {
public:
    /// @param localPort  the port that was used last time; 0: the customary one
    /// @return also port_taken
    [[nodiscard]] static asio::awaitable<Expected<std::unique_ptr<OpenedService>>>
    open(std::shared_ptr<RemoteHost> host, ServiceOrder order, uint16_t localPort = 0,
         std::function<void(const Error&)> onEnd = {});

    /// For the browser, and to be kept out of logs and files: "http://127.0.0.1:8888/lab?token=…".
    [[nodiscard]] std::string address() const;
    [[nodiscard]] const PortForward& forward() const { return *m_forward; }

private:
    std::unique_ptr<RemoteService> m_service;
    std::unique_ptr<PortForward> m_forward;
};

} // namespace trialdeck::transport
