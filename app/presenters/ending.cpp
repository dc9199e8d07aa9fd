// SPDX-License-Identifier: Apache-2.0
#include "app/presenters/ending.h"

#include "app/models/visible_text.h"
#include "app/presenters/experiment_presenter.h"
#include "app/text/error_sentences.h"
#include "app/text/states.h"

#include <QCoreApplication>

namespace trialdeck::app::presenters {

namespace {

constexpr qsizetype kTrialsTold = 5;

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Ending)
};

} // namespace

Ending endingOf(const ExperimentPresenter& experiment) {
    const protocol::ExperimentSummary& summary = experiment.summary();
    Ending ending;
    ending.isCompleted = summary.state == ExperimentState::completed;
    if (ending.isCompleted)
        return ending;
    const auto all = static_cast<int>(summary.plannedTrials.value_or(summary.trials));
    //: %1 is the experiment's name, %2 its state, %3 and %4 are numbers of its %n trials
    ending.sentences << Words::tr("%1: %2, %3 of %n trial(s) ended, %4 with an error", nullptr, all)
                            .arg(models::visibleText(QString::fromStdString(summary.name)),
                                 text::stateWord(summary.state))
                            .arg(summary.terminated + summary.errored)
                            .arg(summary.errored);
    if (summary.error)
        ending.sentences << text::errorSentence(*summary.error);
    qsizetype told = 0;
    for (const models::TrialRow& trial : experiment.data().trials()) {
        if (trial.state != TrialState::error || ++told > kTrialsTold)
            continue;
        const QString reason =
            trial.error ? text::errorSentence(*trial.error) : text::reasonPhrase(trial.reason);
        //: %1 is a trial's number, %2 a sentence about its end
        ending.sentences << Words::tr("Trial %1: %2").arg(QString::number(trial.id.raw()), reason);
    }
    if (told > kTrialsTold)
        //: %n trials with an error have not been named
        ending.sentences << Words::tr("and %n more trial(s)", nullptr, static_cast<int>(told - kTrialsTold));
    return ending;
}

} // namespace trialdeck::app::presenters
