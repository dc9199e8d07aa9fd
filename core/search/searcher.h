// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/configuration.h"
#include "core/model/experiment_spec.h"
#include "core/protocol/ids.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace trialdeck::search {

/// What an earlier trial came to, for Searchers that learn.
struct Outcome {
    TrialId trial;
    const model::Configuration* configuration = nullptr;
    /// The search's metric as last reported; nothing where the trial failed, diverged or runs still.
    std::optional<double> value;
};

/// Proposes the configurations of an experiment's trials. Pure: the same number, history and seed give the
/// same answer, whoever asks and however often; so a restarted daemon goes on exactly, and what was recorded
/// need not be proposed again. Owned by one Tuner, on its loop.
class Searcher {
public:
    virtual ~Searcher() = default;

    /// @param number   of the proposal, from 0: the id of the trial that it becomes
    /// @param history  in order of proposal, trials that run included; empty unless usesHistory()
    /// @return search_space_exhausted for a number from size() on
    [[nodiscard]] virtual Expected<model::Configuration> propose(uint64_t number,
                                                                 std::span<const Outcome> history) const = 0;

    /// How many proposals there are; nothing where that is open (num_samples: -1).
    [[nodiscard]] virtual std::optional<uint64_t> size() const = 0;

    /// Whether proposals rest on what earlier trials came to.
    [[nodiscard]] virtual bool usesHistory() const { return false; }
};

/// The Searcher that the specification names.
/// @param seed  the experiment's, which a recorded draw replaces where the user gave none
/// @return not_available_yet (argument value) for algorithms that are known and not built
[[nodiscard]] Expected<std::unique_ptr<Searcher>>
makeSearcher(const std::shared_ptr<const model::ExperimentSpec>& spec, uint64_t seed);

/// The seed of one trial, stable over its attempts: {seed} and TRIALDECK_SEED. 31 bits, since many programs
/// take no more.
[[nodiscard]] uint64_t trialSeed(uint64_t experimentSeed, TrialId trial);

} // namespace trialdeck::search
