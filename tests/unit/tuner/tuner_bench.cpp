// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/tuner/tuner_bench.h"

#include "core/base/json.h"

#include <algorithm>
#include <charconv>

namespace trialdeck::tests {

using std::chrono::milliseconds;

namespace {

constexpr auto kLongest = std::chrono::hours(1);

std::string text(const Value& value) {
    const std::string* plain = value.asString();
    return plain ? *plain : base::toJson(value);
}

std::string text(const Object& object) {
    std::string line;
    for (const auto& [key, value] : object)
        line += (line.empty() ? "" : " ") + key + "=" + text(value);
    return line;
}

template<typename Id>
std::string text(const Id& id) requires requires {
    id.raw();
}
{ return std::to_string(id.raw()); }

std::string text(const std::optional<Error>& error) {
    return error ? " " + std::string(base::nameOf(error->code)) : "";
}

int64_t iterationOf(base::FileSystem& files, const base::Path& checkpoint) {
    const auto weights = base::readWholeFile(files, checkpoint / "weights.txt");
    int64_t iteration = 0;
    if (weights)
        std::from_chars(weights->data(), weights->data() + weights->size(), iteration);
    return iteration;
}

struct ShortLine {
    std::string operator()(const protocol::SegmentHeader&) const { return "segment"; }
    std::string operator()(const protocol::ExperimentCreated& record) const {
        return "experiment " + record.name;
    }
    std::string operator()(const protocol::Amended&) const { return "amended"; }
    std::string operator()(const protocol::ExperimentStateChanged& record) const {
        return "experiment_state " + std::string(nameOf(record.state)) + " " +
               std::string(nameOf(record.reason)) + text(record.error);
    }
    std::string operator()(const protocol::TrialCreated& record) const {
        return "trial " + text(record.trial) + " " + text(record.configuration);
    }
    std::string operator()(const protocol::AttemptStarted& record) const {
        std::string line = "attempt " + text(record.trial) + "/" + text(record.attempt);
        if (record.resumeFrom)
            line += " from checkpoint " + text(*record.resumeFrom) + " behind #" +
                    std::to_string(record.firstIteration);
        return line + (record.node.empty() ? "" : " on " + record.node);
    }
    std::string operator()(const protocol::TrialStateChanged& record) const {
        return "state " + text(record.trial) + " " + std::string(nameOf(record.state)) + " " +
               std::string(nameOf(record.reason)) + text(record.error);
    }
    std::string operator()(const protocol::ReportReceived& record) const {
        std::string line = "report " + text(record.trial) + "/" + text(record.attempt);
        if (record.rank != 0)
            line += " rank " + std::to_string(record.rank);
        line += " #" + std::to_string(record.iteration) + " " + text(record.metrics);
        if (!record.checkpoint.empty())
            line += " checkpoint=" + record.checkpoint;
        return line + (record.flags.repeated ? " repeated" : "") +
               (record.flags.superseded ? " superseded" : "");
    }
    std::string operator()(const protocol::DecisionMade& record) const {
        return "decision " + text(record.trial) + " #" + std::to_string(record.iteration) + " " +
               std::string(nameOf(record.action)) + " by " + record.by;
    }
    std::string operator()(const protocol::CheckpointCommitted& record) const {
        std::string line = "checkpoint " + text(record.trial) + " " + text(record.index) + " #" +
                           std::to_string(record.iteration);
        for (const protocol::ManifestEntry& file : record.files)
            line += " " + file.path;
        return line;
    }
    std::string operator()(const protocol::CheckpointRemoved& record) const {
        return "checkpoint_removed " + text(record.trial) + " " + text(record.index);
    }
    std::string operator()(const protocol::CheckpointUnusable& record) const {
        return "checkpoint_unusable " + text(record.trial) + " " + text(record.index) + text(record.error);
    }
    std::string operator()(const protocol::WorkerEnded& record) const {
        std::string line = "worker_end " + text(record.trial) + "/" + text(record.attempt);
        if (record.rank != 0)
            line += " rank " + std::to_string(record.rank);
        if (record.exitCode)
            line += " exit " + std::to_string(*record.exitCode);
        if (record.signal)
            line += " signal " + std::to_string(*record.signal);
        return line + (record.stoppedByUs ? " stopped" : "") + text(record.cause);
    }
    std::string operator()(const protocol::WarningRaised& record) const {
        std::string line = "warning" + (record.trial ? " " + text(*record.trial) : "") + text(record.error);
        const auto count = record.error.arguments.find("count");
        if (count != record.error.arguments.end() && count->second != "1")
            line += " x" + count->second;
        return line;
    }
    std::string operator()(const protocol::Heartbeat&) const { return "heartbeat"; }
    std::string operator()(const protocol::Snapshot&) const { return "snapshot"; }
    std::string operator()(const protocol::UnknownRecord& record) const { return "unknown " + record.kind; }
};

} // namespace

std::string shortLine(const protocol::RecordBody& body) {
    return std::visit(ShortLine(), body);
}

// ---- journals ----

class DyingJournals::Writer final : public storage::JournalWriter {
public:
    Writer(DyingJournals& owner, std::unique_ptr<JournalWriter> inner)
        : m_owner(owner), m_inner(std::move(inner)) {}

    Expected<std::string_view> append(protocol::RecordBody&& body) override {
        m_owner.count(Death::Moment::before);
        auto line = m_inner->append(std::move(body));
        if (line) {
            ++m_owner.m_count;
            m_owner.count(Death::Moment::after);
        }
        return line;
    }
    protocol::Cursor last() const override { return m_inner->last(); }
    RecordNumber durable() const override { return m_inner->durable(); }
    Expected<void> flush() override { return m_inner->flush(); }
    void folderMoved(const base::Path& folder) override { m_inner->folderMoved(folder); }
    storage::JournalReader reader() const override { return m_inner->reader(); }

private:
    DyingJournals& m_owner;
    std::unique_ptr<JournalWriter> m_inner;
};

void DyingJournals::count(Death::Moment moment) {
    if (!m_death || m_death->moment != moment)
        return;
    const uint64_t due = m_death->record - (moment == Death::Moment::before ? 1 : 0);
    if (m_count != due)
        return;
    m_death.reset();
    throw DaemonDies();
}

Expected<std::unique_ptr<storage::JournalWriter>> DyingJournals::create(const base::Path& folder,
                                                                        const ExperimentId& experiment) {
    auto inner = storage::JournalWriter::create(m_files, m_clock, folder, experiment, {}, {});
    if (!inner)
        return inner;
    return std::make_unique<Writer>(*this, std::move(*inner));
}

Expected<std::unique_ptr<storage::JournalWriter>> DyingJournals::resume(const storage::JournalReader& reader,
                                                                        const ExperimentId& experiment) {
    auto inner = storage::JournalWriter::resume(m_clock, reader, experiment, {}, {});
    if (!inner)
        return inner;
    return std::make_unique<Writer>(*this, std::move(*inner));
}

// ---- programs ----

Act reports(std::string line, int after) {
    return {Act::Kind::report, milliseconds(after), std::move(line), 0};
}

Act exits(int code, int after) {
    return {Act::Kind::exit, milliseconds(after), {}, code};
}

TrialModel does(std::vector<Act> acts, OnTerminate onTerminate) {
    return [script = Script{std::move(acts), onTerminate}](const engine::AttemptRequest&, uint32_t) {
        return script;
    };
}

TrialModel trains(base::FileSystem& files, Training training) {
    return [&files, training](const engine::AttemptRequest& request, uint32_t) {
        const double x = std::stod(request.command.at(1));
        const std::string& resumeFrom = request.environment.at("TRIALDECK_RESUME_FROM");
        const int64_t done = resumeFrom.empty() ? 0 : iterationOf(files, resumeFrom);
        Script script;
        script.onTerminate = training.onTerminate;
        for (int64_t iteration = done + 1; iteration <= training.iterations; ++iteration) {
            Object report = {{"training_iteration", iteration},
                             {"loss", std::abs(x - 0.5) + 1.0 / static_cast<double>(iteration)}};
            milliseconds wait = training.pace;
            if (training.checkpointEvery > 0 && iteration % training.checkpointEvery == 0) {
                const std::string name = "epoch_" + std::to_string(iteration);
                script.acts.push_back({Act::Kind::checkpoint, wait, name, iteration});
                report.set("checkpoint", name);
                wait = milliseconds(0);
            }
            script.acts.push_back({Act::Kind::report, wait, base::toJson(Value(report)), 0});
        }
        script.acts.push_back({Act::Kind::exit, training.pace, {}, training.exitCode});
        return script;
    };
}

std::shared_ptr<model::ExperimentSpec> gridSpec(std::vector<Value> values) {
    auto spec = std::make_shared<model::ExperimentSpec>();
    spec->name = "test";
    spec->trial.command = {"train", "{x}"};
    spec->space.parameters.push_back({{"x"}, "x", model::GridSearch{std::move(values)}, {}});
    spec->search.algorithm = model::SearchAlgorithm::grid;
    spec->search.seed = 7;
    spec->search.metric = model::Metric{"loss", model::Mode::min};
    return spec;
}

// ---- the bench ----

class TunerBench::KeptLog final : public base::Log {
public:
    explicit KeptLog(Lines& lines) : m_lines(lines) {}
    void write(base::LogLevel level, std::string_view, std::string_view text) override {
        if (level >= base::LogLevel::warning)
            m_lines.emplace_back(text);
    }

private:
    Lines& m_lines;
};

struct TunerBench::Daemon {
    Daemon(TunerBench& bench)
        : timers(bench.time), background(bench.time), engine(bench.time, *bench.m_machine),
          services{bench.time.clock(), *bench.m_log,           bench.files, engine,         router, timers,
                   background,         {"host", "boot", 1, 1}, "0.1",       &bench.journals} {
        engine.setListener(&router);
    }

    tuner::EngineRouter router;
    VirtualTimers timers;
    VirtualBackground background;
    VirtualEngine engine;
    tuner::Services services;
    std::unique_ptr<tuner::Tuner> tuner;
};

TunerBench::TunerBench(std::shared_ptr<model::ExperimentSpec> wanted, double cpus)
    : spec(std::move(wanted)), model(trains(files)),
      m_machine(std::make_unique<VirtualMachine>(
          time, files,
          [this](const engine::AttemptRequest& request, uint32_t rank) { return model(request, rank); },
          cpus)),
      m_log(std::make_unique<KeptLog>(logged)) {
    (void)disk.createDirectories(folder.parent_path());
}

TunerBench::~TunerBench() = default;

VirtualMachine& TunerBench::machine() {
    return *m_machine;
}

VirtualEngine& TunerBench::engine() {
    return m_daemon->engine;
}

tuner::Tuner& TunerBench::tuner() {
    return *m_daemon->tuner;
}

void TunerBench::begin() {
    if (const std::string begun = tryBegin(); begun != "done")
        qFatal("%s", begun.c_str());
}

std::string TunerBench::tryBegin() {
    m_daemon = std::make_unique<Daemon>(*this);
    tuner::NewExperiment experiment;
    experiment.spec = spec;
    experiment.yaml = "name: test\n";
    experiment.folder = folder;
    experiment.name = "test";
    experiment.baseDirectory = "/home/ada";
    experiment.single = single;
    experiment.loginEnvironment = login;
    auto created = tuner::Tuner::create(m_daemon->services, std::move(experiment));
    if (!created)
        return std::string(base::nameOf(created.error().code));
    m_daemon->tuner = std::move(*created);
    startDaemon();
    return "done";
}

void TunerBench::startDaemon() {
    m_daemon->tuner->setListener(this);
    if (const auto started = m_daemon->tuner->start(); !started)
        qFatal("%s", base::describe(started.error()).c_str());
}

void TunerBench::kill() {
    time.forgetDaemon();
    m_daemon.reset();
}

void TunerBench::restart() {
    kill();
    m_daemon = std::make_unique<Daemon>(*this);
    auto reopened = tuner::Tuner::reopen(m_daemon->services, folder, login, spec);
    if (!reopened)
        qFatal("%s", base::describe(reopened.error()).c_str());
    m_daemon->tuner = std::move(*reopened);
    startDaemon();
}

bool TunerBench::runUntil(const std::function<bool()>& reached) {
    bool died = false;
    for (;;) {
        try {
            if (died)
                restart();
            died = false;
            return time.runUntil(reached, kLongest);
        } catch (const DaemonDies&) {
            died = true;
            ++deaths;
            journals.takeCount();
            journals.setDeath(nextDeath);
        }
    }
}

bool TunerBench::run() {
    return runUntil([this] { return protocol::isFinished(tuner().experiment().state()); });
}

void TunerBench::runFor(milliseconds span) {
    time.runFor(span);
}

std::vector<protocol::Record> TunerBench::records() {
    std::vector<protocol::Record> found;
    const auto read = tuner().journal().forEach([&found](const protocol::Record& record, std::string_view) {
        found.push_back(record);
        return Expected<void>();
    });
    if (!read)
        qFatal("%s", base::describe(read.error()).c_str());
    return found;
}

Lines TunerBench::story() {
    Lines lines;
    for (const protocol::Record& record : records()) {
        if (!std::holds_alternative<protocol::Heartbeat>(record.body))
            lines.push_back(shortLine(record.body));
    }
    return lines;
}

Lines TunerBench::story(const Lines& words) {
    Lines lines = story();
    std::erase_if(lines, [&words](const std::string& line) {
        return std::none_of(words.begin(), words.end(),
                            [&line](const std::string& word) { return line.starts_with(word + " "); });
    });
    return lines;
}

Lines TunerBench::outcome() {
    const model::Experiment& experiment = tuner().experiment();
    Lines lines = {"experiment " + state()};
    for (const model::Trial& trial : experiment.trials()) {
        lines.push_back("trial " + text(trial.id()) + " " + text(trial.configuration().nested()) + " seed " +
                        std::to_string(trial.seed()) + " " + trialState(trial.id().raw()) + " #" +
                        std::to_string(trial.iteration()) + " reports " +
                        std::to_string(trial.reportCount()));
        for (const model::CurvePoint& point : trial.curve())
            lines.push_back("  #" + std::to_string(point.iteration) + " " + base::toJson(Value(point.value)));
        for (const model::Checkpoint& checkpoint : trial.checkpoints())
            lines.push_back("  checkpoint " + text(checkpoint.index) + " #" +
                            std::to_string(checkpoint.iteration));
    }
    Lines reports;
    for (const protocol::Record& record : records()) {
        // A start that a death cut off is an attempt that came to nothing: which one reported is no matter.
        if (const auto* report = std::get_if<protocol::ReportReceived>(&record.body)) {
            protocol::ReportReceived plain = *report;
            plain.attempt = AttemptNumber(0);
            reports.push_back(shortLine(plain));
        } else if (std::holds_alternative<protocol::DecisionMade>(record.body)) {
            reports.push_back(shortLine(record.body));
        }
    }
    std::stable_sort(reports.begin(), reports.end(), [](const std::string& left, const std::string& right) {
        return left.substr(0, left.find(" #")) < right.substr(0, right.find(" #"));
    });
    lines.insert(lines.end(), reports.begin(), reports.end());
    return lines;
}

std::string TunerBench::state() {
    const model::Experiment& experiment = tuner().experiment();
    return std::string(nameOf(experiment.state())) + " " + std::string(nameOf(experiment.reason()));
}

std::string TunerBench::trialState(uint32_t trial) {
    const model::Trial* found = tuner().experiment().find(TrialId(trial));
    return found ? std::string(nameOf(found->state())) + " " + std::string(nameOf(found->reason())) : "none";
}

} // namespace trialdeck::tests
