// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace trialdeck::base {

/// SHA-256 over pieces. Not for more than one thread.
class Sha256 {
public:
    Sha256();
    ~Sha256();
    Sha256(Sha256&&) noexcept;
    Sha256& operator=(Sha256&&) noexcept;

    void update(std::string_view bytes);
    /// 64 lower-case hex digits over all bytes so far; more may follow.
    [[nodiscard]] std::string hexDigest() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

[[nodiscard]] std::string sha256Hex(std::string_view bytes);

} // namespace trialdeck::base
