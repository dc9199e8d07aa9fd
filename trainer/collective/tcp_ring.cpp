// SPDX-License-Identifier: Apache-2.0
#include "trainer/collective/tcp_ring.h"

#include <algorithm>

namespace trialdeck::trainer::collective {

namespace {

/// Small enough to be added while it is in the cache, large enough that system calls do not count.
constexpr size_t kBlockBytes = size_t{128} << 10U;

/// The part of a vector that ends its way around the ring at one rank.
template<typename T>
std::span<T> chunkOf(std::span<T> values, int chunk, int ranks) {
    const auto index = static_cast<size_t>((chunk + ranks) % ranks);
    const size_t begin = values.size() * index / static_cast<size_t>(ranks);
    const size_t end = values.size() * (index + 1) / static_cast<size_t>(ranks);
    return values.subspan(begin, end - begin);
}

/// Block number `block` of a chunk; empty behind its end.
template<typename T>
std::span<T> blockOf(std::span<T> chunk, size_t block) {
    constexpr size_t kElements = kBlockBytes / sizeof(T);
    const size_t begin = std::min(block * kElements, chunk.size());
    return chunk.subspan(begin, std::min(kElements, chunk.size() - begin));
}

template<typename T>
void add(std::span<T> values, const std::byte* others) {
    const T* __restrict source = reinterpret_cast<const T*>(others);
    T* __restrict target = values.data();
    for (size_t i = 0; i < values.size(); ++i)
        target[i] += source[i];
}

} // namespace

Expected<std::unique_ptr<Collective>> TcpRing::open(Meeting meeting, const base::Clock& clock) {
    auto ring = meeting.formRing(clock);
    if (!ring)
        return tl::make_unexpected(ring.error());
    std::unique_ptr<Collective> collective(new TcpRing(std::move(meeting), *std::move(ring)));
    TRIALDECK_TRY(collective->barrier());
    return collective;
}

Expected<std::span<float>> TcpRing::allocate(size_t count) {
    return std::span<float>(m_vectors.emplace_back(count));
}

Expected<void> TcpRing::shift(std::span<const std::byte> out, std::span<std::byte> in) const {
    return exchange(m_ring.next, out, m_ring.previous, in, m_meeting.patience().silence);
}

template<typename T>
Expected<void> TcpRing::sum(std::span<T> values) {
    const int ranks = size();
    m_arriving.resize(kBlockBytes);
    // First each chunk travels once around and is summed on its way; then the sums travel once around.
    for (int step = 0; step < ranks - 1; ++step) {
        const std::span<T> out = chunkOf(values, rank() - step, ranks);
        const std::span<T> in = chunkOf(values, rank() - step - 1, ranks);
        for (size_t block = 0;; ++block) {
            const std::span<T> leaving = blockOf(out, block);
            const std::span<T> target = blockOf(in, block);
            if (leaving.empty() && target.empty())
                break;
            TRIALDECK_TRY(shift(std::as_bytes(leaving), std::span(m_arriving).first(target.size_bytes())));
            add(target, m_arriving.data());
        }
    }
    for (int step = 0; step < ranks - 1; ++step)
        TRIALDECK_TRY(shift(std::as_bytes(chunkOf(values, rank() + 1 - step, ranks)),
                            std::as_writable_bytes(chunkOf(values, rank() - step, ranks))));
    return {};
}

Expected<void> TcpRing::allReduce(std::span<float> values) {
    return sum(values);
}

Expected<void> TcpRing::allReduce(std::span<double> values) {
    return sum(values);
}

Expected<void> TcpRing::broadcast(std::span<std::byte> bytes) {
    while (!bytes.empty()) {
        const std::span<std::byte> block = bytes.first(std::min(bytes.size(), kBlockBytes));
        if (rank() != 0)
            TRIALDECK_TRY(shift({}, block));
        if (rank() != size() - 1)
            TRIALDECK_TRY(shift(block, {}));
        bytes = bytes.subspan(block.size());
    }
    return {};
}

Expected<void> TcpRing::barrier() {
    // A token goes around twice: when it comes the second time, everybody has had it.
    std::byte token{};
    for (int round = 0; round < 2; ++round) {
        if (rank() != 0)
            TRIALDECK_TRY(shift({}, {&token, 1}));
        TRIALDECK_TRY(shift({&token, 1}, {}));
        if (rank() == 0)
            TRIALDECK_TRY(shift({}, {&token, 1}));
    }
    return {};
}

} // namespace trialdeck::trainer::collective
