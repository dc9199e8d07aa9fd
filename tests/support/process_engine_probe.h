// SPDX-License-Identifier: Apache-2.0
// A process engine on a loop of its own with a listener that writes down what it is told.
#pragma once

#include "core/engine/process/process_engine.h"

#include <asio/io_context.hpp>
#include <functional>

namespace trialdeck::tests {

class ProcessEngineProbe final : public engine::EngineListener {
public:
    /// Experiments lie in folder/e, sockets in folder/run.
    explicit ProcessEngineProbe(base::Path folder);
    ~ProcessEngineProbe() override;
    ProcessEngineProbe(const ProcessEngineProbe&) = delete;
    ProcessEngineProbe& operator=(const ProcessEngineProbe&) = delete;

    /// fake_worker with these steps as attempt 0 of that trial; its folder is made.
    engine::AttemptRequest request(uint32_t trial, const std::vector<std::string>& steps,
                                   uint32_t workers = 1);
    engine::Engine& engine() { return *m_engine; }
    engine::ProcessOptions& options() { return m_options; }
    /// Makes the engine anew, as a daemon that was started again; with changed options.
    void restart();
    /// As when the daemon is killed: nothing is told any more.
    void die() { m_engine.reset(); }

    /// Runs the loop until the condition holds, at most 30 seconds.
    bool runUntil(const std::function<bool()>& condition);
    bool runUntilTold(const std::string& event);
    /// Runs what is ready now.
    void runReady();

    /// "started 1", "report 1.0 {…}", "ended 1.0 code 0 [cause]", "over 1", …, in order. 1.0 is trial.rank.
    std::vector<std::string> events;
    /// events, except those that begin with "report" or "output".
    [[nodiscard]] std::vector<std::string> endings() const;
    [[nodiscard]] std::vector<std::string> lines(const std::string& kind, uint32_t trial,
                                                 uint32_t rank) const;
    [[nodiscard]] bool wasTold(const std::string& event) const;

    std::map<std::pair<engine::AttemptKey, uint32_t>, engine::WorkerEnd> ends;
    std::map<std::pair<engine::AttemptKey, uint32_t>, engine::ReadPositions> positions;
    std::map<engine::AttemptKey, std::optional<int>> ports;
    /// Keep no lines: floods.
    bool countOnly = false;
    uint64_t reportCount = 0;
    uint64_t longestLine = 0;
    std::function<void(const std::string& event)> onEvent;
    /// Warnings and errors of the engine's log.
    std::vector<std::string> logged;

    void onAttemptStarted(const engine::AttemptKey& key, const std::string& node,
                          std::optional<int> masterPort) override;
    void onReportLine(const engine::AttemptKey& key, uint32_t rank, std::string_view line,
                      uint64_t endOffset) override;
    void onOutputLine(const engine::AttemptKey& key, uint32_t rank, std::string_view line,
                      uint64_t endOffset) override;
    void onNoOutputYet(const engine::AttemptKey& key, uint32_t rank) override;
    void onWorkerEnded(const engine::AttemptKey& key, uint32_t rank, const engine::WorkerEnd& end) override;
    void onAttemptEnded(const engine::AttemptKey& key) override;
    void onStartFailed(const engine::AttemptKey& key, const Error& error) override;
    void onNodesChanged() override;

    [[nodiscard]] const std::string& experiment() const { return m_experiment; }
    [[nodiscard]] base::Path rankFolder(uint32_t trial, uint32_t rank) const;
    [[nodiscard]] std::string file(uint32_t trial, uint32_t rank, const std::string& name) const;

private:
    void tell(std::string event);
    void makeEngine();

    base::Path m_folder;
    std::string m_experiment;
    asio::io_context m_loop;
    base::PosixFileSystem m_files;
    base::SystemClock m_clock;
    std::unique_ptr<base::Log> m_log;
    engine::ProcessOptions m_options;
    std::unique_ptr<engine::ProcessEngine> m_engine;
};

} // namespace trialdeck::tests
