// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/presenters/chart_presenter.h"

#include <QFrame>

QT_BEGIN_NAMESPACE
class QLabel;
class QMenu;
class QToolButton;
QT_END_NAMESPACE

namespace trialdeck::app::views {

class CurveChart;

/// A chart with its head line: metric, smoothing, scale, larger, menu. Dragged by the head line to another
/// place among the charts.
class ChartPanel : public QFrame {
    Q_OBJECT

public:
    explicit ChartPanel(presenters::ChartPresenter& chart, QWidget* parent = nullptr);

    [[nodiscard]] presenters::ChartPresenter& presenter() const { return m_presenter; }
    [[nodiscard]] CurveChart& chart() const { return *m_chart; }
    /// "linear|smoothing|outliers|shown": scale, smoothing and whether it is shown, remembered for each
    /// metric.
    [[nodiscard]] QString saveChoices() const;
    void restoreChoices(const QString& choices);
    void setExpanded(bool expanded);

signals:
    void expandToggled();
    void choicesEdited();
    /// The head line was dragged to this place (of the parent) and let go.
    void droppedAt(QPoint place);

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void retranslate();
    void updateNote();
    void fillMenu(QMenu& menu);
    void addScaleActions(QMenu& menu);
    void addSmoothingMenu(QMenu& menu);
    void copyPicture();
    [[nodiscard]] QString valuesAsText() const;

    presenters::ChartPresenter& m_presenter;
    QWidget* m_head;
    QLabel* m_title;
    QLabel* m_note;
    QToolButton* m_expand;
    QToolButton* m_menuButton;
    CurveChart* m_chart;
    QPoint m_pressedAt;
    bool m_expanded = false;
};

} // namespace trialdeck::app::views
