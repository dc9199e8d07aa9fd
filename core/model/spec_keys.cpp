// SPDX-License-Identifier: Apache-2.0
#include "core/model/spec_keys.h"

#include "core/model/yaml_writer.h"

#include <algorithm>

namespace trialdeck::model {

using protocol::Severity;

namespace {

constexpr KeyInfo kRootKeys[] = {
    {"name"},
    {"trial"},
    {"param_space", {"space", "search_space"}},
    {"search"},
    {"scheduler", {"schedule"}},
    {"stop"},
    {"failure_config", {"failure"}},
    {"checkpoint_config", {"checkpoint"}},
    {"storage_path", {"storage"}},
    {"sync"},
    {"engine"},
};
constexpr std::string_view kRootWithoutEffect[] = {
    "verbose",
    "sync_config",
    "reuse_actors",
    "progress_reporter",
    "callbacks",
    "log_to_file",
    "resume",
    "raise_on_failed_trial",
    "loggers",
    "chdir_to_trial_dir",
    "trial_name_creator",
    "local_dir",
    "trial_dirname_creator",
    "worker_runtime_env",
};

/// cwd and env are short for keys of runtime_env: they are moved there.
constexpr KeyInfo kTrialKeys[] = {
    {"command"},
    {"runtime_env"},
    {"report"},
    {"on_nan"},
    {"no_report_timeout_s"},
    {"stop_grace_s"},
    {"lease_s"},
    {"num_workers", {"workers"}},
    {"resources_per_worker", {"resources"}},
    {"placement_strategy"},
    {"bundles"},
    {"cwd"},
    {"env"},
};
constexpr std::string_view kTrialWithoutEffect[] = {"trainer_resources"};
constexpr std::string_view kTrialLater[] = {"use_gpu"};

constexpr KeyInfo kRuntimeEnvKeys[] = {{"working_dir"}, {"env_vars"}, {"python"}};
constexpr std::string_view kRuntimeEnvWithoutEffect[] = {"config", "excludes", "eager_install",
                                                         "worker_process_setup_hook"};
constexpr std::string_view kRuntimeEnvLater[] = {"pip",        "conda",     "uv",
                                                 "py_modules", "container", "image_uri"};

constexpr KeyInfo kReportKeys[] = {{"stdout"}, {"terminal"}};
constexpr std::string_view kReportLater[] = {"tfevents", "csv"};

constexpr KeyInfo kSearchKeys[] = {
    {"search_alg", {"algorithm"}},
    {"num_samples"},
    {"trials"},
    {"seed"},
    {"metric"},
    {"mode"},
    {"max_concurrent_trials", {"max_concurrent"}},
    {"time_budget_s"},
    {"points_to_evaluate"},
};
constexpr std::string_view kSearchWithoutEffect[] = {"reuse_actors", "chdir_to_trial_dir",
                                                     "trial_name_creator", "trial_dirname_creator"};

constexpr KeyInfo kSchedulerKeys[] = {
    {"type"}, {"time_attr"}, {"max_t"}, {"grace_period"}, {"reduction_factor"}, {"brackets"},
};
constexpr std::string_view kSchedulerWithoutEffect[] = {"metric", "mode"};
constexpr std::string_view kSchedulerLater[] = {"stop_last_trials"};

constexpr KeyInfo kFailureKeys[] = {{"max_failures"}, {"fail_fast"}, {"max_preemption_failures"}};
constexpr KeyInfo kCheckpointKeys[] = {
    {"checkpoint_frequency", {"every"}},       {"checkpoint_at_end"},      {"num_to_keep", {"keep"}},
    {"checkpoint_score_attribute", {"score"}}, {"checkpoint_score_order"},
};
constexpr KeyInfo kSyncKeys[] = {{"exclude"}, {"max_lag_s"}, {"path_style"}};

constexpr SectionInfo kSections[] = {
    {"", kRootKeys, kRootWithoutEffect},
    {"trial", kTrialKeys, kTrialWithoutEffect, kTrialLater},
    {"trial.runtime_env", kRuntimeEnvKeys, kRuntimeEnvWithoutEffect, kRuntimeEnvLater},
    {"trial.report", kReportKeys, {}, kReportLater},
    {"search", kSearchKeys, kSearchWithoutEffect},
    {"scheduler", kSchedulerKeys, kSchedulerWithoutEffect, kSchedulerLater},
    {"failure_config", kFailureKeys},
    {"checkpoint_config", kCheckpointKeys},
    {"sync", kSyncKeys},
};

bool contains(std::span<const std::string_view> words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

const KeyInfo* findKey(const SectionInfo& section, std::string_view typed) {
    const auto found = std::find_if(section.keys.begin(), section.keys.end(), [typed](const KeyInfo& key) {
        return key.name == typed || (!typed.empty() && contains(key.aliases, typed));
    });
    return found == section.keys.end() ? nullptr : &*found;
}

/// The section that has the key, where it stands in the wrong one: "search.metric".
std::string placeOf(std::string_view typed) {
    for (const SectionInfo& section : kSections) {
        if (const KeyInfo* key = findKey(section, typed))
            return childPath(section.path, key->name);
    }
    return {};
}

class SectionReader {
public:
    SectionReader(const SectionInfo& section, SpecNode& map, ProblemList& problems)
        : m_section(section), m_map(map), m_problems(problems) {
        for (const SpecEntry& entry : map.entries)
            m_given.push_back(findKey(section, entry.key));
    }

    void read() {
        std::vector<SpecEntry> others;
        std::vector<std::optional<SpecEntry>> known(m_section.keys.size());
        for (SpecEntry& entry : m_map.entries) {
            const KeyInfo* key = findKey(m_section, entry.key);
            if (!key) {
                reportOther(entry);
                others.push_back(std::move(entry));
                continue;
            }
            std::optional<SpecEntry>& place = known[static_cast<size_t>(key - m_section.keys.data())];
            if (place)
                reportBothForms(*place, entry, key->name);
            else
                place = std::move(entry);
        }
        m_map.entries.clear();
        for (size_t i = 0; i < known.size(); ++i) {
            if (!known[i] || known[i]->node.isNull())
                continue;
            known[i]->key = std::string(m_section.keys[i].name);
            m_map.entries.push_back(std::move(*known[i]));
        }
        std::move(others.begin(), others.end(), std::back_inserter(m_map.entries));
    }

private:
    void reportBothForms(const SpecEntry& first, const SpecEntry& second, std::string_view name) {
        m_problems.add(childPath(m_section.path, name), second.keyPosition, Severity::error,
                       ErrorCode::yaml_alias_conflict,
                       {{"key", first.key},
                        {"other_key", second.key},
                        {"line", std::to_string(first.keyPosition.line)},
                        {"other_line", std::to_string(second.keyPosition.line)}},
                       {});
    }

    void reportOther(const SpecEntry& entry) {
        const auto add = [&](Severity severity, ErrorCode code, base::ErrorArguments arguments,
                             std::string suggestion) {
            arguments["key"] = entry.key;
            m_problems.add(childPath(m_section.path, entry.key), entry.keyPosition, severity, code,
                           std::move(arguments), std::move(suggestion));
        };
        if (contains(m_section.withoutEffect, entry.key)) {
            add(Severity::note, ErrorCode::no_effect, {}, {});
        } else if (contains(m_section.later, entry.key)) {
            add(Severity::error, ErrorCode::not_available_yet,
                {{"value", entry.key}, {"available", availableKeys()}},
                entry.key == "use_gpu" ? "resources_per_worker: {GPU: 1}" : std::string());
        } else {
            std::vector<std::string_view> candidates;
            for (const KeyInfo& key : m_section.keys) {
                if (std::find(m_given.begin(), m_given.end(), &key) != m_given.end())
                    continue;
                candidates.push_back(key.name);
                std::copy_if(key.aliases.begin(), key.aliases.end(), std::back_inserter(candidates),
                             [](std::string_view alias) { return !alias.empty(); });
            }
            const std::string elsewhere = placeOf(entry.key);
            const auto meant = meantWord(entry.key, candidates);
            base::ErrorArguments arguments = {{"section", std::string(m_section.path)},
                                              {"allowed", availableKeys()}};
            arguments["nearest"] = meant.value_or("");
            arguments["belongs_to"] = elsewhere;
            add(Severity::error, ErrorCode::unknown_key, std::move(arguments), meant.value_or(elsewhere));
        }
    }

    [[nodiscard]] std::string availableKeys() const {
        std::vector<std::string_view> names;
        for (const KeyInfo& key : m_section.keys)
            names.push_back(key.name);
        return joined(names);
    }

    const SectionInfo& m_section;
    SpecNode& m_map;
    ProblemList& m_problems;
    /// What the draft has already: no good advice for a misspelt key.
    std::vector<const KeyInfo*> m_given;
};

/// trial.cwd becomes trial.runtime_env.working_dir, trial.env becomes trial.runtime_env.env_vars.
void moveIntoRuntimeEnv(SpecNode& trial, std::string_view shortForm, std::string_view key,
                        ProblemList& problems) {
    SpecEntry* given = trial.find(shortForm);
    if (!given)
        return;
    SpecEntry moved = std::move(*given);
    trial.entries.erase(trial.entries.begin() + (given - trial.entries.data()));
    SpecEntry* runtimeEnv = trial.find("runtime_env");
    if (!runtimeEnv) {
        SpecEntry made{"runtime_env", moved.keyPosition, {}};
        made.node.kind = SpecNode::Kind::map;
        made.node.position = moved.keyPosition;
        // Behind the command, where it belongs.
        const auto place = trial.entries.begin() + (trial.find("command") ? 1 : 0);
        runtimeEnv = &*trial.entries.insert(place, std::move(made));
    }
    if (runtimeEnv->node.kind != SpecNode::Kind::map)
        return;
    if (const SpecEntry* other = runtimeEnv->node.find(key)) {
        problems.add(childPath("trial.runtime_env", key), moved.keyPosition, Severity::error,
                     ErrorCode::yaml_alias_conflict,
                     {{"key", "runtime_env." + std::string(key)},
                      {"other_key", std::string(shortForm)},
                      {"line", std::to_string(other->keyPosition.line)},
                      {"other_line", std::to_string(moved.keyPosition.line)}},
                     {});
        return;
    }
    moved.key = std::string(key);
    runtimeEnv->node.entries.push_back(std::move(moved));
}

/// scheduler: asha stands for scheduler: {type: asha}.
void widenShortSection(SpecNode& root, std::string_view section, std::string_view key) {
    SpecEntry* entry = root.find(section);
    if (!entry || entry->node.kind != SpecNode::Kind::scalar || entry->node.isNull())
        return;
    SpecNode map;
    map.kind = SpecNode::Kind::map;
    map.position = entry->node.position;
    map.entries.push_back({std::string(key), entry->keyPosition, std::move(entry->node)});
    entry->node = std::move(map);
}

/// The node at a dotted path of plain keys; null where it is missing or no map.
SpecNode* mapAt(SpecNode& root, std::string_view path) {
    SpecNode* node = &root;
    while (!path.empty()) {
        const size_t dot = std::min(path.find('.'), path.size());
        SpecEntry* entry = node->find(path.substr(0, dot));
        if (!entry)
            return nullptr;
        node = &entry->node;
        path.remove_prefix(std::min(dot + 1, path.size()));
    }
    return node->kind == SpecNode::Kind::map ? node : nullptr;
}

} // namespace

std::span<const SectionInfo> specSections() {
    return kSections;
}

void canonicalise(SpecNode& root, ProblemList& problems) {
    for (const SectionInfo& section : kSections) {
        SpecNode* map = mapAt(root, section.path);
        if (!map)
            continue;
        SectionReader(section, *map, problems).read();
        if (section.path.empty()) {
            widenShortSection(root, "scheduler", "type");
            widenShortSection(root, "search", "search_alg");
        } else if (section.path == "trial") {
            moveIntoRuntimeEnv(*map, "cwd", "working_dir", problems);
            moveIntoRuntimeEnv(*map, "env", "env_vars", problems);
        }
    }
}

} // namespace trialdeck::model
