// SPDX-License-Identifier: Apache-2.0
#include "core/storage/result_layout.h"

#include "core/base/csv.h"
#include "core/base/json.h"
#include "core/storage/csv_text.h"
#include "core/storage/event_file.h"

#include <span>

namespace trialdeck::storage {

namespace {

constexpr std::array<std::string_view, kRowFields> kNames = {"timestamp",
                                                             "checkpoint_dir_name",
                                                             "done",
                                                             "training_iteration",
                                                             "trial_id",
                                                             "date",
                                                             "time_this_iter_s",
                                                             "time_total_s",
                                                             "hostname",
                                                             "time_since_restore",
                                                             "iterations_since_restore"};

std::optional<RowField> fieldOf(std::string_view name) {
    for (size_t i = 0; i < kNames.size(); ++i) {
        if (kNames[i] == name)
            return static_cast<RowField>(i);
    }
    return std::nullopt;
}

ResultColumn columnOf(std::string_view name) {
    ResultColumn column{std::string(name), fieldOf(name), {}, scalarPrefix("ray/tune/" + std::string(name))};
    base::appendJsonString(column.jsonKey, name);
    column.jsonKey += ':';
    return column;
}

std::string headerOf(std::span<const ResultColumn> columns) {
    std::string header;
    for (size_t i = 0; i < columns.size(); ++i) {
        if (i > 0)
            header += ',';
        base::appendCsvField(header, columns[i].name);
    }
    header += base::kCsvLineEnd;
    return header;
}

} // namespace

std::string_view nameOf(RowField field) {
    return kNames.at(static_cast<size_t>(field));
}

bool beatsMetric(RowField field) {
    return field == RowField::checkpoint_dir_name || field == RowField::done ||
           field == RowField::training_iteration || field == RowField::trial_id;
}

ResultLayout::ResultLayout(std::vector<ResultColumn> columns)
    : m_columns(std::move(columns)), m_csvHeader(headerOf(m_columns)) {
    for (size_t i = 0; i < m_columns.size(); ++i) {
        m_byName.emplace(m_columns[i].name, i);
        if (m_columns[i].field)
            m_fields[static_cast<size_t>(*m_columns[i].field)] = i;
    }
}

std::optional<size_t> ResultLayout::find(std::string_view name, size_t hint) const {
    if (hint < m_columns.size() && m_columns[hint].name == name)
        return hint;
    const auto found = m_byName.find(name);
    return found == m_byName.end() ? std::nullopt : std::optional(found->second);
}

size_t ResultLayout::csvHeaderBytes(size_t columns) const {
    return headerOf(std::span(m_columns).first(columns)).size();
}

std::shared_ptr<const ResultLayout> ResultLayouts::first(const std::vector<std::string_view>& metrics) {
    std::vector<ResultColumn> columns;
    std::array<bool, kRowFields> named{};
    for (const std::string_view metric : metrics) {
        columns.push_back(columnOf(metric));
        if (columns.back().field)
            named[static_cast<size_t>(*columns.back().field)] = true;
    }
    for (size_t i = 0; i < kRowFields; ++i) {
        if (!named[i])
            columns.push_back(columnOf(kNames[i]));
    }
    return intern(std::move(columns));
}

std::shared_ptr<const ResultLayout> ResultLayouts::extended(const ResultLayout& layout,
                                                            std::string_view metric) {
    std::vector<ResultColumn> columns = layout.columns();
    columns.push_back(columnOf(metric));
    return intern(std::move(columns));
}

std::shared_ptr<const ResultLayout> ResultLayouts::intern(std::vector<ResultColumn> columns) {
    auto& known = m_layouts[headerOf(columns)];
    if (auto layout = known.lock())
        return layout;
    auto layout = std::make_shared<const ResultLayout>(std::move(columns));
    known = layout;
    return layout;
}

} // namespace trialdeck::storage
