// SPDX-License-Identifier: Apache-2.0
#include "core/storage/crc32c.h"

#include <array>
#include <cstring>

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace trialdeck::storage {

namespace {

constexpr std::array<uint32_t, 256> makeTable() {
    std::array<uint32_t, 256> table{};
    for (uint32_t i = 0; i < 256; ++i) {
        uint32_t value = i;
        for (int bit = 0; bit < 8; ++bit)
            value = (value >> 1U) ^ ((value & 1U) != 0 ? 0x82F63B78U : 0U);
        table[i] = value;
    }
    return table;
}

constexpr std::array<uint32_t, 256> kTable = makeTable();

uint32_t byTable(std::string_view bytes, uint32_t crc) {
    for (const char byte : bytes)
        crc = (crc >> 8U) ^ kTable[(crc ^ static_cast<unsigned char>(byte)) & 0xFFU];
    return crc;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) uint32_t byInstruction(std::string_view bytes, uint32_t crc) {
    uint64_t wide = crc;
    while (bytes.size() >= sizeof(uint64_t)) {
        uint64_t word = 0;
        std::memcpy(&word, bytes.data(), sizeof word);
        wide = _mm_crc32_u64(wide, word);
        bytes.remove_prefix(sizeof word);
    }
    crc = static_cast<uint32_t>(wide);
    for (const char byte : bytes)
        crc = _mm_crc32_u8(crc, static_cast<unsigned char>(byte));
    return crc;
}
#endif

} // namespace

uint32_t crc32c(std::string_view bytes, uint32_t before) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("sse4.2"))
        return ~byInstruction(bytes, ~before);
#endif
    return ~byTable(bytes, ~before);
}

} // namespace trialdeck::storage
