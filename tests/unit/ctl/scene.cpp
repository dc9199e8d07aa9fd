// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/ctl/scene.h"

#include "tests/support/run_awaitable.h"

#include <QStringList>
#include <algorithm>
#include <asio/post.hpp>

namespace trialdeck::tests {

using namespace trialdeck::ctl;

Scene::Scene() : head(loop) {
    protocol::ExperimentSummary summary;
    summary.experiment = kExperiment;
    summary.name = "lr-sweep";
    summary.folder = "/data/lr-sweep";
    summary.plannedTrials = 2;
    summary.trials = 2;
    summary.running = 1;
    summary.terminated = 1;
    summary.metric = "loss";
    summary.mode = "min";
    summary.bestTrial = TrialId(0);
    summary.bestValue = 0.25;
    summary.created = clock.wallNow();
    head.state.experiments = {summary};
    record(R"("experiment","experiment":"4f1c","name":"lr-sweep","seed":1,"base_directory":"/",)"
           R"("folder":"/data/lr-sweep","planned_trials":2,"head_version":"0.1","single":false)");
    startTrial(0, "0.1");
    startTrial(1, "0.01");
    report(0, 1, "0.5");
    report(0, 2, "0.25");
    report(1, 1, "NaN");
    record(R"("trial_state","trial":0,"state":"TERMINATED","reason":"completed")");
    answerCommands();
}

void Scene::answerCommands() {
    head.on<protocol::WorkAtRiskRequest>([this](const auto&) { return risk; });
    head.on<protocol::StopRequest>([](const auto&) { return protocol::EmptyResult{}; });
    head.on<protocol::PauseRequest>([this](const protocol::PauseRequest& request) {
        pausedAtOnce = request.pauseWithoutCheckpoint;
        return protocol::EmptyResult{};
    });
    head.on<protocol::ResumeRequest>([](const auto&) { return protocol::EmptyResult{}; });
    head.on<protocol::ShutdownRequest>([](const auto&) { return protocol::EmptyResult{}; });
}

void Scene::record(const std::string& fields) {
    ++records;
    head.appendRecord(kExperiment, R"({"n":)" + std::to_string(records) +
                                       R"(,"t":"2026-11-30T14:05:00.000Z","kind":)" + fields + "}");
}
void Scene::startTrial(int trial, const std::string& rate) {
    const std::string id = std::to_string(trial);
    record(R"("trial","trial":)" + id + R"(,"configuration":{"opt":{"lr":)" + rate +
           R"(}},"seed":1,"known":[])");
    record(R"("attempt","trial":)" + id + R"(,"attempt":0,"workers":1,"node":"node-a","first_iteration":0)");
    record(R"("worker_end","trial":)" + id +
           R"(,"attempt":0,"rank":0,"exit_code":0,"stopped_by_us":false,"peak_memory_bytes":0,)"
           R"("seconds":0.0,"log_tail":"")");
    record(R"("trial_state","trial":)" + id + R"(,"state":"RUNNING","reason":"none")");
}
void Scene::report(int trial, int iteration, const std::string& loss) {
    say(trial, iteration, "'loss':" + loss + ",'epoch_note':'é, ~x~'");
}
void Scene::say(int trial, int iteration, const std::string& metrics) {
    std::string fields = "'report','trial':" + std::to_string(trial) +
                         ",'attempt':0,'rank':0,'iteration':" + std::to_string(iteration) +
                         ",'source':'file','end_offset':0,'metrics':{" + metrics + "}";
    QString line = QString::fromStdString(fields);
    record(line.replace('~', "\\'").replace("'", "\"").toStdString());
}
void Scene::hasAttempts(int count) {
    head.on<protocol::FilesListRequest>(
        [count](const protocol::FilesListRequest& request) -> Expected<protocol::FilesListResult> {
            if (request.path != "trial_00001")
                return base::fail(ErrorCode::file_not_found, {{"path", request.path}});
            protocol::FilesListResult result;
            result.entries = {{"params.json", false, 0, {}}, {"checkpoint_000000", true, 0, {}}};
            for (int i = 0; i < count; ++i)
                result.entries.push_back({"attempt_" + std::to_string(i), true, 0, {}});
            return result;
        });
}

void Scene::endExperiment(const std::string& state) {
    record("\"experiment_state\",\"state\":\"" + state + "\",\"reason\":\"none\"");
}

int Scene::run(const QString& line) {
    std::vector<std::string> words;
    for (const QString& word : line.split(' ', Qt::SkipEmptyParts))
        words.push_back(word.toStdString());
    return run(std::move(words));
}

int Scene::run(std::vector<std::string> words) {
    auto parsed = parseCommandLine(std::move(words), "0.1");
    if (const auto* told = std::get_if<Told>(&parsed)) {
        qWarning("%s", told->text.c_str());
        return static_cast<int>(told->code);
    }
    client::ClientOptions options;
    options.buildId = "build-1";
    client::Client client(loop, clock, log, head.transport(), options);
    Desk desk(loop, client, terminal, clock, std::get<Command>(parsed));
    if (interrupt)
        asio::post(loop, [this, &desk] { interruptWhenAsked(desk); });
    return static_cast<int>(runAwaitable(loop, execute(desk)));
}

void Scene::interruptWhenAsked(Desk& desk) {
    if (head.subscribedCursors.empty())
        asio::post(loop, [this, &desk] { interruptWhenAsked(desk); });
    else
        desk.interrupt();
}

void Scene::shutDownWhenFollowed() {
    if (head.subscribedCursors.empty())
        asio::post(loop, [this] { shutDownWhenFollowed(); });
    else
        head.tell(protocol::HeadEndedEvent{});
}

bool Scene::wasAsked(const std::string& method) const {
    return std::find(head.asked.begin(), head.asked.end(), method) != head.asked.end();
}

} // namespace trialdeck::tests
