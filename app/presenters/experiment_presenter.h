// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/client/head_client.h"
#include "app/models/experiment_data.h"
#include "app/models/trial_order.h"
#include "app/models/trial_table_model.h"
#include "app/presenters/chart_presenter.h"
#include "app/presenters/shared_steps.h"
#include "app/presenters/trial_selection.h"

#include <memory>

namespace trialdeck::app::presenters {

/// What a page shows in place of its contents.
enum class PageFace {
    loading,
    /// The line was lost before anything of it came.
    away,
    ready,
    missing,
    refused
};

/// The line at the top of an experiment's page.
struct ExperimentHeader {
    QString name;
    ExperimentState state = ExperimentState::running;
    QString stateWord;
    QString stateReason;
    QString trials;
    /// "2 failed"; empty while none has.
    QString failed;
    /// "best accuracy 0.8748 (trial 3)"; empty while there is none.
    QString best;
    QString timeLeft;
    /// "unknown since 14:05:09" where the connection is lost; everything else is as of then.
    QString stale;
};

/// A question before something is done that loses work.
struct Confirmation {
    QString title;
    /// Names the loss in one sentence.
    QString sentence;
    /// The verb on the button.
    QString verb;
    std::function<void()> proceed;
    /// A second way, with its own verb; empty where there is none.
    QString otherVerb;
    std::function<void()> proceedOtherwise;
};

/// One experiment's page: its data, charts, table and selection, what can be done with it, and doing it.
/// Owned by the window's presenter; lives while the page does.
class ExperimentPresenter : public QObject {
    Q_OBJECT

public:
    ExperimentPresenter(client::HeadClient& head, const protocol::ExperimentSummary& summary,
                        const base::Clock& clock, QObject* parent = nullptr);
    ~ExperimentPresenter() override;

    [[nodiscard]] const ExperimentId& id() const { return m_data.id(); }
    [[nodiscard]] client::HeadClient& head() const { return m_head; }
    [[nodiscard]] const base::Clock& clock() const { return m_clock; }
    [[nodiscard]] models::ExperimentData& data() { return m_data; }
    [[nodiscard]] const models::ExperimentData& data() const { return m_data; }
    [[nodiscard]] models::TrialTableModel& table() { return *m_table; }
    [[nodiscard]] models::TrialOrder& order() { return *m_order; }
    [[nodiscard]] TrialSelection& selection() { return m_selection; }
    [[nodiscard]] SharedSteps& steps() { return m_steps; }
    /// One for each metric with numbers; the experiment's own metric and the usual ones first.
    [[nodiscard]] std::vector<ChartPresenter*> charts() const;

    [[nodiscard]] ExperimentHeader header() const;
    [[nodiscard]] PageFace face() const;
    /// What the face says: why there is nothing to show; empty while there is.
    [[nodiscard]] QString faceSentence() const;
    [[nodiscard]] bool isStale() const;
    /// The moment that everything shown is as of: now, or when the line was lost.
    [[nodiscard]] base::WallTime asOf() const;
    /// yaml, form, environment; nothing until the head has answered.
    [[nodiscard]] const std::optional<protocol::ExperimentShowResult>& shown() const { return m_shown; }
    [[nodiscard]] const std::optional<Error>& refusal() const {
        return m_summary.missing && m_summary.error ? m_summary.error : m_refusal;
    }
    [[nodiscard]] const protocol::ExperimentSummary& summary() const { return m_summary; }

    /// Of the whole experiment, or of one trial.
    [[nodiscard]] bool canPause(std::optional<TrialId> trial = {}) const;
    [[nodiscard]] bool canResume(std::optional<TrialId> trial = {}) const;
    [[nodiscard]] bool canStop(std::optional<TrialId> trial = {}) const;
    /// "trialdeckctl pause ID --trial 3"
    [[nodiscard]] QString asCommand(const QString& verb, std::optional<TrialId> trial = {}) const;

    void setSummary(const protocol::ExperimentSummary& summary);
    void retranslate();

public slots:
    void pause(std::optional<trialdeck::TrialId> trial = {});
    void resume(std::optional<trialdeck::TrialId> trial = {});
    void stop(std::optional<trialdeck::TrialId> trial = {});

signals:
    void headerChanged();
    void faceChanged();
    void chartsChanged();
    void noticesChanged();
    void shownReceived();
    void confirmationWanted(const trialdeck::app::presenters::Confirmation& confirmation);
    /// What is shown has become stale, or live again.
    void staleChanged();
    void commandFailed(const trialdeck::Error& error);

private:
    void onDataChanged(const models::ExperimentChange& change);
    void addCharts();
    void followLink();
    void show();
    void sendPause(std::optional<TrialId> trial, bool withoutCheckpoint);
    void sendStop(std::optional<TrialId> trial);
    [[nodiscard]] const models::TrialRow* find(std::optional<TrialId> trial) const;
    [[nodiscard]] std::function<void(Expected<protocol::EmptyResult>)> tellFailure();

    client::HeadClient& m_head;
    const base::Clock& m_clock;
    protocol::ExperimentSummary m_summary;
    models::ExperimentData m_data;
    SharedSteps m_steps;
    TrialSelection m_selection;
    std::unique_ptr<models::TrialTableModel> m_table;
    std::unique_ptr<models::TrialOrder> m_order;
    std::vector<std::unique_ptr<ChartPresenter>> m_charts;
    std::optional<protocol::ExperimentShowResult> m_shown;
    std::optional<Error> m_refusal;
    bool m_hasRecords = false;
    QTimer m_clockTick;
    bool m_wasStale = false;
};

} // namespace trialdeck::app::presenters
