// SPDX-License-Identifier: Apache-2.0
// An experiment in virtual time: a machine with scripted workers, and daemons that may die at any record and
// are started again.
#pragma once

#include "core/tuner/tuner.h"
#include "tests/support/compare.h"
#include "tests/support/faulty_file_system.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/virtual_engine.h"

#include <memory>
#include <optional>

namespace trialdeck::tests {

using Lines = std::vector<std::string>;

/// Thrown out of the journal: the daemon dies here.
struct DaemonDies {};

/// When the daemon dies: around one of the records that are appended from now on.
struct Death {
    enum class Moment {
        /// What came before the record is done, the record is not written.
        before,
        /// The record is written, nothing rests on it yet.
        after,
    };
    /// 1: the next record.
    uint64_t record = 1;
    Moment moment = Moment::after;
};

/// storage's journals, with deaths in between.
class DyingJournals final : public tuner::JournalSource {
public:
    DyingJournals(base::FileSystem& files, const base::Clock& clock) : m_files(files), m_clock(clock) {}

    void setDeath(std::optional<Death> death) { m_death = death; }
    /// Records appended since the last call.
    uint64_t takeCount() { return std::exchange(m_count, 0); }

    Expected<std::unique_ptr<storage::JournalWriter>> create(const base::Path& folder,
                                                             const ExperimentId& experiment) override;
    Expected<std::unique_ptr<storage::JournalWriter>> resume(const storage::JournalReader& reader,
                                                             const ExperimentId& experiment) override;

private:
    class Writer;
    void count(Death::Moment moment);

    base::FileSystem& m_files;
    const base::Clock& m_clock;
    std::optional<Death> m_death;
    uint64_t m_count = 0;
};

/// What a scripted program does: for each iteration it waits, maybe writes a checkpoint, and reports.
struct Training {
    int64_t iterations = 3;
    /// 0: never.
    int64_t checkpointEvery = 0;
    std::chrono::milliseconds pace{100};
    OnTerminate onTerminate = OnTerminate::endsAtOnce;
    int exitCode = 0;
};

/// A program that reports loss = |x - 0.5| + 1/iteration for its argument x, and goes on behind the
/// checkpoint that it is given.
[[nodiscard]] TrialModel trains(base::FileSystem& files, Training training = {});

/// The same few acts whatever it is given.
[[nodiscard]] TrialModel does(std::vector<Act> acts, OnTerminate onTerminate = OnTerminate::endsAtOnce);

[[nodiscard]] Act reports(std::string line, int after = 100);
[[nodiscard]] Act exits(int code = 0, int after = 100);

/// A specification with one parameter x of these values, searched by grid for the lowest loss.
[[nodiscard]] std::shared_ptr<model::ExperimentSpec> gridSpec(std::vector<Value> values);

/// Everything around one Tuner. The journal is read back as a list of short lines.
class TunerBench : private tuner::TunerListener {
public:
    explicit TunerBench(std::shared_ptr<model::ExperimentSpec> spec, double cpus = 4);
    ~TunerBench() override;

    /// Of the experiment; tests that move or copy it say so here before restart().
    base::Path folder = "/home/ada/trialdeck/test";
    MemoryFileSystem disk;
    FaultyFileSystem files{disk};
    VirtualTime time;
    DyingJournals journals{files, time.clock()};
    std::shared_ptr<model::ExperimentSpec> spec;
    TrialModel model;
    base::Environment login{{"PATH", "/bin"}, {"HOME", "/home/ada"}};
    bool single = false;
    /// Waits for the daemon that follows one that died.
    std::optional<Death> nextDeath;
    int deaths = 0;
    /// Up to where followers have been told.
    protocol::Cursor told;
    int summaries = 0;
    /// Warnings and errors of the daemons' log.
    Lines logged;

    [[nodiscard]] VirtualMachine& machine();
    [[nodiscard]] VirtualEngine& engine();
    [[nodiscard]] tuner::Tuner& tuner();

    /// Creates the experiment and starts it.
    void begin();
    /// The same; "done", or the code of what is wrong.
    [[nodiscard]] std::string tryBegin();
    /// The daemon is gone with everything that it waited for; workers go on.
    void kill();
    /// Another daemon takes the experiment up.
    void restart();
    /// Lets things happen until the experiment is finished, for at most an hour; starts a new daemon at once
    /// where one dies. @return whether it finished
    bool run();
    void runFor(std::chrono::milliseconds span);
    bool runUntil(const std::function<bool()>& reached);

    /// The journal without heartbeats: "trial 0 {x: 1}", "state 0 RUNNING none", "report 0/0 #1 loss=0.5", ….
    [[nodiscard]] Lines story();
    /// Only lines that begin with one of the words.
    [[nodiscard]] Lines story(const Lines& words);
    /// What every daemon must come to, whenever it died: configurations, states, reports in order of trials.
    [[nodiscard]] Lines outcome();
    [[nodiscard]] std::vector<protocol::Record> records();
    [[nodiscard]] std::string state();
    [[nodiscard]] std::string trialState(uint32_t trial);

private:
    struct Daemon;
    void startDaemon();
    void onRecords(tuner::Tuner& tuner) override { told = tuner.cursor(); }
    void onSummaryChanged(tuner::Tuner&) override { ++summaries; }

    class KeptLog;
    std::unique_ptr<VirtualMachine> m_machine;
    std::unique_ptr<base::Log> m_log;
    std::unique_ptr<Daemon> m_daemon;
};

/// "report 0/0 #1 loss=0.5" and the like.
[[nodiscard]] std::string shortLine(const protocol::RecordBody& body);

} // namespace trialdeck::tests
