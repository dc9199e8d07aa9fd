// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/unique_fd.h"

namespace trialdeck::base {

/// Unix sockets by a path of any length: an address holds 108 bytes, so they are reached through
/// /proc/self/fd/<folder>/<name>.

/// Replaces what lies at the path; only this user can connect.
[[nodiscard]] Expected<UniqueFd> listenLocally(const Path& path);

/// Blocking descriptor. @return connection_refused where nobody listens.
[[nodiscard]] Expected<UniqueFd> connectLocally(const Path& path);

} // namespace trialdeck::base
