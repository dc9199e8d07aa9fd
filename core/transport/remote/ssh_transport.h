// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.h"
#include "core/transport/remote/head_deployment.h"
#include "core/transport/transport.h"

namespace trialdeck::transport {

class SocketChannel;

struct SshTransportOptions {
    /// As the user named the host, for errors.
    std::string hostName;
    HeadPrograms programs;
    /// TRIALDECK_HOME on the host; empty for its default.
    std::string remoteHome;
    /// A daemon on the host itself, even where one of the same home lives on another host.
    bool here = false;
    /// From the login to the first word of a shell there.
    std::chrono::milliseconds shellTimeout{10'000};
    /// From there to the head's marker: it may have to start the daemon first.
    std::chrono::milliseconds startTimeout{25'000};
};

/// A head on another host: logs in, puts the head's program there where this build is missing, and runs
/// `trialdeck-head attach` there. A login outlives its channels: when only the relay ends, the next connect()
/// needs no new one. Where the home is shared and the daemon lives on another host, it goes on to that one.
class SshTransport final : public Transport {
public:
    /// @param host  may be shared with what runs beside: forwards, commands; the transport alone opens it
    /// @param files, clock  outlive the transport
    SshTransport(std::shared_ptr<RemoteHost> host, base::FileSystem& files, const base::Clock& clock,
                 SshTransportOptions options);
    ~SshTransport() override;

    [[nodiscard]] std::string destination() const override;
    [[nodiscard]] asio::awaitable<Expected<std::unique_ptr<FrameChannel>>> connect() override;
    void giveUp() override;
    void setStepListener(const StepListener& listener) override { m_listener = listener; }

private:
    using Attached = std::optional<std::unique_ptr<FrameChannel>>;
    asio::awaitable<Expected<std::unique_ptr<FrameChannel>>> walk(StepTrace& trace);
    /// Attaches there, and puts the program there before where it is missing.
    /// @param name  of the host, for errors
    asio::awaitable<Expected<std::unique_ptr<FrameChannel>>> reach(RemoteHost& host, const std::string& name,
                                                                   StepTrace& trace);
    asio::awaitable<Expected<Attached>> attach(RemoteHost& host, const std::string& name, StepTrace& trace);
    asio::awaitable<Expected<std::unique_ptr<FrameChannel>>> goOn(Error elsewhere, StepTrace& trace);

    std::shared_ptr<RemoteHost> m_host;
    /// Where the daemon lives, while that is another host.
    std::unique_ptr<RemoteHost> m_neighbour;
    std::string m_neighbourName;
    base::FileSystem& m_files;
    const base::Clock& m_clock;
    SshTransportOptions m_options;
    StepListener m_listener;
    bool m_connecting = false;
    bool m_gaveUp = false;
};

} // namespace trialdeck::transport
