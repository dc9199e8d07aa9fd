// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <optional>
#include <string_view>

namespace trialdeck::protocol {

/// What is wrong, where an error's code alone does not say it: its argument `reason`, as a word that a client
/// turns into its user's language.
enum class FindingReason {
    // of a name
    empty,
    too_long,
    leading_point,
    blank_at_end,
    slash,
    braces,
    control_character,
    not_a_variable,
    // of a YAML text; `parser` has what the parser itself says where it is `unreadable`
    unreadable,
    tag,
    self_reference,
    unknown_anchor,
    key_not_text,
    merge_not_map,
    bare_braces,
    tab_in_indentation,
    unfinished_map,
    unfinished_list,
    misplaced_value,
    // of a value
    zero_byte,
    not_in_space,
    written_as_call,
    unknown,
    // why a key has no effect
    no_metric,
    fifo,
    // of a pattern; `parser` as above where it is `unreadable`
    no_named_group,
    group_twice,
    // of a storage folder; `folder` is the one that stands in the way
    not_a_folder,
    no_permission,
    read_only,
    no_space,
    // of a journal
    torn_tail,
    ignored_bytes,
    bad_line,
    hash_differs,
    short_segment,
    missing_segment,
    bad_header,
    unchained_segment,
    no_segment,
};

/// Kinds of values: the arguments `expected` and `found` of wrong_value_type.
enum class ValueKind { null, boolean, integer, whole_number, number, quantity, text, bytes, list, map };

[[nodiscard]] std::string_view nameOf(FindingReason reason);
[[nodiscard]] std::string_view nameOf(ValueKind kind);
[[nodiscard]] std::optional<FindingReason> findingReasonFromString(std::string_view name);
[[nodiscard]] std::optional<ValueKind> valueKindFromString(std::string_view name);

/// The argument `reason`.
[[nodiscard]] base::ErrorArguments::value_type because(FindingReason reason);

} // namespace trialdeck::protocol

namespace trialdeck {
using protocol::FindingReason;
using protocol::ValueKind;
} // namespace trialdeck
