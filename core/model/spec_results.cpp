// SPDX-License-Identifier: Apache-2.0
#include "core/model/spec_sections.h"
#include "core/model/yaml_writer.h"

#include <algorithm>
#include <cmath>

namespace trialdeck::model {

namespace {

constexpr std::string_view kOrders[] = {"min", "max"};

/// Why the name cannot be a folder's; nothing where it can.
std::optional<FindingReason> faultOfName(std::string_view name) {
    constexpr size_t kLongestName = 200;
    if (name.empty())
        return FindingReason::empty;
    if (name.size() > kLongestName)
        return FindingReason::too_long;
    if (name.front() == '.')
        return FindingReason::leading_point;
    if (name.front() == ' ' || name.back() == ' ')
        return FindingReason::blank_at_end;
    if (name.find('/') != std::string_view::npos)
        return FindingReason::slash;
    const bool control = std::any_of(
        name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
    return control ? std::optional(FindingReason::control_character) : std::nullopt;
}

std::string possibleName(std::string_view name) {
    std::string possible;
    for (const char c : name) {
        if (c == '/' || static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
            possible += '-';
        else if (!possible.empty() || (c != '.' && c != ' '))
            possible += c;
    }
    while (possible.ends_with(' '))
        possible.pop_back();
    return faultOfName(possible) ? std::string() : flowYaml(Value(possible));
}

void notInEffectYet(const FieldReader& field, std::string_view key) {
    field.warning(ErrorCode::not_available_yet, {{"value", std::string(key)}, {"effect", "none"}});
}

} // namespace

void readName(const FieldReader& name, std::string& text) {
    if (!name.has()) {
        name.error(ErrorCode::missing_key, {{"key", "name"}}, "name: my-experiment");
        return;
    }
    const auto given = name.text();
    if (!given)
        return;
    text = *given;
    if (const auto fault = faultOfName(text))
        name.error(ErrorCode::bad_name, {{"name", text}, because(*fault)}, possibleName(text));
}

void readFailure(const FieldReader& failure, FailureSpec& spec) {
    if (!failure.isMap())
        return;
    const FieldReader maxFailures = failure.field("max_failures");
    const FieldReader failFast = failure.field("fail_fast");
    const FieldReader preemptions = failure.field("max_preemption_failures");
    spec.maxFailures = maxFailures.whole({-1, kLargestCount}).value_or(0);
    // Ray's word for failing at once with the trial's own exception.
    if (failFast.has() && failFast.node()->text == "raise")
        failFast.node()->value = Value(true);
    spec.failFast = failFast.boolean().value_or(false);
    spec.maxPreemptionFailures = preemptions.whole({-1, kLargestCount}).value_or(-1);
}

void readCheckpoint(const FieldReader& checkpoint, CheckpointSpec& spec) {
    if (!checkpoint.isMap())
        return;
    const FieldReader keep = checkpoint.field("num_to_keep");
    const FieldReader order = checkpoint.field("checkpoint_score_order");
    spec.frequency = checkpoint.field("checkpoint_frequency").whole({0, kLargestCount}).value_or(0);
    spec.atEnd = checkpoint.field("checkpoint_at_end").boolean().value_or(false);
    spec.numToKeep = keep.whole({1, kLargestCount});
    spec.scoreAttribute = checkpoint.field("checkpoint_score_attribute").text().value_or("");
    if (const auto word = order.word({kOrders}))
        spec.scoreOrder = *modeFromString(*word);
}

void readStoragePath(const FieldReader& storagePath, std::string& path) {
    if (!storagePath.has())
        return;
    const auto given = storagePath.text();
    if (!given)
        return;
    if (given->empty()) {
        storagePath.error(ErrorCode::bad_name, {{"name", ""}, because(FindingReason::empty)}, "~/trialdeck");
        return;
    }
    constexpr std::string_view kFile = "file://";
    const size_t scheme = given->find("://");
    if (scheme != std::string::npos) {
        const bool isFile = given->starts_with(kFile);
        storagePath.error(
            ErrorCode::not_available_yet,
            {{"value", given->substr(0, scheme + 3)}, {"available", "a folder on this machine"}},
            isFile ? flowYaml(Value(given->substr(kFile.size()))) : "~/trialdeck");
        return;
    }
    path = *given;
}

void readSync(const FieldReader& sync, SyncSpec& spec) {
    if (!sync.isMap())
        return;
    const FieldReader exclude = sync.field("exclude");
    if (exclude.isList()) {
        for (size_t i = 0; i < exclude.size(); ++i) {
            if (auto pattern = exclude.item(i).text())
                spec.exclude.push_back(std::move(*pattern));
        }
    }
    if (const auto seconds = sync.field("max_lag_s").number({0, 1e9}))
        spec.maxLag = std::chrono::milliseconds(std::llround(*seconds * 1000));
    spec.pathStyle = sync.field("path_style").boolean().value_or(false);
    if (!sync.node()->entries.empty())
        notInEffectYet(sync, "sync");
}

void readEngine(const FieldReader& engine, EngineSpec& spec) {
    if (!engine.has())
        return;
    if (engine.node()->kind == SpecNode::Kind::map && engine.node()->entries.size() == 1) {
        SpecEntry& entry = engine.node()->entries.front();
        const FieldReader inner(&entry.node, childPath(engine.path(), entry.key), engine.problems());
        const auto kind = engineKindFromString(entry.key);
        if (kind == EngineKind::ray) {
            engine.error(ErrorCode::not_available_yet,
                         {{"value", "ray"}, {"available", joined(Available::kEngines)}}, "process");
        } else if (kind != EngineKind::process || inner.has()) {
            engine.error(
                ErrorCode::unknown_value,
                {{"value", entry.key}, {"allowed", joined(Available::kEngines)}, {"nearest", "process"}},
                "process");
        }
        return;
    }
    if (const auto word = engine.word({Available::kEngines, Available::kLaterEngines}))
        spec.kind = *engineKindFromString(*word);
}

} // namespace trialdeck::model
