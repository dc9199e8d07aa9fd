// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/finding_words.h"

#include <QString>

namespace trialdeck::app::text {

/// A sentence that says what is wrong, to stand behind the one of the error itself; {name} stands for the
/// error's argument of that name.
[[nodiscard]] QString reasonSentence(FindingReason reason);

/// "a whole number", in the user's language.
[[nodiscard]] QString kindPhrase(ValueKind kind);

/// What a number that is out of range must be, from the error's arguments min, max and above; empty where it
/// has none of them.
[[nodiscard]] QString rangeSentence(const base::ErrorArguments& arguments);

} // namespace trialdeck::app::text
