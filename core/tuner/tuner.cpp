// SPDX-License-Identifier: Apache-2.0
#include "core/tuner/tuner.h"

#include "core/tuner/create_experiment.h"
#include "core/tuner/replay.h"
#include "core/tuner/tuner_loop.h"

namespace trialdeck::tuner {

Tuner::Tuner(std::unique_ptr<TunerLoop> loop) : m_loop(std::move(loop)) {}
Tuner::~Tuner() = default;

Expected<std::unique_ptr<Tuner>> Tuner::create(const Services& services, NewExperiment experiment) {
    auto opened = createExperiment(services, std::move(experiment));
    if (!opened)
        return tl::make_unexpected(std::move(opened).error());
    return std::unique_ptr<Tuner>(new Tuner(std::make_unique<TunerLoop>(services, std::move(*opened))));
}

Expected<std::unique_ptr<Tuner>> Tuner::reopen(const Services& services, base::Path folder,
                                               base::Environment loginEnvironment,
                                               std::shared_ptr<const model::ExperimentSpec> spec) {
    auto opened = readExperiment(services, std::move(folder), std::move(loginEnvironment), std::move(spec));
    if (!opened)
        return tl::make_unexpected(std::move(opened).error());
    return std::unique_ptr<Tuner>(new Tuner(std::make_unique<TunerLoop>(services, std::move(*opened))));
}

void Tuner::setListener(TunerListener* listener) {
    m_loop->setListener(*this, listener);
}

Expected<void> Tuner::start() {
    return m_loop->start();
}

const ExperimentId& Tuner::id() const {
    return m_loop->ledger().experiment().id();
}

const base::Path& Tuner::folder() const {
    return m_loop->files().folder();
}

base::Path Tuner::baseDirectory() const {
    return m_loop->ledger().created().baseDirectory;
}

const model::Experiment& Tuner::experiment() const {
    return m_loop->ledger().experiment();
}

protocol::ExperimentSummary Tuner::summary() const {
    return m_loop->summary();
}

protocol::Cursor Tuner::cursor() const {
    return m_loop->cursor();
}

void Tuner::lookAtFolder() {
    m_loop->lookAtFolder();
}

storage::JournalReader Tuner::journal() const {
    return m_loop->journal();
}

std::string Tuner::trialFolder(TrialId trial) const {
    return ExperimentFiles::trialFolder(trial);
}

Expected<protocol::WorkAtRiskResult> Tuner::workAtRisk(std::optional<TrialId> trial) const {
    return m_loop->atRisk(trial);
}

Expected<void> Tuner::pause(std::optional<TrialId> trial, PauseMode mode) {
    TRIALDECK_TRY(m_loop->mayCommand());
    return trial ? m_loop->pauseTrial(*trial, mode) : m_loop->pauseAll(mode);
}

Expected<void> Tuner::resume(std::optional<TrialId> trial) {
    TRIALDECK_TRY(m_loop->mayCommand());
    return trial ? m_loop->resumeTrial(*trial) : m_loop->resumeAll();
}

Expected<void> Tuner::stop(std::optional<TrialId> trial) {
    TRIALDECK_TRY(m_loop->mayCommand());
    return trial ? m_loop->stopTrial(*trial) : m_loop->stopAll();
}

Expected<void> Tuner::close() {
    return m_loop->close();
}

} // namespace trialdeck::tuner
