// SPDX-License-Identifier: Apache-2.0
// Records of an invented experiment, as a head would send them.
#pragma once

#include "core/protocol/messages.h"

#include <string>
#include <vector>

namespace trialdeck::fakes {

/// Writes records one after the other, with numbers and times that go on by themselves.
class RecordScript {
public:
    explicit RecordScript(base::WallTime start = base::WallTime(std::chrono::milliseconds(1796047200000)))
        : m_time(start) {}

    RecordScript& after(std::chrono::milliseconds span) {
        m_time += span;
        return *this;
    }
    RecordScript& add(protocol::RecordBody body) {
        m_records.push_back({RecordNumber(++m_number), m_time, std::move(body)});
        return *this;
    }
    RecordScript& trial(uint32_t trial, Object configuration);
    RecordScript& attempt(uint32_t trial, uint32_t attempt = 0, int64_t firstIteration = 0,
                          const std::string& node = "node-1");
    RecordScript& state(uint32_t trial, TrialState state, TrialReason reason = TrialReason::none,
                        std::optional<Error> error = {});
    RecordScript& report(uint32_t trial, int64_t iteration, Object metrics, uint32_t attempt = 0);

    [[nodiscard]] base::WallTime now() const { return m_time; }
    [[nodiscard]] const std::vector<protocol::Record>& records() const { return m_records; }
    /// Hands over what was added since the last call.
    [[nodiscard]] std::vector<protocol::Record> take() {
        m_records.swap(m_taken);
        m_records.clear();
        return std::move(m_taken);
    }

private:
    base::WallTime m_time;
    uint64_t m_number = 0;
    std::vector<protocol::Record> m_records;
    std::vector<protocol::Record> m_taken;
};

/// fashion-mnist-lr in the middle of its run: 8 trials, of which 5 ended, one of them after a NaN.
struct ReplayedExperiment {
    protocol::ExperimentSummary summary;
    protocol::ExperimentShowResult shown;
    std::vector<protocol::Record> records;
    base::WallTime now;
};
[[nodiscard]] ReplayedExperiment fashionMnist();

} // namespace trialdeck::fakes
