// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.h"
#include "core/head/machine_facts.h"

#include <string_view>

namespace trialdeck::head {

/// Whether a variable's name says that its value is nobody's business (…TOKEN…, …PASSWORD…, …KEY…).
[[nodiscard]] bool isSecretName(std::string_view name);

/// Content of environment.json: what one needs to know to run the experiment again. Command, working
/// directory, git commit with the uncommitted difference (at most 256 KiB), host, system, versions, and the
/// variables without secret-like names. Runs git, so not for the loop.
[[nodiscard]] Value recordEnvironment(const model::ExperimentSpec& spec, const Place& place,
                                      base::WallTime now, std::string_view headVersion);

} // namespace trialdeck::head
