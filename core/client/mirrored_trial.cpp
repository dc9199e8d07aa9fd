// SPDX-License-Identifier: Apache-2.0
#include "core/client/mirrored_trial.h"

#include <algorithm>

namespace trialdeck::client {

std::optional<base::WallTime> Attempt::ended() const {
    if (ends.size() < start.workers)
        return std::nullopt;
    return ends.empty() ? started : ends.back().time;
}

TrialState MirroredTrial::state() const {
    return states.empty() ? TrialState::pending : states.back().change.state;
}

TrialReason MirroredTrial::reason() const {
    return states.empty() ? TrialReason::none : states.back().change.reason;
}

const Error* MirroredTrial::error() const {
    return states.empty() || !states.back().change.error ? nullptr : &*states.back().change.error;
}

std::optional<int64_t> MirroredTrial::iteration() const {
    if (attempts.empty())
        return std::nullopt;
    const Attempt& newest = attempts.back();
    if (!newest.reports.rows.empty())
        return newest.reports.rows.back().iteration;
    return newest.start.resumeFrom ? std::optional(newest.start.firstIteration) : std::nullopt;
}

std::chrono::milliseconds MirroredTrial::runningTime(base::WallTime now) const {
    std::chrono::milliseconds sum{0};
    for (size_t i = 0; i < attempts.size(); ++i) {
        auto end = attempts[i].ended();
        // The ends of workers may be missing where a machine died: then the next start, or the trial's own
        // end.
        if (!end && i + 1 < attempts.size())
            end = attempts[i + 1].started;
        if (!end)
            end = state() == TrialState::running || states.empty() ? now : states.back().time;
        sum += std::max(std::chrono::milliseconds(0), *end - attempts[i].started);
    }
    return sum;
}

} // namespace trialdeck::client
