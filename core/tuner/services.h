// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.h"
#include "core/base/files.h"
#include "core/base/log.h"
#include "core/engine/engine.h"
#include "core/protocol/record.h"
#include "core/storage/journal.h"
#include "core/tuner/engine_router.h"

#include <chrono>
#include <cstdint>
#include <functional>

namespace trialdeck::tuner {

/// Calls back on the daemon's loop after a while. One for the daemon (on its Asio loop; in virtual time in
/// tests); outlives every Tuner; used on the loop only.
class TimerService {
public:
    using Id = uint64_t;

    virtual ~TimerService() = default;
    /// `action` runs once, not before `delay` has passed and never from inside this call; 0 ms: after what
    /// the loop does now. Ids are never given twice and never 0.
    virtual Id after(std::chrono::milliseconds delay, std::function<void()> action) = 0;
    /// The action will not run. Unknown and past ids are ignored.
    virtual void cancel(Id id) = 0;
};

/// One timer of one owner: stops with it, and starting it again replaces what it waited for.
class Timer {
public:
    explicit Timer(TimerService& timers) : m_timers(&timers) {}
    ~Timer() { stop(); }
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;

    void start(std::chrono::milliseconds delay, std::function<void()> action);
    void stop();
    [[nodiscard]] bool active() const { return m_id != 0; }

private:
    TimerService* m_timers;
    TimerService::Id m_id = 0;
};

/// Runs what takes long (hashing a checkpoint) away from the loop. One for the daemon; outlives every Tuner.
class BackgroundWork {
public:
    virtual ~BackgroundWork() = default;
    /// `work` runs on some thread, pieces in the order given may overlap; then `done` on the loop, never from
    /// inside this call.
    virtual void run(std::function<void()> work, std::function<void()> done) = 0;
};

/// Where the journals of experiments are written: storage's own in the daemon; tests put one in between that
/// lets the daemon die at any record. Outlives every Tuner.
class JournalSource {
public:
    virtual ~JournalSource() = default;
    [[nodiscard]] virtual Expected<std::unique_ptr<storage::JournalWriter>>
    create(const base::Path& folder, const ExperimentId& experiment) = 0;
    [[nodiscard]] virtual Expected<std::unique_ptr<storage::JournalWriter>>
    resume(const storage::JournalReader& reader, const ExperimentId& experiment) = 0;
};

/// What a Tuner needs of its daemon. All of it outlives the Tuner.
struct Services {
    const base::Clock& clock;
    base::Log& log;
    base::FileSystem& files;
    engine::Engine& engine;
    /// The listener of `engine`; Tuners join and leave by themselves.
    EngineRouter& router;
    TimerService& timers;
    BackgroundWork& background;
    /// This daemon, for the headers of journal segments.
    protocol::Writer writer;
    std::string headVersion;
    /// Null: storage's own.
    JournalSource* journals = nullptr;
};

} // namespace trialdeck::tuner
