// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/rng.h"
#include "tests/integration/head_session.h"
#include "tests/support/fault_proxy.h"
#include "tests/support/frame_cutter.h"
#include "tests/support/ssh_ways.h"

#include <QtTest>

namespace trialdeck::tests {

/// The log of one trial, as a client takes it in.
class WholeLog final : public client::LogListener {
public:
    void onLog(const protocol::LogEvent& event) override;
    void onRefused(const Error& error) override;
    std::string bytes;
    int gaps = 0;
};

/// A client, a line with faults, an sshd, and the real head behind it in a home of its own, with an
/// experiment that shows whether anything was lost. Owned by a test function.
struct LineScene {
    explicit LineScene(SshWay chosen);

    /// Where the head's program is put.
    [[nodiscard]] base::Path dataHome() const { return data.path().toStdString(); }

    /// Two trials that count until finish() stops them, and then write down how far they came.
    ExperimentId start();
    /// Stops them, and waits until the experiment is over and all of it has come, each report once.
    void finish(const ExperimentId& id, const WholeLog& log);
    void stopTrials() const;
    /// How far they came.
    [[nodiscard]] std::vector<size_t> countsOfTrials() const;

    /// Another client of the same head, as a process.
    void startClient(QProcess& client, const ExperimentId& id);

    QTemporaryDir data;
    PlainSshd server;
    SshWays ways;
    SshWay way;
    base::PosixFileSystem files;
    FaultProxy proxy;
    /// Of the newest client, which owns it.
    std::weak_ptr<FrameCutter> cutter;
    HeadSession session;

private:
    std::unique_ptr<transport::Transport> makeTransport(HeadSession& of);
};

/// An experiment that runs, with its records and the log of one trial followed.
struct Followed {
    Followed(LineScene& scene, WholeLog& log);
    ExperimentId id;
    client::Subscription following;
};

/// Of trialdeck-head below that folder, with that first argument.
[[nodiscard]] std::vector<pid_t> processesOf(const base::Path& folder, std::string_view verb);

/// TRIALDECK_TEST_SEED, else another one each time; printed.
[[nodiscard]] uint64_t seedOfRun();

} // namespace trialdeck::tests
