// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/engine.h"
#include "tests/support/virtual_time.h"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace trialdeck::tests {

/// What one worker does, in order. It lives in virtual time: every act happens `after` the one before.
struct Act {
    enum class Kind {
        /// Appends `text` and a newline to the report file.
        report,
        /// Appends `text` as it is to the report file.
        rawReport,
        /// Appends `text` and a newline to standard output.
        print,
        /// Writes the file `text`/weights.txt with `value` in the rank folder.
        checkpoint,
        exit,
        /// Dies of the signal `value`.
        die,
        /// The memory killer's victim.
        outOfMemory,
    };
    Kind kind = Kind::exit;
    std::chrono::milliseconds after{10};
    std::string text = {};
    int64_t value = 0;
};

/// How a worker answers SIGTERM.
enum class OnTerminate { endsAtOnce, exitsWithZero, ignores };

struct Script {
    /// Without an exit at the end the worker hangs.
    std::vector<Act> acts;
    OnTerminate onTerminate = OnTerminate::endsAtOnce;
};

/// The scripted model of a trial: what the worker of that rank will do.
using TrialModel = std::function<Script(const engine::AttemptRequest& request, uint32_t rank)>;

/// The machine with its worker processes: goes on when the daemon dies. Reports lie in memory.
class VirtualMachine {
public:
    /// @param files  where the workers see their folders
    VirtualMachine(VirtualTime& time, base::FileSystem& files, TrialModel model, double cpus)
        : m_time(time), m_files(files), m_model(std::move(model)), m_cpus(cpus) {}

    struct Worker {
        Script script;
        size_t nextAct = 0;
        std::string report;
        std::string output;
        bool terminated = false;
        bool stoppedByUs = false;
        base::SteadyTime began;
        std::optional<engine::WorkerEnd> end;
    };
    struct Attempt {
        engine::AttemptRequest request;
        std::deque<Worker> workers;
        [[nodiscard]] bool running() const;
    };

    void start(const engine::AttemptRequest& request);
    void terminate(const engine::AttemptKey& key);
    /// The whole machine was restarted: every process is gone and left no record.
    void powerCut();

    [[nodiscard]] const Attempt* find(const engine::AttemptKey& key) const;
    [[nodiscard]] const std::map<engine::AttemptKey, std::unique_ptr<Attempt>>& attempts() const {
        return m_attempts;
    }
    [[nodiscard]] double cpus() const { return m_cpus; }
    void setCpus(double cpus) { m_cpus = cpus; }
    [[nodiscard]] double cpusUsed() const;
    /// Requests in the order of their starts.
    [[nodiscard]] const std::vector<engine::AttemptRequest>& started() const { return m_started; }
    /// Called after each change of an attempt.
    void setObserver(std::function<void(const engine::AttemptKey&)> observer) {
        m_observer = std::move(observer);
    }

private:
    void scheduleNext(const engine::AttemptKey& key, uint32_t rank);
    void perform(const engine::AttemptKey& key, uint32_t rank);
    void end(const engine::AttemptKey& key, uint32_t rank, base::ProcessExit exit,
             std::optional<Error> cause);
    void terminateRank(const engine::AttemptKey& key, uint32_t rank);
    void observe(const engine::AttemptKey& key);

    void writeCheckpoint(const base::Path& folder, int64_t weights);

    VirtualTime& m_time;
    base::FileSystem& m_files;
    TrialModel m_model;
    double m_cpus;
    std::map<engine::AttemptKey, std::unique_ptr<Attempt>> m_attempts;
    std::vector<engine::AttemptRequest> m_started;
    std::function<void(const engine::AttemptKey&)> m_observer;
};

/// The Engine of one daemon on a VirtualMachine: dies with the daemon.
class VirtualEngine final : public engine::Engine {
public:
    VirtualEngine(VirtualTime& time, VirtualMachine& machine);
    ~VirtualEngine() override;

    void setListener(engine::EngineListener* listener) override { m_listener = listener; }
    [[nodiscard]] Placement place(uint32_t workers, const engine::WorkerResources& perWorker) const override;
    [[nodiscard]] Expected<void> start(const engine::AttemptRequest& request) override;
    void adopt(const engine::AttemptRequest& request,
               const std::vector<engine::ReadPositions>& positions) override;
    void stopForgotten(const std::string& experiment) override;
    void watchOutput(const engine::AttemptKey& key) override;
    void stop(const engine::AttemptKey& key) override;
    [[nodiscard]] std::vector<engine::Node> nodes() const override;
    [[nodiscard]] std::vector<engine::AttemptKey> running() const override;

    /// The next start() returns this.
    void refuseNextStart(Error error) { m_refusal = std::move(error); }
    /// The next start() is accepted and fails afterwards.
    void failNextStart(Error error) { m_lateFailure = std::move(error); }
    void tellNoOutput(const engine::AttemptKey& key) {
        later([this, key] { m_listener->onNoOutputYet(key, 0); });
    }
    void tellNodesChanged() {
        later([this] { m_listener->onNodesChanged(); });
    }

private:
    struct Watched {
        std::vector<engine::ReadPositions> positions;
        std::vector<bool> endTold;
        bool output = false;
        bool pending = false;
        /// Nothing of it is on the machine.
        bool lost = false;
    };

    void later(std::function<void()> action);
    /// Hands over what is new of the attempt, soon.
    void readSoon(const engine::AttemptKey& key);
    void read(const engine::AttemptKey& key);
    void readReport(const engine::AttemptKey& key, uint32_t rank, const VirtualMachine::Worker& worker);
    void readOutput(const engine::AttemptKey& key, uint32_t rank, const VirtualMachine::Worker& worker);
    void tellLost(const engine::AttemptKey& key);

    VirtualTime& m_time;
    VirtualMachine& m_machine;
    engine::EngineListener* m_listener = nullptr;
    std::map<engine::AttemptKey, Watched> m_watched;
    std::optional<Error> m_refusal;
    std::optional<Error> m_lateFailure;
};

} // namespace trialdeck::tests
