// SPDX-License-Identifier: Apache-2.0
#include "core/tuner/tuner_loop.h"

#include <algorithm>

namespace trialdeck::tuner {

Expected<const model::Trial*> TunerLoop::find(TrialId trial) const {
    if (m_ledger->knows(trial))
        return &m_ledger->trial(trial);
    return base::fail(ErrorCode::trial_not_found, {{"trial", std::to_string(trial.raw())}});
}

base::Unexpected TunerLoop::wrongState(std::string_view command, std::optional<TrialId> trial) const {
    base::ErrorArguments arguments = {{"command", std::string(command)}};
    if (trial) {
        arguments["trial"] = std::to_string(trial->raw());
        arguments["state"] = std::string(protocol::nameOf(m_ledger->trial(*trial).state()));
    } else {
        arguments["state"] = std::string(protocol::nameOf(m_ledger->experiment().state()));
    }
    return base::fail(ErrorCode::wrong_state, std::move(arguments));
}

// ---- pause ----

void TunerLoop::pauseRunning(TrialId trial, PauseMode mode) {
    const OpenAttempt& open = *m_ledger->openAttempt(trial);
    if (open.isEnding() && !open.startsAgain())
        return;
    if (!open.pauses())
        m_runner.end(trial, TrialReason::user_paused);
    if (mode == PauseMode::withoutCheckpoint && !m_ledger->trial(trial).newestCheckpoint())
        m_runner.stopWithoutCheckpoint(trial);
}

Expected<void> TunerLoop::pauseTrial(TrialId trial, PauseMode mode) {
    const auto found = find(trial);
    if (!found)
        return tl::make_unexpected(found.error());
    if (const OpenAttempt* open = m_ledger->openAttempt(trial)) {
        if (open->isEnding() && !open->startsAgain())
            return wrongState("pause", trial);
        pauseRunning(trial, mode);
        return {};
    }
    if ((*found)->state() != TrialState::pending)
        return wrongState("pause", trial);
    m_records.add(protocol::TrialStateChanged{trial, TrialState::paused, TrialReason::user_paused, {}});
    look();
    return {};
}

Expected<void> TunerLoop::pauseAll(PauseMode mode) {
    const ExperimentState state = m_ledger->experiment().state();
    const bool pausesHarder =
        state == ExperimentState::paused && mode == PauseMode::withoutCheckpoint && !m_ledger->open().empty();
    if ((state != ExperimentState::running && !pausesHarder) || m_ledger->stopping())
        return wrongState("pause", std::nullopt);
    if (state == ExperimentState::running)
        setState(ExperimentState::paused, ExperimentReason::user);
    for (const TrialId trial : std::set(m_ledger->open()))
        pauseRunning(trial, mode);
    look();
    return {};
}

// ---- resume ----

Expected<void> TunerLoop::resumeTrial(TrialId trial) {
    const auto found = find(trial);
    if (!found)
        return tl::make_unexpected(found.error());
    if (m_ledger->finished() || m_ledger->stopping())
        return wrongState("resume", trial);
    const OpenAttempt* open = m_ledger->openAttempt(trial);
    if (open && open->pauses())
        m_runner.end(trial, open->isEnding() ? TrialReason::queued : TrialReason::none);
    else if ((*found)->state() == TrialState::paused)
        m_records.add(protocol::TrialStateChanged{trial, TrialState::pending, TrialReason::queued, {}});
    else
        return wrongState("resume", trial);
    if (m_ledger->experiment().state() == ExperimentState::paused && m_ledger->waiting().size() <= 1 &&
        !m_admission.proposalsLeft())
        setState(ExperimentState::running, ExperimentReason::none);
    look();
    return {};
}

Expected<void> TunerLoop::resumeAll() {
    if (m_ledger->finished() || m_ledger->stopping())
        return wrongState("resume", std::nullopt);
    if (m_records.refusal())
        TRIALDECK_TRY(m_records.retry());
    bool any = m_ledger->experiment().state() == ExperimentState::paused;
    if (any)
        setState(ExperimentState::running, ExperimentReason::none);
    for (const model::Trial& trial : m_ledger->experiment().trials()) {
        const OpenAttempt* open = m_ledger->openAttempt(trial.id());
        const bool pauses = open && open->pauses();
        if (!pauses && trial.state() != TrialState::paused)
            continue;
        any = true;
        TRIALDECK_TRY(resumeTrial(trial.id()));
    }
    if (!any)
        return wrongState("resume", std::nullopt);
    look();
    return {};
}

// ---- stop ----

Expected<void> TunerLoop::stopTrial(TrialId trial) {
    const auto found = find(trial);
    if (!found)
        return tl::make_unexpected(found.error());
    if (const OpenAttempt* open = m_ledger->openAttempt(trial)) {
        if (!open->isEnding() || open->startsAgain() || open->pauses())
            m_runner.end(trial, TrialReason::user);
        return {};
    }
    if (protocol::isFinished((*found)->state()) || m_ledger->finished())
        return wrongState("stop", trial);
    m_records.add(protocol::TrialStateChanged{trial, TrialState::terminated, TrialReason::user, {}});
    look();
    return {};
}

Expected<void> TunerLoop::stopAll() {
    if (m_ledger->finished())
        return wrongState("stop", std::nullopt);
    if (m_ledger->stopping())
        return {};
    setState(ExperimentState::running, ExperimentReason::user);
    interruptAll();
    look();
    return {};
}

void TunerLoop::failFast() {
    const model::Experiment& experiment = m_ledger->experiment();
    if (!m_ledger->spec().failure.failFast || m_ledger->stopping() || experiment.counts().error == 0)
        return;
    const auto failed =
        std::find_if(experiment.trials().begin(), experiment.trials().end(),
                     [](const model::Trial& trial) { return trial.state() == TrialState::error; });
    setState(ExperimentState::running, ExperimentReason::fail_fast, failed->error());
    interruptAll();
}

void TunerLoop::interruptAll() {
    endRunning(TrialReason::interrupted);
    for (const TrialId trial : std::set(m_ledger->waiting())) {
        if (m_ledger->trial(trial).reason() != TrialReason::interrupted)
            m_records.add(
                protocol::TrialStateChanged{trial, TrialState::pending, TrialReason::interrupted, {}});
    }
}

void TunerLoop::endRunning(TrialReason reason, const std::optional<Error>& error) {
    for (const TrialId trial : std::set(m_ledger->open())) {
        const OpenAttempt& open = *m_ledger->openAttempt(trial);
        if (!open.isEnding() || open.startsAgain())
            m_runner.end(trial, reason, error);
    }
}

// ---- after a death ----

void TunerLoop::finishCommand() {
    const model::Experiment& experiment = m_ledger->experiment();
    if (m_ledger->stopping()) {
        interruptAll();
    } else if (isPausedForStorage()) {
        endForStorage();
    } else if (experiment.state() == ExperimentState::paused) {
        for (const TrialId trial : std::set(m_ledger->open()))
            pauseRunning(trial, PauseMode::afterCheckpoint);
    }
}

} // namespace trialdeck::tuner
