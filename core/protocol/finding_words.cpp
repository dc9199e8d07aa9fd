// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/finding_words.h"

#include "core/base/enum_names.h"

namespace trialdeck::protocol {

namespace {

constexpr base::EnumNames<FindingReason, 40> kReasons{{
    "empty",
    "too_long",
    "leading_point",
    "blank_at_end",
    "slash",
    "braces",
    "control_character",
    "not_a_variable",
    "unreadable",
    "tag",
    "self_reference",
    "unknown_anchor",
    "key_not_text",
    "merge_not_map",
    "bare_braces",
    "tab_in_indentation",
    "unfinished_map",
    "unfinished_list",
    "misplaced_value",
    "zero_byte",
    "not_in_space",
    "written_as_call",
    "unknown",
    "no_metric",
    "fifo",
    "no_named_group",
    "group_twice",
    "not_a_folder",
    "no_permission",
    "read_only",
    "no_space",
    "torn_tail",
    "ignored_bytes",
    "bad_line",
    "hash_differs",
    "short_segment",
    "missing_segment",
    "bad_header",
    "unchained_segment",
    "no_segment",
}};
constexpr base::EnumNames<ValueKind, 10> kKinds{
    {"null", "boolean", "integer", "whole_number", "number", "quantity", "text", "bytes", "list", "map"}};

} // namespace

std::string_view nameOf(FindingReason reason) {
    return kReasons.name(reason);
}

std::string_view nameOf(ValueKind kind) {
    return kKinds.name(kind);
}

std::optional<FindingReason> findingReasonFromString(std::string_view name) {
    return kReasons.find(name);
}

std::optional<ValueKind> valueKindFromString(std::string_view name) {
    return kKinds.find(name);
}

base::ErrorArguments::value_type because(FindingReason reason) {
    return {"reason", std::string(nameOf(reason))};
}

} // namespace trialdeck::protocol
