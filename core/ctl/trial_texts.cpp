// SPDX-License-Identifier: Apache-2.0
#include "core/ctl/trial_texts.h"

#include "core/base/csv.h"
#include "core/base/flat_names.h"
#include "core/base/json.h"
#include "core/ctl/words.h"
#include "core/protocol/message.h"

#include <algorithm>
#include <cstdio>
#include <unordered_map>

namespace trialdeck::ctl {

namespace {

using client::ExperimentMirror;
using client::MirroredTrial;

double secondsOf(const MirroredTrial& trial, base::WallTime now) {
    return std::chrono::duration<double>(trial.runningTime(now)).count();
}

/// Names in the order of their first appearance; an experiment may have tens of thousands.
class Names {
public:
    void add(const std::string& name) {
        if (m_columns.emplace(name, m_names.size()).second)
            m_names.push_back(name);
    }
    [[nodiscard]] const std::vector<std::string>& all() const { return m_names; }
    [[nodiscard]] bool contains(const std::string& name) const { return m_columns.contains(name); }
    /// Each name's value in its column, null where the map has none.
    [[nodiscard]] std::vector<const Value*> columnsOf(const Object& values) const {
        std::vector<const Value*> columns(m_names.size());
        for (const auto& [name, value] : values) {
            const auto known = m_columns.find(name);
            if (known != m_columns.end())
                columns[known->second] = &value;
        }
        return columns;
    }

private:
    std::vector<std::string> m_names;
    std::unordered_map<std::string, size_t> m_columns;
};

Names parametersOf(const ExperimentMirror& mirror) {
    Names names;
    for (const MirroredTrial& trial : mirror.trials()) {
        for (const auto& entry : base::flatten(trial.configuration))
            names.add(entry.first);
    }
    return names;
}

/// What a table has no room for: counters that stand in columns of their own, and clocks.
bool isBookkeeping(const std::string& metric) {
    return metric == "training_iteration" || metric == "timestamp" || metric.rfind("time_", 0) == 0;
}

Names metricsOf(const ExperimentMirror& mirror, const std::string& objective) {
    Names names;
    if (mirror.metric(objective))
        names.add(objective);
    for (const std::string& metric : mirror.metrics()) {
        if (!isBookkeeping(metric))
            names.add(metric);
    }
    return names;
}

/// mirror.newestValue() of each metric, without looking through the newest report for each.
std::vector<std::optional<Value>> newestValues(const ExperimentMirror& mirror, const MirroredTrial& trial,
                                               const Names& metrics) {
    std::vector<std::optional<Value>> values(metrics.all().size());
    const client::Reports* reports = trial.reports();
    if (!reports)
        return values;
    const std::vector<const Value*> said = metrics.columnsOf(reports->last);
    for (size_t i = 0; i < values.size(); ++i) {
        if (said[i] && !said[i]->isNull())
            values[i] = *said[i];
        else
            values[i] = mirror.newestValue(trial, metrics.all()[i]);
    }
    return values;
}

/// "TERMINATED", "RUNNING, diverged"
std::string stateWithMarks(const ExperimentMirror& mirror, const MirroredTrial& trial) {
    return stateText(trial.state(), trial.reason()) + (mirror.hasDiverged(trial) ? ", diverged" : "");
}

/// "waits for 1 GPU to go on from checkpoint_000004"; empty where it does not wait after a failure.
std::string waitingText(const MirroredTrial& trial) {
    if (trial.state() != TrialState::pending || trial.states.empty())
        return {};
    const protocol::TrialStateChanged& change = trial.states.back().change;
    std::string text;
    if (!change.waitsFor.empty())
        text = "waits for " + visibleText(change.waitsFor);
    else if (change.notBefore)
        text = "waits until " + base::formatIso8601(*change.notBefore);
    if (change.resumeFrom) {
        char name[32];
        std::snprintf(name, sizeof name, "checkpoint_%06u", change.resumeFrom->raw());
        text += std::string(text.empty() ? "goes on from " : " to go on from ") + name;
    }
    return text;
}

Value errorValue(const Error& error) {
    Object arguments;
    for (const auto& [name, value] : error.arguments)
        arguments.append(name, value);
    return Object{
        {"code", nameOf(error.code)}, {"arguments", std::move(arguments)}, {"detail", error.detail}};
}

/// Each attempt with the ends of its workers: exit code or signal, cause, last lines.
Array attemptHistory(const MirroredTrial& trial) {
    Array history;
    for (const client::Attempt& attempt : trial.attempts) {
        Array ends;
        for (const client::WorkerEnding& ending : attempt.ends) {
            const protocol::WorkerEnded& end = ending.end;
            Object worker{{"rank", uint64_t{end.rank}}, {"time", base::formatIso8601(ending.time)}};
            if (end.exitCode)
                worker.append("exit_code", int64_t{*end.exitCode});
            if (end.signal)
                worker.append("signal", int64_t{*end.signal});
            worker.append("stopped_by_us", end.stoppedByUs);
            if (end.cause)
                worker.append("cause", errorValue(*end.cause));
            worker.append("log_tail", end.logTail);
            ends.push_back(std::move(worker));
        }
        Object told{{"attempt", uint64_t{attempt.start.attempt.raw()}}, {"node", attempt.start.node}};
        if (attempt.start.resumeFrom)
            told.append("resume_from", uint64_t{attempt.start.resumeFrom->raw()});
        told.append("workers", std::move(ends));
        history.push_back(std::move(told));
    }
    return history;
}

size_t finishedTrials(const ExperimentMirror& mirror) {
    return static_cast<size_t>(
        std::count_if(mirror.trials().begin(), mirror.trials().end(),
                      [](const MirroredTrial& trial) { return protocol::isFinished(trial.state()); }));
}

std::string csvLine(const std::vector<std::string>& fields) {
    std::string line;
    for (const std::string& field : fields) {
        line += &field == &fields.front() ? "" : ",";
        base::appendCsvField(line, field);
    }
    line += base::kCsvLineEnd;
    return line;
}

/// Exact, unlike in tables.
std::string csvText(const Value* value) {
    if (!value)
        return {};
    const std::string* text = value->asString();
    return text ? *text : base::toJson(*value);
}

/// Each report of the newest attempt in turn, as it was said.
template<typename Visit>
void visitReports(const MirroredTrial& trial, const Visit& visit) {
    const client::Reports* reports = trial.reports();
    if (!reports)
        return;
    for (const client::ReportRow& row : reports->rows) {
        const auto said = row.said ? base::parseJson(*row.said) : Value(Object{});
        if (const Object* metrics = said ? said->asObject() : nullptr)
            visit(row, *metrics);
    }
}

/// All metrics: numbers first, then what only ever was something else.
Names exportedMetrics(const ExperimentMirror& mirror, bool withReports) {
    Names names;
    for (const std::string& metric : mirror.metrics())
        names.add(metric);
    const auto addAll = [&names](const Object& metrics) {
        for (const auto& entry : metrics)
            names.add(entry.first);
    };
    for (const MirroredTrial& trial : mirror.trials()) {
        if (withReports)
            visitReports(trial, [&addAll](const client::ReportRow&, const Object& said) { addAll(said); });
        else if (const client::Reports* reports = trial.reports())
            addAll(reports->last);
    }
    return names;
}

/// One header a column, all different: parameters as config/NAME, as Ray names them, metrics bare, or as
/// metric/NAME where another column has the name.
Names csvHeader(const Names& parameters, const Names& metrics, bool withReports) {
    Names header;
    for (const char* name : {"trial", "state", "reason", "iteration"})
        header.add(name);
    header.add(withReports ? "time" : "seconds");
    for (const std::string& parameter : parameters.all())
        header.add("config/" + parameter);
    for (const std::string& metric : metrics.all()) {
        std::string name = metric;
        while (header.contains(name) || (name != metric && metrics.contains(name)))
            name = "metric/" + name;
        header.add(name);
    }
    return header;
}

/// ": loss 0.25, accuracy 0.9"; empty where nothing was reported.
std::string newestMetrics(const ExperimentMirror& mirror, const MirroredTrial& trial,
                          const std::string& objective) {
    std::string metrics;
    if (const auto value = mirror.newestValue(trial, objective))
        metrics = visibleText(objective) + " " + valueText(*value);
    if (const client::Reports* reports = trial.reports()) {
        constexpr size_t kMostOthers = 12;
        size_t others = 0;
        for (const auto& [name, value] : reports->last) {
            if (name != objective && value.isNumber() && !isBookkeeping(name) && ++others <= kMostOthers)
                metrics += (metrics.empty() ? "" : ", ") + visibleText(name) + " " + numberText(value);
        }
        if (others > kMostOthers)
            metrics += " and " + std::to_string(others - kMostOthers) + " more";
    }
    return metrics.empty() ? std::string() : ": " + metrics;
}

} // namespace

TextTable trialTable(const ExperimentMirror& mirror, const std::string& objective, base::WallTime now,
                     const std::function<bool(const MirroredTrial&)>& isShown) {
    const Names parameters = parametersOf(mirror);
    const Names metrics = metricsOf(mirror, objective);
    TextTable table;
    table.addColumn("trial", TextTable::Align::right);
    table.addColumn("", TextTable::Align::left);
    table.addColumn("state", TextTable::Align::left);
    for (const std::string& parameter : parameters.all())
        table.addColumn(visibleText(parameter), TextTable::Align::right);
    for (const std::string& metric : metrics.all())
        table.addColumn(visibleText(metric), TextTable::Align::right);
    table.addColumn("iteration", TextTable::Align::right);
    table.addColumn("time", TextTable::Align::right);
    for (const MirroredTrial& trial : mirror.trials()) {
        if (isShown && !isShown(trial))
            continue;
        std::vector<std::string> cells = {std::to_string(trial.id.raw()),
                                          mirror.best() == trial.id ? "*" : "",
                                          stateWithMarks(mirror, trial)};
        const auto configuration = base::flatten(trial.configuration);
        for (const Value* value : parameters.columnsOf(configuration))
            cells.push_back(value ? valueText(*value) : "");
        for (const auto& value : newestValues(mirror, trial, metrics))
            cells.push_back(value ? valueText(*value) : "");
        const auto iteration = trial.iteration();
        cells.push_back(iteration ? std::to_string(*iteration) : "");
        cells.push_back(trial.attempts.empty() ? "" : durationText(secondsOf(trial, now)));
        table.addRow(std::move(cells));
    }
    return table;
}

std::string headline(const ExperimentMirror& mirror, const protocol::ExperimentSummary& summary) {
    // A head that cannot write its journal, on a full disk, knows more than the records say.
    const std::string state = mirror.cursor() > summary.cursor ? stateText(mirror.state(), mirror.reason())
                                                               : stateText(summary.state, summary.reason);
    std::string text =
        visibleText(summary.name) + "  " + state + "  " + std::to_string(finishedTrials(mirror));
    text += summary.plannedTrials ? "/" + counted(*summary.plannedTrials, "trial") : " trials done";
    if (const auto failed =
            std::count_if(mirror.trials().begin(), mirror.trials().end(),
                          [](const MirroredTrial& trial) { return trial.state() == TrialState::error; }))
        text += "  " + std::to_string(failed) + " failed";
    if (const auto diverged =
            std::count_if(mirror.trials().begin(), mirror.trials().end(),
                          [&mirror](const MirroredTrial& trial) { return mirror.hasDiverged(trial); }))
        text += "  " + std::to_string(diverged) + " diverged";
    if (const auto best = mirror.best()) {
        text += "  best " + visibleText(summary.metric) + " " +
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

std::string reportLine(const ExperimentMirror& mirror, const MirroredTrial& trial,
                       const std::string& objective) {
    return "trial " + std::to_string(trial.id.raw()) + " iteration " +
           std::to_string(trial.iteration().value_or(0)) + newestMetrics(mirror, trial, objective);
}

std::string trialLine(const ExperimentMirror& mirror, const MirroredTrial& trial,
                      const std::string& objective, base::WallTime now) {
    std::string text = "trial " + std::to_string(trial.id.raw()) + " " + stateWithMarks(mirror, trial);
    if (!trial.attempts.empty())
        text += " after " + durationText(secondsOf(trial, now));
    text += newestMetrics(mirror, trial, objective);
    if (const std::string waits = waitingText(trial); !waits.empty())
        text += "\n  " + waits;
    if (const Error* error = trial.error())
        text += "\n  " + toldText(*error);
    return text;
}

std::string warningLine(const client::MirroredWarning& warning) {
    const Error& error = warning.warning.error;
    const auto& trial = warning.warning.trial;
    std::string text = "warning: ";
    if (trial)
        text += "trial " + std::to_string(trial->raw()) + ": ";
    if (const auto rank = error.arguments.find("rank"); rank != error.arguments.end() && rank->second != "0")
        text += "rank " + visibleText(rank->second) + ": ";
    text += toldText(error);
    if (const auto count = error.arguments.find("count");
        count != error.arguments.end() && count->second != "1")
        text += " (" + visibleText(count->second) + " times so far)";
    return text;
}

Object trialObject(const ExperimentMirror& mirror, const MirroredTrial& trial, base::WallTime now,
                   bool withReports) {
    Object object;
    object.append("trial", uint64_t{trial.id.raw()});
    object.append("state", nameOf(trial.state()));
    object.append("reason", nameOf(trial.reason()));
    object.append("best", mirror.best() == trial.id);
    object.append("diverged", mirror.hasDiverged(trial));
    object.append("configuration", trial.configuration);
    object.append("seed", trial.seed);
    const client::Reports* reports = trial.reports();
    object.append("metrics", reports ? Value(reports->last) : Value(Object{}));
    const auto iteration = trial.iteration();
    object.append("iteration", iteration ? Value(*iteration) : Value());
    object.append("seconds", secondsOf(trial, now));
    object.append("attempts", uint64_t{trial.attempts.size()});
    object.append("node", trial.attempts.empty() ? Value() : Value(trial.attempts.back().start.node));
    Array checkpoints;
    for (const client::MirroredCheckpoint& checkpoint : trial.checkpoints) {
        if (!checkpoint.removed)
            checkpoints.push_back(uint64_t{checkpoint.index.raw()});
    }
    object.append("checkpoints", std::move(checkpoints));
    if (const Error* error = trial.error()) {
        object.append("error", errorValue(*error));
    }
    object.append("history", attemptHistory(trial));
    if (withReports) {
        Array all;
        visitReports(trial, [&all](const client::ReportRow& row, const Object& metrics) {
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
    const Names parameters = parametersOf(mirror);
    const Names metrics = exportedMetrics(mirror, withReports);
    std::string text = csvLine(csvHeader(parameters, metrics, withReports).all());
    for (const MirroredTrial& trial : mirror.trials()) {
        const auto configuration = base::flatten(trial.configuration);
        const auto addRow = [&](std::string iteration, std::string time, const Object& said) {
            std::vector<std::string> fields = {
                std::to_string(trial.id.raw()), std::string(nameOf(trial.state())),
                std::string(nameOf(trial.reason())), std::move(iteration), std::move(time)};
            for (const Value* value : parameters.columnsOf(configuration))
                fields.push_back(csvText(value));
            for (const Value* value : metrics.columnsOf(said))
                fields.push_back(csvText(value));
            text += csvLine(fields);
        };
        if (withReports) {
            visitReports(trial, [&addRow](const client::ReportRow& row, const Object& said) {
                addRow(std::to_string(row.iteration), base::formatIso8601(row.time), said);
            });
            continue;
        }
        const auto iteration = trial.iteration();
        const client::Reports* reports = trial.reports();
        addRow(iteration ? std::to_string(*iteration) : "", base::toJson(secondsOf(trial, now)),
               reports ? reports->last : Object{});
    }
    return text;
}

} // namespace trialdeck::ctl
