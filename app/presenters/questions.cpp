// SPDX-License-Identifier: Apache-2.0
#include "app/presenters/questions.h"

#include "app/text/durations.h"

#include <QCoreApplication>

namespace trialdeck::app::presenters {

namespace {
struct Questions {
    Q_DECLARE_TR_FUNCTIONS(Questions)
};
} // namespace

Confirmation stopQuestion(const protocol::WorkAtRiskResult& risk, const QString& experiment,
                          std::optional<TrialId> trial) {
    Confirmation question;
    const int running = static_cast<int>(risk.runningTrials);
    const QString ran = text::roughDuration(risk.runningSeconds);
    const QString lost = text::roughDuration(risk.lostSeconds);
    if (trial) {
        //: Title of a question
        question.title = Questions::tr("Stop trial %1?").arg(trial->raw());
        //: Button
        question.verb = Questions::tr("Stop trial");
        question.sentence =
            running == 0
                ? Questions::tr("It is not running; it will not be started any more.")
                : Questions::tr("It has run for %1 and would lose %2 of work since its last checkpoint.")
                      .arg(ran, lost);
        return question;
    }
    //: Title of a question; %1 is the experiment's name
    question.title = Questions::tr("Stop \"%1\"?").arg(experiment);
    //: Button
    question.verb = Questions::tr("Stop experiment");
    if (running == 0)
        question.sentence =
            Questions::tr("No trial is running; those that wait will not be started any more.");
    else
        question.sentence =
            Questions::tr("%n trial(s) running for up to %1 would lose %2 of work since their last "
                          "checkpoints; those that wait will not be started any more.",
                          nullptr, running)
                .arg(ran, lost);
    return question;
}

Confirmation pauseQuestion(const protocol::WorkAtRiskResult& risk) {
    Confirmation question;
    //: Title of a question
    question.title = Questions::tr("Pause without a checkpoint?");
    question.sentence =
        Questions::tr("%n running trial(s) have written no checkpoint yet. Paused now, they would begin anew "
                      "and lose %1 of work; else they pause after their first checkpoint.",
                      nullptr, static_cast<int>(risk.withoutCheckpoint.size()))
            .arg(text::roughDuration(risk.lostSeconds));
    //: Button: pause each trial once it has written a checkpoint
    question.verb = Questions::tr("Pause after the next checkpoint");
    //: Button: pause at once although work is lost
    question.otherVerb = Questions::tr("Pause now");
    return question;
}

} // namespace trialdeck::app::presenters
