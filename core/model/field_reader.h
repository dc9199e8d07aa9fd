// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/spec_node.h"
#include "core/protocol/finding_words.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace trialdeck::model {

/// The findings of one check, in the order found; bounded, so that a hostile draft cannot fill the line.
class ProblemList {
public:
    void add(std::string path, SourcePosition position, protocol::Severity severity, ErrorCode code,
             base::ErrorArguments arguments, std::string suggestion);
    [[nodiscard]] const std::vector<protocol::Problem>& all() const { return m_problems; }
    [[nodiscard]] size_t errorCount() const { return m_errors; }

private:
    std::vector<protocol::Problem> m_problems;
    size_t m_errors = 0;
};

struct WholeLimits {
    int64_t min = std::numeric_limits<int64_t>::min();
    int64_t max = std::numeric_limits<int64_t>::max();
};

struct NumberLimits {
    double min = -std::numeric_limits<double>::infinity();
    double max = std::numeric_limits<double>::infinity();
};

/// Words that a key may have as its value.
struct WordList {
    /// What works.
    std::span<const std::string_view> available;
    /// What is known and not built.
    std::span<const std::string_view> later = {};
};

/// Reads one value of a draft and says what is wrong with it, once. Each reading method gives nothing for a
/// value that is missing or null (silently) and for a wrong one (with a problem at its place). A value that
/// was written oddly but clearly ("0.1" for a number) is put right in the tree, so that the form shows it so.
/// Holds pointers into the draft: use it while the draft stands still.
class FieldReader {
public:
    FieldReader(SpecNode* node, std::string path, ProblemList& problems)
        : m_node(node), m_path(std::move(path)), m_problems(&problems) {}

    /// There and not null.
    [[nodiscard]] bool has() const { return m_node && !m_node->isNull(); }
    [[nodiscard]] const std::string& path() const { return m_path; }
    [[nodiscard]] SpecNode* node() const { return m_node; }
    [[nodiscard]] ProblemList& problems() const { return *m_problems; }

    /// Of a map; reads as missing where there is no such key.
    [[nodiscard]] FieldReader field(std::string_view key) const;
    [[nodiscard]] FieldReader item(size_t index) const;
    /// Of a list; 0 for everything else.
    [[nodiscard]] size_t size() const { return m_node ? m_node->items.size() : 0; }

    /// Whether the value is a map (list); a problem where it is there and is none.
    [[nodiscard]] bool isMap() const;
    [[nodiscard]] bool isList() const;
    [[nodiscard]] std::optional<double> number(NumberLimits limits = {}) const;
    [[nodiscard]] std::optional<int64_t> whole(WholeLimits limits = {}) const;
    /// Numbers and truth values are taken as they are written.
    [[nodiscard]] std::optional<std::string> text() const;
    [[nodiscard]] std::optional<bool> boolean() const;
    [[nodiscard]] std::optional<std::string> word(const WordList& words) const;
    /// Whatever stands there, as the value of a parameter: notes numbers that YAML 1.1 takes for text,
    /// refuses whole numbers that no type holds.
    [[nodiscard]] std::optional<Value> anyValue() const;

    /// The number that the scalar spells, with notes about its writing; a problem where it is none.
    [[nodiscard]] std::optional<Value> numeric(ValueKind expected) const;

    void error(ErrorCode code, base::ErrorArguments arguments = {}, std::string suggestion = {}) const;
    void warning(ErrorCode code, base::ErrorArguments arguments = {}, std::string suggestion = {}) const;
    void note(ErrorCode code, base::ErrorArguments arguments = {}, std::string suggestion = {}) const;
    /// wrong_value_type. `expected` is one of: map, list, number, whole_number, text, boolean, quantity,
    /// distribution.
    void wrongType(ValueKind expected, std::string suggestion = {}) const;
    /// value_out_of_range with the limits that are finite.
    void outOfRange(const std::string& min, const std::string& max) const;

private:
    void report(protocol::Severity severity, ErrorCode code, base::ErrorArguments arguments,
                std::string suggestion) const;
    [[nodiscard]] std::string shown() const;

    SpecNode* m_node;
    std::string m_path;
    ProblemList* m_problems;
};

/// "a, b, c"
[[nodiscard]] std::string joined(std::span<const std::string_view> words);

/// The valid word that was most likely meant: by spelling, else the only one that contains what was typed,
/// else the longest one that is contained in it.
[[nodiscard]] std::optional<std::string> meantWord(std::string_view typed,
                                                   std::span<const std::string_view> words);

} // namespace trialdeck::model
