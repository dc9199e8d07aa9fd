// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/presenters/experiment_presenter.h"
#include "app/views/theme.h"

#include <QWidget>

#include <vector>

namespace trialdeck::app::views {

/// The legend of all charts of a page: which line is which trial. A click selects a trial, with Ctrl one
/// more; the arrow keys go from one to the next. Where not all find room, the best and the selected ones come
/// first and the number of the others is told.
class LegendStrip : public QWidget {
    Q_OBJECT

public:
    explicit LegendStrip(presenters::ExperimentPresenter& experiment, QWidget* parent = nullptr);

    /// In the order shown.
    [[nodiscard]] std::vector<TrialId> shownTrials() const;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Entry {
        TrialId trial;
        QString text;
        QRect box;
    };

    [[nodiscard]] QString textOf(TrialId trial) const;
    [[nodiscard]] int widthOf(TrialId trial) const;
    [[nodiscard]] std::vector<Entry> entries() const;
    [[nodiscard]] bool isBefore(TrialId a, TrialId b) const;
    void retranslate();

    presenters::ExperimentPresenter& m_experiment;
};

} // namespace trialdeck::app::views
