// SPDX-License-Identifier: Apache-2.0
#include "app/views/trial_details.h"

#include "app/models/number_format.h"
#include "app/text/durations.h"
#include "app/text/error_sentences.h"
#include "app/text/states.h"
#include "app/text/times.h"
#include "app/views/face.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace trialdeck::app::views {

using models::AttemptRow;
using models::TrialRow;

namespace {

constexpr int kWidestColumn = 400;

} // namespace

TrialDetails::TrialDetails(presenters::ExperimentPresenter& experiment, QWidget* parent)
    : QFrame(parent), m_experiment(experiment), m_title(new QLabel), m_tree(new QTreeWidget),
      m_face(new Face) {
    setProperty("role", QStringLiteral("panel"));
    setObjectName(QStringLiteral("trialDetails"));
    m_title->setProperty("role", QStringLiteral("section"));
    m_title->setContentsMargins(12, 8, 8, 4);
    m_tree->setObjectName(QStringLiteral("trialDetailsTree"));
    m_tree->setColumnCount(2);
    m_tree->setHeaderHidden(true);
    m_tree->setRootIsDecorated(true);
    m_tree->setIndentation(16);
    m_tree->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_tree->setUniformRowHeights(true);
    m_tree->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    m_tree->header()->setMaximumSectionSize(kWidestColumn);
    m_tree->header()->setStretchLastSection(true);
    m_tree->installEventFilter(this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(1, 1, 1, 1);
    layout->setSpacing(0);
    layout->addWidget(m_title);
    layout->addWidget(m_tree, 1);
    layout->addWidget(m_face, 1);
    connect(&experiment.selection(), &presenters::TrialSelection::changed, this, &TrialDetails::refresh);
    connect(&experiment.data(), &models::ExperimentData::changed, this, &TrialDetails::onChanged);
    refresh();
}

void TrialDetails::onChanged(const models::ExperimentChange& change) {
    const auto current = m_experiment.selection().current();
    if (current &&
        std::binary_search(change.changedTrials.begin(), change.changedTrials.end(), current->raw()))
        refresh();
}

QTreeWidgetItem* TrialDetails::section(const QString& title) {
    auto* item = new QTreeWidgetItem(m_tree, {title});
    QFont bold = m_tree->font();
    bold.setBold(true);
    item->setFont(0, bold);
    item->setFirstColumnSpanned(true);
    item->setExpanded(true);
    return item;
}

void TrialDetails::row(QTreeWidgetItem* section, const QString& name, const QString& value,
                       const QString& toolTip) {
    auto* item = new QTreeWidgetItem(section, {name, value});
    item->setToolTip(1, (toolTip.isEmpty() ? value : toolTip).toHtmlEscaped());
}

void TrialDetails::refresh() {
    const auto current = m_experiment.selection().current();
    const bool isThere = current && current->raw() < m_experiment.data().trials().size();
    m_tree->setVisible(isThere);
    m_title->setVisible(isThere);
    m_face->setVisible(!isThere);
    m_face->set(QStringLiteral("trials"), tr("No trial selected"),
                tr("Select a trial in the table or click its curve to see everything about it."));
    if (!isThere)
        return;
    const TrialRow& trial = m_experiment.data().trials()[current->raw()];
    //: Title; %1 is the trial's number
    m_title->setText(tr("Trial %1").arg(trial.id.raw()));
    m_tree->setAccessibleName(m_title->text());
    m_tree->clear();
    addState(trial);
    addParameters(trial);
    addAttempts(trial);
    addCheckpoints(trial);
}

void TrialDetails::addState(const TrialRow& trial) {
    //: Section of a trial's details
    QTreeWidgetItem* state = section(tr("State"));
    row(state, tr("State"), text::stateWord(trial.state));
    const QString checkpoint = trial.resumesFrom ? text::checkpointName(*trial.resumesFrom) : QString();
    const QString waitsFor = QString::fromStdString(trial.waitsFor);
    if (const QString reason = text::reasonPhrase(trial.reason, waitsFor, checkpoint); !reason.isEmpty())
        row(state, tr("Reason"), reason);
    if (trial.error) {
        row(state, tr("Error"), text::errorSentence(*trial.error));
        row(state, tr("Details"), text::errorDetails(*trial.error));
    }
    row(state, tr("Running time"),
        text::duration(models::ExperimentData::seconds(trial, m_experiment.asOf())));
    row(state, tr("Reports"), QString::number(trial.reports));
    if (trial.discardedReports > 0)
        //: Reports that are repeated or belong to an attempt that a newer one has replaced
        row(state, tr("Discarded reports"), QString::number(trial.discardedReports));
    row(state, tr("Seed"), QString::number(trial.seed));
}

void TrialDetails::addParameters(const TrialRow& trial) {
    const models::ExperimentData& experiment = m_experiment.data();
    //: Section of a trial's details
    QTreeWidgetItem* parameters = section(tr("Parameters"));
    for (size_t i = 0; i < experiment.parameters().size(); ++i) {
        const Value value = experiment.parameterCells(i).value(trial.id.raw());
        if (!value.isNull())
            row(parameters, QString::fromStdString(experiment.parameters()[i]),
                QString::fromStdString(models::exactText(value)));
    }
    if (trial.reports == 0)
        return;
    //: Section of a trial's details
    QTreeWidgetItem* metrics = section(tr("Newest report"));
    row(metrics, QStringLiteral("training_iteration"), QString::number(trial.iteration));
    for (size_t i = 0; i < experiment.metrics().size(); ++i) {
        const Value value = experiment.metricCells(i).value(trial.id.raw());
        if (!value.isNull())
            row(metrics, QString::fromStdString(experiment.metrics()[i]),
                QString::fromStdString(models::exactText(value)));
    }
}

QString TrialDetails::endOf(const AttemptRow& attempt) const {
    if (!attempt.ended)
        return tr("running");
    QStringList ends;
    for (const protocol::WorkerEnded& end : attempt.ends) {
        QString how;
        if (end.stoppedByUs)
            how = tr("stopped");
        else if (end.exitCode)
            how = tr("exit code %1").arg(*end.exitCode);
        else if (end.signal)
            how = tr("signal %1").arg(*end.signal);
        else
            how = tr("unknown");
        if (attempt.workers > 1)
            how = tr("rank %1: %2").arg(QString::number(end.rank), how);
        if (end.peakMemoryBytes > 0)
            //: %1 is an amount of memory such as 1.2 GiB
            how += tr(", at most %1 of memory").arg(text::byteSize(end.peakMemoryBytes));
        ends << how;
    }
    return ends.isEmpty() ? tr("ended") : ends.join(QStringLiteral("; "));
}

void TrialDetails::addAttempts(const TrialRow& trial) {
    if (trial.attempts.empty())
        return;
    //: Section of a trial's details
    QTreeWidgetItem* attempts = section(tr("Attempts"));
    for (const AttemptRow& attempt : trial.attempts) {
        //: %1 is a machine's name, %2 a time of day
        QString where = tr("on %1 at %2")
                            .arg(QString::fromStdString(attempt.node),
                                 text::shortTime(attempt.started, m_experiment.clock().wallNow()));
        if (attempt.resumeFrom)
            //: %1 is a checkpoint's name
            where += tr(", from %1").arg(text::checkpointName(*attempt.resumeFrom));
        row(attempts, tr("Attempt %1").arg(attempt.number.raw() + 1),
            where + QStringLiteral(" · ") + endOf(attempt), text::exactTime(attempt.started));
        for (const protocol::WorkerEnded& end : attempt.ends) {
            if (!end.cause)
                continue;
            const QString tail = QString::fromStdString(end.logTail).trimmed();
            row(attempts, tr("Error"), text::errorSentence(*end.cause));
            if (!tail.isEmpty())
                //: What a program printed before its end
                row(attempts, tr("Last lines"), tail.section(QLatin1Char('\n'), -1), tail);
        }
    }
}

void TrialDetails::addCheckpoints(const TrialRow& trial) {
    if (trial.checkpoints.empty())
        return;
    //: Section of a trial's details
    QTreeWidgetItem* checkpoints = section(tr("Checkpoints"));
    for (auto checkpoint = trial.checkpoints.rbegin(); checkpoint != trial.checkpoints.rend(); ++checkpoint) {
        //: %1 is a number, %2 an amount such as 5.1 MiB
        QString what = tr("iteration %1 · %2")
                           .arg(QString::number(checkpoint->iteration), text::byteSize(checkpoint->bytes));
        if (checkpoint->removed)
            what += QStringLiteral(" · ") + tr("removed");
        else if (checkpoint->unusable)
            //: About a checkpoint from which no attempt goes on any more
            what += QStringLiteral(" · ") + tr("not usable");
        row(checkpoints, text::checkpointName(checkpoint->index), what,
            tr("%n file(s)", nullptr, static_cast<int>(checkpoint->files)) + QStringLiteral(" · ") +
                text::exactTime(checkpoint->time));
    }
}

void TrialDetails::copySelected() const {
    QString text;
    for (const QTreeWidgetItem* item : m_tree->selectedItems())
        text += item->text(0) + QLatin1Char('\t') + item->text(1) + QLatin1Char('\n');
    QApplication::clipboard()->setText(text);
}

bool TrialDetails::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_tree && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy)) {
        copySelected();
        return true;
    }
    return QFrame::eventFilter(watched, event);
}

void TrialDetails::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        refresh();
    QFrame::changeEvent(event);
}

} // namespace trialdeck::app::views
