// SPDX-License-Identifier: Apache-2.0
#include "trainer/collective/shared_memory.h"

#include <algorithm>
#include <climits>
#include <cstring>
#include <ctime>
#include <linux/futex.h>
#include <new>
#include <sys/syscall.h>
#include <unistd.h>

namespace trialdeck::trainer::collective {

namespace {

constexpr size_t kPage = 4096;
/// For vectors that were not allocated here, and broadcasts: they pass through in pieces of this size.
constexpr size_t kStageBytes = size_t{256} << 10U;
/// About 30 µs: ranks that are equally fast meet without a system call.
constexpr int kSpins = 1000;
/// How often a waiting rank looks whether its peers still live.
constexpr std::chrono::milliseconds kLook{100};

constexpr size_t roundUp(size_t value, size_t step) {
    return (value + step - 1) / step * step;
}

void pauseProcessor() {
#ifdef __x86_64__
    __builtin_ia32_pause();
#endif
}

void waitWhileEqual(std::atomic<uint32_t>& word, uint32_t value, std::chrono::milliseconds limit) {
    const timespec timeout{0, static_cast<long>(limit.count()) * 1'000'000L};
    syscall(SYS_futex, &word, FUTEX_WAIT, value, &timeout, nullptr, 0);
}

void wakeAll(std::atomic<uint32_t>& word) {
    syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

/// Sums [begin, end) of the vectors, in the order of ranks, into all of them.
template<typename T>
void sumSlice(std::byte* firstRank, size_t stride, int ranks, size_t begin, size_t end) {
    constexpr size_t kBlock = 1024;
    T sums[kBlock];
    for (size_t at = begin; at < end; at += kBlock) {
        const size_t count = std::min(kBlock, end - at);
        std::memcpy(sums, reinterpret_cast<T*>(firstRank) + at, count * sizeof(T));
        for (int rank = 1; rank < ranks; ++rank) {
            const T* other = reinterpret_cast<T*>(firstRank + static_cast<size_t>(rank) * stride) + at;
            for (size_t i = 0; i < count; ++i)
                sums[i] += other[i];
        }
        for (int rank = 0; rank < ranks; ++rank)
            std::memcpy(reinterpret_cast<T*>(firstRank + static_cast<size_t>(rank) * stride) + at, sums,
                        count * sizeof(T));
    }
}

} // namespace

Expected<std::unique_ptr<Collective>> SharedMemory::open(Meeting& meeting) {
    static_assert(std::atomic<uint32_t>::is_always_lock_free && sizeof(std::atomic<uint32_t>) == 4);
    static_assert(sizeof(Control) <= kPage);
    auto region = SharedRegion::create(meeting, kPage + static_cast<size_t>(meeting.size()) * kStageBytes);
    if (!region)
        return tl::make_unexpected(region.error());
    return std::unique_ptr<Collective>(new SharedMemory(std::move(meeting), *std::move(region)));
}

std::byte* SharedMemory::stage(int rank) const {
    return m_region.data() + kPage + static_cast<size_t>(rank) * kStageBytes;
}

Expected<std::span<float>> SharedMemory::allocate(size_t count) {
    const size_t stride = roundUp(std::max<size_t>(count, 1) * sizeof(float), kPage);
    auto region = SharedRegion::create(m_meeting, stride * static_cast<size_t>(size()));
    if (!region)
        return tl::make_unexpected(region.error());
    const Vectors& vectors = m_vectors.emplace_back(Vectors{*std::move(region), stride});
    auto* own = vectors.region.data() + static_cast<size_t>(rank()) * stride;
    return std::span<float>(reinterpret_cast<float*>(own), count);
}

Error SharedMemory::lostRank() const {
    const std::string peer = "rank " + std::to_string(control().lost.load() - 1);
    return Error{
        ErrorCode::connection_lost, {{"peer", peer}}, peer + " was lost: it ended before its work was done"};
}

Expected<void> SharedMemory::waitPast(uint32_t generation) {
    Control& shared = control();
    for (int spin = 0; spin < kSpins; ++spin) {
        if (shared.generation.load(std::memory_order_acquire) != generation)
            return {};
        pauseProcessor();
    }
    for (std::chrono::milliseconds waited{0}; waited < m_meeting.patience().silence; waited += kLook) {
        waitWhileEqual(shared.generation, generation, kLook);
        const auto ended = m_meeting.endedRank();
        // Looked at last: a peer may have come, gone on and ended properly in between.
        if (shared.generation.load(std::memory_order_acquire) != generation)
            return {};
        if (ended) {
            int32_t none = 0;
            shared.lost.compare_exchange_strong(none, *ended + 1);
        }
        if (shared.lost.load() != 0)
            return tl::make_unexpected(lostRank());
    }
    return base::fail(ErrorCode::timed_out, {},
                      "another worker lives but has not come for " +
                          std::to_string(m_meeting.patience().silence.count() / 1000) + " s");
}

Expected<void> SharedMemory::barrier() {
    Control& shared = control();
    const uint32_t generation = shared.generation.load(std::memory_order_acquire);
    if (shared.arrived.fetch_add(1, std::memory_order_acq_rel) + 1 < static_cast<uint32_t>(size()))
        return waitPast(generation);
    shared.arrived.store(0, std::memory_order_relaxed);
    shared.generation.store(generation + 1, std::memory_order_release);
    wakeAll(shared.generation);
    return {};
}

template<typename T>
Expected<void> SharedMemory::sumInPlace(std::byte* firstRank, size_t stride, size_t count) {
    // Slices begin at cache lines, so that no two ranks write to one.
    constexpr size_t kLine = 64 / sizeof(T);
    const size_t part =
        roundUp((count + static_cast<size_t>(size()) - 1) / static_cast<size_t>(size()), kLine);
    const size_t begin = std::min(count, part * static_cast<size_t>(rank()));
    TRIALDECK_TRY(barrier());
    sumSlice<T>(firstRank, stride, size(), begin, std::min(count, begin + part));
    return barrier();
}

template<typename T>
Expected<void> SharedMemory::sum(std::span<T> values) {
    const auto bytes = std::as_writable_bytes(values);
    for (const Vectors& vectors : m_vectors) {
        std::byte* first = vectors.region.data();
        const std::byte* own = first + static_cast<size_t>(rank()) * vectors.stride;
        // Only from the start of a page, so that slices begin at cache lines.
        if (bytes.data() == own && bytes.size() <= vectors.stride)
            return sumInPlace<T>(first, vectors.stride, values.size());
    }
    while (!values.empty()) {
        const std::span<T> piece = values.first(std::min(values.size(), kStageBytes / sizeof(T)));
        std::memcpy(stage(rank()), piece.data(), piece.size_bytes());
        TRIALDECK_TRY(sumInPlace<T>(stage(0), kStageBytes, piece.size()));
        std::memcpy(piece.data(), stage(rank()), piece.size_bytes());
        values = values.subspan(piece.size());
    }
    return {};
}

Expected<void> SharedMemory::allReduce(std::span<float> values) {
    return sum(values);
}

Expected<void> SharedMemory::allReduce(std::span<double> values) {
    return sum(values);
}

Expected<void> SharedMemory::broadcast(std::span<std::byte> bytes) {
    while (!bytes.empty()) {
        const std::span<std::byte> piece = bytes.first(std::min(bytes.size(), kStageBytes));
        if (rank() == 0)
            std::memcpy(stage(0), piece.data(), piece.size());
        TRIALDECK_TRY(barrier());
        if (rank() != 0)
            std::memcpy(piece.data(), stage(0), piece.size());
        TRIALDECK_TRY(barrier());
        bytes = bytes.subspan(piece.size());
    }
    return {};
}

} // namespace trialdeck::trainer::collective
