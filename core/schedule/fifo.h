// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/schedule/scheduler.h"

namespace trialdeck::schedule {

/// Lets every trial run to its own end, in order of proposal.
class FifoScheduler final : public Scheduler {
public:
    [[nodiscard]] Decision decide(const Observation&) const override { return {}; }
    void apply(const Observation&, DecisionAction) override {}
};

} // namespace trialdeck::schedule
