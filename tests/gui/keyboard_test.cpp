// SPDX-License-Identifier: Apache-2.0
// Every page and dialog by keyboard and by screen reader.
#include "app/views/command_palette.h"
#include "app/views/confirm_dialog.h"
#include "app/views/new_experiment_page.h"
#include "tests/gui/keyboard_walk.h"
#include "tests/gui/window_fixture.h"

#include <QAbstractButton>
#include <QAction>
#include <QDialog>
#include <QLineEdit>
#include <QTabBar>

using namespace trialdeck;
using fakes::WindowFixture;
using namespace tests::keyboard;
using Tab = app::views::ExperimentPage::Tab;

namespace {

void trigger(const WindowFixture& fixture, const char* action) {
    fixture.find<QAction>(action)->trigger();
}

} // namespace

class KeyboardTest : public QObject {
    Q_OBJECT

private slots:
    void everyActionHasKeysOfItsOwn() {
        WindowFixture fixture;
        fixture.openActive();
        QStringList seen;
        for (const QAction* action : fixture.window->actions()) {
            const QString keys = action->shortcut().toString();
            QVERIFY2(!keys.isEmpty(), qPrintable(action->objectName()));
            QVERIFY2(!seen.contains(keys), qPrintable(action->objectName() + " " + keys));
            seen << keys;
        }
        QCOMPARE(seen.size(), 27);
    }

    void everythingThatCanBeUsedHasAName() {
        WindowFixture fixture;
        fixture.openActive();
        trigger(fixture, "newExperiment");
        fixture.find<QAbstractButton>("addParameter")->click();
        fixture.find<QAbstractButton>("addStopRule")->click();
        QVERIFY2(withoutName(*fixture.window).isEmpty(), qPrintable(withoutName(*fixture.window).join('\n')));
    }

    void everyPageIsReachedByTab_data() {
        QTest::addColumn<int>("tab");
        QTest::newRow("overview") << static_cast<int>(Tab::overview);
        QTest::newRow("trials") << static_cast<int>(Tab::trials);
        QTest::newRow("logs") << static_cast<int>(Tab::logs);
        QTest::newRow("files") << static_cast<int>(Tab::files);
        QTest::newRow("set-up") << static_cast<int>(Tab::setup);
    }
    void everyPageIsReachedByTab() {
        QFETCH(const int, tab);
        WindowFixture fixture;
        fixture.head.setLog("epoch 1\nepoch 2\n");
        fixture.openActive();
        fixture.presenter.current()->selection().setOnly(TrialId(4));
        fixture.window->page()->showTab(static_cast<Tab>(tab));
        fixture.settle();
        fixture.settle();
        QVERIFY2(withoutName(*fixture.window).isEmpty(), qPrintable(withoutName(*fixture.window).join('\n')));
        fixture.find<QTabBar>("experimentTabs")->setFocus();
        const auto round = tabRound();
        const QStringList missed = unreached(*fixture.window, round);
        QVERIFY2(missed.isEmpty(), qPrintable(missed.join('\n')));
    }

    void theFormIsReachedByTabFromTopToBottom() {
        WindowFixture fixture;
        fixture.openActive();
        trigger(fixture, "newExperiment");
        fixture.find<QAbstractButton>("addParameter")->click();
        fixture.find<QAbstractButton>("addStopRule")->click();
        fixture.settle();
        fixture.find<QWidget>("name")->setFocus();
        const auto round = tabRound();
        const QStringList missed = unreached(*fixture.window, round);
        QVERIFY2(missed.isEmpty(), qPrintable(missed.join('\n')));
        QStringList fields;
        for (const QWidget* widget : round) {
            for (const char* name : {"name", "trial.command", "addParameter", "addStopRule"}) {
                if (widget->objectName() == QLatin1String(name))
                    fields << widget->objectName();
            }
        }
        QCOMPARE(fields, QStringList({"name", "trial.command", "addParameter", "addStopRule"}));
    }

    void dialogsHaveNamesAndCloseByEscape_data() {
        QTest::addColumn<QByteArray>("action");
        QTest::newRow("stop") << QByteArray("stop");
        QTest::newRow("shortcuts") << QByteArray("showShortcuts");
        QTest::newRow("about") << QByteArray("showAbout");
    }
    void dialogsHaveNamesAndCloseByEscape() {
        QFETCH(const QByteArray, action);
        WindowFixture fixture;
        fixture.openActive();
        trigger(fixture, action.constData());
        fixture.settle();
        QDialog* dialog = nullptr;
        for (QDialog* each : fixture.window->findChildren<QDialog*>()) {
            if (each->isVisible())
                dialog = each;
        }
        QVERIFY(dialog);
        QVERIFY2(withoutName(*dialog).isEmpty(), qPrintable(withoutName(*dialog).join('\n')));
        QVERIFY(!dialog->windowTitle().isEmpty());
        QVERIFY(dialog->focusWidget());
        QTest::keyClick(dialog, Qt::Key_Escape);
        QVERIFY(!dialog->isVisible());
    }

    void thePaletteLeavesTheFocusWhereItWas() {
        WindowFixture fixture;
        fixture.openActive();
        auto* tabs = fixture.find<QTabBar>("experimentTabs");
        tabs->setFocus();
        QVERIFY(tabs->hasFocus());
        trigger(fixture, "palette");
        auto* input = fixture.find<QLineEdit>("paletteInput");
        QVERIFY(input->hasFocus());
        QTest::keyClick(input, Qt::Key_Escape);
        QVERIFY(!input->isVisible());
        QCOMPARE(QApplication::focusWidget(), tabs);
    }

    void aBarForAHeadThatWasShutDownIsReached() {
        WindowFixture fixture;
        fixture.openActive();
        fixture.head.end(fixture.clock.wallNow());
        fixture.settle();
        fixture.find<QTabBar>("experimentTabs")->setFocus();
        const QStringList missed = unreached(*fixture.window, tabRound());
        QVERIFY2(missed.isEmpty(), qPrintable(missed.join('\n')));
    }
};

QTEST_MAIN(KeyboardTest)
#include "keyboard_test.moc"
