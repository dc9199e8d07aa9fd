// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/presenters/experiment_presenter.h"

#include <QWidget>

QT_BEGIN_NAMESPACE
class QLabel;
class QSplitter;
class QStackedWidget;
class QTabBar;
QT_END_NAMESPACE

namespace trialdeck::app::views {

class ChartsArea;
class ExperimentTitle;
class Face;
class FilesTab;
class LogTab;
class Memory;
class NoticesBar;
class SetupTab;
class TrialDetails;
class TrialTablePanel;

/// One experiment: its title line, and its tabs Overview, Trials, Logs, Files and Set-up.
class ExperimentPage : public QWidget {
    Q_OBJECT

public:
    enum class Tab { overview, trials, logs, files, setup };

    ExperimentPage(presenters::ExperimentPresenter& experiment, Memory& memory, QWidget* parent = nullptr);
    ~ExperimentPage() override;

    [[nodiscard]] presenters::ExperimentPresenter& experiment() const { return m_experiment; }
    void showTab(Tab tab);
    /// Puts the cursor into the filter or search field of the tab.
    void focusSearch();

protected:
    void changeEvent(QEvent* event) override;

private:
    QWidget* makeOverview();
    QWidget* makeTrials();
    void showLogOf(TrialId trial);
    void retranslate();
    void updateFace();
    void remember();
    void recall();
    [[nodiscard]] QString memoryKey(const QString& name) const;

    presenters::ExperimentPresenter& m_experiment;
    Memory& m_memory;
    ExperimentTitle* m_title;
    QTabBar* m_tabs;
    QStackedWidget* m_pages;
    QStackedWidget* m_stack;
    Face* m_face;
    NoticesBar* m_notices;
    ChartsArea* m_charts;
    TrialTablePanel* m_overviewTable;
    TrialTablePanel* m_trialsTable;
    TrialDetails* m_details;
    QSplitter* m_overviewSplitter = nullptr;
    QSplitter* m_trialsSplitter = nullptr;
    LogTab* m_logs;
    FilesTab* m_files;
    SetupTab* m_setup;
    bool m_recalling = true;
};

} // namespace trialdeck::app::views
