// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tuner/tuner_loop.h"

namespace trialdeck::tuner {

/// Reads an experiment's folder: the ledger that its records add up to. Writes nothing.
/// @param spec  null: read from experiment.yaml
[[nodiscard]] Expected<TunerLoop::Opened> readExperiment(const Services& services, base::Path folder,
                                                         base::Environment loginEnvironment,
                                                         std::shared_ptr<const model::ExperimentSpec> spec);

/// The ledger that the first `count` records add up to, all of them without one. For tests of determinism
/// too.
/// @return journal_damaged where the first record is none of an experiment or a proposal is missing
[[nodiscard]] Expected<std::unique_ptr<Ledger>>
replayJournal(const storage::JournalReader& reader, const ExperimentId& id,
              std::shared_ptr<const model::ExperimentSpec> spec, base::Log& log,
              const std::function<bool(const Ledger&, const protocol::Record&)>& before = {});

} // namespace trialdeck::tuner
