// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace trialdeck::storage {

/// What Ray Tune adds to each row of a trial, beside the metrics.
enum class RowField {
    timestamp,
    checkpoint_dir_name,
    done,
    training_iteration,
    trial_id,
    date,
    time_this_iter_s,
    time_total_s,
    hostname,
    time_since_restore,
    iterations_since_restore,
};
inline constexpr size_t kRowFields = 11;

[[nodiscard]] std::string_view nameOf(RowField field);
/// These say what the head knows better; for the others a metric of the same name goes first.
[[nodiscard]] bool beatsMetric(RowField field);

/// One column of a trial's rows, with what is the same in each of them made ready.
struct ResultColumn {
    std::string name;
    /// Filled by us where no metric of the name is reported.
    std::optional<RowField> field;
    /// `"name":` for result.json.
    std::string jsonKey;
    /// Tag ray/tune/name for event files.
    std::string scalarPrefix;
};

/// The columns of progress.csv in their order. Shared by all trials whose reports look alike.
class ResultLayout {
public:
    explicit ResultLayout(std::vector<ResultColumn> columns);

    [[nodiscard]] const std::vector<ResultColumn>& columns() const { return m_columns; }
    /// @param hint  where it probably is: reports of a trial mostly have their metrics in one order
    [[nodiscard]] std::optional<size_t> find(std::string_view name, size_t hint) const;
    [[nodiscard]] size_t indexOf(RowField field) const { return m_fields[static_cast<size_t>(field)]; }
    /// The line of column names.
    [[nodiscard]] const std::string& csvHeader() const { return m_csvHeader; }
    /// Length of that line when there were only so many columns.
    [[nodiscard]] size_t csvHeaderBytes(size_t columns) const;

private:
    std::vector<ResultColumn> m_columns;
    std::unordered_map<std::string_view, size_t> m_byName;
    std::array<size_t, kRowFields> m_fields{};
    std::string m_csvHeader;
};

/// Makes each layout once. Owned by one Projections; layouts live as long as somebody uses them.
class ResultLayouts {
public:
    /// The columns for a trial's first report: its metrics in order, then the fields.
    [[nodiscard]] std::shared_ptr<const ResultLayout> first(const std::vector<std::string_view>& metrics);
    /// With one more column at the end.
    [[nodiscard]] std::shared_ptr<const ResultLayout> extended(const ResultLayout& layout,
                                                               std::string_view metric);

private:
    [[nodiscard]] std::shared_ptr<const ResultLayout> intern(std::vector<ResultColumn> columns);

    /// By header line, which names all columns in order.
    std::map<std::string, std::weak_ptr<const ResultLayout>> m_layouts;
};

} // namespace trialdeck::storage
