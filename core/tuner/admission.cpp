// SPDX-License-Identifier: Apache-2.0
#include "core/tuner/admission.h"

#include "core/tuner/attempt_outcome.h"

#include <algorithm>

namespace trialdeck::tuner {

namespace {

/// After so many starts in a row that failed, the rest would fail too.
constexpr uint32_t kHopelessStarts = 3;

} // namespace

Admission::Admission(Ledger& ledger, RecordLog& records, WarningLog& warnings, TrialRunner& runner,
                     CheckpointCheck& checkpoints, const Services& services)
    : m_ledger(ledger), m_records(records), m_warnings(warnings), m_runner(runner),
      m_checkpoints(checkpoints), m_services(services), m_dueTimer(services.timers) {}

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
    while (mayStart()) {
        const auto waiting = dueTrial();
        if (!waiting && !proposalsLeft())
            break;
        const auto workers = workersThatFit();
        if (!workers) {
            noteWaiting(waiting, workers.error());
            break;
        }
        // Its place is not given away while its checkpoint is looked at.
        if (waiting && !m_checkpoints.passed(*waiting))
            break;
        const auto trial = waiting ? waiting : propose();
        if (!trial)
            break;
        m_checkpoints.forget(*trial);
        TRIALDECK_TRY(m_runner.start(*trial, *workers));
    }
    return {};
}

std::chrono::milliseconds Admission::timeUntilDue(TrialId trial) const {
    const auto left = m_ledger.entry(trial).notBefore - m_services.clock.wallNow();
    // Longer than any wait: the clock was set back.
    if (left.count() <= 0 || left > kLongestRetryWait)
        return std::chrono::milliseconds(0);
    return std::chrono::ceil<std::chrono::milliseconds>(left);
}

std::optional<TrialId> Admission::dueTrial() {
    std::optional<std::chrono::milliseconds> soonest;
    for (const TrialId trial : m_ledger.waiting()) {
        const auto left = timeUntilDue(trial);
        if (left.count() == 0)
            return trial;
        soonest = std::min(soonest.value_or(left), left);
    }
    if (soonest)
        m_dueTimer.start(*soonest, [this] { m_onDue(); });
    return std::nullopt;
}

tl::expected<uint32_t, std::string> Admission::workersThatFit() {
    const model::TrialSpec& spec = m_ledger.spec().trial;
    const engine::WorkerResources perWorker = resourcesPerWorker(spec);
    const bool bundled = !spec.bundles.empty();
    const auto least = bundled ? static_cast<uint32_t>(spec.bundles.size()) : spec.numWorkers.min;
    const auto most = bundled ? least : spec.numWorkers.max;
    std::string waitsFor;
    for (uint32_t workers = most; workers >= least && workers > 0; --workers) {
        const engine::Engine::Placement placement = m_services.engine.place(workers, perWorker);
        const bool last = workers == least;
        waitsFor = placement.waitsFor;
        if (!placement.fitsNow || (placement.aboveNode && !last))
            continue;
        if (placement.aboveNode)
            m_warnings.raiseOnce(Error{
                ErrorCode::wants_more_than_node, {{"workers", std::to_string(workers)}}, placement.waitsFor});
        return workers;
    }
    return tl::make_unexpected(std::move(waitsFor));
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

void Admission::noteWaiting(std::optional<TrialId> trial, std::string waitsFor) {
    if (!trial)
        trial = propose();
    if (!trial || m_ledger.trial(*trial).reason() == TrialReason::waits_for_resources)
        return;
    const model::Trial& known = m_ledger.trial(*trial);
    protocol::TrialStateChanged waits{*trial, TrialState::pending, TrialReason::waits_for_resources,
                                      known.error()};
    if (const model::Checkpoint* checkpoint = known.newestCheckpoint())
        waits.resumeFrom = checkpoint->index;
    waits.waitsFor = std::move(waitsFor);
    m_records.add(std::move(waits));
}

} // namespace trialdeck::tuner
