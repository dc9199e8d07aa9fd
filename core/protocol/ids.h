// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/strong_id.h"

#include <cstdint>
#include <string>

namespace trialdeck::protocol {

/// A UUID, given once to an experiment and kept wherever its folder moves.
using ExperimentId = base::StrongId<struct ExperimentTag, std::string>;
/// The trial's number in its experiment, from 0 in order of proposal.
using TrialId = base::StrongId<struct TrialTag, uint32_t>;
/// From 0; each start of a trial's workers is a new attempt with a folder of its own.
using AttemptNumber = base::StrongId<struct AttemptTag, uint32_t>;
/// checkpoint_000007 has index 7; from 0 over all attempts of a trial.
using CheckpointIndex = base::StrongId<struct CheckpointTag, uint32_t>;
/// Raised by one for each daemon that opens the experiment for writing, from 1.
using Epoch = base::StrongId<struct EpochTag, uint32_t>;
/// Counts the records of an experiment over all epochs, from 1.
using RecordNumber = base::StrongId<struct RecordTag, uint64_t>;

} // namespace trialdeck::protocol

namespace trialdeck {
using protocol::AttemptNumber;
using protocol::CheckpointIndex;
using protocol::Epoch;
using protocol::ExperimentId;
using protocol::RecordNumber;
using protocol::TrialId;
} // namespace trialdeck
