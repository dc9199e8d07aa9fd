// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/files.h"
#include "core/protocol/messages.h"

namespace trialdeck::head {

/// Reads one stream of a worker from the segments that its supervisor writes. A stream without a byte yet is
/// empty and no error.
/// @param rankFolder  <trial>/attempt_N/rank_K, absolute
/// @return file_not_found where the attempt or rank has no folder
[[nodiscard]] Expected<protocol::LogReadResult>
readLogFiles(base::FileSystem& files, const base::Path& rankFolder, const protocol::LogReadRequest& request);

} // namespace trialdeck::head
