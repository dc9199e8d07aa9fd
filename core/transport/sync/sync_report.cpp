// SPDX-License-Identifier: Apache-2.0
#include "core/transport/sync/sync_report.h"

#include "core/base/enum_names.h"

namespace trialdeck::transport {

namespace {

constexpr base::EnumNames<SyncTool, 2> kToolNames({"rsync", "head"});
constexpr base::EnumNames<SyncChange::Kind, 4> kChangeNames({"copied", "made", "adjusted", "removed"});

} // namespace

std::string_view nameOf(SyncTool tool) {
    return kToolNames.name(tool);
}

std::string_view nameOf(SyncChange::Kind kind) {
    return kChangeNames.name(kind);
}

} // namespace trialdeck::transport
