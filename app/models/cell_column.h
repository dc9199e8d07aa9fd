// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/value.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace trialdeck::app::models {

/// What a cell of the trial table holds. The order is that of sorting upwards; notANumber and missing stand
/// last in both directions.
enum class CellKind : uint8_t { number, text, other, notANumber, missing };

/// How cells of a column compare: by kind, then by number (numbers) or by rank (everything else).
struct CellSortKey {
    CellKind kind = CellKind::missing;
    double number = 0;
};

/// One column of the trial table: nine bytes a cell, texts and lists kept once. Whole numbers are exact.
class CellColumn {
public:
    void resize(size_t rows);
    [[nodiscard]] size_t size() const { return m_kinds.size(); }
    /// @return true where the cell changed.
    bool set(size_t row, const Value& value);

    [[nodiscard]] CellKind kind(size_t row) const;
    /// Null for a missing cell.
    [[nodiscard]] Value value(size_t row) const;
    /// NaN for everything that is no number.
    [[nodiscard]] double number(size_t row) const;
    /// All numbers of the column so far were written without a point.
    [[nodiscard]] bool isWhole() const { return m_isWhole; }
    [[nodiscard]] bool hasNumbers() const { return m_hasNumbers; }

    /// One key a row. Texts compare with their digits as numbers ("t_2" before "t_10"), lists element by
    /// element.
    [[nodiscard]] std::vector<CellSortKey> sortKeys() const;

private:
    enum class Storage : uint8_t { missing, real, integer, unsignedInteger, distinct };

    uint64_t intern(const Value& value);

    std::vector<Storage> m_kinds;
    /// The double's bits, the integer's, or the place in m_distinct.
    std::vector<uint64_t> m_bits;
    std::vector<Value> m_distinct;
    std::unordered_map<std::string, uint64_t> m_distinctIndex;
    bool m_isWhole = true;
    bool m_hasNumbers = false;
};

/// Below 0, 0 or above: how a and b sort; numbers before texts before the rest, lists element by element.
[[nodiscard]] int compareValues(const Value& a, const Value& b);
/// The same for texts, runs of digits as numbers.
[[nodiscard]] int compareNaturally(std::string_view a, std::string_view b);

} // namespace trialdeck::app::models
