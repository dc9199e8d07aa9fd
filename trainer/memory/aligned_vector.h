// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace trialdeck::trainer::memory {

/// One cache line, and the widest register.
inline constexpr size_t kAlignment = 64;

template<typename T>
struct AlignedAllocator {
    using value_type = T;

    AlignedAllocator() = default;
    template<typename Other>
    AlignedAllocator(const AlignedAllocator<Other>&) {}

    T* allocate(size_t count) {
        return static_cast<T*>(::operator new(count * sizeof(T), std::align_val_t(kAlignment)));
    }
    void deallocate(T* memory, size_t) { ::operator delete(memory, std::align_val_t(kAlignment)); }

    friend bool operator==(const AlignedAllocator&, const AlignedAllocator&) { return true; }
};

/// Everything that the kernels compute with. Vectorised sums begin with the elements before the first aligned
/// one, so their rounding depends on where a vector lies; when all begin at multiples of kAlignment, a
/// resumed process rounds as the uninterrupted one did.
template<typename T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

} // namespace trialdeck::trainer::memory
