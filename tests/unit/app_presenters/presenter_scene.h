// SPDX-License-Identifier: Apache-2.0
// A window's presenter on a head that is not there. Texts are English without a translation: "8 trial(s)".
#pragma once

#include "app/presenters/window_presenter.h"
#include "tests/fakes/app/fake_head_client.h"

#include <QCoreApplication>

namespace trialdeck::tests {

struct PresenterScene {
    fakes::ReplayedExperiment experiment = fakes::fashionMnist();
    base::ManualClock clock{experiment.now};
    fakes::FakeHeadClient head;
    app::presenters::WindowPresenter window{clock};

    PresenterScene() { window.addHead(head); }

    /// The head answers and the experiment is shown, all its records in.
    app::presenters::ExperimentPresenter& open() {
        head.add(experiment);
        head.start();
        window.open(experiment.summary.experiment);
        settle();
        return *window.current();
    }
    /// What the head says of the experiment from now on.
    void change(const std::function<void(protocol::ExperimentSummary&)>& edit) {
        edit(experiment.summary);
        head.changeSummary(experiment.summary);
        settle();
    }
    void settle() {
        for (int i = 0; i < 4; ++i) {
            QCoreApplication::processEvents();
            if (window.current())
                window.current()->data().flush();
        }
    }
    /// Requests of that kind, a line each.
    [[nodiscard]] QStringList asked(const QString& method) const {
        QStringList found;
        for (const std::string& line : head.asked()) {
            if (QString::fromStdString(line).startsWith(method))
                found << QString::fromStdString(line);
        }
        return found;
    }
};

} // namespace trialdeck::tests
