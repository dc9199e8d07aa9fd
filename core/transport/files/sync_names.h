// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace trialdeck::transport {

/// Beside a file that is on its way: holds what has come of it under its name. Never synced itself; either
/// tool goes on with what the other has left there.
inline constexpr std::string_view kPartFolder = ".trialdeck-part";

} // namespace trialdeck::transport
