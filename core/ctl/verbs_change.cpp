// SPDX-License-Identifier: Apache-2.0
// stop, pause, resume, doctor and shutdown.
#include "core/ctl/sentences.h"
#include "core/ctl/text_table.h"
#include "core/ctl/verbs.h"
#include "core/ctl/words.h"

#include <algorithm>

namespace trialdeck::ctl {

namespace {

std::optional<TrialId> trialOf(const Desk& desk) {
    return desk.command.trial ? std::optional(TrialId(*desk.command.trial)) : std::nullopt;
}

std::string targetOf(const Desk& desk, const protocol::ExperimentSummary& summary) {
    return desk.command.trial
               ? "trial " + std::to_string(*desk.command.trial) + " of " + visibleText(summary.name)
               : visibleText(summary.name);
}

/// What a verb is about, and what would be lost where it ends work.
struct Target {
    protocol::ExperimentSummary summary;
    std::string name;
    protocol::WorkAtRiskResult risk;
};

asio::awaitable<Expected<Target>> findTarget(Desk& desk) {
    auto summary = co_await desk.findExperiment();
    if (!summary)
        co_return tl::make_unexpected(std::move(summary).error());
    protocol::WorkAtRiskRequest question{summary->experiment, trialOf(desk)};
    auto risk = co_await desk.ask(std::move(question));
    if (!risk)
        co_return tl::make_unexpected(std::move(risk).error());
    Target target;
    target.name = targetOf(desk, *summary);
    target.summary = std::move(*summary);
    target.risk = std::move(*risk);
    co_return target;
}

/// Gives the command and says so.
template<typename Request>
Ending give(Desk& desk, ExperimentId experiment, Request request, std::string sentence) {
    const auto done = co_await desk.ask(std::move(request));
    if (!done)
        co_return desk.fail(done.error());
    if (desk.command.json)
        desk.printJson(Object{{"id", experiment.raw()}, {"ok", true}});
    else
        desk.terminal.print(sentence + "\n");
    co_return ExitCode::ok;
}

} // namespace

Ending stopWork(Desk& desk) {
    const auto target = co_await findTarget(desk);
    if (!target)
        co_return desk.fail(target.error());
    if (const auto refused = desk.confirm(lossText(target->risk), "Stop " + target->name + "?"))
        co_return *refused;
    const ExperimentId& id = target->summary.experiment;
    protocol::StopRequest request{id, trialOf(desk)};
    std::string sentence = "Stopping " + target->name + ".";
    co_return co_await give(desk, id, std::move(request), std::move(sentence));
}

Ending pauseWork(Desk& desk) {
    const auto target = co_await findTarget(desk);
    if (!target)
        co_return desk.fail(target.error());
    const size_t bare = target->risk.withoutCheckpoint.size();
    const bool now = desk.command.now;
    if (now && bare > 0) {
        const std::string loss = counted(bare, "trial") + " without a checkpoint would start anew";
        if (const auto refused = desk.confirm(loss, "Pause " + target->name + " now?"))
            co_return *refused;
    }
    std::string sentence = "Pausing " + target->name + ": running trials end after their next checkpoint.";
    if (!now && bare > 0)
        sentence +=
            " " + counted(bare, "trial") + " without a checkpoint so far; --now does not wait for one.";
    const ExperimentId& id = target->summary.experiment;
    protocol::PauseRequest request{id, trialOf(desk), now};
    co_return co_await give(desk, id, std::move(request), std::move(sentence));
}

Ending resumeWork(Desk& desk) {
    const auto summary = co_await desk.findExperiment();
    if (!summary)
        co_return desk.fail(summary.error());
    protocol::ResumeRequest request{summary->experiment, trialOf(desk)};
    std::string sentence = "Going on with " + targetOf(desk, *summary) + ".";
    co_return co_await give(desk, summary->experiment, std::move(request), std::move(sentence));
}

Ending doctor(Desk& desk) {
    auto result = co_await desk.ask(protocol::DoctorRequest{});
    if (!result)
        co_return desk.fail(result.error());
    // Only both ends together can know it.
    for (const Error& finding : desk.client.state().findings) {
        if (finding.code == ErrorCode::clock_differs)
            result->checks.push_back({"clock", protocol::Severity::warning,
                                      sentenceOf(finding.code, finding.arguments) + "; " +
                                          adviceOn(finding.code, finding.arguments)});
    }
    bool isWrong = false;
    TextTable table;
    table.addColumn("", TextTable::Align::left);
    table.addColumn("check", TextTable::Align::left);
    table.addColumn("found", TextTable::Align::left);
    for (const protocol::DoctorCheck& check : result->checks) {
        isWrong = isWrong || check.severity == protocol::Severity::error;
        table.addRow({std::string(check.severity == protocol::Severity::note ? "ok" : nameOf(check.severity)),
                      visibleText(check.name), visibleText(check.detail)});
    }
    if (desk.command.json) {
        Object object = protocol::encode(*result);
        object.append("ok", !isWrong);
        desk.printJson(std::move(object));
    } else {
        desk.terminal.print(table.text());
    }
    co_return isWrong ? ExitCode::failed : ExitCode::ok;
}

Ending shutDown(Desk& desk) {
    if (desk.command.stopTrials) {
        const auto state = co_await desk.ask(protocol::StateReadRequest{});
        if (!state)
            co_return desk.fail(state.error());
        protocol::WorkAtRiskResult all;
        for (const protocol::ExperimentSummary& summary : state->experiments) {
            if (summary.running == 0)
                continue;
            protocol::WorkAtRiskRequest question{summary.experiment, {}};
            const auto risk = co_await desk.ask(std::move(question));
            if (!risk)
                continue;
            all.runningTrials += risk->runningTrials;
            all.runningSeconds = std::max(all.runningSeconds, risk->runningSeconds);
            all.lostSeconds += risk->lostSeconds;
            all.withoutCheckpoint.insert(all.withoutCheckpoint.end(), risk->withoutCheckpoint.begin(),
                                         risk->withoutCheckpoint.end());
        }
        if (const auto refused = desk.confirm(lossText(all), "Stop them and end the daemon?"))
            co_return *refused;
    }
    protocol::ShutdownRequest request;
    request.stopTrials = desk.command.stopTrials;
    const auto ended = co_await desk.ask(request);
    if (!ended)
        co_return desk.fail(ended.error());
    if (desk.command.json)
        desk.printJson(Object{{"ok", true}});
    else
        desk.terminal.print(desk.command.stopTrials ? "The daemon ends and stops its trials.\n"
                                                    : "The daemon ends; running trials go on.\n");
    co_return ExitCode::ok;
}

} // namespace trialdeck::ctl
