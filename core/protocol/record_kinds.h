// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/record.h"

#include <array>

namespace trialdeck::protocol {

/// Names of the kinds in the order of RecordBody; UnknownRecord carries its own.
inline constexpr std::array<std::string_view, 16> kRecordKinds = {"segment",
                                                                  "experiment",
                                                                  "amended",
                                                                  "experiment_state",
                                                                  "trial",
                                                                  "attempt",
                                                                  "trial_state",
                                                                  "report",
                                                                  "decision",
                                                                  "checkpoint",
                                                                  "checkpoint_removed",
                                                                  "worker_end",
                                                                  "warning",
                                                                  "heartbeat",
                                                                  "snapshot",
                                                                  "checkpoint_unusable"};
static_assert(kRecordKinds.size() + 1 == std::variant_size_v<RecordBody>);
static_assert(std::is_same_v<std::variant_alternative_t<kRecordKinds.size(), RecordBody>, UnknownRecord>);

} // namespace trialdeck::protocol
