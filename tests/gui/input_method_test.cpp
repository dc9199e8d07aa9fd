// SPDX-License-Identifier: Apache-2.0
// What an input method sends to the window's fields, in the order of the public report on Chinese input.
#include "app/views/command_palette.h"
#include "app/views/line_input.h"
#include "app/views/new_experiment_page.h"
#include "app/views/trial_table_view.h"
#include "tests/gui/window_fixture.h"

#include <QAction>
#include <QInputMethodEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTabBar>

using namespace trialdeck;
using app::views::LineInput;
using fakes::WindowFixture;
using Tab = app::views::ExperimentPage::Tab;

namespace {

void compose(QWidget* field, const QString& preedit) {
    QInputMethodEvent event(preedit, {});
    QApplication::sendEvent(field, &event);
}

void commit(QWidget* field, const QString& text) {
    QInputMethodEvent event;
    event.setCommitString(text);
    QApplication::sendEvent(field, &event);
}

QStringList texts(const QSignalSpy& spy) {
    QStringList all;
    for (const auto& call : spy)
        all << call.front().toString();
    return all;
}

} // namespace

class InputMethodTest : public QObject {
    Q_OBJECT

private slots:
    void filtersRunOnCommittedTextOnly() {
        WindowFixture fixture;
        fixture.openActive();
        auto* filter = fixture.find<LineInput>("trialFilter");
        filter->setFocus();
        QSignalSpy runs(filter, &LineInput::committed);
        compose(filter, QStringLiteral("sun"));
        compose(filter, QStringLiteral("sunshi"));
        QTest::keyClick(filter, Qt::Key_Return);
        commit(filter, QStringLiteral("损失"));
        QCOMPARE(filter->text(), QStringLiteral("损失"));
        QCOMPARE(texts(runs), QStringList({QStringLiteral("损失")}));
        QVERIFY(filter->hasFocus());
    }

    void escapeOfACompositionKeepsTheText() {
        WindowFixture fixture;
        fixture.openActive();
        auto* filter = fixture.find<LineInput>("trialFilter");
        filter->setFocus();
        QSignalSpy runs(filter, &LineInput::committed);
        commit(filter, QStringLiteral("lr"));
        compose(filter, QStringLiteral("xue"));
        QTest::keyClick(filter, Qt::Key_Escape);
        compose(filter, {});
        QCOMPARE(filter->text(), QStringLiteral("lr"));
        QCOMPARE(texts(runs), QStringList({QStringLiteral("lr")}));
    }

    void arrowsAndReturnOfACompositionRunNoCommand() {
        WindowFixture fixture;
        fixture.openActive();
        fixture.find<QAction>("palette")->trigger();
        auto* input = fixture.find<LineInput>("paletteInput");
        const auto askedBefore = fixture.head.asked();
        compose(input, QStringLiteral("hui"));
        QTest::keyClick(input, Qt::Key_Down);
        QTest::keyClick(input, Qt::Key_Return);
        commit(input, QStringLiteral("恢复"));
        QCOMPARE(input->text(), QStringLiteral("恢复"));
        QVERIFY(input->isVisible());
        QVERIFY(fixture.head.asked() == askedBefore);
        QVERIFY(fixture.window->page());
    }

    void leavingAFieldDropsItsComposition() {
        WindowFixture fixture;
        fixture.openActive();
        auto* filter = fixture.find<LineInput>("trialFilter");
        auto* table = fixture.find<app::views::TrialTableView>("trialTable");
        filter->setFocus();
        compose(filter, QStringLiteral("a"));
        table->setFocus();
        QVERIFY(!filter->isComposing());
        QCOMPARE(filter->text(), QString());
    }

    void theFormTakesAChineseNameAndFullWidthDigits() {
        WindowFixture fixture;
        fixture.openActive();
        fixture.find<QAction>("newExperiment")->trigger();
        auto* name = fixture.find<QLineEdit>("name");
        name->setFocus();
        compose(name, QStringLiteral("shi yan"));
        auto& draft = fixture.find<app::views::NewExperimentPage>("newExperimentPage")->presenter();
        QCOMPARE(draft.text(QStringLiteral("name")), QString());
        commit(name, QStringLiteral("实验一"));
        QCOMPARE(draft.text(QStringLiteral("name")), QStringLiteral("实验一"));
        auto* workers = fixture.find<QLineEdit>("trial.num_workers");
        QVERIFY(workers);
        commit(workers, QStringLiteral("２"));
        QCOMPARE(draft.text(QStringLiteral("trial.num_workers")), QStringLiteral("2"));
    }

    void keysBetweenSlowAnswersAreNeitherLostNorDoubled() {
        WindowFixture fixture;
        fixture.openActive();
        fixture.find<QAction>("newExperiment")->trigger();
        auto* yaml = fixture.find<QPlainTextEdit>("yaml");
        QVERIFY(yaml);
        yaml->setFocus();
        for (const QChar letter : QStringLiteral("name: abc"))
            QTest::keyClick(yaml, letter.toLatin1());
        fixture.settle();
        commit(yaml, QStringLiteral("实验"));
        fixture.settle();
        QCOMPARE(yaml->toPlainText(), QStringLiteral("name: abc实验"));
    }
};

QTEST_MAIN(InputMethodTest)
#include "input_method_test.moc"
