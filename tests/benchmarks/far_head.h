// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/integration/head_session.h"
#include "tests/support/fault_proxy.h"
#include "tests/support/ssh_ways.h"

namespace trialdeck::benchmarks {

/// A head behind a real sshd on a line with 100 ms of round trip. Owned by a benchmark; each connect() of its
/// session goes by the way that is chosen then. The account's home is a fresh folder: what its login shell
/// does at its start (on this machine perhaps a third of a second) is no part of what is measured.
struct FarHead {
    explicit FarHead(tests::SshWay chosen);

    QTemporaryDir data;
    tests::PlainSshd server;
    tests::SshWays ways;
    tests::SshWay way;
    base::PosixFileSystem files;
    tests::FaultProxy proxy;
    tests::HeadSession session;
};

[[nodiscard]] const char* nameOf(tests::SshWay way);

} // namespace trialdeck::benchmarks
