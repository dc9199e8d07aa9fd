// SPDX-License-Identifier: Apache-2.0
// A daemon that does nothing but run attempts by a process engine and write down what it is told, so that it
// can be killed: engine_daemon FOLDER TRIALS REPORTS. FOLDER/events.log has one line an event, each written
// by one write(); a daemon that comes later goes on from there. It ends when every attempt is over.
#include "core/base/file_lock.h"
#include "core/base/host.h"
#include "core/engine/process/process_engine.h"

#include <asio/io_context.hpp>
#include <cstdlib>
#include <fcntl.h>
#include <map>
#include <set>
#include <sstream>
#include <unistd.h>

using namespace trialdeck;
using namespace trialdeck::engine;

namespace {

class Daemon final : public EngineListener {
public:
    Daemon(base::Path folder, int trials, int reports)
        : m_folder(std::move(folder)), m_trials(trials), m_reports(reports),
          m_log(base::makeStderrLog(base::LogLevel::warning)),
          m_events(
              ::open((m_folder / "events.log").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666)) {}

    int run(const base::FileLock&) {
        readEvents();
        ProcessOptions options;
        options.runtimeFolder = m_folder / "run";
        options.supervisorProgram = TRIALDECK_BIN_DIR "/supervisor_program";
        options.supervisorWords = {"supervisor_program", "supervise"};
        options.revival = supervise::DaemonRevival{{base::executablePath().native(), m_folder.native(),
                                                    std::to_string(m_trials), std::to_string(m_reports)},
                                                   m_folder / "daemon.lock",
                                                   m_folder / "stay-down"};
        options.cpus = m_trials;
        options.devices = std::vector<Device>();
        (void)m_files.createDirectories(options.runtimeFolder);
        ProcessEngine engine(m_loop, m_files, m_clock, *m_log, options);
        engine.setListener(this);
        tell("daemon " + std::to_string(getpid()));
        for (int trial = 0; trial < m_trials; ++trial) {
            if (m_over.count(trial) > 0)
                continue;
            const AttemptRequest wanted = request(trial);
            if (m_begun.count(trial) > 0) {
                engine.adopt(wanted, {m_positions[trial]});
            } else {
                tell("begin " + std::to_string(trial));
                if (auto started = engine.start(wanted); !started)
                    tell("refused " + describe(started.error()));
            }
        }
        while (static_cast<int>(m_over.size()) < m_trials)
            m_loop.run_one();
        tell("done");
        return 0;
    }

    void onAttemptStarted(const AttemptKey&, const std::string&, std::optional<int>) override {}
    void onReportLine(const AttemptKey& key, uint32_t, std::string_view line, uint64_t endOffset) override {
        tell("report " + std::to_string(key.trial) + " " + std::to_string(endOffset) + " " +
             std::string(line));
    }
    void onOutputLine(const AttemptKey&, uint32_t, std::string_view, uint64_t) override {}
    void onNoOutputYet(const AttemptKey&, uint32_t) override {}
    void onWorkerEnded(const AttemptKey& key, uint32_t, const WorkerEnd& end) override {
        tell("ended " + std::to_string(key.trial) + " " +
             (end.cause ? std::string(nameOf(end.cause->code)) : "well"));
    }
    void onAttemptEnded(const AttemptKey& key) override {
        m_over.insert(static_cast<int>(key.trial));
        tell("over " + std::to_string(key.trial));
    }
    void onStartFailed(const AttemptKey& key, const Error& error) override {
        m_over.insert(static_cast<int>(key.trial));
        tell("over " + std::to_string(key.trial) + " " + describe(error));
    }
    void onNodesChanged() override {}

private:
    void readEvents() {
        std::istringstream text(base::readWholeFile(m_files, m_folder / "events.log").value_or(""));
        for (std::string line; std::getline(text, line);) {
            std::istringstream words(line);
            std::string kind;
            int trial = 0;
            words >> kind >> trial;
            if (kind == "begin")
                m_begun.insert(trial);
            else if (kind == "report")
                words >> m_positions[trial].report;
            else if (kind == "over")
                m_over.insert(trial);
        }
    }

    AttemptRequest request(int trial) {
        AttemptRequest request;
        request.key = {m_folder.filename().native(), static_cast<uint32_t>(trial), 0};
        request.command = {TRIALDECK_BIN_DIR "/fake_worker", "interval=10",
                           "report=" + std::to_string(m_reports), "wait=" + (m_folder / "go").native()};
        request.environment = {{"PATH", "/usr/bin:/bin"}};
        request.workingDirectory = m_folder;
        request.attemptFolder = m_folder / ("trial_" + std::to_string(trial)) / "attempt_0";
        (void)m_files.createDirectories(request.attemptFolder);
        return request;
    }

    void tell(const std::string& event) const {
        const std::string line = event + "\n";
        if (write(m_events.get(), line.data(), line.size()) != static_cast<ssize_t>(line.size()))
            std::abort();
    }

    base::Path m_folder;
    int m_trials;
    int m_reports;
    asio::io_context m_loop;
    base::PosixFileSystem m_files;
    base::SystemClock m_clock;
    std::unique_ptr<base::Log> m_log;
    base::UniqueFd m_events;
    std::set<int> m_begun;
    std::set<int> m_over;
    std::map<int, ReadPositions> m_positions;
};

} // namespace

int main(int argc, char** argv) {
    if (argc != 4)
        return 2;
    const base::Path folder = argv[1];
    const auto lock = base::FileLock::tryAcquire(folder / "daemon.lock");
    if (!lock || !*lock)
        return 3;
    return Daemon(folder, std::atoi(argv[2]), std::atoi(argv[3])).run(**lock);
}
