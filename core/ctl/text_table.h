// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trialdeck::ctl {

/// Columns that a terminal needs for the text: 2 for wide characters (Chinese, emoji), 0 for combining ones.
[[nodiscard]] size_t displayWidth(std::string_view text);

/// The text cut to that many columns, with "…" at the end where something is missing.
[[nodiscard]] std::string fitted(std::string_view text, size_t columns);

/// Aligned columns with a header line. Numbers to the right, everything else to the left.
class TextTable {
public:
    enum class Align { left, right };

    void addColumn(std::string header, Align align);
    /// As many cells as there are columns.
    void addRow(std::vector<std::string> cells);
    [[nodiscard]] size_t rows() const { return m_rows.size(); }

    /// Lines with line breaks; no line has blanks at its end. Columns that do not fit into `columns` are left
    /// out from the right.
    /// @param columns  0: as wide as it is
    [[nodiscard]] std::string text(size_t columns = 0) const;

private:
    struct Column {
        std::string header;
        Align align = Align::left;
        size_t width = 0;
    };
    [[nodiscard]] std::string line(const std::vector<std::string>& cells, size_t shownColumns) const;

    std::vector<Column> m_columns;
    std::vector<std::vector<std::string>> m_rows;
};

} // namespace trialdeck::ctl
