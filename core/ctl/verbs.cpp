// SPDX-License-Identifier: Apache-2.0
#include "core/ctl/verbs.h"

namespace trialdeck::ctl {

namespace {

Ending dispatch(Desk& desk) {
    switch (desk.command.verb) {
    case Verb::run:
        return runExperiment(desk);
    case Verb::list:
        return listExperiments(desk);
    case Verb::show:
        return showExperiment(desk);
    case Verb::watch:
        return watchExperiment(desk);
    case Verb::logs:
        return printLogs(desk);
    case Verb::stop:
        return stopWork(desk);
    case Verb::pause:
        return pauseWork(desk);
    case Verb::resume:
        return resumeWork(desk);
    case Verb::best:
        return showBest(desk);
    case Verb::exportTrials:
        return exportTrials(desk);
    case Verb::check:
        return checkFile(desk);
    case Verb::exec:
        return runCommand(desk);
    case Verb::forward:
        return forwardPort(desk);
    case Verb::doctor:
        return doctor(desk);
    case Verb::shutdown:
        return shutDown(desk);
    case Verb::syncUp:
    case Verb::syncDown:
        // main() runs them by a SyncVerb.
        break;
    }
    return listExperiments(desk);
}

} // namespace

Ending execute(Desk& desk) {
    // A command needs a login and no head.
    if (desk.command.verb == Verb::exec)
        co_return co_await dispatch(desk);
    const auto connected = co_await desk.connect();
    if (!connected)
        co_return desk.fail(connected.error());
    co_return co_await dispatch(desk);
}

} // namespace trialdeck::ctl
