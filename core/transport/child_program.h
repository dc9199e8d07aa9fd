// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/child_process.h"
#include "core/transport/remote/remote_host.h"

namespace trialdeck::transport {

/// A child process of ours that is, or stands for, the program at the other end of a channel: the head's
/// relay on this computer, a session of the OpenSSH client.
class ChildProgram : public RemoteProgram {
public:
    explicit ChildProgram(ChildProcess::Started started)
        : m_child(std::move(started.child)), m_socket(std::move(started.socket)) {}

    base::UniqueFd takeSocket() override { return std::move(m_socket); }
    std::string errors() const override { return m_child.errors(); }
    void setErrorListener(std::function<void(std::string_view)> listener) override {
        m_child.setErrorListener(std::move(listener));
    }
    asio::awaitable<base::ProcessExit> finish(std::chrono::milliseconds timeout) override {
        return m_child.finish(timeout);
    }

private:
    ChildProcess m_child;
    base::UniqueFd m_socket;
};

} // namespace trialdeck::transport
