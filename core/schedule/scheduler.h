// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/ids.h"
#include "core/protocol/states.h"

#include <cstdint>
#include <string_view>

namespace trialdeck::schedule {

using protocol::DecisionAction;

/// What a Scheduler sees of one report: once for each (trial, iteration), the first time it is reached.
struct Observation {
    TrialId trial;
    int64_t iteration = 0;
    /// Value of the Scheduler's timeAttribute(), in the unit reported; the iteration where that is
    /// training_iteration.
    double time = 0;
    /// The search's metric as reported; may be NaN or infinite.
    double value = 0;
};

struct Decision {
    DecisionAction action = DecisionAction::proceed;
    /// Must be recorded even if it lets the trial go on: later decisions rest on it.
    bool changesState = false;

    friend bool operator==(const Decision&, const Decision&) = default;
};

/// Says after each report whether the trial goes on. Pure: the answer depends on the decisions applied so
/// far and nothing else. Deciding and taking up a decision are two steps, so that a restarted daemon applies
/// what was recorded and computes nothing again. Owned by one Tuner, on its loop.
class Scheduler {
public:
    virtual ~Scheduler() = default;

    /// The report's key whose value becomes Observation::time. A report without it, or without the metric,
    /// is not shown to the Scheduler.
    [[nodiscard]] virtual std::string_view timeAttribute() const { return "training_iteration"; }
    /// False where reports without a value of the metric can be judged too.
    [[nodiscard]] virtual bool needsMetric() const { return true; }

    [[nodiscard]] virtual Decision decide(const Observation& observation) const = 0;
    /// Takes up a decision that has been recorded: each one, in the order of the journal.
    virtual void apply(const Observation& observation, DecisionAction action) = 0;
};

} // namespace trialdeck::schedule
