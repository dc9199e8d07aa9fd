// SPDX-License-Identifier: Apache-2.0
#include "trainer/program/program.h"

#include "trainer/command_line/command_line.h"
#include "trainer/contract/reporter.h"
#include "trainer/program/stop_signal.h"
#include "trainer/program/threads.h"
#include "trainer/train_loop/common_kernels.h"

#include <cstdio>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace trialdeck::trainer::program {

namespace {

using command_line::Settings;

constexpr int kFailedExitCode = 1;

void print(std::string_view line) {
    fmt::print("{}\n", line);
    // The log of a running trial is a pipe or a file: without this its lines would come in blocks.
    std::fflush(stdout);
}

int complain(const Error& error, int rank, int exitCode) {
    const std::string who = rank == 0 ? "" : fmt::format(" (rank {})", rank);
    fmt::print(stderr, "trialdeck-train{}: {}\n", who,
               error.detail.empty() ? base::describe(error) : error.detail);
    return exitCode;
}

/// What arguments and environment ask for, checked.
struct Order {
    Settings settings;
    contract::TrialContract contract;
    collective::World world;
    int threads = 1;
};

Expected<Order> orderFrom(Settings settings, const base::Environment& environment) {
    auto contract = contract::contractFromEnvironment(environment);
    if (!contract)
        return tl::make_unexpected(contract.error());
    auto world = collective::worldFromEnvironment(environment);
    if (!world)
        return tl::make_unexpected(world.error());
    const auto threads = threadCount(environment);
    if (!threads)
        return tl::make_unexpected(threads.error());
    const size_t batch = settings.hyperparameters.batch;
    if (batch < static_cast<size_t>(world->size))
        return base::fail(
            ErrorCode::value_out_of_range, {{"name", "--batch"}, {"value", std::to_string(batch)}},
            fmt::format("--batch is {}, but each of the {} workers needs a sample of every batch", batch,
                        world->size));
    return Order{std::move(settings), *std::move(contract), *std::move(world), *threads};
}

void introduce(const Order& order, const data::DataSet& dataSet, const collective::Collective& workers,
               const nn::Kernels& kernels) {
    const train_loop::Hyperparameters& h = order.settings.hyperparameters;
    print(fmt::format(
        "{} training and {} test images, layers {}-{}-{}, {} worker{} ({}), {} kernels, {} thread{} each",
        dataSet.train.count(), dataSet.test.count(), dataSet.inputs(), fmt::join(h.hidden, "-"),
        dataSet.classes, workers.size(), workers.size() == 1 ? "" : "s", workers.name(), kernels.name,
        order.threads, order.threads == 1 ? "" : "s"));
}

/// Rank 0's starting point, if there is one.
Expected<std::optional<checkpoint::Checkpoint>> startOf(const Order& order, base::FileSystem& files) {
    if (order.world.rank != 0 || !order.contract.resumeFrom)
        return std::nullopt;
    auto start = checkpoint::load(files, *order.contract.resumeFrom);
    if (!start)
        return tl::make_unexpected(start.error());
    print(fmt::format("goes on after epoch {} from {}", start->epoch, order.contract.resumeFrom->string()));
    const uint64_t seed = order.settings.hyperparameters.seed;
    if (start->seed != seed)
        print(fmt::format("note: the checkpoint was made with seed {}; from here on it is {}", start->seed,
                          seed));
    return std::optional(*std::move(start));
}

Expected<train_loop::Outcome> train(const Order& order) {
    base::PosixFileSystem files;
    const base::SystemClock clock;
    // The meeting first: from here on each worker sees at once when another one ends, whatever it was doing.
    const auto workers = collective::openCollective(
        {order.world, order.contract.group, order.settings.agreement(), {}}, order.settings.transport, clock);
    if (!workers)
        return tl::make_unexpected(workers.error());
    const std::atomic<bool>& stop = watchStopSignals();
    const auto dataSet = data::loadDataSet(order.settings.data);
    if (!dataSet)
        return tl::make_unexpected(dataSet.error());
    auto start = startOf(order, files);
    if (!start)
        return tl::make_unexpected(start.error());
    const auto kernels = train_loop::commonKernels(**workers);
    if (!kernels)
        return tl::make_unexpected(kernels.error());
    (*kernels)->setThreads(order.threads);

    std::unique_ptr<train_loop::EpochListener> listener = std::make_unique<contract::Silent>();
    if (order.world.rank == 0) {
        introduce(order, *dataSet, **workers, **kernels);
        auto reporter =
            contract::Reporter::open(order.contract, order.settings.hyperparameters.epochs, files, print);
        if (!reporter)
            return tl::make_unexpected(reporter.error());
        listener = *std::move(reporter);
    }
    train_loop::TrainLoop loop(order.settings.hyperparameters, *dataSet, **kernels, **workers, clock,
                               *listener, stop);
    return loop.run(*std::move(start));
}

} // namespace

int run(std::span<const std::string> arguments) {
    flushTinyNumbers();
    const base::Environment environment = base::currentEnvironment();
    const auto seed = environment.find("TRIALDECK_SEED");
    auto parsed = command_line::parse(arguments, seed == environment.end() ? "" : seed->second);
    if (const auto* ending = std::get_if<command_line::Ending>(&parsed)) {
        std::fputs(ending->text.c_str(), ending->exitCode == 0 ? stdout : stderr);
        return ending->exitCode;
    }
    const auto order = orderFrom(std::get<Settings>(std::move(parsed)), environment);
    if (!order)
        return complain(order.error(), 0, command_line::kUsageExitCode);
    const auto outcome = train(*order);
    if (!outcome)
        return complain(outcome.error(), order->world.rank, kFailedExitCode);
    if (*outcome == train_loop::Outcome::done)
        return 0;
    if (order->world.rank == 0)
        print("stopped by a signal");
    return stopExitCode();
}

} // namespace trialdeck::trainer::program
