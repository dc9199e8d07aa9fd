// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "trainer/collective/collective.h"
#include "trainer/collective/meeting.h"
#include "trainer/memory/aligned_vector.h"

#include <deque>
#include <vector>

namespace trialdeck::trainer::collective {

/// Workers on several machines: each speaks to its two neighbours in a ring, which moves 2 (n-1)/n of the
/// vector through each of them, the least that is possible. Source: Patarasuk and Yuan 2009, "Bandwidth
/// optimal all-reduce algorithms for clusters of workstations".
class TcpRing final : public Collective {
public:
    static Expected<std::unique_ptr<Collective>> open(Meeting meeting, const base::Clock& clock);

    int rank() const override { return m_meeting.rank(); }
    int size() const override { return m_meeting.size(); }
    std::string_view name() const override { return "tcp ring"; }
    Expected<std::span<float>> allocate(size_t count) override;
    Expected<void> allReduce(std::span<float> values) override;
    Expected<void> allReduce(std::span<double> values) override;
    Expected<void> broadcast(std::span<std::byte> bytes) override;
    Expected<void> barrier() override;

private:
    TcpRing(Meeting meeting, Meeting::Ring ring) : m_meeting(std::move(meeting)), m_ring(std::move(ring)) {}

    template<typename T>
    Expected<void> sum(std::span<T> values);
    [[nodiscard]] Expected<void> shift(std::span<const std::byte> out, std::span<std::byte> in) const;

    Meeting m_meeting;
    Meeting::Ring m_ring;
    std::deque<memory::AlignedVector<float>> m_vectors;
    /// One block that arrives, before it is added.
    std::vector<std::byte> m_arriving;
};

} // namespace trialdeck::trainer::collective
