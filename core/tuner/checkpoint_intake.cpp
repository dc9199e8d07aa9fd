// SPDX-License-Identifier: Apache-2.0
#include "core/tuner/checkpoint_intake.h"

#include "core/storage/checkpoints.h"
#include "core/tuner/checkpoint_retention.h"

#include <algorithm>

namespace trialdeck::tuner {

namespace {

using namespace std::chrono_literals;

/// So long a checkpoint of rank 0 waits for those of ranks that are behind.
constexpr auto kPatience = 10s;

const model::Checkpoint* committedAt(const model::Trial& trial, const OpenAttempt& open, int64_t iteration) {
    const auto& known = trial.checkpoints();
    const auto found = std::find_if(known.begin(), known.end(), [&](const model::Checkpoint& checkpoint) {
        return checkpoint.attempt == open.number && checkpoint.iteration == iteration;
    });
    return found == known.end() ? nullptr : &*found;
}

} // namespace

struct CheckpointIntake::Result {
    AttemptNumber attempt;
    CheckpointIndex index;
    int64_t iteration = 0;
    std::vector<NamedCheckpoint> named;
    Expected<std::vector<protocol::ManifestEntry>> files;
    std::vector<std::string> leftOut;
};

CheckpointIntake::CheckpointIntake(Ledger& ledger, RecordLog& records, WarningLog& warnings,
                                   ExperimentFiles& files, const Services& services)
    : m_ledger(ledger), m_records(records), m_warnings(warnings), m_files(files), m_services(services),
      m_self(std::make_shared<CheckpointIntake*>(this)) {}

const NamedCheckpoint* CheckpointIntake::next(TrialId trial) const {
    const OpenAttempt* open = m_ledger.openAttempt(trial);
    if (!open)
        return nullptr;
    const auto found =
        std::find_if(open->checkpoints.begin(), open->checkpoints.end(), [&](const NamedCheckpoint& named) {
            return named.rank == 0 || committedAt(m_ledger.trial(trial), *open, named.iteration);
        });
    return found == open->checkpoints.end() ? nullptr : &*found;
}

bool CheckpointIntake::busy(TrialId trial) const {
    const auto work = m_work.find(trial);
    return (work != m_work.end() && work->second.committing) || next(trial);
}

bool CheckpointIntake::othersAreToCome(TrialId trial, int64_t iteration) const {
    const std::vector<RankProgress>& ranks = m_ledger.openAttempt(trial)->ranks;
    return std::any_of(ranks.begin() + 1, ranks.end(), [iteration](const RankProgress& rank) {
        return rank.namedCheckpoint && !rank.end && rank.iteration < iteration;
    });
}

void CheckpointIntake::advance(TrialId trial) {
    Work& work = m_work.try_emplace(trial, m_services.timers).first->second;
    if (work.committing)
        return;
    const NamedCheckpoint* named = next(trial);
    if (!named) {
        m_work.erase(trial);
        m_hooks.idle(trial);
        return;
    }
    if (!work.impatient && othersAreToCome(trial, named->iteration)) {
        if (!work.patience.active())
            work.patience.start(kPatience, [this, trial] {
                m_work.at(trial).impatient = true;
                advance(trial);
            });
        return;
    }
    work.patience.stop();
    work.impatient = false;
    work.committing = true;
    commit(trial, *named);
}

void CheckpointIntake::commit(TrialId trial, const NamedCheckpoint& first) {
    const OpenAttempt& open = *m_ledger.openAttempt(trial);
    const model::Checkpoint* grown = committedAt(m_ledger.trial(trial), open, first.iteration);
    auto result = std::make_shared<Result>();
    result->attempt = open.number;
    result->index = grown ? grown->index : m_ledger.trial(trial).nextCheckpoint();
    result->iteration = first.iteration;
    storage::CheckpointOrder order;
    order.trialFolder = m_files.folder() / ExperimentFiles::trialFolder(trial);
    order.index = result->index;
    for (const NamedCheckpoint& named : open.checkpoints) {
        // A second one of the same rank is the next commit's and replaces this one.
        const auto sameRank = [&named](const storage::CheckpointSource& source) {
            return source.rank == named.rank;
        };
        if (named.iteration != first.iteration ||
            std::any_of(order.sources.begin(), order.sources.end(), sameRank))
            continue;
        order.sources.push_back({named.rank, m_files.rankPath(trial, open.number, named.rank), named.name});
        result->named.push_back(named);
    }
    order.leftOut = [result](const std::string& path) { result->leftOut.push_back(path); };
    m_services.background.run(
        [result, order = std::move(order), &files = m_files.files()] {
            result->files = storage::commitCheckpoint(files, order);
        },
        [self = m_self, trial, result] {
            if (*self)
                (*self)->finish(trial, *result);
        });
}

void CheckpointIntake::finish(TrialId trial, const Result& result) {
    if (result.files) {
        tellLeftOut(trial, result);
        m_records.add(protocol::CheckpointCommitted{trial, result.attempt, result.index, result.iteration,
                                                    *result.files});
        m_hooks.committed(trial);
        thinOut(trial);
    } else {
        refuse(trial, result, result.files.error());
    }
    settle(trial, result);
    m_work.at(trial).committing = false;
    advance(trial);
}

void CheckpointIntake::thinOut(TrialId trial) {
    for (const CheckpointIndex index :
         surplusCheckpoints(m_ledger.trial(trial), m_ledger.spec().checkpoint)) {
        // Recorded first: what is half deleted is no checkpoint to anybody.
        m_records.add(protocol::CheckpointRemoved{trial, index});
        removeFiles(trial, index);
    }
}

void CheckpointIntake::takeUp(TrialId trial) {
    for (const CheckpointIndex index : m_ledger.entry(trial).removed)
        removeFiles(trial, index);
    thinOut(trial);
}

void CheckpointIntake::removeFiles(TrialId trial, CheckpointIndex index) {
    auto result = std::make_shared<Expected<void>>();
    const base::Path folder = m_files.folder() / ExperimentFiles::trialFolder(trial);
    m_services.background.run(
        [result, folder, index, &files = m_files.files()] {
            *result = storage::removeCheckpoint(files, folder, index);
        },
        [self = m_self, result] {
            if (*self && !*result)
                (*self)->m_services.log.warning("tuner",
                                                "delete a checkpoint: " + base::describe(result->error()));
        });
}

void CheckpointIntake::tellLeftOut(TrialId trial, const Result& result) {
    if (result.leftOut.empty())
        return;
    std::string names;
    for (const std::string& path : result.leftOut)
        names += (names.empty() ? "" : ", ") + path;
    m_services.log.warning("tuner", m_files.folder().native() + ": checkpoint " +
                                        std::to_string(result.index.raw()) + " of trial " +
                                        std::to_string(trial.raw()) +
                                        " has what is no file and not in its manifest: " + names);
}

void CheckpointIntake::refuse(TrialId trial, const Result& result, const Error& error) {
    for (const NamedCheckpoint& named : result.named) {
        Error told = error;
        told.arguments["checkpoint"] = named.name;
        told.arguments["rank"] = std::to_string(named.rank);
        told.arguments["checkpoint_iteration"] = std::to_string(named.iteration);
        m_warnings.raise(trial, std::move(told));
    }
    if (error.code == ErrorCode::disk_full)
        m_hooks.diskFull(error);
}

void CheckpointIntake::settle(TrialId trial, const Result& result) {
    OpenAttempt* open = m_ledger.entry(trial).open.get();
    if (!open || open->number != result.attempt)
        return;
    std::erase_if(open->checkpoints, [&result](const NamedCheckpoint& named) {
        return std::find(result.named.begin(), result.named.end(), named) != result.named.end();
    });
}

} // namespace trialdeck::tuner
