// SPDX-License-Identifier: Apache-2.0
#include "core/head/experiments.h"

#include "core/base/host.h"
#include "core/base/json.h"
#include "core/head/environment_record.h"
#include "core/storage/folder_names.h"

#include <algorithm>

namespace trialdeck::head {

/// A draft on its way to an experiment: checked, looked at in the background, then started on the loop.
struct Experiments::Draft {
    protocol::ExperimentCreateRequest request;
    model::SpecCheck check;
    Place place;
    Value environmentRecord;
};

Experiments::Experiments(const tuner::Services& services, base::Path indexFile, base::Path userHome,
                         EnvironmentSource loginEnvironment)
    : m_services(services), m_indexFile(std::move(indexFile)), m_userHome(std::move(userHome)),
      m_loginEnvironment(std::move(loginEnvironment)) {}

Experiments::~Experiments() = default;

Expected<void> Experiments::open() {
    auto index = storage::ExperimentIndex::open(m_services.files, m_indexFile);
    if (!index)
        return tl::make_unexpected(std::move(index).error());
    m_index.emplace(std::move(*index));
    for (const auto& [id, line] : m_index->entries()) {
        auto summary = protocol::decode<protocol::ExperimentSummary>(line);
        if (!summary) {
            m_services.log.warning("experiments",
                                   "index entry " + id + ": " + base::describe(summary.error()));
            continue;
        }
        Entry entry{std::move(*summary), nullptr};
        m_entries.insert_or_assign(entry.summary.experiment, std::move(entry));
    }
    for (auto& [id, entry] : m_entries) {
        if (isFinished(entry.summary.state))
            continue;
        entry.summary.error.reset();
        entry.summary.missing = !base::exists(m_services.files, entry.summary.folder);
        if (entry.summary.missing)
            continue;
        if (auto reopened = reopen(entry); !reopened) {
            m_services.log.error("experiments",
                                 entry.summary.folder + ": " + base::describe(reopened.error()));
            entry.tuner.reset();
            entry.summary.missing = true;
            entry.summary.error = std::move(reopened).error();
        }
    }
    return {};
}

Expected<void> Experiments::reopen(Entry& entry) {
    auto tuner =
        tuner::Tuner::reopen(m_services, entry.summary.folder, m_loginEnvironment(EnvironmentAge::recent));
    if (!tuner)
        return tl::make_unexpected(std::move(tuner).error());
    entry.tuner = std::move(*tuner);
    entry.tuner->setListener(this);
    TRIALDECK_TRY(entry.tuner->start());
    entry.summary = entry.tuner->summary();
    remember(entry);
    if (isFinished(entry.summary.state))
        letGo(entry.summary.experiment);
    return {};
}

void Experiments::close() {
    for (auto& [id, entry] : m_entries) {
        if (!entry.tuner)
            continue;
        entry.summary = entry.tuner->summary();
        if (auto closed = entry.tuner->close(); !closed)
            m_services.log.error("experiments", closed.error());
        entry.tuner.reset();
        remember(entry);
    }
}

std::vector<protocol::ExperimentSummary> Experiments::summaries() const {
    std::vector<protocol::ExperimentSummary> summaries;
    summaries.reserve(m_entries.size());
    for (const auto& [id, entry] : m_entries)
        summaries.push_back(summaryOf(entry));
    std::sort(summaries.begin(), summaries.end(),
              [](const auto& left, const auto& right) { return left.created > right.created; });
    return summaries;
}

protocol::ExperimentSummary Experiments::summaryOf(const Entry& entry) const {
    if (entry.tuner) {
        entry.tuner->lookAtFolder();
        return entry.tuner->summary();
    }
    protocol::ExperimentSummary summary = entry.summary;
    const bool gone = !base::exists(m_services.files, summary.folder);
    // One that is not finished and has no Tuner could not be opened.
    if (isFinished(summary.state))
        summary.missing = gone;
    if (gone && !summary.error)
        summary.error = Error{ErrorCode::experiment_missing, {{"path", summary.folder}}, {}};
    return summary;
}

size_t Experiments::missingCount() const {
    return static_cast<size_t>(std::count_if(m_entries.begin(), m_entries.end(), [this](const auto& item) {
        return summaryOf(item.second).missing;
    }));
}

Place Experiments::placeOf(const std::string& baseDirectory, base::Environment environment) const {
    return {baseDirectory.empty() ? m_userHome : base::Path(baseDirectory), m_userHome,
            std::move(environment)};
}

void Experiments::check(protocol::SpecCheckRequest request, Reply<protocol::SpecCheckResult> reply) {
    if (request.yaml.has_value() == request.form.has_value()) {
        reply(base::fail(ErrorCode::bad_message, {}, "exactly one of yaml and form is wanted"));
        return;
    }
    auto check = std::make_shared<model::SpecCheck>(request.yaml ? model::checkYaml(*request.yaml)
                                                                 : model::checkForm(*request.form));
    m_services.background.run(
        [this, check, baseDirectory = std::move(request.baseDirectory)] {
            addMachineFacts(*check, m_services.files,
                            placeOf(baseDirectory, m_loginEnvironment(EnvironmentAge::recent)));
        },
        [this, check, reply = std::move(reply)] {
            addNodeFacts(*check, m_services.engine);
            reply(std::move(check->result));
        });
}

void Experiments::create(protocol::ExperimentCreateRequest request,
                         Reply<protocol::ExperimentCreateResult> reply) {
    auto draft = std::make_shared<Draft>();
    draft->check = model::checkYaml(request.yaml);
    draft->request = std::move(request);
    m_services.background.run(
        [this, draft] {
            draft->place = placeOf(draft->request.baseDirectory, m_loginEnvironment(EnvironmentAge::now));
            auto& spec = draft->check.spec;
            if (spec && draft->request.single)
                spec->name = singleName(experimentFolder(*spec, draft->place).parent_path(), spec->name);
            addMachineFacts(draft->check, m_services.files, draft->place);
            if (spec)
                draft->environmentRecord = recordEnvironment(*spec, draft->place, m_services.clock.wallNow(),
                                                             m_services.headVersion);
        },
        [this, draft, reply = std::move(reply)] { startDraft(draft, reply); });
}

std::string Experiments::singleName(const base::Path& storage, const std::string& name) const {
    for (int n = 1;; ++n) {
        std::string candidate = name + "-try-" + std::to_string(n);
        if (!base::exists(m_services.files, storage / candidate))
            return candidate;
    }
}

void Experiments::startDraft(const std::shared_ptr<Draft>& draft,
                             const Reply<protocol::ExperimentCreateResult>& reply) {
    addNodeFacts(draft->check, m_services.engine);
    protocol::ExperimentCreateResult result;
    if (!draft->check.spec) {
        result.problems = std::move(draft->check.result.problems);
        reply(std::move(result));
        return;
    }
    const model::ExperimentSpec& spec = *draft->check.spec;
    tuner::NewExperiment experiment;
    experiment.spec = std::make_shared<const model::ExperimentSpec>(spec);
    experiment.yaml = draft->request.yaml;
    experiment.folder = experimentFolder(spec, draft->place);
    experiment.name = spec.name;
    experiment.baseDirectory = draft->place.baseDirectory;
    experiment.single = draft->request.single;
    experiment.loginEnvironment = draft->place.loginEnvironment;
    experiment.environmentRecord = std::move(draft->environmentRecord);
    result.folder = experiment.folder.native();
    auto tuner = tuner::Tuner::create(m_services, std::move(experiment));
    if (!tuner) {
        reply(tl::make_unexpected(std::move(tuner).error()));
        return;
    }
    (*tuner)->setListener(this);
    result.experiment = (*tuner)->id();
    if (auto started = (*tuner)->start(); !started) {
        reply(tl::make_unexpected(std::move(started).error()));
        return;
    }
    Entry& entry = m_entries[result.experiment];
    entry.summary = (*tuner)->summary();
    entry.tuner = std::move(*tuner);
    remember(entry);
    result.problems = std::move(draft->check.result.problems);
    if (m_events.summaryChanged)
        m_events.summaryChanged(entry.summary);
    reply(std::move(result));
}

Expected<Experiments::Entry*> Experiments::find(const ExperimentId& id) {
    const auto found = m_entries.find(id);
    if (found == m_entries.end())
        return base::fail(ErrorCode::experiment_not_found, {{"experiment", id.raw()}});
    return &found->second;
}

Expected<base::Path> Experiments::folder(const ExperimentId& id) const {
    const auto found = m_entries.find(id);
    if (found == m_entries.end())
        return base::fail(ErrorCode::experiment_not_found, {{"experiment", id.raw()}});
    const base::Path folder = found->second.summary.folder;
    if (!base::exists(m_services.files, folder))
        return base::fail(ErrorCode::experiment_missing, {{"path", folder.native()}});
    return folder;
}

Expected<protocol::ExperimentShowResult> Experiments::show(const ExperimentId& id) {
    auto entry = find(id);
    if (!entry)
        return tl::make_unexpected(std::move(entry).error());
    auto place = folder(id);
    if (!place)
        return tl::make_unexpected(std::move(place).error());
    protocol::ExperimentShowResult result;
    result.summary = summaryOf(**entry);
    auto yaml = base::readWholeFile(m_services.files, *place / storage::kExperimentFile);
    if (!yaml)
        return tl::make_unexpected(std::move(yaml).error());
    result.yaml = std::move(*yaml);
    result.form = model::checkYaml(result.yaml).result.form;
    if (const auto text = base::readWholeFile(m_services.files, *place / storage::kEnvironmentFile))
        result.environment = base::parseJson(*text).value_or(Value());
    auto journal = openJournal(id);
    if (!journal)
        return tl::make_unexpected(std::move(journal).error());
    auto first = journal->readAfter(RecordNumber(0), 1);
    if (first && *first) {
        const std::string& line = (*first)->bytes;
        const auto record = protocol::parseRecordLine(std::string_view(line).substr(0, line.find('\n')));
        if (const auto* created =
                record ? std::get_if<protocol::ExperimentCreated>(&record->body) : nullptr) {
            result.baseDirectory = created->baseDirectory;
            result.seed = created->seed;
        }
    }
    return result;
}

Expected<tuner::Tuner*> Experiments::running(const ExperimentId& id, std::string_view command) {
    auto entry = find(id);
    if (!entry)
        return tl::make_unexpected(std::move(entry).error());
    if ((*entry)->tuner)
        return (*entry)->tuner.get();
    const protocol::ExperimentSummary summary = summaryOf(**entry);
    if (summary.missing && summary.error)
        return tl::make_unexpected(*summary.error);
    if (summary.missing)
        return base::fail(ErrorCode::experiment_missing, {{"path", summary.folder}});
    return base::fail(ErrorCode::wrong_state,
                      {{"state", std::string(nameOf(summary.state))}, {"command", std::string(command)}});
}

Expected<storage::JournalReader> Experiments::openJournal(const ExperimentId& id) {
    auto entry = find(id);
    if (!entry)
        return tl::make_unexpected(std::move(entry).error());
    if ((*entry)->tuner)
        return (*entry)->tuner->journal();
    auto place = folder(id);
    if (!place)
        return tl::make_unexpected(std::move(place).error());
    return storage::JournalReader::open(m_services.files, *place);
}

void Experiments::stopAll() {
    for (auto& [id, entry] : m_entries) {
        if (!entry.tuner)
            continue;
        if (auto stopped = entry.tuner->stop(std::nullopt); !stopped)
            m_services.log.warning("experiments", base::describe(stopped.error()));
    }
}

bool Experiments::anyRunning() const {
    return std::any_of(m_entries.begin(), m_entries.end(), [](const auto& item) {
        return item.second.tuner && !isFinished(item.second.tuner->summary().state);
    });
}

void Experiments::onRecords(tuner::Tuner&) {
    if (m_events.recordsAppended)
        m_events.recordsAppended();
}

void Experiments::onSummaryChanged(tuner::Tuner& tuner) {
    const auto found = m_entries.find(tuner.id());
    if (found == m_entries.end())
        return;
    Entry& entry = found->second;
    const protocol::ExperimentSummary before = std::exchange(entry.summary, tuner.summary());
    // The index names states, not progress: it is not written for each report.
    if (before.state != entry.summary.state || before.reason != entry.summary.reason)
        remember(entry);
    if (isFinished(entry.summary.state) || entry.summary.missing)
        m_services.timers.after(std::chrono::milliseconds(0), [this, id = tuner.id()] { letGo(id); });
    if (m_events.summaryChanged)
        m_events.summaryChanged(entry.summary);
}

void Experiments::letGo(const ExperimentId& id) {
    const auto found = m_entries.find(id);
    if (found == m_entries.end() || !found->second.tuner)
        return;
    Entry& entry = found->second;
    entry.summary = entry.tuner->summary();
    if (!isFinished(entry.summary.state) && !entry.summary.missing)
        return;
    if (auto closed = entry.tuner->close(); !closed)
        m_services.log.error("experiments", closed.error());
    entry.tuner.reset();
    remember(entry);
}

void Experiments::remember(const Entry& entry) {
    if (auto written = m_index->put(entry.summary.experiment.raw(), protocol::encode(entry.summary));
        !written)
        m_services.log.error("experiments", written.error());
}

} // namespace trialdeck::head
