// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

/// Which code a program was built from. Linked by programs as trialdeck::base::build_id, so that a change
/// of any source relinks those alone.
namespace trialdeck::base {

/// "0.1.0".
[[nodiscard]] std::string_view version();

/// The same for two programs exactly when they were built from the same sources of core: a client that meets
/// a daemon with another id hands over from it.
[[nodiscard]] std::string_view buildId();

} // namespace trialdeck::base
