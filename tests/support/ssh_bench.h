// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/run_awaitable.h"
#include "tests/support/ssh_ways.h"

namespace trialdeck::tests {

/// A login at a PlainSshd by one of the two clients, on a loop of its own: what tests of everything that
/// shares a login stand on. Owned by a test function.
class SshBench {
public:
    SshBench(SshWay way, PlainSshd& sshd) : server(sshd), ways(sshd), host(ways.make(way, sshd.port())) {}

    [[nodiscard]] bool open() { return runAwaitable(loop, host->open({})).has_value(); }

    PlainSshd& server;
    SshWays ways;
    asio::io_context loop;
    std::shared_ptr<transport::RemoteHost> host;
};

} // namespace trialdeck::tests
