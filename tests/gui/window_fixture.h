// SPDX-License-Identifier: Apache-2.0
// A real window on a head that is not there.
#pragma once

#include "app/presenters/window_presenter.h"
#include "app/views/appearance.h"
#include "app/views/experiment_page.h"
#include "app/views/main_window.h"
#include "app/views/memory.h"
#include "tests/fakes/app/fake_head_client.h"

#include <QApplication>
#include <QTemporaryDir>
#include <QtTest>

namespace trialdeck::fakes {

struct WindowFixture {
    ReplayedExperiment experiment = fashionMnist();
    QTemporaryDir folder;
    base::ManualClock clock;
    app::views::Appearance appearance;
    app::views::Memory memory;
    FakeHeadClient head;
    app::presenters::WindowPresenter presenter;
    /// Where hosts can be connected; set before the window opens.
    app::presenters::ConnectionBook* book = nullptr;
    std::unique_ptr<app::views::MainWindow> window;

    WindowFixture()
        : clock(experiment.now), memory(folder.filePath(QStringLiteral("window.ini"))), presenter(clock) {
        appearance.setLanguage(QStringLiteral("en"));
        presenter.addHead(head);
    }

    /// Starts the head and shows the window with the experiment, all records in.
    void open() {
        head.add(experiment);
        openWindow();
        presenter.open(experiment.summary.experiment);
        settle();
    }
    /// The same, with the keyboard's focus in the window.
    void openActive() {
        open();
        window->activateWindow();
        settle();
    }
    void openWindow() {
        window = std::make_unique<app::views::MainWindow>(presenter, appearance, memory, book);
        window->resize(1440, 900);
        window->show();
        head.start();
        settle();
    }
    /// Runs everything that is waiting, then what that brought up.
    void settle() {
        QApplication::processEvents();
        if (presenter.current())
            presenter.current()->data().flush();
        for (int i = 0; i < 4; ++i)
            QApplication::processEvents();
    }
    template<typename Widget>
    Widget* find(const char* name) const {
        return window->findChild<Widget*>(QLatin1String(name));
    }
};

} // namespace trialdeck::fakes
