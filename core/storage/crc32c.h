// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace trialdeck::storage {

/// CRC-32C (Castagnoli) of bytes that follow those of `before`; by the processor's instruction where it has
/// one. Source: RFC 3720, appendix B.4.
[[nodiscard]] uint32_t crc32c(std::string_view bytes, uint32_t before = 0);

} // namespace trialdeck::storage
