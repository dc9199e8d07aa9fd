// SPDX-License-Identifier: Apache-2.0
#include "app/presenters/log_presenter.h"

#include "tests/support/compare.h"
#include "tests/unit/app_presenters/presenter_scene.h"

#include <QSignalSpy>
#include <QtTest>

using namespace trialdeck;
using app::presenters::LogPresenter;
using tests::PresenterScene;

namespace {

QStringList followed(const PresenterScene& scene) {
    QStringList lines;
    for (const std::string& line : scene.head.subscriptions()) {
        if (line.find("log") != std::string::npos)
            lines << QString::fromStdString(line);
    }
    return lines;
}

} // namespace

class LogPresenterTest : public QObject {
    Q_OBJECT

private slots:
    void usesTheLineOnlyWhileItIsShown() {
        PresenterScene scene;
        LogPresenter log(scene.open());
        QCOMPARE(followed(scene), QStringList());
        log.setShown(true);
        log.setShown(false);
        QCOMPARE(followed(scene), QStringList({"log trial 3 stdout", "no log trial 3"}));
    }

    void beginsWithTheFirstRunningTrialAndFollowsTheSelection() {
        PresenterScene scene;
        auto& experiment = scene.open();
        LogPresenter log(experiment);
        log.setShown(true);
        experiment.selection().setOnly(TrialId(4));
        log.setStream(protocol::OutputStream::standardError);
        experiment.selection().clear();
        QCOMPARE(followed(scene), QStringList({"log trial 3 stdout", "no log trial 3", "log trial 4 stdout",
                                               "no log trial 4", "log trial 4 stderr"}));
    }

    void aTrialThatHasNotStartedHasNoLog() {
        PresenterScene scene;
        auto& experiment = scene.open();
        LogPresenter log(experiment);
        log.setShown(true);
        experiment.selection().setOnly(TrialId(6));
        QVERIFY(!log.address());
        QCOMPARE(log.attempts(), size_t{0});
        QCOMPARE(log.ranks(), 0U);
    }

    void findsInWhatIsThereAndInWhatComes() {
        PresenterScene scene;
        scene.head.setLog("epoch 1\nloss 0.5\nepoch 2\n");
        LogPresenter log(scene.open());
        log.setShown(true);
        scene.settle();
        log.search("epoch");
        QCOMPARE(log.hits(), (std::vector<size_t>{0, 2}));
        protocol::LogEvent more;
        more.address = *log.address();
        more.offset = 25;
        more.data.data = "epoch 3\n";
        more.complete = true;
        emit scene.head.logReceived(more);
        QTRY_COMPARE(log.hits().size(), size_t{3});
        QVERIFY(log.isComplete());
        log.search("");
        QVERIFY(log.hits().empty());
    }

    void bytesOfAnotherLogArePassedOver() {
        PresenterScene scene;
        scene.head.setLog("mine\n");
        LogPresenter log(scene.open());
        log.setShown(true);
        scene.settle();
        protocol::LogEvent other;
        other.address = *log.address();
        other.address.rank = 1;
        other.data.data = "another's\n";
        emit scene.head.logReceived(other);
        QCOMPARE(log.text().lineCount(), size_t{1});
    }
};

QTEST_GUILESS_MAIN(LogPresenterTest)
#include "log_presenter_test.moc"
