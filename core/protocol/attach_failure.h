// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <optional>
#include <string>
#include <string_view>

namespace trialdeck::protocol {

/// What `attach` prints in the place of the start marker when it cannot lead to a daemon: one line with the
/// error as JSON. The nonce keeps a login message from saying it.
[[nodiscard]] std::string attachFailureLine(std::string_view nonce, const Error& error);

/// Finds that line in what was printed; a code that is not known here counts as internal.
[[nodiscard]] std::optional<Error> findAttachFailure(std::string_view printed, std::string_view nonce);

} // namespace trialdeck::protocol
