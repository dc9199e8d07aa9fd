// SPDX-License-Identifier: Apache-2.0
#include "app/text/states.h"

#include <QCoreApplication>

namespace trialdeck::app::text {

namespace {
struct States {
    Q_DECLARE_TR_FUNCTIONS(States)
};
} // namespace

QString stateWord(TrialState state) {
    switch (state) {
    case TrialState::pending:
        //: State of a trial (PENDING)
        return States::tr("Pending");
    case TrialState::running:
        //: State of a trial or an experiment (RUNNING)
        return States::tr("Running");
    case TrialState::paused:
        //: State of a trial or an experiment (PAUSED)
        return States::tr("Paused");
    case TrialState::terminated:
        //: State of a trial that ended without an error (TERMINATED)
        return States::tr("Terminated");
    case TrialState::error:
        //: State of a trial (ERROR)
        return States::tr("Error");
    }
    return {};
}

QString stateWord(ExperimentState state) {
    switch (state) {
    case ExperimentState::running:
        return States::tr("Running");
    case ExperimentState::paused:
        return States::tr("Paused");
    case ExperimentState::completed:
        //: State of an experiment whose trials all ended well
        return States::tr("Completed");
    case ExperimentState::failed:
        //: State of an experiment that ended with an error in one of its trials
        return States::tr("Failed");
    case ExperimentState::interrupted:
        //: State of an experiment that ended with trials unfinished
        return States::tr("Interrupted");
    }
    return {};
}

QString reasonPhrase(TrialReason reason) {
    switch (reason) {
    case TrialReason::none:
        return {};
    case TrialReason::queued:
        //: Why a trial is pending
        return States::tr("queued");
    case TrialReason::waits_for_resources:
        //: Why a trial is pending
        return States::tr("waits for free resources");
    case TrialReason::retry:
        //: Why a trial is pending: its attempt failed
        return States::tr("tried again after a failure");
    case TrialReason::preempted:
        //: Why a trial is pending: its attempt was lost with its machine
        return States::tr("goes on after its machine was lost");
    case TrialReason::user_paused:
        //: Why a trial is paused
        return States::tr("paused by you");
    case TrialReason::scheduler_paused:
        //: Why a trial is paused
        return States::tr("paused by the scheduler");
    case TrialReason::disk_full:
        //: Why a trial or an experiment is paused
        return States::tr("the disk is full");
    case TrialReason::interrupted:
        //: Why a trial is pending or paused
        return States::tr("interrupted");
    case TrialReason::completed:
        //: Why a trial ended
        return States::tr("ran to its end");
    case TrialReason::stop_rule:
        //: Why a trial ended
        return States::tr("stop rule reached");
    case TrialReason::scheduler:
        //: Why a trial ended
        return States::tr("stopped early by the scheduler");
    case TrialReason::user:
        //: Why a trial ended
        return States::tr("stopped by you");
    case TrialReason::exit:
        //: Why a trial failed
        return States::tr("exited with an error code");
    case TrialReason::signal:
        //: Why a trial failed
        return States::tr("killed by a signal");
    case TrialReason::oom:
        //: Why a trial failed
        return States::tr("out of memory");
    case TrialReason::lost:
        //: Why a trial failed
        return States::tr("worker lost");
    case TrialReason::no_report:
        //: Why a trial failed
        return States::tr("no report for too long");
    case TrialReason::bad_report:
        //: Why a trial failed
        return States::tr("its reports lack the metric");
    case TrialReason::nan:
        //: Why a trial failed
        return States::tr("the metric became NaN");
    case TrialReason::not_started:
        //: Why a trial failed
        return States::tr("could not be started");
    }
    return {};
}

QString checkpointName(CheckpointIndex index) {
    return QStringLiteral("checkpoint_%1").arg(index.raw(), 6, 10, QLatin1Char('0'));
}

QString reasonPhrase(TrialReason reason, const QString& waitsFor, const QString& checkpoint) {
    const bool waits = reason == TrialReason::waits_for_resources && !waitsFor.isEmpty();
    if (waits && checkpoint.isEmpty())
        //: Why a trial is pending; %1 is an amount such as "1 GPU"
        return States::tr("waits for %1").arg(waitsFor);
    if (waits)
        //: Why a trial is pending; %1 is an amount such as "1 GPU", %2 a checkpoint's name
        return States::tr("waits for %1 to go on from %2").arg(waitsFor, checkpoint);
    if (reason == TrialReason::retry && !checkpoint.isEmpty())
        //: Why a trial is pending; %1 is a checkpoint's name
        return States::tr("goes on from %1 after a failure").arg(checkpoint);
    if (reason == TrialReason::preempted && !checkpoint.isEmpty())
        //: Why a trial is pending; %1 is a checkpoint's name
        return States::tr("goes on from %1 after its machine was lost").arg(checkpoint);
    return reasonPhrase(reason);
}

QString reasonPhrase(ExperimentReason reason) {
    switch (reason) {
    case ExperimentReason::none:
        return {};
    case ExperimentReason::user:
        //: Why an experiment is paused or interrupted
        return States::tr("by you");
    case ExperimentReason::disk_full:
        return States::tr("the disk is full");
    case ExperimentReason::crash:
        //: Why an experiment is interrupted
        return States::tr("the head ended unexpectedly");
    case ExperimentReason::fail_fast:
        //: Why an experiment ends or has failed: fail_fast stops it with its first failed trial
        return States::tr("stopped because a trial failed");
    }
    return {};
}

} // namespace trialdeck::app::text
