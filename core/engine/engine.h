// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.h"
#include "core/base/files.h"
#include "core/base/process.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trialdeck::engine {

/// Names one attempt of one trial for the engine and for the processes it starts (TRIALDECK_ATTEMPT).
struct AttemptKey {
    /// UUID of the experiment.
    std::string experiment;
    uint32_t trial = 0;
    uint32_t attempt = 0;
    friend auto operator<=>(const AttemptKey&, const AttemptKey&) = default;
};

/// "<experiment>/<trial>/<attempt>": the value of TRIALDECK_ATTEMPT.
[[nodiscard]] std::string nameOf(const AttemptKey& key);

/// What one worker asks for. CPU may be fractional; memory in bytes is reserved and watched.
struct WorkerResources {
    double cpu = 1;
    double gpu = 0;
    uint64_t memoryBytes = 0;
    std::map<std::string, double> custom;
    friend bool operator==(const WorkerResources&, const WorkerResources&) = default;
};

/// How an attempt's workers start. The engine adds RANK, WORLD_SIZE, LOCAL_RANK, LOCAL_WORLD_SIZE,
/// MASTER_ADDR, MASTER_PORT, CUDA_VISIBLE_DEVICES, OMP_NUM_THREADS (unless given), TRIALDECK_ATTEMPT,
/// TRIALDECK_REPORT and TRIALDECK_CHECKPOINT_DIR for each rank.
struct AttemptRequest {
    AttemptKey key;
    uint32_t workers = 1;
    WorkerResources perWorker;
    /// Placeholders are filled; "{rank}" is not one.
    std::vector<std::string> command;
    /// Complete: the user's login environment and what the contract adds to it.
    base::Environment environment;
    base::Path workingDirectory;
    /// <trial>/attempt_N, exists; the engine makes rank_K in it.
    base::Path attemptFolder;
    /// A pseudo-terminal in place of the output pipes.
    bool terminal = false;
    std::chrono::milliseconds stopGrace{30'000};
};

/// Where a rank's report file and streams have been read up to, in bytes: a restarted daemon goes on from
/// here.
struct ReadPositions {
    uint64_t report = 0;
    uint64_t standardOutput = 0;
    friend bool operator==(const ReadPositions&, const ReadPositions&) = default;
};

/// Why a worker is gone.
struct WorkerEnd {
    base::ProcessExit exit;
    /// worker_exit, worker_signal, worker_out_of_memory, worker_lost, worker_killed_unknown; nothing after
    /// exit code 0 and nothing where we stopped it.
    std::optional<Error> cause;
    bool stoppedByUs = false;
    uint64_t peakMemoryBytes = 0;
    std::chrono::milliseconds duration{0};
    /// At most 4 KiB, cleaned UTF-8.
    std::string logTail;
};

struct Gpu {
    std::string uuid;
    std::string name;
    bool busy = false;
    std::optional<AttemptKey> user;
};

/// One machine as the engine sees it now.
struct Node {
    std::string name;
    double cpus = 0;
    double machineCpus = 0;
    double cpusUsed = 0;
    uint64_t memoryBytes = 0;
    uint64_t memoryReservedBytes = 0;
    double load1 = 0;
    std::vector<Gpu> gpus;
    std::map<std::string, double> custom;
    /// English: a limit that is not known, GPUs that are left out and why; empty where nothing is odd.
    std::string note;
};

/// A longer line of a report file is handed over as its first kMaxReportLineBytes + 1 bytes, so that it can
/// be refused by name; its offsets tell its full length.
inline constexpr size_t kMaxReportLineBytes = size_t{1} << 20;
/// Of a longer line of standard output only the first bytes are handed over.
inline constexpr size_t kMaxOutputLineBytes = size_t{64} << 10;

/// What an engine tells. Called on the engine's loop, never from inside a call to the engine.
class EngineListener {
public:
    virtual ~EngineListener() = default;
    /// All ranks have started. Not called for adopted attempts, and no second time when the workers were
    /// started again because another program took their MASTER_PORT.
    virtual void onAttemptStarted(const AttemptKey& key, const std::string& node,
                                  std::optional<int> masterPort) = 0;
    /// A whole line of the report file, without its newline, and the offset in bytes behind it. A last line
    /// without newline comes when the worker has ended. A file that was cut or replaced is read again from
    /// its start, without the lines that it began with before; offsets are then those of the new content.
    virtual void onReportLine(const AttemptKey& key, uint32_t rank, std::string_view line,
                              uint64_t endOffset) = 0;
    /// Lines of standard output, in their final state after carriage returns and without escape sequences;
    /// only when asked for by watchOutput(). A last line without newline comes when the worker has ended.
    virtual void onOutputLine(const AttemptKey& key, uint32_t rank, std::string_view line,
                              uint64_t endOffset) = 0;
    /// The worker has been busy for a minute without a byte of output and without a report; told once.
    virtual void onNoOutputYet(const AttemptKey& key, uint32_t rank) = 0;
    /// All lines of this rank have been handed over before. When a rank fails the others are stopped; the one
    /// that is to blame is told first, and the others' ends say stoppedByUs.
    virtual void onWorkerEnded(const AttemptKey& key, uint32_t rank, const WorkerEnd& end) = 0;
    /// Every rank has ended, nothing of the attempt is left running and all that it wrote has been told. Its
    /// resources are free, and have been since its last process was gone: where much was left to read, others
    /// may have been placed on them meanwhile.
    virtual void onAttemptEnded(const AttemptKey& key) = 0;
    /// start() was accepted but no worker came up.
    virtual void onStartFailed(const AttemptKey& key, const Error& error) = 0;
    /// Capacity or use of a node changed: something that waited may fit now. Also when the processes of an
    /// attempt are gone, before its end is told.
    virtual void onNodesChanged() = 0;
};

/// Runs the workers of attempts somewhere. One event loop a daemon: every call is made on it, none blocks.
/// Owned by the head; knows nothing of searching, scheduling or journals.
class Engine {
public:
    virtual ~Engine() = default;

    virtual void setListener(EngineListener* listener) = 0;

    /// Whether the request could be placed now; if not, waits_for_resources is what its trial says.
    struct Placement {
        bool fitsNow = false;
        /// More than the whole node has: starts when nothing else runs, with a warning.
        bool aboveNode = false;
        /// "1 GPU": what is missing, for the trial's reason.
        std::string waitsFor;
    };
    [[nodiscard]] virtual Placement place(uint32_t workers, const WorkerResources& perWorker) const = 0;

    /// Reserves the resources and starts the workers; all ranks or none. Errors that are known at once
    /// (command not found, working directory missing) are returned and nothing is started.
    [[nodiscard]] virtual Expected<void> start(const AttemptRequest& request) = 0;

    /// Takes up an attempt that an earlier daemon started: reads on from the positions (one a rank), reports
    /// ends that happened meanwhile. What never started or left no record ends as worker_lost.
    virtual void adopt(const AttemptRequest& request, const std::vector<ReadPositions>& positions) = 0;

    /// Stops and sweeps away what still runs of this experiment and was not given to adopt(): attempts that a
    /// crash took out of the journal. Called after the experiment's attempts have been given to adopt().
    virtual void stopForgotten(const std::string& experiment) = 0;

    /// Hands over lines of standard output of this attempt (all ranks) from the positions on.
    virtual void watchOutput(const AttemptKey& key) = 0;

    /// SIGTERM to the trees of all ranks, after the request's stopGrace SIGKILL. Their ends say stoppedByUs.
    /// What they wrote before their end is still told, and nothing that anybody writes later. An attempt that
    /// is not known is passed over.
    virtual void stop(const AttemptKey& key) = 0;

    [[nodiscard]] virtual std::vector<Node> nodes() const = 0;

    /// Attempts whose end has not been told yet.
    [[nodiscard]] virtual std::vector<AttemptKey> running() const = 0;
};

} // namespace trialdeck::engine
