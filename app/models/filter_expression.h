// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/value.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace trialdeck::app::models {

/// Why a filter could not be read, and where (bytes in the text).
struct FilterError {
    enum class Kind {
        unknownName,
        expectedValue,
        expectedOperator,
        expectedName,
        unclosedQuote,
        unclosedParenthesis,
        leftover,
    };
    Kind kind = Kind::expectedName;
    size_t offset = 0;
    /// The word it is about.
    std::string word;
    /// The nearest name that exists, for unknownName; may be empty.
    std::string nearest;
    friend bool operator==(const FilterError&, const FilterError&) = default;
};

/// What the trial table shows: either words that each must stand in some cell ("adam 0.01"), or a condition
/// on columns (`lr < 0.1 and accuracy > 0.5`, `not (opt = adam or state = ERROR)`, `opt ~ ad`). Names with
/// blanks stand in quotes. and, or, not in any case. A text with a comparison in it is a condition.
class FilterExpression {
public:
    enum class Comparison { less, lessOrEqual, greater, greaterOrEqual, equal, notEqual, contains };

    /// @param names  of the columns; the place in it is what `cell` below is asked for
    [[nodiscard]] static std::variant<FilterExpression, FilterError>
    parse(std::string_view text, const std::vector<std::string>& names);

    [[nodiscard]] bool isEmpty() const;
    /// @param cell  the row's value in a column, null for a missing one
    /// @param textOf  the row's cells as the user sees them, joined; asked for only by free words
    [[nodiscard]] bool matches(const std::function<Value(size_t column)>& cell,
                               const std::function<std::string()>& textOf) const;

    struct Node;

private:
    /// Lower case.
    std::vector<std::string> m_words;
    std::shared_ptr<const Node> m_root;
};

} // namespace trialdeck::app::models
