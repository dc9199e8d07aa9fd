// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/models/experiment_data.h"
#include "app/models/number_format.h"

#include <QAbstractTableModel>

#include <functional>

namespace trialdeck::app::models {

/// What a column shows; parameters and metrics also have a name.
enum class TrialField { trial, state, parameter, metric, iteration, time, node, curve };

struct TrialColumn {
    TrialField field = TrialField::trial;
    /// Place among the parameters or metrics.
    size_t index = 0;
    friend bool operator==(const TrialColumn&, const TrialColumn&) = default;
};

/// The words that the table needs from whoever knows the user's language.
struct TrialTableWords {
    std::function<QString(const TrialRow&)> state;
    std::function<QString(const TrialRow&)> stateDetail;
    std::function<QString(double seconds)> duration;
    std::function<QString(TrialField)> header;
    /// About a metric whose newest value, as text, is no finite number.
    std::function<QString(const QString& value)> diverged;
};

/// The trials of one experiment, a row each in order of proposal; columns for every parameter and metric.
/// Rows and columns come and change in ranges. Owned by the page's presenter, on the window's thread.
class TrialTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Role {
        /// TrialRow::id as a number.
        TrialRole = Qt::UserRole,
        /// trialdeck::TrialState as int.
        StateRole,
        /// True for the best trial.
        BestRole,
        /// The text for the clipboard: every digit, English.
        ExactRole,
        /// True for a metric whose newest value is NaN or infinite.
        DivergedRole,
    };

    TrialTableModel(const ExperimentData& data, const base::Clock& clock, TrialTableWords words,
                    QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

    [[nodiscard]] const TrialColumn& column(int section) const {
        return m_columns[static_cast<size_t>(section)];
    }
    /// "state", "parameter:lr", "metric:loss": stable over sessions.
    [[nodiscard]] QString columnKey(int section) const;
    /// The name that a filter uses: "lr", "loss", "state", "iteration"; parameters before metrics.
    [[nodiscard]] QString fieldName(int section) const;
    [[nodiscard]] int findColumn(const TrialColumn& column) const;
    [[nodiscard]] const ExperimentData& experiment() const { return m_data; }
    /// The metric whose curve the last column draws: the experiment's own, else the first.
    [[nodiscard]] std::optional<size_t> curveMetric() const;
    /// One key a row for sorting by that column.
    [[nodiscard]] std::vector<CellSortKey> sortKeys(int section) const;
    [[nodiscard]] Value cellValue(int row, int section) const;

    /// The language has changed: every text is another now.
    void retranslate();
    /// Running trials have run for longer by now.
    void updateTimes();
    /// Nothing is known since then: times stand still. Nothing while all is as of now.
    void setUnknownSince(std::optional<base::WallTime> since);
    [[nodiscard]] bool isStale() const { return m_unknownSince.has_value(); }

private:
    void onChanged(const ExperimentChange& change);
    void clearAll();
    void insertColumnsAt(TrialField field, size_t first, size_t count);
    void updateFormats();
    [[nodiscard]] base::WallTime now() const { return m_unknownSince.value_or(m_clock.wallNow()); }
    [[nodiscard]] QString displayText(int row, const TrialColumn& column) const;
    [[nodiscard]] QString toolTip(int row, const TrialColumn& column) const;
    [[nodiscard]] bool isDiverged(const TrialRow& trial, const TrialColumn& column) const;
    [[nodiscard]] Value exactValue(const TrialRow& trial, const TrialColumn& column) const;

    const ExperimentData& m_data;
    const base::Clock& m_clock;
    std::optional<base::WallTime> m_unknownSince;
    TrialTableWords m_words;
    int m_rows = 0;
    std::vector<TrialColumn> m_columns;
    std::vector<NumberFormat> m_parameterFormats;
    std::vector<NumberFormat> m_metricFormats;
};

} // namespace trialdeck::app::models
