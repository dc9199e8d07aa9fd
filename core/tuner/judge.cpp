// SPDX-License-Identifier: Apache-2.0
#include "core/tuner/judge.h"

#include "core/base/json.h"

#include <algorithm>
#include <cmath>

namespace trialdeck::tuner {

using protocol::DecisionAction;

void Judge::judgeNewest() {
    if (!m_ledger.unjudged())
        return;
    const UnjudgedReport report = *m_ledger.unjudged();
    const OpenAttempt* open = m_ledger.openAttempt(report.trial);
    if (!open || open->isEnding())
        return;
    if (endsByNan(report.trial))
        return;
    if (!report.schedulerDone && endsByScheduler(report))
        return;
    endByStopRule(report.trial);
}

void Judge::endByStopRule(TrialId trial) {
    const std::vector<model::StopRule>& rules = m_ledger.spec().stop;
    const model::Trial& known = m_ledger.trial(trial);
    const auto* rule = model::firstMet(rules, known.iteration(), known.lastMetrics());
    const bool timed = std::any_of(rules.begin(), rules.end(), [](const model::StopRule& candidate) {
        return candidate.metric == kTotalTime;
    });
    if (!rule && timed && !known.lastMetrics().find(kTotalTime)) {
        // Ray adds it to every result; few programs report it themselves.
        Object metrics;
        metrics.append(std::string(kTotalTime), m_ledger.secondsRun(trial, m_clock.wallNow()));
        rule = model::firstMet(rules, known.iteration(), metrics);
    }
    if (rule)
        stopBy(trial, rule->metric);
}

bool Judge::endsByNan(TrialId trial) {
    const model::ExperimentSpec& spec = m_ledger.spec();
    const auto& metric = spec.search.metric;
    if (spec.trial.onNan == model::OnNan::proceed || !metric)
        return false;
    const model::Trial& known = m_ledger.trial(trial);
    const auto value = model::numericMetric(known.lastMetrics(), metric->name);
    if (!value || std::isfinite(*value))
        return false;
    if (spec.trial.onNan == model::OnNan::stop)
        stopBy(trial, "on_nan");
    else
        m_runner.end(trial, TrialReason::nan,
                     Error{ErrorCode::report_non_finite,
                           {{"metric", metric->name},
                            {"value", base::toJson(Value(*value))},
                            {"iteration", std::to_string(known.iteration())}},
                           {}});
    return true;
}

bool Judge::endsByScheduler(const UnjudgedReport& report) {
    const schedule::Decision decision = m_ledger.scheduler().decide(report.observation);
    if (!decision.changesState && decision.action == DecisionAction::proceed)
        return false;
    m_records.add(
        protocol::DecisionMade{report.trial, report.observation.iteration, decision.action, "scheduler"});
    if (decision.action != DecisionAction::stop)
        return false;
    m_runner.stopIfDue(report.trial);
    return true;
}

void Judge::stopBy(TrialId trial, std::string_view what) {
    m_records.add(protocol::DecisionMade{trial, m_ledger.trial(trial).iteration(), DecisionAction::stop,
                                         std::string(what)});
    m_runner.stopIfDue(trial);
}

} // namespace trialdeck::tuner
