// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/supervise/process_tree.h"

#include <chrono>
#include <functional>
#include <string>

namespace trialdeck::supervise {

/// Kills what carries an attempt (processesOfAttempt) look by look, wherever it went. One look does not see a
/// process that is born while its parent ends, nor one that is just becoming another program: all are gone
/// when two looks in a row found nothing.
class AttemptSweep {
public:
    /// Time between two looks.
    static constexpr std::chrono::milliseconds kLookAgain{20};

    using Spares = std::function<bool(const AttemptProcess&)>;
    /// @param attempt as in processesOfAttempt(). @param spares which of its processes are left alone.
    explicit AttemptSweep(std::string attempt, Spares spares = {});

    /// Looks once, and sends SIGKILL to each that it finds.
    /// @return whether something may be left: look again after kLookAgain.
    [[nodiscard]] bool look();

private:
    std::string m_attempt;
    Spares m_spares;
    int m_emptyLooks = 0;
};

} // namespace trialdeck::supervise
