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
    }
    return {};
}

} // namespace trialdeck::app::text
