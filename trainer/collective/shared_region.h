// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "trainer/collective/meeting.h"

#include <cstddef>
#include <utility>

namespace trialdeck::trainer::collective {

/// Zeroed memory that all ranks of one host share. It has no name in any file system: it is gone with the
/// last process that maps it, however that ends.
class SharedRegion {
public:
    /// Called by every rank with the same size (bytes).
    /// @return on every rank the same: the region, or unavailable where one of them could not map it.
    static Expected<SharedRegion> create(const Meeting& meeting, size_t bytes);

    SharedRegion(SharedRegion&& other) noexcept
        : m_data(std::exchange(other.m_data, nullptr)), m_bytes(std::exchange(other.m_bytes, 0)) {}
    SharedRegion& operator=(SharedRegion&&) = delete;
    ~SharedRegion();

    [[nodiscard]] std::byte* data() const { return m_data; }

private:
    SharedRegion(std::byte* data, size_t bytes) : m_data(data), m_bytes(bytes) {}

    std::byte* m_data = nullptr;
    size_t m_bytes = 0;
};

} // namespace trialdeck::trainer::collective
