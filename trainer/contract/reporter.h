// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "trainer/contract/trial_contract.h"
#include "trainer/train_loop/train_loop.h"

#include <functional>
#include <memory>

namespace trialdeck::trainer::contract {

/// Rank 0's mouth: after each epoch a checkpoint where one is due, then one report line in the trial's report
/// file that carries the metrics and the checkpoint's name, then one line that people read. One thread.
class Reporter final : public train_loop::EpochListener {
public:
    /// Receives one line without its end, for people.
    using Print = std::function<void(std::string_view line)>;

    /// Opens the report file where the contract names one.
    static Expected<std::unique_ptr<Reporter>> open(TrialContract contract, uint64_t lastEpoch,
                                                    base::FileSystem& files, Print print);

    /// @return the file errors of base.
    Expected<void> epochDone(const train_loop::EpochResult& result,
                             const std::function<checkpoint::Checkpoint()>& state) override;

private:
    Reporter(TrialContract contract, uint64_t lastEpoch, base::FileSystem& files, Print print)
        : m_contract(std::move(contract)), m_lastEpoch(lastEpoch), m_files(files), m_print(std::move(print)) {
    }

    TrialContract m_contract;
    uint64_t m_lastEpoch;
    base::FileSystem& m_files;
    Print m_print;
    /// Null when nobody asked for reports.
    std::unique_ptr<base::File> m_reports;
};

/// Other ranks say nothing: Trialdeck shows rank 0's reports as the trial's.
class Silent final : public train_loop::EpochListener {
public:
    Expected<void> epochDone(const train_loop::EpochResult&,
                             const std::function<checkpoint::Checkpoint()>&) override {
        return {};
    }
};

} // namespace trialdeck::trainer::contract
