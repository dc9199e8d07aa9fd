// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/saved_connections.h"
#include "core/ctl/command_line.h"

namespace trialdeck::ctl {

/// The connection that --host, --port and --transport mean: a saved one of that name or id, else one to
/// "anna@gpu-head" or to a name alone. What the command line gives wins over what was saved.
[[nodiscard]] client::SavedConnection targetOf(const Command& command, const client::SavedConnections& saved);

} // namespace trialdeck::ctl
