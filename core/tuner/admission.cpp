// SPDX-License-Identifier: Apache-2.0
#include "core/tuner/admission.h"

namespace trialdeck::tuner {

namespace {

/// After so many starts in a row that failed, the rest would fail too.
constexpr uint32_t kHopelessStarts = 3;

} // namespace

Admission::Admission(Ledger& ledger, RecordLog& records, WarningLog& warnings, TrialRunner& runner,
                     const Services& services)
    : m_ledger(ledger), m_records(records), m_warnings(warnings), m_runner(runner), m_services(services) {}

bool Admission::proposalsLeft() const {
    if (m_proposalsEnded || m_ledger.stopping() || m_runner.failedStarts() >= kHopelessStarts)
        return false;
    const auto planned = m_ledger.plannedTrials();
    return !planned || m_ledger.experiment().trials().size() < *planned;
}

bool Admission::mayStart() const {
    if (m_ledger.experiment().state() != ExperimentState::running || m_ledger.stopping() ||
        m_records.refusal())
        return false;
    const auto& limit = m_ledger.spec().search.maxConcurrentTrials;
    return !limit || m_ledger.open().size() < *limit;
}

Expected<void> Admission::fill() {
    while (mayStart() && (!m_ledger.waiting().empty() || proposalsLeft())) {
        const auto workers = workersThatFit();
        if (!workers) {
            noteWaiting();
            return {};
        }
        const auto trial = nextTrial();
        if (!trial)
            return {};
        TRIALDECK_TRY(m_runner.start(*trial, *workers));
    }
    return {};
}

std::optional<uint32_t> Admission::workersThatFit() {
    const model::TrialSpec& spec = m_ledger.spec().trial;
    const engine::WorkerResources perWorker = resourcesPerWorker(spec);
    const bool bundled = !spec.bundles.empty();
    const auto least = bundled ? static_cast<uint32_t>(spec.bundles.size()) : spec.numWorkers.min;
    const auto most = bundled ? least : spec.numWorkers.max;
    for (uint32_t workers = most; workers >= least && workers > 0; --workers) {
        const engine::Engine::Placement placement = m_services.engine.place(workers, perWorker);
        const bool last = workers == least;
        if (!placement.fitsNow || (placement.aboveNode && !last))
            continue;
        if (placement.aboveNode)
            m_warnings.raiseOnce(Error{
                ErrorCode::wants_more_than_node, {{"workers", std::to_string(workers)}}, placement.waitsFor});
        return workers;
    }
    return std::nullopt;
}

std::optional<TrialId> Admission::nextTrial() {
    if (!m_ledger.waiting().empty())
        return *m_ledger.waiting().begin();
    return propose();
}

std::optional<TrialId> Admission::propose() {
    const TrialId trial(static_cast<uint32_t>(m_ledger.experiment().trials().size()));
    const std::vector<search::Outcome> history = m_ledger.history();
    auto configuration = m_ledger.searcher().propose(trial.raw(), history);
    if (!configuration) {
        endProposals();
        return std::nullopt;
    }
    protocol::TrialCreated created;
    created.trial = trial;
    created.configuration = configuration->nested();
    created.seed = search::trialSeed(m_ledger.created().seed, trial);
    for (const search::Outcome& outcome : history) {
        if (protocol::isFinished(m_ledger.trial(outcome.trial).state()))
            created.known.push_back(outcome.trial);
    }
    m_records.add(std::move(created));
    return trial;
}

void Admission::noteWaiting() {
    const auto trial = nextTrial();
    if (!trial || m_ledger.trial(*trial).reason() == TrialReason::waits_for_resources)
        return;
    m_records.add(
        protocol::TrialStateChanged{*trial, TrialState::pending, TrialReason::waits_for_resources, {}});
}

} // namespace trialdeck::tuner
