// SPDX-License-Identifier: Apache-2.0
// ls, show, best and export: what is known now.
#include "core/base/flat_names.h"
#include "core/ctl/trial_texts.h"
#include "core/ctl/verbs.h"
#include "core/ctl/words.h"

#include <algorithm>

namespace trialdeck::ctl {

namespace {

constexpr size_t kShortId = 8;

std::string doneText(const protocol::ExperimentSummary& summary) {
    const std::string done = std::to_string(summary.terminated + summary.errored);
    return (summary.plannedTrials ? done + "/" + std::to_string(*summary.plannedTrials) : done) +
           (summary.diverged > 0 ? ", " + std::to_string(summary.diverged) + " diverged" : "");
}

/// A width for tables: the terminal's, or none where somebody reads a file.
size_t tableColumns(const Desk& desk) {
    return desk.terminal.isLive() ? desk.terminal.columns() : 0;
}

} // namespace

Ending listExperiments(Desk& desk) {
    auto state = co_await desk.ask(protocol::StateReadRequest{});
    if (!state)
        co_return desk.fail(state.error());
    std::vector<protocol::ExperimentSummary>& experiments = state->experiments;
    std::sort(experiments.begin(), experiments.end(),
              [](const auto& left, const auto& right) { return left.created > right.created; });
    if (desk.command.json) {
        Array all;
        for (const protocol::ExperimentSummary& summary : experiments)
            all.push_back(summaryObject(summary));
        desk.printJson(std::move(all));
        co_return ExitCode::ok;
    }
    if (experiments.empty()) {
        desk.terminal.print("There is no experiment yet; `trialdeckctl run FILE` starts one.\n");
        co_return ExitCode::ok;
    }
    TextTable table;
    table.addColumn("id", TextTable::Align::left);
    table.addColumn("name", TextTable::Align::left);
    table.addColumn("state", TextTable::Align::left);
    table.addColumn("trials", TextTable::Align::right);
    table.addColumn("best", TextTable::Align::left);
    table.addColumn("age", TextTable::Align::right);
    table.addColumn("folder", TextTable::Align::left);
    for (const protocol::ExperimentSummary& summary : experiments) {
        const std::chrono::duration<double> age = desk.headNow() - summary.created;
        table.addRow(
            {summary.experiment.raw().substr(0, kShortId), visibleText(summary.name),
             summary.missing ? "missing" : stateText(summary.state, summary.reason), doneText(summary),
             summary.bestValue ? visibleText(summary.metric) + " " + numberText(*summary.bestValue) : "",
             durationText(age.count()), visibleText(summary.folder)});
    }
    desk.terminal.print(table.text(tableColumns(desk)));
    co_return ExitCode::ok;
}

Ending showExperiment(Desk& desk) {
    const auto summary = co_await desk.findExperiment();
    if (!summary)
        co_return desk.fail(summary.error());
    Follower follower(desk, *summary);
    const auto caughtUp = co_await follower.catchUp();
    if (!caughtUp)
        co_return desk.fail(caughtUp.error());
    const client::ExperimentMirror& mirror = follower.mirror();
    const base::WallTime now = desk.headNow();
    if (desk.command.json) {
        Object object = summaryObject(*summary);
        Array trials;
        for (const client::MirroredTrial& trial : mirror.trials())
            trials.push_back(trialObject(mirror, trial, now, false));
        // The summary has a count under this name.
        object.set("trial_count", summary->trials);
        object.set("trials", std::move(trials));
        desk.printJson(std::move(object));
        co_return ExitCode::ok;
    }
    desk.terminal.print(headline(mirror, *summary) + "\nid      " + summary->experiment.raw() + "\nfolder  " +
                        visibleText(summary->folder) + "\n\n");
    if (summary->error)
        desk.terminal.print(errorText(*summary->error) + "\n");
    desk.terminal.print(trialTable(mirror, summary->metric, now).text(tableColumns(desk)));
    for (const client::MirroredTrial& trial : mirror.trials()) {
        if (const Error* error = trial.error())
            desk.terminal.print("trial " + std::to_string(trial.id.raw()) + ": " + toldText(*error) + "\n");
    }
    for (const client::MirroredWarning& warning : mirror.warnings())
        desk.terminal.print(warningLine(warning) + "\n");
    co_return ExitCode::ok;
}

Ending showBest(Desk& desk) {
    const auto summary = co_await desk.findExperiment();
    if (!summary)
        co_return desk.fail(summary.error());
    if (summary->metric.empty())
        co_return desk.fail({ErrorCode::metric_required, {}, {}});
    Follower follower(desk, *summary);
    const auto caughtUp = co_await follower.catchUp();
    if (!caughtUp)
        co_return desk.fail(caughtUp.error());
    const client::ExperimentMirror& mirror = follower.mirror();
    const client::BestScope scope = desk.command.scope;
    const auto best = mirror.best(scope);
    if (!best) {
        desk.terminal.printError("error: no trial has reported " + visibleText(summary->metric) +
                                 " yet [not_found]\n");
        co_return ExitCode::not_found;
    }
    const client::MirroredTrial& trial = *mirror.trial(best->trial);
    if (desk.command.json) {
        Object object = trialObject(mirror, trial, desk.headNow(), false);
        object.append("scope", nameOf(scope));
        object.append("value", best->value);
        desk.printJson(std::move(object));
        co_return ExitCode::ok;
    }
    if (scope != client::BestScope::last)
        desk.terminal.print("best by " + std::string(nameOf(scope)) + ": " + visibleText(summary->metric) +
                            " " + numberText(best->value) + "\n");
    desk.terminal.print(trialLine(mirror, trial, summary->metric, desk.headNow()) + "\n");
    TextTable table;
    table.addColumn("parameter", TextTable::Align::left);
    table.addColumn("value", TextTable::Align::left);
    for (const auto& [name, value] : base::flatten(trial.configuration))
        table.addRow({visibleText(name), valueText(value)});
    desk.terminal.print(table.text());
    co_return ExitCode::ok;
}

Ending exportTrials(Desk& desk) {
    const auto summary = co_await desk.findExperiment();
    if (!summary)
        co_return desk.fail(summary.error());
    Follower follower(desk, *summary, Follower::Keep::all);
    const auto caughtUp = co_await follower.catchUp();
    if (!caughtUp)
        co_return desk.fail(caughtUp.error());
    const client::ExperimentMirror& mirror = follower.mirror();
    const base::WallTime now = desk.headNow();
    if (desk.command.csv) {
        desk.terminal.print(trialsCsv(mirror, now, desk.command.reports));
        co_return ExitCode::ok;
    }
    Array trials;
    for (const client::MirroredTrial& trial : mirror.trials())
        trials.push_back(trialObject(mirror, trial, now, desk.command.reports));
    desk.printJson(Object{{"experiment", summaryObject(*summary)}, {"trials", std::move(trials)}});
    co_return ExitCode::ok;
}

} // namespace trialdeck::ctl
