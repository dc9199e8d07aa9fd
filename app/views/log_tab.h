// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/presenters/log_presenter.h"

#include <QWidget>

QT_BEGIN_NAMESPACE
class QComboBox;
class QLabel;
class QStackedLayout;
class QToolButton;
QT_END_NAMESPACE

namespace trialdeck::app::views {

class Face;
class LineInput;
class LogView;

/// The selected trial's log: which attempt, rank and stream, searching, following.
class LogTab : public QWidget {
    Q_OBJECT

public:
    explicit LogTab(presenters::ExperimentPresenter& experiment, QWidget* parent = nullptr);
    ~LogTab() override;

    void focusSearch();

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void refresh();
    void updateHits();

    presenters::ExperimentPresenter& m_experiment;
    presenters::LogPresenter m_log;
    QLabel* m_title;
    QComboBox* m_attempt;
    QComboBox* m_rank;
    QComboBox* m_stream;
    QComboBox* m_encoding;
    LineInput* m_search;
    QLabel* m_hits;
    QToolButton* m_previous;
    QToolButton* m_next;
    QToolButton* m_follow;
    LogView* m_view;
    Face* m_face;
    QStackedLayout* m_stack;
};

} // namespace trialdeck::app::views
