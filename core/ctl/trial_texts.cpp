// SPDX-License-Identifier: Apache-2.0
#include "core/ctl/trial_texts.h"

#include "core/base/flat_names.h"
#include "core/base/json.h"
#include "core/ctl/words.h"
#include "core/protocol/message.h"

#include <algorithm>
#include <set>

namespace trialdeck::ctl {

namespace {

using client::ExperimentMirror;
using client::MirroredTrial;

double secondsOf(const MirroredTrial& trial, base::WallTime now) {
    return std::chrono::duration<double>(trial.runningTime(now)).count();
}

void addNew(std::vector<std::string>& names, const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
}

std::vector<std::string> parametersOf(const ExperimentMirror& mirror) {
    std::vector<std::string> names;
    for (const MirroredTrial& trial : mirror.trials()) {
        for (const auto& entry : base::flatten(trial.configuration))
            addNew(names, entry.first);
    }
    return names;
}

/// What a table has no room for: counters that stand in columns of their own, and clocks.
bool isBookkeeping(const std::string& metric) {
    return metric == "training_iteration" || metric == "timestamp" || metric.rfind("time_", 0) == 0;
}

std::vector<std::string> metricsOf(const ExperimentMirror& mirror, const std::string& objective) {
    std::vector<std::string> names;
    if (mirror.metric(objective))
        names.push_back(objective);
    for (const std::string& metric : mirror.metrics()) {
        if (!isBookkeeping(metric))
            addNew(names, metric);
    }
    return names;
}

size_t finishedTrials(const ExperimentMirror& mirror) {
    return static_cast<size_t>(
        std::count_if(mirror.trials().begin(), mirror.trials().end(),
                      [](const MirroredTrial& trial) { return protocol::isFinished(trial.state()); }));
}

std::string quoted(const std::string& field) {
    if (field.find_first_of(",\"\r\n") == std::string::npos)
        return field;
    std::string text = "\"";
    for (const char letter : field)
        text += letter == '"' ? std::string("\"\"") : std::string(1, letter);
    return text + "\"";
}

std::string csvLine(const std::vector<std::string>& fields) {
    std::string line;
    for (const std::string& field : fields)
        line += (&field == &fields.front() ? "" : ",") + quoted(field);
    return line + "\r\n";
}

/// Exact, unlike in tables.
std::string csvText(const Value* value) {
    if (!value)
        return {};
    const std::string* text = value->asString();
    return text ? *text : base::toJson(*value);
}

Object reportObject(const ExperimentMirror& mirror, const client::Reports& reports, size_t row,
                    std::vector<size_t>& next) {
    Object metrics;
    next.resize(reports.curves.size());
    for (size_t i = 0; i < reports.curves.size(); ++i) {
        const client::Curve& curve = reports.curves[i];
        if (next[i] >= curve.points.size() || curve.points[next[i]].iteration != reports.rows[row].iteration)
            continue;
        const double value = curve.points[next[i]++].value;
        const auto whole = Value(value).toInteger();
        metrics.append(mirror.metrics()[i], curve.whole && whole ? Value(*whole) : Value(value));
    }
    return metrics;
}

/// Each report of the newest attempt in turn; the last one as it was said, numbers exact.
template<typename Visit>
void visitReports(const ExperimentMirror& mirror, const MirroredTrial& trial, const Visit& visit) {
    const client::Reports* reports = trial.reports();
    std::vector<size_t> next;
    for (size_t row = 0; reports && row < reports->rows.size(); ++row) {
        Object metrics = reportObject(mirror, *reports, row, next);
        visit(reports->rows[row], row + 1 == reports->rows.size() ? reports->last : metrics);
    }
}

} // namespace

TextTable trialTable(const ExperimentMirror& mirror, const std::string& objective, base::WallTime now,
                     const std::function<bool(const MirroredTrial&)>& isShown) {
    const std::vector<std::string> parameters = parametersOf(mirror);
    const std::vector<std::string> metrics = metricsOf(mirror, objective);
    TextTable table;
    table.addColumn("trial", TextTable::Align::right);
    table.addColumn("", TextTable::Align::left);
    table.addColumn("state", TextTable::Align::left);
    for (const std::string& parameter : parameters)
        table.addColumn(visibleText(parameter), TextTable::Align::right);
    for (const std::string& metric : metrics)
        table.addColumn(visibleText(metric), TextTable::Align::right);
    table.addColumn("iteration", TextTable::Align::right);
    table.addColumn("time", TextTable::Align::right);
    for (const MirroredTrial& trial : mirror.trials()) {
        if (isShown && !isShown(trial))
            continue;
        std::vector<std::string> cells = {std::to_string(trial.id.raw()),
                                          mirror.best() == trial.id ? "*" : "",
                                          stateText(trial.state(), trial.reason())};
        const auto configuration = base::flatten(trial.configuration);
        for (const std::string& parameter : parameters) {
            const Value* value = configuration.find(parameter);
            cells.push_back(value ? valueText(*value) : "");
        }
        for (const std::string& metric : metrics) {
            const auto value = mirror.newestValue(trial, metric);
            cells.push_back(value ? valueText(*value) : "");
        }
        const auto iteration = trial.iteration();
        cells.push_back(iteration ? std::to_string(*iteration) : "");
        cells.push_back(trial.attempts.empty() ? "" : durationText(secondsOf(trial, now)));
        table.addRow(std::move(cells));
    }
    return table;
}

std::string headline(const ExperimentMirror& mirror, const protocol::ExperimentSummary& summary) {
    std::string text = summary.name + "  " + stateText(mirror.state(), mirror.reason()) + "  " +
                       std::to_string(finishedTrials(mirror));
    text += summary.plannedTrials ? "/" + counted(*summary.plannedTrials, "trial") : " trials done";
    if (const auto failed =
            std::count_if(mirror.trials().begin(), mirror.trials().end(),
                          [](const MirroredTrial& trial) { return trial.state() == TrialState::error; }))
        text += "  " + std::to_string(failed) + " failed";
    if (const auto best = mirror.best()) {
        text += "  best " + summary.metric + " " +
                valueText(mirror.newestValue(*mirror.trial(*best), summary.metric).value_or(Value())) +
                " (trial " + std::to_string(best->raw()) + ")";
    }
    if (summary.secondsLeft && !protocol::isFinished(mirror.state()))
        text += "  " + durationText(*summary.secondsLeft) + " left";
    return text;
}

std::string progressBar(const ExperimentMirror& mirror, size_t columns) {
    const protocol::ExperimentCreated* experiment = mirror.experiment();
    if (!experiment || !experiment->plannedTrials || *experiment->plannedTrials == 0)
        return {};
    constexpr size_t kMostCells = 40;
    constexpr size_t kOtherColumns = 16;
    const size_t cells = std::min(kMostCells, columns > kOtherColumns ? columns - kOtherColumns : size_t{1});
    const size_t planned = *experiment->plannedTrials;
    const size_t done = std::min(finishedTrials(mirror), planned);
    const size_t full = cells * done / planned;
    return "[" + std::string(full, '#') + std::string(cells - full, '.') + "] " + std::to_string(done) + "/" +
           std::to_string(planned);
}

std::string trialLine(const ExperimentMirror& mirror, const MirroredTrial& trial,
                      const std::string& objective, base::WallTime now) {
    std::string text =
        "trial " + std::to_string(trial.id.raw()) + " " + stateText(trial.state(), trial.reason());
    if (!trial.attempts.empty())
        text += " after " + durationText(secondsOf(trial, now));
    std::string metrics;
    if (const auto value = mirror.newestValue(trial, objective))
        metrics = objective + " " + valueText(*value);
    if (const client::Reports* reports = trial.reports()) {
        for (const auto& [name, value] : reports->last) {
            if (name != objective && value.isNumber() && !isBookkeeping(name))
                metrics += (metrics.empty() ? "" : ", ") + visibleText(name) + " " + numberText(value);
        }
    }
    if (!metrics.empty())
        text += ": " + metrics;
    if (const Error* error = trial.error())
        text += "\n  " + base::describe(*error);
    return text;
}

std::string warningLine(const client::MirroredWarning& warning) {
    const auto& trial = warning.warning.trial;
    return "warning: " + (trial ? "trial " + std::to_string(trial->raw()) + ": " : std::string()) +
           visibleText(base::describe(warning.warning.error));
}

Object trialObject(const ExperimentMirror& mirror, const MirroredTrial& trial, base::WallTime now,
                   bool withReports) {
    Object object;
    object.append("trial", uint64_t{trial.id.raw()});
    object.append("state", nameOf(trial.state()));
    object.append("reason", nameOf(trial.reason()));
    object.append("best", mirror.best() == trial.id);
    object.append("configuration", trial.configuration);
    object.append("seed", trial.seed);
    const client::Reports* reports = trial.reports();
    object.append("metrics", reports ? Value(reports->last) : Value(Object{}));
    const auto iteration = trial.iteration();
    object.append("iteration", iteration ? Value(*iteration) : Value());
    object.append("seconds", secondsOf(trial, now));
    // Not how many are listed: each is told when it is planned and again when it runs.
    object.append(
        "attempts",
        uint64_t{trial.attempts.empty() ? 0 : trial.attempts.back().start.attempt.raw() + uint64_t{1}});
    object.append("node", trial.attempts.empty() ? Value() : Value(trial.attempts.back().start.node));
    // One that other ranks' files joined later was told more than once.
    std::set<uint64_t> indices;
    for (const client::MirroredCheckpoint& checkpoint : trial.checkpoints) {
        if (!checkpoint.removed)
            indices.insert(checkpoint.index.raw());
    }
    Array checkpoints(indices.begin(), indices.end());
    object.append("checkpoints", std::move(checkpoints));
    if (const Error* error = trial.error()) {
        Object arguments;
        for (const auto& [name, value] : error->arguments)
            arguments.append(name, value);
        object.append("error", Object{{"code", nameOf(error->code)},
                                      {"arguments", std::move(arguments)},
                                      {"detail", error->detail}});
    }
    if (withReports) {
        Array all;
        visitReports(mirror, trial, [&all](const client::ReportRow& row, const Object& metrics) {
            all.push_back(Object{
                {"iteration", row.iteration}, {"time", base::formatIso8601(row.time)}, {"metrics", metrics}});
        });
        object.append("reports", std::move(all));
    }
    return object;
}

Object summaryObject(const protocol::ExperimentSummary& summary) {
    Object object;
    object.append("id", summary.experiment.raw());
    for (const auto& [name, value] : protocol::encode(summary))
        object.append(name, value);
    return object;
}

std::string trialsCsv(const ExperimentMirror& mirror, base::WallTime now, bool withReports) {
    const std::vector<std::string> parameters = parametersOf(mirror);
    std::vector<std::string> header = {"trial", "state", "reason", "iteration",
                                       withReports ? "time" : "seconds"};
    for (const std::string& parameter : parameters)
        header.push_back("config/" + parameter);
    header.insert(header.end(), mirror.metrics().begin(), mirror.metrics().end());
    std::string text = csvLine(header);
    for (const MirroredTrial& trial : mirror.trials()) {
        const auto configuration = base::flatten(trial.configuration);
        const auto addRow = [&](std::string iteration, std::string time, const Object& metrics) {
            std::vector<std::string> fields = {
                std::to_string(trial.id.raw()), std::string(nameOf(trial.state())),
                std::string(nameOf(trial.reason())), std::move(iteration), std::move(time)};
            for (const std::string& parameter : parameters)
                fields.push_back(csvText(configuration.find(parameter)));
            for (const std::string& metric : mirror.metrics())
                fields.push_back(csvText(metrics.find(metric)));
            text += csvLine(fields);
        };
        if (withReports) {
            visitReports(mirror, trial, [&addRow](const client::ReportRow& row, const Object& metrics) {
                addRow(std::to_string(row.iteration), base::formatIso8601(row.time), metrics);
            });
            continue;
        }
        const auto iteration = trial.iteration();
        const client::Reports* reports = trial.reports();
        addRow(iteration ? std::to_string(*iteration) : "", numberText(secondsOf(trial, now)),
               reports ? reports->last : Object{});
    }
    return text;
}

} // namespace trialdeck::ctl
