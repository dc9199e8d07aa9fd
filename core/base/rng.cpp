// SPDX-License-Identifier: Apache-2.0
#include "core/base/rng.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>
#include <sys/random.h>

namespace trialdeck::base {

namespace {

/// FNV-1a, 64 bits: spreads the purpose over the counter.
uint64_t hashText(std::string_view text) {
    uint64_t hash = 0xcbf29ce484222325ULL;
    for (const char c : text) {
        hash ^= static_cast<unsigned char>(c);
        hash *= 0x100000001b3ULL;
    }
    return hash;
}

constexpr uint32_t low32(uint64_t value) {
    return static_cast<uint32_t>(value);
}
constexpr uint32_t high32(uint64_t value) {
    return static_cast<uint32_t>(value >> 32U);
}

} // namespace

std::array<uint32_t, 4> philox4x32(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key) {
    constexpr uint64_t kMultiplier0 = 0xD2511F53U;
    constexpr uint64_t kMultiplier1 = 0xCD9E8D57U;
    constexpr uint32_t kWeyl0 = 0x9E3779B9U;
    constexpr uint32_t kWeyl1 = 0xBB67AE85U;
    for (int round = 0; round < 10; ++round) {
        const uint64_t product0 = kMultiplier0 * counter[0];
        const uint64_t product1 = kMultiplier1 * counter[2];
        counter = {high32(product1) ^ counter[1] ^ key[0], low32(product1),
                   high32(product0) ^ counter[3] ^ key[1], low32(product0)};
        key = {key[0] + kWeyl0, key[1] + kWeyl1};
    }
    return counter;
}

Rng::Rng(uint64_t seed, uint64_t proposal, std::string_view purpose) : m_key{low32(seed), high32(seed)} {
    // The counter is (draw block, purpose, proposal): 32 + 48 + 48 bits, each far above any experiment's
    // size.
    const uint64_t word = hashText(purpose);
    m_counter = {0, low32(word), (high32(word) & 0xFFFFU) | (high32(proposal) << 16U), low32(proposal)};
}

Rng::result_type Rng::operator()() {
    if (m_used > 2) {
        m_block = philox4x32(m_counter, m_key);
        ++m_counter[0];
        m_used = 0;
    }
    const uint64_t value = (static_cast<uint64_t>(m_block[m_used + 1]) << 32U) | m_block[m_used];
    m_used += 2;
    return value;
}

double Rng::uniform() {
    return static_cast<double>((*this)() >> 11U) * 0x1.0p-53;
}

double Rng::uniform(double low, double high) {
    assert(low <= high);
    const double u = uniform();
    // Halves first: high - low may be infinite where each bound is finite.
    const double value = std::isfinite(high - low) ? low + (high - low) * u : low * (1 - u) + high * u;
    if (value < high)
        return std::max(value, low);
    return low == high ? low : std::nextafter(high, low);
}

int64_t Rng::uniformInteger(int64_t low, int64_t high) {
    assert(low <= high);
    const uint64_t span = static_cast<uint64_t>(high) - static_cast<uint64_t>(low) + 1;
    if (span == 0)
        return static_cast<int64_t>((*this)());
    // Draws below 2^64 mod span are rejected, the rest divides evenly.
    const uint64_t reject = (0 - span) % span;
    uint64_t draw = (*this)();
    while (draw < reject)
        draw = (*this)();
    return static_cast<int64_t>(static_cast<uint64_t>(low) + draw % span);
}

double Rng::normal() {
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
    return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

uint64_t drawSeed() {
    uint64_t seed = 0;
    while (getrandom(&seed, sizeof seed, 0) != sizeof seed) {
    }
    return seed >> 1U;
}

} // namespace trialdeck::base
