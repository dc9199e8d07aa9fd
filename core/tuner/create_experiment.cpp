// SPDX-License-Identifier: Apache-2.0
#include "core/tuner/create_experiment.h"

#include "core/base/host.h"
#include "core/base/rng.h"
#include "core/storage/experiment_folder.h"
#include "core/tuner/open_journal.h"

namespace trialdeck::tuner {

namespace {

protocol::ExperimentCreated firstRecord(const Services& services, const NewExperiment& experiment) {
    protocol::ExperimentCreated created;
    created.experiment = ExperimentId(base::newUuid());
    created.name = experiment.name;
    created.seed = experiment.spec->search.seed.value_or(base::drawSeed());
    created.baseDirectory = experiment.baseDirectory.native();
    created.folder = experiment.folder.native();
    created.plannedTrials = model::plannedTrials(*experiment.spec);
    if (experiment.single)
        created.plannedTrials = std::min<uint64_t>(1, created.plannedTrials.value_or(1));
    created.headVersion = services.headVersion;
    created.single = experiment.single;
    return created;
}

} // namespace

Expected<TunerLoop::Opened> createExperiment(const Services& services, NewExperiment experiment) {
    TunerLoop::Opened opened;
    const protocol::ExperimentCreated created = firstRecord(services, experiment);
    auto ledger = Ledger::open(created.experiment, created, services.clock.wallNow(), experiment.spec);
    if (!ledger)
        return tl::make_unexpected(std::move(ledger).error());
    opened.ledger = std::move(*ledger);
    TRIALDECK_TRY(opened.compilePattern());
    auto writer = storage::createExperimentFolder(
        services.files,
        {experiment.folder, std::move(experiment.yaml), std::move(experiment.environmentRecord), created},
        [&](const base::Path& folder) { return createJournal(services, folder, created.experiment); });
    if (!writer)
        return tl::make_unexpected(std::move(writer).error().during("create the experiment"));
    opened.writer = std::move(*writer);
    opened.files = std::make_unique<ExperimentFiles>(services.files, std::move(experiment.folder));
    opened.loginEnvironment = std::move(experiment.loginEnvironment);
    return opened;
}

} // namespace trialdeck::tuner
