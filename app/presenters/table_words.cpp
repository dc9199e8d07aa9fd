// SPDX-License-Identifier: Apache-2.0
#include "app/presenters/table_words.h"

#include "app/models/visible_text.h"
#include "app/text/durations.h"
#include "app/text/error_sentences.h"
#include "app/text/states.h"

#include <QCoreApplication>

namespace trialdeck::app::presenters {

using client::LinkStatus;
using models::TrialField;

namespace {

struct Table {
    Q_DECLARE_TR_FUNCTIONS(Table)
};
struct Sidebar {
    Q_DECLARE_TR_FUNCTIONS(Sidebar)
};

QString headerOf(TrialField field) {
    switch (field) {
    case TrialField::trial:
        //: Column of the trial table: the trial's number
        return Table::tr("Trial");
    case TrialField::state:
        //: Column of the trial table
        return Table::tr("State");
    case TrialField::iteration:
        //: Column of the trial table: training_iteration
        return Table::tr("iteration");
    case TrialField::time:
        //: Column of the trial table: how long the trial has run
        return Table::tr("time");
    case TrialField::node:
        //: Column of the trial table: the machine that the trial runs on
        return Table::tr("node");
    case TrialField::curve:
        //: Column of the trial table with a small curve of a metric
        return Table::tr("curve");
    case TrialField::parameter:
    case TrialField::metric:
        break;
    }
    return {};
}

QString connectionNote(const client::HeadClient& head, const std::vector<protocol::NodeState>& nodes,
                       const base::Clock& clock) {
    if (head.prompt())
        //: A connection waits for an answer of the user, such as a password
        return Sidebar::tr("asks you");
    switch (head.status().state) {
    case LinkStatus::State::connecting:
        return Sidebar::tr("connecting…");
    case LinkStatus::State::failed:
        return Sidebar::tr("not reachable");
    case LinkStatus::State::ended:
        //: The head was shut down by somebody
        return Sidebar::tr("shut down");
    case LinkStatus::State::closed:
        //: The user ended the connection
        return Sidebar::tr("disconnected");
    case LinkStatus::State::lost: {
        const double seconds = std::chrono::duration<double>(clock.wallNow() - head.status().since).count();
        //: The connection is lost, nothing is known since so long; %1 is a time span such as "12 s"
        return Sidebar::tr("unknown for %1").arg(text::roughDuration(seconds));
    }
    case LinkStatus::State::connected:
        break;
    }
    double cpus = 0;
    for (const protocol::NodeState& node : nodes)
        cpus += node.cpus;
    if (cpus == 0)
        return {};
    return Sidebar::tr("%1 CPU").arg(QString::number(cpus, 'g', 4));
}

QString sentenceAbout(const protocol::ExperimentSummary& summary) {
    const QString name = models::visibleText(QString::fromStdString(summary.name));
    if (summary.missing && summary.error)
        //: %1 is the experiment's name, %2 a sentence that says why it cannot be opened
        return Sidebar::tr("%1: %2").arg(name, text::errorSentence(*summary.error)).toHtmlEscaped();
    if (summary.missing)
        //: %1 is the experiment's name, %2 its folder
        return Sidebar::tr("%1: its folder %2 is not there")
            .arg(name, QString::fromStdString(summary.folder))
            .toHtmlEscaped();
    //: %1 is the experiment's name, %2 its state, %3 and %4 numbers of trials
    return Sidebar::tr("%1: %2, %3 of %4 trials ended, %5 with an error")
        .arg(name, text::stateWord(summary.state))
        .arg(summary.terminated + summary.errored)
        .arg(summary.plannedTrials.value_or(summary.trials))
        .arg(summary.errored)
        .toHtmlEscaped();
}

} // namespace

models::TrialTableWords tableWords() {
    models::TrialTableWords words;
    words.state = [](const models::TrialRow& trial) { return text::stateWord(trial.state); };
    words.stateDetail = [](const models::TrialRow& trial) {
        return text::reasonPhrase(trial.reason, QString::fromStdString(trial.waitsFor),
                                  trial.resumesFrom ? text::checkpointName(*trial.resumesFrom) : QString());
    };
    words.duration = [](double seconds) { return text::duration(seconds); };
    words.header = headerOf;
    words.diverged = [](const QString& value) {
        //: About a trial whose metric has run off; %1 is NaN or Infinity
        return Table::tr("diverged: its newest value is %1").arg(value);
    };
    return words;
}

models::ConnectionTreeWords sidebarWords(const base::Clock& clock) {
    models::ConnectionTreeWords words;
    words.connection = [](const client::HeadClient& head) { return head.name(); };
    words.connectionNote = [&clock](const client::HeadClient& head,
                                    const std::vector<protocol::NodeState>& nodes) {
        return connectionNote(head, nodes, clock);
    };
    words.state = [](const protocol::ExperimentSummary& summary) { return text::stateWord(summary.state); };
    words.sentence = sentenceAbout;
    return words;
}

} // namespace trialdeck::app::presenters
