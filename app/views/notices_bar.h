// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/presenters/experiment_presenter.h"

#include <QFrame>

QT_BEGIN_NAMESPACE
class QLabel;
class QPlainTextEdit;
class QToolButton;
QT_END_NAMESPACE

namespace trialdeck::app::views {

/// What went wrong on an experiment's page, newest error first, one at a time: the sentence, the way to the
/// log, and details that can be copied. Hidden while there is nothing.
class NoticesBar : public QFrame {
    Q_OBJECT

public:
    explicit NoticesBar(presenters::ExperimentPresenter& experiment, QWidget* parent = nullptr);

signals:
    void logWanted(trialdeck::TrialId trial);

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Shown {
        models::Notice notice;
        /// A command of ours that was refused: shown until dismissed.
        bool isOwn = false;
    };
    void refresh();
    void showNotice();
    void dismiss();
    [[nodiscard]] QString sentenceOf(const models::Notice& notice) const;
    [[nodiscard]] QString detailsOf(const models::Notice& notice) const;

    presenters::ExperimentPresenter& m_experiment;
    std::vector<Shown> m_all;
    std::vector<models::Notice> m_own;
    std::vector<models::Notice> m_dismissed;
    size_t m_at = 0;
    QLabel* m_icon;
    QLabel* m_sentence;
    QLabel* m_count;
    QToolButton* m_previous;
    QToolButton* m_next;
    QToolButton* m_log;
    QToolButton* m_detailsButton;
    QToolButton* m_copy;
    QToolButton* m_close;
    QPlainTextEdit* m_details;
};

} // namespace trialdeck::app::views
