// SPDX-License-Identifier: Apache-2.0
#include "app/models/trial_table_model.h"
#include "app/models/visible_text.h"

#include <algorithm>
#include <cmath>

namespace trialdeck::app::models {

namespace {

constexpr int kParameterDigits = 3;
constexpr int kMetricDigits = 4;

QString fromUtf8(const std::string& text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

std::string_view nodeOf(const TrialRow& trial) {
    return trial.attempts.empty() ? std::string_view() : std::string_view(trial.attempts.back().node);
}

bool isNumeric(TrialField field) {
    return field == TrialField::iteration || field == TrialField::time;
}

} // namespace

TrialTableModel::TrialTableModel(const ExperimentData& data, const base::Clock& clock, TrialTableWords words,
                                 QObject* parent)
    : QAbstractTableModel(parent), m_data(data), m_clock(clock), m_words(std::move(words)) {
    for (const TrialField field : {TrialField::trial, TrialField::state, TrialField::iteration,
                                   TrialField::time, TrialField::node, TrialField::curve})
        m_columns.push_back({field, 0});
    connect(&data, &ExperimentData::changed, this, &TrialTableModel::onChanged);
    ExperimentChange everything;
    everything.newTrials = data.trials().size();
    everything.newParameters = data.parameters().size();
    everything.newMetrics = data.metrics().size();
    onChanged(everything);
}

int TrialTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : m_rows;
}

int TrialTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

int TrialTableModel::findColumn(const TrialColumn& wanted) const {
    const auto found = std::find(m_columns.begin(), m_columns.end(), wanted);
    return found == m_columns.end() ? -1 : static_cast<int>(found - m_columns.begin());
}

void TrialTableModel::onChanged(const ExperimentChange& change) {
    if (change.restarted)
        clearAll();
    insertColumnsAt(TrialField::parameter, m_parameterFormats.size(), m_data.parameters().size());
    insertColumnsAt(TrialField::metric, m_metricFormats.size(), m_data.metrics().size());
    const int rows = static_cast<int>(m_data.trials().size());
    if (rows > m_rows) {
        beginInsertRows({}, m_rows, rows - 1);
        m_rows = rows;
        endInsertRows();
    }
    const int lastColumn = columnCount() - 1;
    for (size_t i = 0; i < change.changedTrials.size();) {
        size_t end = i + 1;
        while (end < change.changedTrials.size() &&
               change.changedTrials[end] == change.changedTrials[end - 1] + 1)
            ++end;
        emit dataChanged(index(static_cast<int>(change.changedTrials[i]), 0),
                         index(static_cast<int>(change.changedTrials[end - 1]), lastColumn));
        i = end;
    }
    if (change.newTrials > 0 || !change.changedTrials.empty())
        updateFormats();
}

void TrialTableModel::clearAll() {
    if (m_rows > 0) {
        beginRemoveRows({}, 0, m_rows - 1);
        m_rows = 0;
        endRemoveRows();
    }
    for (const TrialField field : {TrialField::parameter, TrialField::metric}) {
        const int first = findColumn({field, 0});
        auto& formats = field == TrialField::parameter ? m_parameterFormats : m_metricFormats;
        if (first < 0)
            continue;
        const int count = static_cast<int>(formats.size());
        beginRemoveColumns({}, first, first + count - 1);
        m_columns.erase(m_columns.begin() + first, m_columns.begin() + first + count);
        formats.clear();
        endRemoveColumns();
    }
}

/// Brings the columns of that kind from `first` to `end` in number, behind those that are there.
void TrialTableModel::insertColumnsAt(TrialField field, size_t first, size_t end) {
    if (first >= end)
        return;
    const int place =
        field == TrialField::parameter ? 2 + static_cast<int>(first) : findColumn({TrialField::iteration, 0});
    beginInsertColumns({}, place, place + static_cast<int>(end - first) - 1);
    std::vector<TrialColumn> added;
    for (size_t i = first; i < end; ++i)
        added.push_back({field, i});
    m_columns.insert(m_columns.begin() + place, added.begin(), added.end());
    if (field == TrialField::parameter)
        m_parameterFormats.resize(end);
    else
        m_metricFormats.resize(end);
    endInsertColumns();
}

void TrialTableModel::updateFormats() {
    if (m_rows == 0)
        return;
    const auto update = [this](TrialField field, size_t i, NumberFormat& current, const NumberFormat& next) {
        if (current == next)
            return;
        current = next;
        const int section = findColumn({field, i});
        emit dataChanged(index(0, section), index(m_rows - 1, section), {Qt::DisplayRole});
    };
    for (size_t i = 0; i < m_parameterFormats.size(); ++i)
        update(TrialField::parameter, i, m_parameterFormats[i],
               formatFor(m_data.parameterCells(i), kParameterDigits));
    for (size_t i = 0; i < m_metricFormats.size(); ++i)
        update(TrialField::metric, i, m_metricFormats[i], formatFor(m_data.metricCells(i), kMetricDigits));
}

QVariant TrialTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const auto& trial = m_data.trials()[static_cast<size_t>(index.row())];
    const TrialColumn& what = column(index.column());
    switch (role) {
    case Qt::DisplayRole:
        return displayText(index.row(), what);
    case Qt::ToolTipRole:
        return toolTip(index.row(), what);
    case Qt::AccessibleTextRole:
        return headerData(index.column(), Qt::Horizontal).toString() + QStringLiteral(": ") +
               (isDiverged(trial, what) ? toolTip(index.row(), what) : displayText(index.row(), what));
    case DivergedRole:
        return isDiverged(trial, what);
    case Qt::TextAlignmentRole: {
        bool right = isNumeric(what.field);
        if (what.field == TrialField::parameter)
            right = m_data.parameterCells(what.index).hasNumbers();
        else if (what.field == TrialField::metric)
            right = m_data.metricCells(what.index).hasNumbers();
        return QVariant::fromValue(Qt::AlignVCenter | (right ? Qt::AlignRight : Qt::AlignLeft));
    }
    case TrialRole:
        return trial.id.raw();
    case StateRole:
        return static_cast<int>(trial.state);
    case BestRole:
        return m_data.bestTrial() == trial.id;
    case ExactRole:
        return fromUtf8(exactText(exactValue(trial, what)));
    default:
        return {};
    }
}

QVariant TrialTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const TrialColumn& what = column(section);
    if (role == Qt::TextAlignmentRole) {
        if (m_rows > 0)
            return data(index(0, section), role);
        return QVariant::fromValue(Qt::AlignVCenter | Qt::AlignLeft);
    }
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    if (what.field == TrialField::parameter)
        return visibleText(fromUtf8(m_data.parameters()[what.index]));
    if (what.field == TrialField::metric)
        return visibleText(fromUtf8(m_data.metrics()[what.index]));
    if (what.field == TrialField::curve) {
        const auto metric = curveMetric();
        return metric && role == Qt::DisplayRole ? fromUtf8(m_data.metrics()[*metric])
                                                 : m_words.header(what.field);
    }
    return m_words.header(what.field);
}

QString TrialTableModel::columnKey(int section) const {
    const TrialColumn& what = column(section);
    switch (what.field) {
    case TrialField::parameter:
        return QStringLiteral("parameter:") + fromUtf8(m_data.parameters()[what.index]);
    case TrialField::metric:
        return QStringLiteral("metric:") + fromUtf8(m_data.metrics()[what.index]);
    case TrialField::trial:
        return QStringLiteral("trial");
    case TrialField::state:
        return QStringLiteral("state");
    case TrialField::iteration:
        return QStringLiteral("training_iteration");
    case TrialField::time:
        return QStringLiteral("time");
    case TrialField::node:
        return QStringLiteral("node");
    case TrialField::curve:
        break;
    }
    return QStringLiteral("curve");
}

QString TrialTableModel::fieldName(int section) const {
    const QString key = columnKey(section);
    return key.mid(key.indexOf(QLatin1Char(':')) + 1);
}

std::optional<size_t> TrialTableModel::curveMetric() const {
    if (m_data.summary() && !m_data.summary()->metric.empty()) {
        if (const auto metric = m_data.curves().findMetric(m_data.summary()->metric))
            return metric;
    }
    return m_data.metrics().empty() ? std::nullopt : std::optional<size_t>(0);
}

std::vector<CellSortKey> TrialTableModel::sortKeys(int section) const {
    const TrialColumn& what = column(section);
    const auto rows = static_cast<size_t>(m_rows);
    std::vector<CellSortKey> keys;
    if (what.field == TrialField::parameter || what.field == TrialField::metric) {
        keys = what.field == TrialField::parameter ? m_data.parameterCells(what.index).sortKeys()
                                                   : m_data.metricCells(what.index).sortKeys();
        keys.resize(rows);
        return keys;
    }
    if (what.field == TrialField::node) {
        CellColumn nodes;
        nodes.resize(rows);
        for (size_t row = 0; row < rows; ++row) {
            if (const auto node = nodeOf(m_data.trials()[row]); !node.empty())
                nodes.set(row, Value(node));
        }
        return nodes.sortKeys();
    }
    keys.resize(rows);
    const base::WallTime asOf = now();
    for (size_t row = 0; row < rows; ++row) {
        const TrialRow& trial = m_data.trials()[row];
        keys[row].kind = CellKind::number;
        if (what.field == TrialField::state)
            keys[row].number = static_cast<double>(trial.state);
        else if (what.field == TrialField::trial || what.field == TrialField::curve)
            keys[row].number = trial.id.raw();
        else if (trial.attempts.empty())
            keys[row].kind = CellKind::missing;
        else
            keys[row].number = what.field == TrialField::time ? ExperimentData::seconds(trial, asOf)
                                                              : static_cast<double>(trial.iteration);
    }
    return keys;
}

Value TrialTableModel::cellValue(int row, int section) const {
    return exactValue(m_data.trials()[static_cast<size_t>(row)], column(section));
}

Value TrialTableModel::exactValue(const TrialRow& trial, const TrialColumn& what) const {
    const size_t row = trial.id.raw();
    switch (what.field) {
    case TrialField::trial:
        return static_cast<int64_t>(trial.id.raw());
    case TrialField::state:
        return protocol::nameOf(trial.state);
    case TrialField::parameter:
        return m_data.parameterCells(what.index).value(row);
    case TrialField::metric:
        return m_data.metricCells(what.index).value(row);
    case TrialField::iteration:
        return trial.attempts.empty() ? Value() : Value(trial.iteration);
    case TrialField::time:
        return trial.attempts.empty() ? Value() : Value(ExperimentData::seconds(trial, now()));
    case TrialField::node:
        return trial.attempts.empty() ? Value() : Value(nodeOf(trial));
    case TrialField::curve:
        break;
    }
    return {};
}

bool TrialTableModel::isDiverged(const TrialRow& trial, const TrialColumn& what) const {
    const Series* series =
        what.field == TrialField::metric ? m_data.curves().find(trial.id, what.index) : nullptr;
    return series && series->isDiverged();
}

QString TrialTableModel::displayText(int row, const TrialColumn& what) const {
    const TrialRow& trial = m_data.trials()[static_cast<size_t>(row)];
    switch (what.field) {
    case TrialField::trial:
        return QString::number(trial.id.raw());
    case TrialField::state:
        return m_words.state(trial);
    case TrialField::time:
        return trial.attempts.empty() ? QStringLiteral("–")
                                      : m_words.duration(ExperimentData::seconds(trial, now()));
    case TrialField::curve:
        return {};
    case TrialField::parameter:
    case TrialField::metric:
    case TrialField::iteration:
    case TrialField::node:
        break;
    }
    const Value value = exactValue(trial, what);
    if (value.isNull())
        return what.field == TrialField::node ? m_words.stateDetail(trial) : QStringLiteral("–");
    NumberFormat format{NumberFormat::Style::whole, 0};
    if (what.field == TrialField::parameter)
        format = m_parameterFormats[what.index];
    else if (what.field == TrialField::metric)
        format = m_metricFormats[what.index];
    return visibleText(fromUtf8(formatted(value, format)));
}

QString TrialTableModel::toolTip(int row, const TrialColumn& what) const {
    const TrialRow& trial = m_data.trials()[static_cast<size_t>(row)];
    if (what.field == TrialField::state)
        return m_words.stateDetail(trial);
    if (isDiverged(trial, what))
        return m_words.diverged(displayText(row, what));
    if (what.field == TrialField::parameter || what.field == TrialField::metric)
        return fromUtf8(exactText(exactValue(trial, what))).toHtmlEscaped();
    return {};
}

void TrialTableModel::retranslate() {
    emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
    if (m_rows > 0)
        emit dataChanged(index(0, 0), index(m_rows - 1, columnCount() - 1), {Qt::DisplayRole});
}

void TrialTableModel::setUnknownSince(std::optional<base::WallTime> since) {
    if (since == m_unknownSince)
        return;
    m_unknownSince = since;
    if (m_rows > 0)
        emit dataChanged(index(0, 0), index(m_rows - 1, columnCount() - 1));
}

void TrialTableModel::updateTimes() {
    const int section = findColumn({TrialField::time, 0});
    for (int row = 0; row < m_rows; ++row) {
        if (m_data.trials()[static_cast<size_t>(row)].runningSince)
            emit dataChanged(index(row, section), index(row, section), {Qt::DisplayRole});
    }
}

} // namespace trialdeck::app::models
