// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "trainer/collective/collective.h"
#include "trainer/collective/meeting.h"

#include <memory>
#include <optional>
#include <string_view>

namespace trialdeck::trainer::collective {

/// How the workers exchange their gradients.
enum class Transport {
    /// Shared memory where all ranks run on one host and can share it, else the ring.
    automatic,
    /// Measured against gloo's TCP ring, and chosen instead of it because gloo is a shared library only and
    /// needs one: this program is copied alone to bare machines. See tests/benchmarks/trainer.
    tcpRing,
};

/// "auto", "tcp".
[[nodiscard]] std::string_view nameOf(Transport transport);
[[nodiscard]] std::optional<Transport> transportFromString(std::string_view name);

/// Meets the other workers and joins them; blocks until all have come.
/// @return what Meeting::hold says.
[[nodiscard]] Expected<std::unique_ptr<Collective>>
openCollective(const MeetingTerms& terms, Transport transport, const base::Clock& clock,
               std::optional<Listener> listener = std::nullopt);

} // namespace trialdeck::trainer::collective
