// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/asha.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace trialdeck::schedule {

namespace {
constexpr double kInfinity = std::numeric_limits<double>::infinity();
} // namespace

double linearPercentile(const std::vector<double>& sorted, double share) {
    assert(!sorted.empty());
    const double position = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<size_t>(position);
    const double fraction = position - static_cast<double>(below);
    const double low = sorted[below];
    if (fraction == 0 || below + 1 == sorted.size())
        return low;
    const double high = sorted[below + 1];
    if (low == high)
        return low;
    const double value = low * (1 - fraction) + high * fraction;
    return std::isnan(value) ? low : std::clamp(value, low, high);
}

AshaScheduler::AshaScheduler(AshaSettings settings) : m_settings(std::move(settings)) {
    assert(m_settings.gracePeriod > 0 && m_settings.reductionFactor > 1);
    for (double milestone = m_settings.gracePeriod;
         milestone < m_settings.maxTime && m_milestones.size() < kNoRung;
         milestone *= m_settings.reductionFactor)
        m_milestones.push_back(milestone);
    m_rungs.resize(m_milestones.size());
}

double AshaScheduler::rewardOf(double value) const {
    const double reward = m_settings.mode == model::Mode::max ? value : -value;
    return reward == -kInfinity ? std::numeric_limits<double>::quiet_NaN() : reward;
}

uint8_t AshaScheduler::newRung(const Observation& observation) const {
    if (std::isnan(observation.time) || observation.time >= m_settings.maxTime)
        return kNoRung;
    const auto above = std::upper_bound(m_milestones.begin(), m_milestones.end(), observation.time);
    if (above == m_milestones.begin())
        return kNoRung;
    const auto rung = static_cast<uint8_t>(above - m_milestones.begin() - 1);
    const uint8_t reached =
        observation.trial.raw() < m_rungOfTrial.size() ? m_rungOfTrial[observation.trial.raw()] : kNoRung;
    return reached != kNoRung && rung <= reached ? kNoRung : rung;
}

Decision AshaScheduler::decide(const Observation& observation) const {
    if (observation.time >= m_settings.maxTime)
        return {DecisionAction::stop, false};
    const uint8_t rung = newRung(observation);
    if (rung == kNoRung)
        return {};
    const std::vector<double>& rewards = m_rungs[rung].rewards;
    if (rewards.empty())
        return {DecisionAction::proceed, true};
    const double cutoff = linearPercentile(rewards, 1 - 1 / m_settings.reductionFactor);
    const bool keeps = rewardOf(observation.value) >= cutoff;
    return {keeps ? DecisionAction::proceed : DecisionAction::stop, true};
}

void AshaScheduler::apply(const Observation& observation, DecisionAction) {
    const uint8_t rung = newRung(observation);
    if (rung == kNoRung)
        return;
    const size_t trial = observation.trial.raw();
    if (trial >= m_rungOfTrial.size())
        m_rungOfTrial.resize(trial + 1, kNoRung);
    m_rungOfTrial[trial] = rung;
    const double reward = rewardOf(observation.value);
    if (std::isnan(reward))
        return;
    std::vector<double>& rewards = m_rungs[rung].rewards;
    rewards.insert(std::upper_bound(rewards.begin(), rewards.end(), reward), reward);
}

} // namespace trialdeck::schedule
