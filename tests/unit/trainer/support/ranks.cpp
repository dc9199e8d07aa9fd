// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/trainer/support/ranks.h"

#include <cassert>
#include <thread>

namespace trialdeck::tests {

using namespace trainer::collective;

std::vector<std::string> runRanks(const Gang& gang, const Work& work) {
    auto listener = Listener::open(*resolve("127.0.0.1", 0));
    assert(listener);
    const uint16_t port = listener->port();
    const base::SystemClock clock;
    std::vector<std::string> results(static_cast<size_t>(gang.size));

    const auto runRank = [&](int rank, std::optional<Listener> own) {
        const MeetingTerms terms{{rank, gang.size, "127.0.0.1", port}, "group", "options", gang.patience};
        auto workers = openCollective(terms, gang.transport, clock, std::move(own));
        const Expected<void> done = workers ? work(*workers) : tl::make_unexpected(workers.error());
        if (!done)
            results[static_cast<size_t>(rank)] =
                std::string(base::nameOf(done.error().code)) + ": " + done.error().detail;
    };
    std::vector<std::thread> others;
    for (int rank = 1; rank < gang.size; ++rank)
        others.emplace_back(runRank, rank, std::nullopt);
    runRank(0, *std::move(listener));
    for (std::thread& other : others)
        other.join();
    return results;
}

} // namespace trialdeck::tests
