// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/app/replayed_experiment.h"

#include <array>
#include <cmath>
#include <limits>

namespace trialdeck::fakes {

namespace {

constexpr auto kYaml = R"(# Which learning rate suits a small network on Fashion-MNIST?
name: fashion-mnist-lr
trial:
  command: [trialdeck-train, --data, /usr/share/datasets/fashion-mnist, --lr, "{lr}", --momentum, "{momentum}"]
  runtime_env: {working_dir: ., env_vars: {OMP_NUM_THREADS: "1"}}
  num_workers: 1
  resources_per_worker: {CPU: 1}
param_space:
  lr: {loguniform: [1.0e-5, 1.0]}
  momentum: {uniform: [0.1, 0.9]}
search: {search_alg: random, num_samples: 8, seed: 1, metric: accuracy, mode: max, max_concurrent_trials: 2}
stop: {training_iteration: 10}
storage_path: ~/trialdeck
)";

struct Plan {
    double lr;
    double momentum;
    int iterations;
    TrialState state;
    double finalLoss;
    double speed;
};

constexpr std::array<Plan, 8> kPlans = {{{1.2e-2, 0.61, 10, TrialState::terminated, 0.3706, 0.62},
                                         {4.7e-3, 0.82, 10, TrialState::terminated, 0.3889, 0.55},
                                         {9.0e-4, 0.90, 10, TrialState::terminated, 0.4351, 0.42},
                                         {3.1e-2, 0.87, 7, TrialState::running, 0.2855, 0.70},
                                         {6.3e-1, 0.77, 3, TrialState::error, 2.4, 0.1},
                                         {8.4e-2, 0.34, 7, TrialState::running, 0.3705, 0.58},
                                         {2.2e-3, 0.15, 0, TrialState::pending, 0, 0},
                                         {5.5e-5, 0.44, 0, TrialState::pending, 0, 0}}};

Object metricsAt(const Plan& plan, int iteration) {
    const double shrink = std::exp(-plan.speed * iteration);
    const double wobble = 0.006 * std::sin(3.1 * iteration + 100 * plan.lr);
    double loss = plan.finalLoss + (1.35 - 0.5 * plan.speed) * shrink + wobble;
    if (plan.state == TrialState::error)
        loss = iteration < 3 ? 1.1 + 0.65 * iteration : std::numeric_limits<double>::quiet_NaN();
    const double accuracy = std::isnan(loss) ? 0.1 : std::max(0.1, 0.985 - 0.33 * loss);
    return Object{{"training_iteration", int64_t{iteration}},
                  {"loss", std::round(loss * 1e6) / 1e6},
                  {"accuracy", std::round(accuracy * 1e4) / 1e4},
                  {"train_loss", std::isnan(loss) ? loss : std::round(loss * 0.93e6) / 1e6},
                  {"time_this_iter_s", 18.1 + wobble}};
}

protocol::CheckpointCommitted checkpointAt(uint32_t trial, int iteration) {
    protocol::CheckpointCommitted checkpoint;
    checkpoint.trial = TrialId(trial);
    checkpoint.index = CheckpointIndex(static_cast<uint32_t>(iteration - 1));
    checkpoint.iteration = iteration;
    checkpoint.files = {{"model.bin", 5'364'224, "9f2c"}, {"state.json", 212, "03ab"}};
    return checkpoint;
}

void runTrial(RecordScript& script, uint32_t trial, const Plan& plan) {
    using namespace std::chrono_literals;
    script.trial(trial, Object{{"lr", plan.lr}, {"momentum", plan.momentum}});
    if (plan.state == TrialState::pending) {
        script.state(trial, TrialState::pending, TrialReason::waits_for_resources);
        return;
    }
    script.attempt(trial, 0, 0, "node-1").state(trial, TrialState::running);
    for (int iteration = 1; iteration <= plan.iterations; ++iteration) {
        script.after(18s).report(trial, iteration, metricsAt(plan, iteration));
        if (plan.state != TrialState::error || iteration < 3)
            script.add(checkpointAt(trial, iteration));
    }
    if (plan.state == TrialState::terminated)
        script.after(1s).state(trial, TrialState::terminated, TrialReason::stop_rule);
    if (plan.state == TrialState::error) {
        const Error cause{
            ErrorCode::worker_exit, {{"exit_code", "1"}, {"rank", "0"}}, "worker ended with code 1"};
        protocol::WorkerEnded end;
        end.trial = TrialId(trial);
        end.exitCode = 1;
        end.cause = cause;
        end.seconds = 55;
        end.logTail = "Traceback (most recent call last):\n  File \"train.py\", line 88, in <module>\n"
                      "ValueError: loss is NaN in epoch 3\n";
        script.after(1s).add(end).state(trial, TrialState::error, TrialReason::exit, cause);
    }
}

} // namespace

RecordScript& RecordScript::trial(uint32_t trial, Object configuration) {
    protocol::TrialCreated body;
    body.trial = TrialId(trial);
    body.configuration = std::move(configuration);
    body.seed = 1000 + trial;
    return add(std::move(body));
}

RecordScript& RecordScript::attempt(uint32_t trial, uint32_t attempt, int64_t firstIteration,
                                    const std::string& node) {
    protocol::AttemptStarted body;
    body.trial = TrialId(trial);
    body.attempt = AttemptNumber(attempt);
    body.node = node;
    body.firstIteration = firstIteration;
    if (attempt > 0)
        body.resumeFrom = CheckpointIndex(0);
    return add(std::move(body));
}

RecordScript& RecordScript::state(uint32_t trial, TrialState state, TrialReason reason,
                                  std::optional<Error> error) {
    protocol::TrialStateChanged body;
    body.trial = TrialId(trial);
    body.state = state;
    body.reason = reason;
    body.error = std::move(error);
    return add(std::move(body));
}

RecordScript& RecordScript::report(uint32_t trial, int64_t iteration, Object metrics, uint32_t attempt) {
    protocol::ReportReceived body;
    body.trial = TrialId(trial);
    body.attempt = AttemptNumber(attempt);
    body.iteration = iteration;
    body.metrics = std::move(metrics);
    return add(std::move(body));
}

ReplayedExperiment fashionMnist() {
    RecordScript script;
    ReplayedExperiment experiment;
    protocol::ExperimentSummary& summary = experiment.summary;
    summary.experiment = ExperimentId("3f1b4c8a-7a52-4f0e-9a55-0d6f2f4f1a01");
    summary.name = "fashion-mnist-lr";
    summary.folder = "/data/trialdeck/fashion-mnist-lr";
    summary.created = script.now();
    summary.plannedTrials = 8;
    summary.trials = 8;
    summary.metric = "accuracy";
    summary.mode = "max";
    for (uint32_t trial = 0; trial < kPlans.size(); ++trial) {
        runTrial(script, trial, kPlans[trial]);
        switch (kPlans[trial].state) {
        case TrialState::pending:
            ++summary.pending;
            break;
        case TrialState::running:
            ++summary.running;
            break;
        case TrialState::paused:
            ++summary.paused;
            break;
        case TrialState::terminated:
            ++summary.terminated;
            break;
        case TrialState::error:
            ++summary.errored;
            break;
        }
    }
    summary.bestTrial = TrialId(3);
    summary.bestValue = 0.8784;
    summary.secondsLeft = 240;
    summary.cursor = {Epoch(1), RecordNumber(script.records().size())};
    experiment.now = script.now() + std::chrono::seconds(2);
    experiment.records = script.records();

    protocol::ExperimentShowResult& shown = experiment.shown;
    shown.summary = summary;
    shown.yaml = kYaml;
    shown.baseDirectory = "/data/projects/fashion";
    shown.seed = 1;
    shown.environment =
        Object{{"command", Array{"trialdeck-train", "--data", "/usr/share/datasets/fashion-mnist"}},
               {"host", "node-1"},
               {"git", Object{{"commit", "5f6ba69"}, {"dirty", true}}},
               {"variables", Object{{"HOME", "/data/ada"},
                                    {"LANG", "C.UTF-8"},
                                    {"OMP_NUM_THREADS", "1"},
                                    {"PATH", "/usr/local/bin:/usr/bin:/bin"}}}};
    return experiment;
}

} // namespace trialdeck::fakes
