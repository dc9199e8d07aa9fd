// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <cstddef>
#include <span>
#include <string_view>

namespace trialdeck::trainer::collective {

/// What the workers of one trial do together. Each call is made by every rank, in the same order and with the
/// same sizes, and blocks until this rank may go on. Every rank gets bit for bit the same result, and the
/// same again whenever the number of ranks and the implementation are the same. A peer that ended or fell
/// silent makes every call that needs it return connection_lost or timed_out, whose detail is a whole
/// sentence; the Collective is of no use afterwards. One thread at a time.
class Collective {
public:
    virtual ~Collective() = default;

    [[nodiscard]] virtual int rank() const = 0;
    [[nodiscard]] virtual int size() const = 0;
    /// "alone", "shared memory", "tcp ring".
    [[nodiscard]] virtual std::string_view name() const = 0;

    /// A zeroed vector in memory where allReduce needs no copies, beginning at a multiple of
    /// memory::kAlignment; lives as long as the Collective.
    [[nodiscard]] virtual Expected<std::span<float>> allocate(size_t count) = 0;

    /// Replaces each element by its sum over all ranks.
    [[nodiscard]] virtual Expected<void> allReduce(std::span<float> values) = 0;
    [[nodiscard]] virtual Expected<void> allReduce(std::span<double> values) = 0;

    /// Replaces the bytes of every rank by those of rank 0.
    [[nodiscard]] virtual Expected<void> broadcast(std::span<std::byte> bytes) = 0;

    /// Returns when every rank has come here.
    [[nodiscard]] virtual Expected<void> barrier() = 0;
};

} // namespace trialdeck::trainer::collective
