// SPDX-License-Identifier: Apache-2.0
// One all-reduce of the network's gradients (669,706 float32, 2.7 MB) over ranks of this machine: ours
// through shared memory and over TCP, and, where libgloo-dev is installed, gloo's over TCP. Reach: no slower
// than gloo.
#include "trainer/collective/open.h"

#include <barrier>
#include <benchmark/benchmark.h>
#include <functional>
#include <memory>
#include <thread>
#ifdef TRIALDECK_HAS_GLOO
#include <gloo/allreduce.h>
#include <gloo/math.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/hash_store.h>
#include <gloo/transport/tcp/device.h>
#endif

using namespace trialdeck;
using namespace trialdeck::trainer::collective;

namespace {

constexpr size_t kCount = 669'706;
constexpr int kRounds = 50;

/// One rank's side; owned and used by its thread.
using Round = std::function<void()>;

Round joinOurs(int rank, int size, uint16_t port, Listener* listener, Transport transport) {
    const base::SystemClock clock;
    auto opened = openCollective({{rank, size, "127.0.0.1", port}, "", "", {}}, transport, clock,
                                 rank == 0 ? std::optional(std::move(*listener)) : std::nullopt);
    std::shared_ptr<Collective> workers = *std::move(opened);
    const std::span<float> values = *workers->allocate(kCount);
    return [workers, values] {
        if (!workers->allReduce(values))
            std::abort();
    };
}

/// Runs all ranks, each in a thread, kRounds times an iteration; the time is that of one round.
void measure(benchmark::State& state, int size, const std::function<Round(int rank)>& join) {
    std::barrier meeting(size);
    bool more = true;
    const auto rounds = [](const Round& round) {
        for (int i = 0; i < kRounds; ++i)
            round();
    };
    std::vector<std::thread> others;
    for (int rank = 1; rank < size; ++rank)
        others.emplace_back([&, rank] {
            const Round round = join(rank);
            for (;;) {
                meeting.arrive_and_wait();
                if (!more)
                    break;
                rounds(round);
            }
        });
    const Round round = join(0);
    for (auto _ : state) {
        meeting.arrive_and_wait();
        const auto began = std::chrono::steady_clock::now();
        rounds(round);
        state.SetIterationTime(
            std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count() / kRounds);
    }
    more = false;
    meeting.arrive_and_wait();
    for (std::thread& other : others)
        other.join();
}

void ours(benchmark::State& state, Transport transport) {
    const auto size = static_cast<int>(state.range(0));
    Listener listener = *Listener::open(*resolve("127.0.0.1", 0));
    const uint16_t port = listener.port();
    measure(state, size, [&](int rank) { return joinOurs(rank, size, port, &listener, transport); });
}

void sharedMemory(benchmark::State& state) {
    ours(state, Transport::automatic);
}
void tcpRing(benchmark::State& state) {
    ours(state, Transport::tcpRing);
}
BENCHMARK(sharedMemory)->Arg(2)->Arg(4)->UseManualTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(tcpRing)->Arg(2)->Arg(4)->UseManualTime()->Unit(benchmark::kMicrosecond);

#ifdef TRIALDECK_HAS_GLOO
void gloo(benchmark::State& state) {
    const auto size = static_cast<int>(state.range(0));
    ::gloo::rendezvous::HashStore store;
    measure(state, size, [&](int rank) -> Round {
        auto device = ::gloo::transport::tcp::CreateDevice("127.0.0.1");
        auto context = std::make_shared<::gloo::rendezvous::Context>(rank, size);
        context->connectFullMesh(store, device);
        auto values = std::make_shared<std::vector<float>>(kCount);
        return [context, values, tag = uint32_t{0}]() mutable {
            ::gloo::AllreduceOptions options(context);
            options.setOutput(values->data(), values->size());
            options.setReduceFunction(
                static_cast<void (*)(void*, const void*, const void*, size_t)>(&::gloo::sum<float>));
            options.setTag(tag++);
            ::gloo::allreduce(options);
        };
    });
}
BENCHMARK(gloo)->Arg(2)->Arg(4)->UseManualTime()->Unit(benchmark::kMicrosecond);
#endif

} // namespace

BENCHMARK_MAIN();
