// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

namespace trialdeck::base {

/// One block of Philox 4x32-10. Source: Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3".
[[nodiscard]] std::array<uint32_t, 4> philox4x32(std::array<uint32_t, 4> counter,
                                                 std::array<uint32_t, 2> key);

/// Counter-based randomness: the n-th draw depends on (seed, proposal, purpose, n) alone, so a restarted
/// daemon goes on exactly, and parallel trials never share a stream. Satisfies UniformRandomBitGenerator;
/// use the distributions here and never those of <random>, which differ between libraries.
class Rng {
public:
    using result_type = uint64_t;

    /// @param proposal  number of the trial's proposal, or any other counter
    /// @param purpose   short word for what is drawn, for example a parameter's name
    Rng(uint64_t seed, uint64_t proposal, std::string_view purpose);

    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
    result_type operator()();

    /// Uniform in [0, 1): 53 bits.
    double uniform();
    /// Uniform in [low, high), also where high - low overflows float64. Equal bounds give low.
    double uniform(double low, double high);
    /// Uniform over the whole numbers low..high, both included, without bias.
    int64_t uniformInteger(int64_t low, int64_t high);
    /// Standard normal by Box and Muller (1958), one value a call.
    double normal();

private:
    std::array<uint32_t, 2> m_key;
    std::array<uint32_t, 4> m_counter;
    std::array<uint32_t, 4> m_block{};
    size_t m_used = 4;
};

/// A seed for experiments that name none: 63 bits, from the operating system.
[[nodiscard]] uint64_t drawSeed();

} // namespace trialdeck::base
