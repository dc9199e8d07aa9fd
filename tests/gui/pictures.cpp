// SPDX-License-Identifier: Apache-2.0
// Photographs the window with an invented experiment: gui_pictures FOLDER. For looking at, not a test.
#include "tests/gui/window_fixture.h"

using namespace trialdeck;

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    if (argc < 2)
        return 2;
    const QString folder = QString::fromLocal8Bit(argv[1]);
    fakes::WindowFixture fixture;
    QString log;
    for (int i = 1; i <= 60; ++i)
        log += QStringLiteral("epoch %1/10 \x1b[32mloss\x1b[0m 0.%2 accuracy 0.8%3\n")
                   .arg(i)
                   .arg(900 - i)
                   .arg(i);
    log += QStringLiteral(
        "\x1b[31mERROR\x1b[0m something \x1b[1mbold\x1b[0m\n 12%|██ | 3/24\r100%|██████| 24/24\n");
    fixture.head.setLog(log.toStdString());
    fixture.open();
    using Tab = app::views::ExperimentPage::Tab;
    const auto picture = [&](const QString& name) {
        fixture.settle();
        fixture.settle();
        fixture.window->grab().save(QStringLiteral("%1/%2.png").arg(folder, name));
    };
    for (const auto theme : {app::views::ThemeKind::light, app::views::ThemeKind::dark}) {
        const QString suffix =
            theme == app::views::ThemeKind::light ? QStringLiteral("light") : QStringLiteral("dark");
        fixture.appearance.setTheme(theme);
        fixture.window->page()->showTab(Tab::overview);
        fixture.presenter.current()->selection().clear();
        picture(QStringLiteral("overview-") + suffix);
        fixture.presenter.current()->selection().setOnly(TrialId(0));
        fixture.presenter.current()->steps().setHover(app::presenters::SharedSteps::Hover{5, TrialId(0)});
        picture(QStringLiteral("selected-") + suffix);
        fixture.presenter.current()->steps().setHover(std::nullopt);
        fixture.window->page()->showTab(Tab::trials);
        picture(QStringLiteral("trials-") + suffix);
        fixture.window->page()->showTab(Tab::logs);
        picture(QStringLiteral("logs-") + suffix);
        fixture.window->page()->showTab(Tab::files);
        picture(QStringLiteral("files-") + suffix);
        fixture.window->page()->showTab(Tab::setup);
        picture(QStringLiteral("setup-") + suffix);
        fixture.window->openPalette();
        picture(QStringLiteral("palette-") + suffix);
    }
    return 0;
}
