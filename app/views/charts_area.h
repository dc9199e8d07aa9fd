// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/presenters/experiment_presenter.h"

#include <QScrollArea>

#include <vector>

QT_BEGIN_NAMESPACE
class QMenu;
QT_END_NAMESPACE

namespace trialdeck::app::views {

class ChartPanel;
class Face;

/// All charts of an experiment, laid out by themselves: as many beside each other as there is room for, the
/// rest below. One can be shown alone.
class ChartsArea : public QScrollArea {
    Q_OBJECT

public:
    explicit ChartsArea(presenters::ExperimentPresenter& experiment, QWidget* parent = nullptr);

    [[nodiscard]] const std::vector<ChartPanel*>& panels() const { return m_panels; }
    /// A checkable entry for each chart, whether it is shown.
    void fillChartsMenu(QMenu& menu);
    /// Order and choices of the charts by metric.
    [[nodiscard]] QStringList saveLayout() const;
    void restoreLayout(const QStringList& layout);

signals:
    void layoutEdited();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void rebuild();
    void arrange();
    void sortPanels();
    void applyChoices(ChartPanel& panel);
    void movePanel(ChartPanel& panel, QPoint place);
    void retranslate();

    presenters::ExperimentPresenter& m_experiment;
    QWidget* m_canvas;
    Face* m_face;
    std::vector<ChartPanel*> m_panels;
    ChartPanel* m_expanded = nullptr;
    QStringList m_wantedLayout;
};

} // namespace trialdeck::app::views
