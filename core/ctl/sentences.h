// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <string>
#include <string_view>

namespace trialdeck::ctl {

/// What happened, in one English sentence without a point, made of code and arguments; what others wrote is
/// shown with control characters escaped, and cut where it is long.
[[nodiscard]] std::string sentenceOf(ErrorCode code, const base::ErrorArguments& arguments);
/// What to do about it; empty where the sentence says it or nothing can be done.
[[nodiscard]] std::string adviceOn(ErrorCode code, const base::ErrorArguments& arguments);

} // namespace trialdeck::ctl
