// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/head/dispatcher.h"
#include "core/head/environment_cache.h"
#include "core/head/machine_facts.h"
#include "core/storage/experiment_index.h"
#include "core/storage/journal.h"
#include "core/tuner/tuner.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace trialdeck::head {

/// All experiments that this host's index knows: those that are not finished have a Tuner, of the others the
/// last summary is kept until somebody looks. Owned by serve(); on the loop; what may take long is done in
/// the background.
class Experiments final : public tuner::TunerListener {
public:
    /// What a daemon is told; on the loop.
    struct Events {
        std::function<void(const protocol::ExperimentSummary&)> summaryChanged;
        std::function<void()> recordsAppended;
    };
    /// The user's login environment; slow, called in the background.
    using EnvironmentSource = std::function<base::Environment(EnvironmentAge)>;

    Experiments(const tuner::Services& services, base::Path indexFile, base::Path userHome,
                EnvironmentSource loginEnvironment);
    ~Experiments() override;

    void setEvents(Events events) { m_events = std::move(events); }

    /// Reads the index and goes on with every experiment that is not finished. Those that cannot be opened
    /// are kept as they were last known and marked missing, with the reason as their error.
    [[nodiscard]] Expected<void> open();
    /// Writes what is to be written; running trials go on. Nothing may be called afterwards.
    void close();

    /// Looks at each folder: one that was removed or unmounted is missing from then on.
    [[nodiscard]] std::vector<protocol::ExperimentSummary> summaries() const;
    [[nodiscard]] size_t missingCount() const;

    void check(protocol::SpecCheckRequest request, Reply<protocol::SpecCheckResult> reply);
    void create(protocol::ExperimentCreateRequest request, Reply<protocol::ExperimentCreateResult> reply);
    [[nodiscard]] Expected<protocol::ExperimentShowResult> show(const ExperimentId& id);
    /// The Tuner of an experiment that is not finished, for commands. @return experiment_not_found,
    /// experiment_missing, wrong_state, and what kept a missing one from being opened
    [[nodiscard]] Expected<tuner::Tuner*> running(const ExperimentId& id, std::string_view command);
    [[nodiscard]] Expected<storage::JournalReader> openJournal(const ExperimentId& id);
    /// Absolute. @return experiment_not_found, experiment_missing
    [[nodiscard]] Expected<base::Path> folder(const ExperimentId& id) const;
    void stopAll();
    /// Whether any experiment has trials that run or may start.
    [[nodiscard]] bool anyRunning() const;

private:
    struct Entry {
        protocol::ExperimentSummary summary;
        std::unique_ptr<tuner::Tuner> tuner;
    };
    struct Draft;

    void onRecords(tuner::Tuner& tuner) override;
    void onSummaryChanged(tuner::Tuner& tuner) override;

    [[nodiscard]] Place placeOf(const std::string& baseDirectory, base::Environment environment) const;
    void startDraft(const std::shared_ptr<Draft>& draft,
                    const Reply<protocol::ExperimentCreateResult>& reply);
    [[nodiscard]] std::string singleName(const base::Path& storage, const std::string& name) const;
    [[nodiscard]] Expected<void> reopen(Entry& entry);
    [[nodiscard]] protocol::ExperimentSummary summaryOf(const Entry& entry) const;
    [[nodiscard]] Expected<Entry*> find(const ExperimentId& id);
    void remember(const Entry& entry);
    void letGo(const ExperimentId& id);

    tuner::Services m_services;
    base::Path m_indexFile;
    base::Path m_userHome;
    EnvironmentSource m_loginEnvironment;
    Events m_events;
    std::optional<storage::ExperimentIndex> m_index;
    std::map<ExperimentId, Entry> m_entries;
};

} // namespace trialdeck::head
