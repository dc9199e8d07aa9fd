// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

namespace trialdeck::ctl {

/// What trialdeckctl ends with. Written down in --help and docs/ctl.md: scripts depend on them.
enum class ExitCode {
    ok = 0,
    failed = 1,
    /// Wrong command line, or an experiment.yaml with errors.
    bad_input = 2,
    not_found = 3,
    /// The head said no, or nobody confirmed.
    refused = 4,
    no_connection = 5,
    /// run and watch: the experiment ended FAILED or INTERRUPTED.
    experiment_failed = 6,
    /// Ctrl-C; what runs goes on.
    interrupted = 130,
};

[[nodiscard]] ExitCode exitCodeOf(ErrorCode code);

} // namespace trialdeck::ctl
