// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "trainer/collective/collective.h"
#include "trainer/collective/shared_region.h"

#include <atomic>
#include <deque>
#include <vector>

namespace trialdeck::trainer::collective {

/// Workers on one host: each adds its slice of all ranks' vectors where they lie and writes the sums back to
/// all. Ranks wait on a word in the shared memory (futex); that a peer ended is seen by the closing of its
/// connection from the meeting.
class SharedMemory final : public Collective {
public:
    /// @return unavailable, on every rank, where memory cannot be shared; the meeting is usable for another
    /// implementation then.
    static Expected<std::unique_ptr<Collective>> open(Meeting& meeting);

    int rank() const override { return m_meeting.rank(); }
    int size() const override { return m_meeting.size(); }
    std::string_view name() const override { return "shared memory"; }
    Expected<std::span<float>> allocate(size_t count) override;
    Expected<void> allReduce(std::span<float> values) override;
    Expected<void> allReduce(std::span<double> values) override;
    Expected<void> broadcast(std::span<std::byte> bytes) override;
    Expected<void> barrier() override;

private:
    /// At the start of the first region, all zero at first.
    struct Control {
        alignas(64) std::atomic<uint32_t> arrived;
        /// Counts the barriers that are over; ranks wait for it to change.
        alignas(64) std::atomic<uint32_t> generation;
        /// 1 + the rank that was seen to end first; 0 while none has.
        alignas(64) std::atomic<int32_t> lost;
    };
    /// One vector of each rank, one behind the other.
    struct Vectors {
        SharedRegion region;
        size_t stride;
    };

    SharedMemory(Meeting meeting, SharedRegion region)
        : m_meeting(std::move(meeting)), m_region(std::move(region)) {}

    [[nodiscard]] Control& control() const { return *reinterpret_cast<Control*>(m_region.data()); }
    [[nodiscard]] std::byte* stage(int rank) const;
    [[nodiscard]] Expected<void> waitPast(uint32_t generation);
    [[nodiscard]] Error lostRank() const;
    template<typename T>
    Expected<void> sum(std::span<T> values);
    template<typename T>
    Expected<void> sumInPlace(std::byte* firstRank, size_t stride, size_t count);

    Meeting m_meeting;
    SharedRegion m_region;
    std::deque<Vectors> m_vectors;
};

} // namespace trialdeck::trainer::collective
