// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ctl/desk.h"

/// Each verb of trialdeckctl, from a connected client to the program's exit code.
namespace trialdeck::ctl {

using Ending = asio::awaitable<ExitCode>;

/// Connects and does what the desk's command asks for.
[[nodiscard]] Ending execute(Desk& desk);

[[nodiscard]] Ending runExperiment(Desk& desk);
[[nodiscard]] Ending checkFile(Desk& desk);
[[nodiscard]] Ending listExperiments(Desk& desk);
[[nodiscard]] Ending showExperiment(Desk& desk);
[[nodiscard]] Ending showBest(Desk& desk);
[[nodiscard]] Ending exportTrials(Desk& desk);
[[nodiscard]] Ending watchExperiment(Desk& desk);
[[nodiscard]] Ending printLogs(Desk& desk);
[[nodiscard]] Ending stopWork(Desk& desk);
[[nodiscard]] Ending pauseWork(Desk& desk);
[[nodiscard]] Ending resumeWork(Desk& desk);
[[nodiscard]] Ending runCommand(Desk& desk);
[[nodiscard]] Ending forwardPort(Desk& desk);
[[nodiscard]] Ending doctor(Desk& desk);
[[nodiscard]] Ending shutDown(Desk& desk);

/// Follows an experiment to its end.
/// @param withTable  ends with the table of all trials
[[nodiscard]] Ending follow(Desk& desk, protocol::ExperimentSummary summary, bool withTable);

} // namespace trialdeck::ctl
