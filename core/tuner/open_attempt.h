// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/engine.h"
#include "core/protocol/ids.h"
#include "core/protocol/states.h"

#include <optional>
#include <string>
#include <vector>

namespace trialdeck::tuner {

/// What an attempt that has been told to end, or will be, becomes.
struct Ending {
    TrialState state = TrialState::terminated;
    TrialReason reason = TrialReason::none;
    std::optional<Error> error;
    /// Nobody has been told to end yet: the next checkpoint is waited for.
    bool afterCheckpoint = false;
};

/// How a rank ended, as far as the trial's state depends on it.
struct RankEnd {
    /// A failure; nothing where it ended with 0 or because we asked.
    std::optional<Error> cause;
    bool stoppedByUs = false;
};

struct RankProgress {
    /// Everything up to here is in the journal.
    engine::ReadPositions read;
    /// Newest of this rank's reports.
    int64_t iteration = 0;
    std::optional<RankEnd> end;
    bool namedCheckpoint = false;
};

/// A checkpoint folder that a report named and that is not committed yet.
struct NamedCheckpoint {
    uint32_t rank = 0;
    int64_t iteration = 0;
    std::string name;
    /// checkpoint_score_attribute of the report.
    std::optional<double> score = {};

    friend bool operator==(const NamedCheckpoint&, const NamedCheckpoint&) = default;
};

/// The newest attempt of a trial, from its record until the trial's next state: what the journal says of it.
struct OpenAttempt {
    AttemptNumber number;
    std::optional<CheckpointIndex> resumeFrom;
    int64_t firstIteration = 0;
    /// The engine said that all ranks run.
    bool confirmed = false;
    base::WallTime began;
    /// When the newest checkpoint was committed; `began` before.
    base::WallTime safeUntil;
    std::vector<RankProgress> ranks;
    std::vector<NamedCheckpoint> checkpoints;
    std::optional<Ending> ending;
    /// Rank 0's reports of this attempt that counted.
    uint64_t reports = 0;

    [[nodiscard]] bool allEnded() const;
    /// It was told to end, or is to be told now.
    [[nodiscard]] bool isEnding() const { return ending && !ending->afterCheckpoint; }
    /// It ends for a pause that was taken back too late: the next attempt goes on.
    [[nodiscard]] bool startsAgain() const { return isEnding() && ending->state == TrialState::pending; }
    /// It is to end, and its trial to wait for a resume.
    [[nodiscard]] bool pauses() const { return ending && ending->state == TrialState::paused; }
};

} // namespace trialdeck::tuner
