// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <QString>

namespace trialdeck::app::text {

/// What happened, to what, and what the user can do: one or two sentences in the user's language.
[[nodiscard]] QString errorSentence(const Error& error);

/// Everything there is to know, in English, for "Details" and bug reports: code, arguments, detail.
[[nodiscard]] QString errorDetails(const Error& error);

} // namespace trialdeck::app::text
