// SPDX-License-Identifier: Apache-2.0
#include "core/base/words.h"
#include "core/model/report.h"
#include "core/model/spec_sections.h"
#include "core/model/yaml_writer.h"

#include <algorithm>
#include <cmath>

namespace trialdeck::model {

namespace {

constexpr std::string_view kOnNanWords[] = {"continue", "stop", "fail"};
constexpr std::string_view kPlacementWords[] = {"PACK", "SPREAD", "STRICT_PACK", "STRICT_SPREAD"};
constexpr std::string_view kResourceWords[] = {"CPU", "GPU", "memory", "accelerator_type", "label_selector"};
/// Near to the words above and still names of their own.
constexpr std::string_view kOtherDevices[] = {"TPU", "NPU", "XPU", "HPU", "IPU", "DPU"};

std::chrono::milliseconds milliseconds(double seconds) {
    return std::chrono::milliseconds(std::llround(seconds * 1000));
}

/// python train.py --lr {lr}: offers the list.
std::string asList(std::string_view line) {
    Array words;
    while (!line.empty()) {
        const size_t end = std::min(line.find(' '), line.size());
        if (end > 0)
            words.emplace_back(line.substr(0, end));
        line.remove_prefix(std::min(end + 1, line.size()));
    }
    return flowYaml(Value(std::move(words)));
}

/// {lr} without quotes is a map with the one key lr.
bool isBarePlaceholder(const SpecNode& node) {
    return node.kind == SpecNode::Kind::map && node.entries.size() == 1 && node.entries[0].node.isNull();
}

void readArgument(const FieldReader& argument, std::vector<std::string>& command) {
    const SpecNode* node = argument.node();
    if (isBarePlaceholder(*node)) {
        argument.wrongType(ValueKind::text, flowYaml(Value('{' + node->entries[0].key + '}')));
        return;
    }
    if (node->isNull()) {
        argument.wrongType(ValueKind::text, node->text.empty() ? "\"\"" : flowYaml(Value(node->text)));
        return;
    }
    if (auto text = argument.text())
        command.push_back(std::move(*text));
}

void readCommand(const FieldReader& command, std::vector<std::string>& words) {
    if (!command.has()) {
        command.error(ErrorCode::missing_key, {{"key", "trial.command"}},
                      "command: [python3, train.py, --lr, \"{lr}\"]");
        return;
    }
    const SpecNode& node = *command.node();
    if (node.kind != SpecNode::Kind::list) {
        command.wrongType(ValueKind::list,
                          node.kind == SpecNode::Kind::scalar ? asList(node.text) : std::string());
        return;
    }
    for (size_t i = 0; i < command.size(); ++i)
        readArgument(command.item(i), words);
    if (node.items.empty() || (!words.empty() && words.front().empty()))
        command.error(ErrorCode::empty_command);
}

void readEnvVars(const FieldReader& variables, std::vector<std::pair<std::string, std::string>>& spec) {
    if (!variables.isMap())
        return;
    for (SpecEntry& entry : variables.node()->entries) {
        const FieldReader field(&entry.node, childPath(variables.path(), entry.key), variables.problems());
        if (entry.key.empty() || entry.key.find_first_of(std::string_view("=\0", 2)) != std::string::npos) {
            field.error(ErrorCode::bad_name, {{"name", entry.key}, because(FindingReason::not_a_variable)});
            continue;
        }
        if (entry.node.isNull()) {
            spec.emplace_back(entry.key, "");
            continue;
        }
        if (auto text = field.text())
            spec.emplace_back(entry.key, std::move(*text));
    }
}

void readRuntimeEnv(const FieldReader& runtimeEnv, RuntimeEnv& spec) {
    if (!runtimeEnv.isMap())
        return;
    spec.workingDir = runtimeEnv.field("working_dir").text().value_or("");
    spec.python = runtimeEnv.field("python").text().value_or("");
    readEnvVars(runtimeEnv.field("env_vars"), spec.envVars);
    if (spec.workingDir.find("://") != std::string::npos)
        runtimeEnv.field("working_dir")
            .error(ErrorCode::not_available_yet, {{"value", spec.workingDir}, {"available", "a folder"}});
}

void readReport(const FieldReader& report, ReportSpec& spec) {
    if (!report.isMap())
        return;
    const FieldReader pattern = report.field("stdout");
    spec.terminal = report.field("terminal").boolean().value_or(false);
    const auto text = pattern.text();
    if (!text)
        return;
    const auto compiled = OutputPattern::compile(*text);
    if (!compiled)
        pattern.error(ErrorCode::bad_pattern, compiled.error().arguments);
    spec.stdoutPattern = *text;
}

void readNumWorkers(const FieldReader& workers, WorkerCount& spec) {
    constexpr WholeLimits kLimits{1, 100'000};
    if (workers.has() && workers.node()->kind == SpecNode::Kind::map) {
        for (const SpecEntry& entry : workers.node()->entries) {
            if (entry.key != "min" && entry.key != "max")
                workers.field(entry.key).error(
                    ErrorCode::unknown_key,
                    {{"key", entry.key}, {"section", workers.path()}, {"allowed", "min, max"}});
        }
        const auto min = workers.field("min").whole(kLimits);
        const auto max = workers.field("max").whole(kLimits);
        if (min && max && *min > *max)
            workers.error(ErrorCode::bounds_reversed,
                          {{"low", std::to_string(*min)}, {"high", std::to_string(*max)}},
                          "{min: " + std::to_string(*max) + ", max: " + std::to_string(*min) + "}");
        else if (min && max && *min == *max)
            spec = {static_cast<uint32_t>(*min), static_cast<uint32_t>(*max)};
        else
            workers.error(ErrorCode::not_available_yet,
                          {{"value", "elastic training"}, {"available", "one number"}},
                          std::to_string(min.value_or(1)));
        return;
    }
    if (const auto count = workers.whole(kLimits))
        spec = {static_cast<uint32_t>(*count), static_cast<uint32_t>(*count)};
}

/// CPU, GPU and memory in any case and mem get their canonical names; both forms at once are refused.
void nameResources(const FieldReader& resources) {
    std::vector<SpecEntry> named;
    for (SpecEntry& entry : resources.node()->entries) {
        const std::string lower = base::lowerCase(entry.key);
        std::string name = entry.key;
        if (lower == "cpu" || lower == "gpu")
            name = lower == "cpu" ? "CPU" : "GPU";
        else if (lower == "memory" || lower == "mem")
            name = "memory";
        const auto other = std::find_if(named.begin(), named.end(),
                                        [&name](const SpecEntry& earlier) { return earlier.key == name; });
        if (other != named.end()) {
            resources.problems().add(childPath(resources.path(), name), entry.keyPosition,
                                     protocol::Severity::error, ErrorCode::yaml_alias_conflict,
                                     {{"key", name},
                                      {"other_key", entry.key},
                                      {"line", std::to_string(other->keyPosition.line)},
                                      {"other_line", std::to_string(entry.keyPosition.line)}},
                                     {});
            continue;
        }
        entry.key = std::move(name);
        if (!entry.node.isNull())
            named.push_back(std::move(entry));
    }
    resources.node()->entries = std::move(named);
}

std::optional<uint64_t> readMemory(const FieldReader& memory) {
    const SpecNode* node = memory.node();
    if (!memory.has())
        return std::nullopt;
    const auto bytes = node->kind == SpecNode::Kind::scalar ? bytesFromText(node->text) : std::nullopt;
    if (!bytes)
        memory.wrongType(ValueKind::quantity, "1GiB");
    return bytes;
}

void readCustomResource(const FieldReader& field, const std::string& name, Resources& spec) {
    const bool isDevice =
        std::find(std::begin(kOtherDevices), std::end(kOtherDevices), name) != std::end(kOtherDevices);
    std::optional<std::string> meant;
    const std::string lower = base::lowerCase(name);
    if (lower == "num_cpus" || lower == "cpus")
        meant = "CPU";
    else if (lower == "num_gpus" || lower == "gpus")
        meant = "GPU";
    else if (!isDevice)
        meant = meantWord(name, kResourceWords);
    if (meant) {
        field.error(ErrorCode::unknown_key,
                    {{"key", name},
                     {"section", "trial.resources_per_worker"},
                     {"nearest", *meant},
                     {"allowed", joined(kResourceWords)}},
                    *meant);
        return;
    }
    if (const auto amount = field.number({0}))
        spec.custom[name] = *amount;
}

void readLabels(const FieldReader& labels, std::map<std::string, std::string>& spec) {
    if (!labels.isMap())
        return;
    for (SpecEntry& entry : labels.node()->entries) {
        const FieldReader field(&entry.node, childPath(labels.path(), entry.key), labels.problems());
        if (auto text = field.text())
            spec[entry.key] = std::move(*text);
    }
    labels.warning(ErrorCode::not_available_yet,
                   {{"value", "label_selector"}, {"available", "CPU, GPU, memory"}});
}

void readResources(const FieldReader& resources, Resources& spec) {
    if (!resources.isMap())
        return;
    nameResources(resources);
    for (SpecEntry& entry : resources.node()->entries) {
        const FieldReader field(&entry.node, childPath(resources.path(), entry.key), resources.problems());
        if (entry.key == "CPU") {
            spec.cpu = field.number({0, 1e6}).value_or(spec.cpu);
        } else if (entry.key == "GPU") {
            spec.gpu = field.number({0, 1e6}).value_or(spec.gpu);
            if (spec.gpu > 1 && std::trunc(spec.gpu) != spec.gpu)
                field.error(ErrorCode::not_whole_number, {{"value", entry.node.text}});
        } else if (entry.key == "memory") {
            spec.memoryBytes = readMemory(field).value_or(0);
        } else if (entry.key == "accelerator_type") {
            spec.acceleratorType = field.text().value_or("");
            field.warning(ErrorCode::not_available_yet,
                          {{"value", entry.key}, {"available", "CPU, GPU, memory"}});
        } else if (entry.key == "label_selector") {
            readLabels(field, spec.labelSelector);
        } else {
            readCustomResource(field, entry.key, spec);
        }
    }
}

void readTimes(const FieldReader& trial, TrialSpec& spec) {
    const FieldReader lease = trial.field("lease_s");
    constexpr double kShortest = 0.001;
    if (const auto seconds = trial.field("no_report_timeout_s").number({kShortest, kLongestSeconds}))
        spec.noReportTimeout = milliseconds(*seconds);
    if (const auto seconds = trial.field("stop_grace_s").number({0, kLongestSeconds}))
        spec.stopGrace = milliseconds(*seconds);
    if (const auto seconds = lease.number({kShortest, kLongestSeconds})) {
        spec.lease = milliseconds(*seconds);
        lease.note(ErrorCode::no_effect, {{"key", "lease_s"}});
    }
}

} // namespace

std::optional<uint64_t> bytesFromText(std::string_view text) {
    const size_t end = std::min(text.find_first_not_of("+0123456789.eE-"), text.size());
    // The E of 1E is no exponent but a unit that nobody has.
    const ResolvedScalar number = resolvePlain(text.substr(0, end));
    if (!number.value.isNumber())
        return std::nullopt;
    std::string unit = base::lowerCase(text.substr(end));
    unit.erase(0, std::min(unit.find_first_not_of(' '), unit.size()));
    if (unit.ends_with('b'))
        unit.pop_back();
    double factor = 1;
    if (!unit.empty()) {
        static constexpr std::string_view kPrefixes = "kmgtp";
        const size_t power = kPrefixes.find(unit.front());
        const bool binary = unit.size() == 2 && unit[1] == 'i';
        if (power == std::string_view::npos || (unit.size() > 1 && !binary))
            return std::nullopt;
        factor = std::pow(binary ? 1024.0 : 1000.0, static_cast<double>(power) + 1);
    }
    const double bytes = *number.value.toDouble() * factor;
    constexpr double kTooMany = 0x1p63;
    if (!(bytes >= 0 && bytes < kTooMany))
        return std::nullopt;
    return static_cast<uint64_t>(bytes);
}

void readTrial(const FieldReader& trial, TrialSpec& spec) {
    if (!trial.has()) {
        trial.error(ErrorCode::missing_key, {{"key", "trial"}}, "trial: {command: [python3, train.py]}");
        return;
    }
    if (!trial.isMap())
        return;
    readCommand(trial.field("command"), spec.command);
    readRuntimeEnv(trial.field("runtime_env"), spec.runtimeEnv);
    readReport(trial.field("report"), spec.report);
    if (const auto word = trial.field("on_nan").word({kOnNanWords}))
        spec.onNan = *onNanFromString(*word);
    readTimes(trial, spec);
    readNumWorkers(trial.field("num_workers"), spec.numWorkers);
    readResources(trial.field("resources_per_worker"), spec.resourcesPerWorker);
    if (const auto word = trial.field("placement_strategy").word({kPlacementWords}))
        spec.placementStrategy = *placementStrategyFromString(*word);
    const FieldReader bundles = trial.field("bundles");
    if (bundles.has())
        bundles.error(ErrorCode::not_available_yet,
                      {{"value", "bundles"}, {"available", "num_workers, resources_per_worker"}});
}

} // namespace trialdeck::model
