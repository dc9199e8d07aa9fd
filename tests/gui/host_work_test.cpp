// SPDX-License-Identifier: Apache-2.0
// Ports, a command and folders on a connection's page.
#include "app/views/connection_page.h"
#include "app/views/sync_dialog.h"
#include "tests/gui/connected_window.h"
#include "tests/gui/keyboard_walk.h"
#include "tests/support/compare.h"

#include <QCheckBox>
#include <QDir>
#include <QLabel>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>

using namespace trialdeck;
using namespace tests::keyboard;
using app::views::SyncDialog;
using fakes::ConnectedWindow;
using fakes::FakeHeadClient;

namespace {

std::string lastAsked(const FakeHeadClient& head) {
    return head.work().asked().empty() ? std::string() : head.work().asked().back();
}

SyncDialog* openSync(ConnectedWindow& fixture, const char* button) {
    fixture.find<QPushButton>(button)->click();
    fixture.settle();
    for (auto* dialog : fixture.window->findChildren<SyncDialog*>()) {
        if (dialog->isVisible())
            return dialog;
    }
    return nullptr;
}

template<typename Widget>
Widget* in(const QWidget& root, const char* name) {
    return root.findChild<Widget*>(QLatin1String(name));
}

} // namespace

class HostWorkTest : public QObject {
    Q_OBJECT

private slots:
    void thisComputerHasNoPortsToForward() {
        ConnectedWindow fixture;
        fixture.openActive();
        fixture.presenter.showConnection(fixture.head);
        fixture.settle();
        QVERIFY(!fixture.find<QWidget>("forwardPanel"));
        QVERIFY(!fixture.find<QWidget>("syncPanel"));
    }

    void aPortIsForwardedByTypingItAndKept() {
        ConnectedWindow fixture;
        fixture.openActive();
        FakeHeadClient& head = fixture.connectTo("gpu-head");
        auto* field = fixture.find<QLineEdit>("forwardPort");
        QTest::keyClicks(field, "8080");
        QTest::keyClick(field, Qt::Key_Return);
        fixture.settle();
        QCOMPARE(lastAsked(head), std::string("forward 1 localhost:8080"));
        QVERIFY(field->text().isEmpty());
        head.work().open(1, 8081, "http://127.0.0.1:8081/");
        fixture.settle();
        const auto rows = fixture.window->findChildren<QWidget*>("forward");
        QCOMPARE(rows.size(), 1);
        QVERIFY(rows.front()->isVisible());
        QCOMPARE(fixture.saved.all().front().forwards, Array{Value("8081:localhost:8080")});
        for (const char* panel : {"forwardPanel", "commandPanel", "syncPanel"}) {
            const QStringList nameless = withoutName(*fixture.find<QWidget>(panel));
            QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join('\n')));
        }
        rows.front()->findChildren<QToolButton*>().back()->click();
        fixture.settle();
        QCOMPARE(lastAsked(head), std::string("close 1"));
        QVERIFY(!rows.front()->isVisible());
        QVERIFY(fixture.saved.all().front().forwards.empty());
    }

    void whatIsNoPortIsSaidAtTheField() {
        ConnectedWindow fixture;
        fixture.openActive();
        const FakeHeadClient& head = fixture.connectTo("gpu-head");
        auto* field = fixture.find<QLineEdit>("forwardPort");
        QTest::keyClicks(field, "70000");
        fixture.find<QPushButton>("forwardOpen")->click();
        fixture.settle();
        QVERIFY(fixture.find<QLabel>("forwardProblem")->isVisible());
        QCOMPARE(field->text(), QString("70000"));
        QVERIFY(head.work().asked().empty());
    }

    void aForwardThatFailsSaysWhy() {
        ConnectedWindow fixture;
        fixture.openActive();
        const FakeHeadClient& head = fixture.connectTo("gpu-head");
        fixture.find<QPushButton>("forwardJupyter")->click();
        QCOMPARE(lastAsked(head), std::string("forward 1 jupyter"));
        head.work().fail(1, {ErrorCode::jupyter_missing, {{"host", "gpu-head"}}, {}});
        fixture.settle();
        auto* error = fixture.find<QLabel>("forwardError");
        QVERIFY(error->isVisible());
        QVERIFY(error->text().contains("gpu-head"));
    }

    void aServiceOpensTheBrowserWithoutLeavingItsTokenAnywhere() {
        ConnectedWindow fixture;
        fixture.openActive();
        FakeHeadClient& head = fixture.connectTo("gpu-head");
        auto* work = fixture.presenter.connectionOf(head)->work();
        QSignalSpy ready(work, &app::presenters::HostWorkPresenter::addressReady);
        fixture.find<QPushButton>("forwardJupyter")->click();
        head.work().open(1, 8888, "http://127.0.0.1:8888/lab?token=5ec4e7");
        fixture.settle();
        QCOMPARE(ready.size(), 1);
        QVERIFY(ready.front().front().toString().endsWith("token=5ec4e7"));
        for (const auto* label : fixture.window->findChildren<QLabel*>())
            QVERIFY(!label->text().contains("5ec4e7") && !label->toolTip().contains("5ec4e7"));
        QVERIFY(fixture.saved.all().front().forwards.empty());
    }

    void rememberedPortsComeBackWithTheConnection() {
        ConnectedWindow fixture;
        client::SavedConnection connection;
        connection.host = "gpu-head";
        connection.forwards = {Value("9000:db:5432"), Value("rubbish")};
        QVERIFY(fixture.saved.put(connection));
        fixture.openActive();
        fixture.connections.open();
        fixture.settle();
        QCOMPARE(fixture.made.back()->work().asked(), std::vector<std::string>{"forward 1 db:5432 at 9000"});
    }

    void aCommandIsRunAndItsOutputShown() {
        ConnectedWindow fixture;
        fixture.openActive();
        FakeHeadClient& head = fixture.connectTo("gpu-head");
        auto* line = fixture.find<QLineEdit>("commandLine");
        auto* run = fixture.find<QPushButton>("commandRun");
        QVERIFY(!run->isEnabled());
        QTest::keyClicks(line, "nvidia-smi -L");
        QTest::keyClick(line, Qt::Key_Return);
        fixture.settle();
        QCOMPARE(lastAsked(head), std::string("run nvidia-smi -L"));
        QCOMPARE(run->text(), QString("Cancel"));
        emit head.work().commandPrinted("10%\r20%\r\033[1mGPU 0\033[0m\nGPU 1");
        auto* output = fixture.find<QPlainTextEdit>("commandOutput");
        QTRY_COMPARE(output->toPlainText(), QString("GPU 0\nGPU 1"));
        run->click();
        QCOMPARE(lastAsked(head), std::string("cancel command"));
        head.work().takeCommandEnd(3);
        fixture.settle();
        QCOMPARE(fixture.find<QLabel>("commandNote")->text(), QString("Exit code 3"));
        QTest::keyClick(line, Qt::Key_Up);
        QCOMPARE(line->text(), QString("nvidia-smi -L"));
        QTest::keyClick(line, Qt::Key_Down);
        QVERIFY(line->text().isEmpty());
    }

    void aFolderIsSyncedAndAgain() {
        ConnectedWindow fixture;
        fixture.openActive();
        FakeHeadClient& head = fixture.connectTo("gpu-head");
        QVERIFY(!fixture.find<QPushButton>("syncAgain")->isVisible());
        SyncDialog* dialog = openSync(fixture, "syncUp");
        QVERIFY(dialog);
        QVERIFY2(withoutName(*dialog).isEmpty(), qPrintable(withoutName(*dialog).join('\n')));
        auto* confirm = in<QPushButton>(*dialog, "syncConfirm");
        QVERIFY(!confirm->isEnabled());
        QTest::keyClicks(in<QLineEdit>(*dialog, "syncLocal"), "~/net");
        QTest::keyClicks(in<QLineEdit>(*dialog, "syncRemote"), "work/net");
        in<QLineEdit>(*dialog, "syncExclude")->setText("*.pt \"my data\"");
        confirm->click();
        fixture.settle();
        const std::string wanted =
            "sync up " + QDir::homePath().toStdString() + "/net work/net without *.pt without my data";
        QCOMPARE(lastAsked(head), wanted);
        QVERIFY(fixture.find<QProgressBar>("syncBar")->isVisible());
        transport::SyncProgress progress;
        progress.doneFiles = 3;
        progress.totalFiles = 12;
        head.work().takeSyncProgress(progress);
        fixture.settle();
        QCOMPARE(fixture.find<QProgressBar>("syncBar")->value(), 250);
        transport::SyncReport report;
        report.copied = 12;
        report.unchanged = 5;
        report.bytes = 2048;
        report.changes = {{transport::SyncChange::Kind::copied, "train.py", 2048}};
        head.work().takeSyncEnd(report);
        fixture.settle();
        QCOMPARE(fixture.find<QLabel>("syncSentence")->text(),
                 QString("Copied 12 files (2.0 KiB), 5 unchanged"));
        QVERIFY(!fixture.find<QProgressBar>("syncBar")->isVisible());
        fixture.find<QToolButton>("syncFold")->click();
        QCOMPARE(fixture.find<QPlainTextEdit>("syncDetails")->toPlainText(), QString("+ train.py"));
        const client::SyncedFolders folders{"~/net", "work/net"};
        QCOMPARE(fixture.saved.all().front().lastSync, std::optional(folders));
        fixture.find<QPushButton>("syncAgain")->click();
        QCOMPARE(lastAsked(head), wanted);
        fixture.find<QPushButton>("syncCancel")->click();
        QCOMPARE(lastAsked(head), std::string("cancel sync"));
    }

    void aFolderIsKeptSyncedOverALostLineUntilItIsStopped() {
        ConnectedWindow fixture;
        fixture.openActive();
        FakeHeadClient& head = fixture.connectTo("gpu-head");
        SyncDialog* dialog = openSync(fixture, "syncUp");
        in<QLineEdit>(*dialog, "syncLocal")->setText("/tmp/net");
        in<QLineEdit>(*dialog, "syncRemote")->setText("net");
        in<QLineEdit>(*dialog, "syncExclude")->clear();
        in<QCheckBox>(*dialog, "syncKeep")->setChecked(true);
        in<QPushButton>(*dialog, "syncConfirm")->click();
        fixture.settle();
        QCOMPARE(lastAsked(head), std::string("sync up /tmp/net net on change"));
        transport::SyncReport report;
        report.copied = 1;
        report.changes = {{transport::SyncChange::Kind::copied, "train.py", 10}};
        head.work().takeSyncPass(report);
        fixture.settle();
        QVERIFY(fixture.find<QLabel>("syncSentence")->text().endsWith("Waiting for the next change…"));
        QVERIFY(!fixture.find<QPushButton>("syncUp")->isEnabled());
        QCOMPARE(fixture.find<QPushButton>("syncCancel")->text(), QString("Stop"));
        head.work().takeNextSyncPass();
        head.lose(fixture.clock.wallNow());
        head.work().takeSyncEnd(base::fail(ErrorCode::connection_lost, {}));
        fixture.settle();
        QCOMPARE(head.work().asked().size(), size_t{1});
        head.reconnect();
        fixture.settle();
        QCOMPARE(lastAsked(head), std::string("sync up /tmp/net net on change"));
        QCOMPARE(head.work().asked().size(), size_t{2});
        fixture.find<QPushButton>("syncCancel")->click();
        QCOMPARE(lastAsked(head), std::string("cancel sync"));
        head.work().takeSyncEnd(base::fail(ErrorCode::cancelled, {}));
        fixture.settle();
        QVERIFY(fixture.find<QPushButton>("syncUp")->isEnabled());
    }

    void whatWouldBeRemovedCanBeSeenFirst() {
        ConnectedWindow fixture;
        fixture.openActive();
        FakeHeadClient& head = fixture.connectTo("gpu-head");
        SyncDialog* dialog = openSync(fixture, "syncDown");
        in<QLineEdit>(*dialog, "syncLocal")->setText("/tmp/net");
        in<QLineEdit>(*dialog, "syncRemote")->setText("net");
        in<QLineEdit>(*dialog, "syncExclude")->clear();
        in<QCheckBox>(*dialog, "syncRemove")->setChecked(true);
        in<QPushButton>(*dialog, "syncTry")->click();
        fixture.settle();
        QCOMPARE(lastAsked(head), std::string("sync down /tmp/net net removing dry"));
        transport::SyncReport report;
        report.removed = 2;
        head.work().takeSyncEnd(report);
        fixture.settle();
        QVERIFY(fixture.find<QLabel>("syncSentence")->text().contains("2 to be removed"));
        dialog = openSync(fixture, "syncUp");
        QVERIFY2(!in<QCheckBox>(*dialog, "syncRemove")->isChecked(), "to be meant each time anew");
        QCOMPARE(in<QLineEdit>(*dialog, "syncRemote")->text(), QString("net"));
    }

    void tensorBoardIsStartedWhereTheExperimentRuns() {
        ConnectedWindow fixture;
        fixture.openActive();
        FakeHeadClient& head = fixture.connectTo("gpu-head");
        head.add(fixture.experiment);
        fixture.settle();
        fixture.presenter.openOn(head, fixture.experiment.summary.experiment);
        fixture.settle();
        auto* action = fixture.find<QAction>("openTensorBoard");
        QVERIFY(action->isVisible() && action->isEnabled());
        action->trigger();
        QCOMPARE(lastAsked(head), "forward 1 tensorboard of " + fixture.experiment.summary.folder);
        QVERIFY(fixture.head.work().asked().empty());
        head.work().fail(1, {ErrorCode::tensorboard_missing, {{"host", "gpu-head"}}, {}});
        fixture.settle();
        QVERIFY(fixture.find<QWidget>("windowNotice")->isVisible());
    }

    void withoutAConnectionNothingCanBeBegun() {
        ConnectedWindow fixture;
        fixture.openActive();
        FakeHeadClient& head = fixture.connectTo("gpu-head");
        head.lose(fixture.clock.wallNow());
        fixture.settle();
        for (const char* name :
             {"forwardOpen", "forwardJupyter", "forwardRay", "commandRun", "syncUp", "syncDown"})
            QVERIFY2(!fixture.find<QPushButton>(name)->isEnabled(), name);
    }
};

QTEST_MAIN(HostWorkTest)
#include "host_work_test.moc"
