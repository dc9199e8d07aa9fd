// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.h"
#include "core/transport/libssh2/libssh_hop.h"
#include "core/transport/remote/remote_host.h"
#include "tests/support/plain_sshd.h"

#include <map>
#include <memory>
#include <vector>

namespace trialdeck::tests {

/// Keys that were confirmed, by host and port.
class MemoryKeys final : public transport::HostKeys {
public:
    transport::HostKeyAnswer check(const std::string& host, uint16_t port, std::string_view type,
                                   std::string_view blob) override;
    std::vector<std::string> typesOf(const std::string&, uint16_t) override { return {}; }
    Expected<void> add(const std::string& host, uint16_t port, std::string_view type,
                       std::string_view blob) override;

    std::map<std::pair<std::string, uint16_t>, std::string> keys;
};

/// Answers from a list; behind its end yes to host keys, and nothing to all others.
class ListedAnswers final : public transport::Prompts {
public:
    void ask(const transport::Prompt& prompt,
             std::function<void(std::optional<std::string>)> answer) override;
    void withdraw() override {}

    std::vector<std::string> answers;
    /// Answers nothing at all.
    bool givesUp = false;
    std::vector<transport::Prompt> asked;
};

enum class SshWay { system, libssh2 };

/// A column "way" with a row for each client.
void addSshWays();

/// Children of this process that run a program of that name.
[[nodiscard]] int childrenNamed(const std::string& program);

/// Everything that a way to a PlainSshd needs; outlives the hosts that it makes.
class SshWays {
public:
    /// @param server  outlives the ways
    explicit SshWays(const PlainSshd& server) : m_server(server) {}

    /// @param port  the server's own, or that of a proxy before it
    [[nodiscard]] std::unique_ptr<transport::RemoteHost> make(SshWay way, uint16_t port,
                                                              const std::string& key = "id_ed25519");

    base::SystemClock clock;
    MemoryKeys keys;
    ListedAnswers prompts;

private:
    const PlainSshd& m_server;
};

} // namespace trialdeck::tests
