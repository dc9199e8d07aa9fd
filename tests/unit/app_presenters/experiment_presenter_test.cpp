// SPDX-License-Identifier: Apache-2.0
#include "app/presenters/ending.h"
#include "tests/support/compare.h"
#include "tests/unit/app_presenters/presenter_scene.h"

#include <QSignalSpy>
#include <QtTest>

#include <limits>

using namespace trialdeck;
using app::presenters::Confirmation;
using app::presenters::ExperimentPresenter;
using app::presenters::PageFace;
using tests::PresenterScene;

namespace {

/// "pause stop": what can be done with the experiment or a trial.
QString possible(const ExperimentPresenter& experiment, std::optional<TrialId> trial = {}) {
    QStringList words;
    if (experiment.canPause(trial))
        words << QStringLiteral("pause");
    if (experiment.canResume(trial))
        words << QStringLiteral("resume");
    if (experiment.canStop(trial))
        words << QStringLiteral("stop");
    return words.join(QLatin1Char(' '));
}

protocol::Record stateOf(uint32_t trial, TrialState state, TrialReason reason) {
    fakes::RecordScript script;
    script.state(trial, state, reason);
    return script.records().front();
}

} // namespace

class ExperimentPresenterTest : public QObject {
    Q_OBJECT

private slots:
    void theHeaderSaysHowFarItIsAndWhatFailed() {
        PresenterScene scene;
        const auto header = scene.open().header();
        QCOMPARE(header.name, QString("fashion-mnist-lr"));
        QCOMPARE(header.stateWord, QString("Running"));
        QCOMPARE(header.trials, QString("4 of 8 trial(s)"));
        QCOMPARE(header.failed, QString("1 failed"));
        QVERIFY2(header.best.startsWith("best accuracy <b>0.8"), qPrintable(header.best));
        QCOMPARE(header.timeLeft, QString("about 4 m left"));
        QCOMPARE(header.stale, QString());
    }

    void withoutAFailureNothingIsSaidOfIt() {
        PresenterScene scene;
        auto& presenter = scene.open();
        scene.change([](auto& summary) { summary.errored = 0; });
        QCOMPARE(presenter.header().failed, QString());
    }

    void anOpenNumberOfTrialsIsNoFraction() {
        PresenterScene scene;
        auto& presenter = scene.open();
        scene.change([](auto& summary) { summary.plannedTrials.reset(); });
        QCOMPARE(presenter.header().trials, QString("4 trial(s) ended"));
    }

    void aNameThatTurnsTheWritingDirectionIsWrittenOut() {
        PresenterScene scene;
        auto& presenter = scene.open();
        scene.change([](auto& summary) { summary.name = "a\u202ebc"; });
        QCOMPARE(presenter.header().name, QString("a\\u202ebc"));
        const auto& tree = scene.window.sidebar();
        QCOMPARE(tree.data(tree.indexOf(presenter.id())).toString(), QString("a\\u202ebc"));
    }

    void whatCanBeDoneFollowsTheState_data() {
        QTest::addColumn<int>("state");
        QTest::addColumn<QString>("possibleNow");
        QTest::newRow("running") << static_cast<int>(ExperimentState::running) << "pause stop";
        QTest::newRow("paused") << static_cast<int>(ExperimentState::paused) << "resume stop";
        QTest::newRow("completed") << static_cast<int>(ExperimentState::completed) << "";
        QTest::newRow("failed") << static_cast<int>(ExperimentState::failed) << "";
        QTest::newRow("interrupted") << static_cast<int>(ExperimentState::interrupted) << "";
    }
    void whatCanBeDoneFollowsTheState() {
        QFETCH(const int, state);
        PresenterScene scene;
        auto& presenter = scene.open();
        scene.change([&](auto& summary) { summary.state = static_cast<ExperimentState>(state); });
        QTEST(possible(presenter), "possibleNow");
    }

    void whatCanBeDoneWithATrialFollowsItsState_data() {
        QTest::addColumn<int>("state");
        QTest::addColumn<int>("reason");
        QTest::addColumn<QString>("possibleNow");
        const auto row = [](const char* name, TrialState state, TrialReason reason, const char* now) {
            QTest::newRow(name) << static_cast<int>(state) << static_cast<int>(reason) << QString(now);
        };
        row("pending", TrialState::pending, TrialReason::queued, "pause stop");
        row("running", TrialState::running, TrialReason::none, "pause stop");
        row("told to pause, still running", TrialState::running, TrialReason::user_paused,
            "pause resume stop");
        row("told to stop, still running", TrialState::running, TrialReason::user, "pause stop");
        row("paused", TrialState::paused, TrialReason::user_paused, "resume stop");
        row("ended", TrialState::terminated, TrialReason::completed, "");
        row("failed", TrialState::error, TrialReason::exit, "");
    }
    void whatCanBeDoneWithATrialFollowsItsState() {
        QFETCH(const int, state);
        QFETCH(const int, reason);
        PresenterScene scene;
        auto& presenter = scene.open();
        scene.head.sendRecords(
            presenter.id(), {stateOf(3, static_cast<TrialState>(state), static_cast<TrialReason>(reason))});
        scene.settle();
        QTEST(possible(presenter, TrialId(3)), "possibleNow");
        QCOMPARE(possible(presenter, TrialId(99)), QString());
    }

    void nothingCanBeDoneWithoutAHead() {
        PresenterScene scene;
        auto& presenter = scene.open();
        scene.head.lose(scene.clock.wallNow());
        QCOMPARE(possible(presenter), QString());
        QVERIFY(presenter.header().stale.startsWith("unknown since"));
        scene.head.end(scene.clock.wallNow());
        QCOMPARE(possible(presenter), QString());
        QVERIFY(presenter.header().stale.startsWith("unknown since"));
    }

    void timesStandStillWhileTheLineIsLost() {
        PresenterScene scene;
        auto& presenter = scene.open();
        auto& table = presenter.table();
        const auto timeOf = [&](int trial) {
            return table.index(trial, table.findColumn({app::models::TrialField::time, 0})).data().toString();
        };
        const QString before = timeOf(3);
        QSignalSpy changes(&presenter, &ExperimentPresenter::staleChanged);
        scene.head.lose(scene.clock.wallNow());
        QCOMPARE(changes.size(), 1);
        QVERIFY(table.isStale());
        QCOMPARE(presenter.header().timeLeft, QString());
        scene.clock.advance(std::chrono::hours(1));
        QCOMPARE(timeOf(3), before);
        scene.head.start();
        QCOMPARE(changes.size(), 2);
        QVERIFY(!table.isStale());
        QVERIFY(timeOf(3) != before);
    }

    void whatHasNotComeYetSaysThatItsHeadIsAway() {
        PresenterScene scene;
        scene.head.add(scene.experiment);
        scene.head.start();
        scene.window.open(scene.experiment.summary.experiment);
        ExperimentPresenter& presenter = *scene.window.current();
        scene.head.lose(scene.clock.wallNow());
        QVERIFY(presenter.face() == PageFace::away);
        QCOMPARE(presenter.faceSentence(),
                 QString("This computer is not connected. The experiment is shown as soon as it is."));
        scene.settle();
        QVERIFY2(presenter.face() == PageFace::ready, "records that were on their way are shown");
    }

    void commandsNameTheHostThatTheyAreFor() {
        PresenterScene scene;
        const auto& presenter = scene.open();
        const QString id = QString::fromStdString(presenter.id().raw());
        QCOMPARE(presenter.asCommand("show"), "trialdeckctl show " + id);
        scene.head.setName("GPU head");
        scene.head.setReach(app::client::HeadClient::Reach::another_host);
        QCOMPARE(presenter.asCommand("show", TrialId(3)),
                 "trialdeckctl --host 'GPU head' show " + id + " --trial 3");
    }

    void pausingAsksOnlyWhereWorkWouldBeLost() {
        PresenterScene scene;
        auto& presenter = scene.open();
        QSignalSpy questions(&presenter, &ExperimentPresenter::confirmationWanted);
        presenter.pause();
        scene.settle();
        QCOMPARE(questions.size(), 0);
        QCOMPARE(scene.asked("experiment.pause"), QStringList({"experiment.pause 3f1b"}));
        protocol::WorkAtRiskResult risk;
        risk.withoutCheckpoint = {TrialId(3)};
        scene.head.answerWith<protocol::WorkAtRiskRequest>(risk);
        presenter.pause(TrialId(3));
        scene.settle();
        QCOMPARE(questions.size(), 1);
        QCOMPARE(scene.asked("experiment.pause").size(), 1);
        questions.front().front().value<Confirmation>().proceed();
        scene.settle();
        QCOMPARE(scene.asked("experiment.pause").back(), QString("experiment.pause 3f1b trial 3"));
    }

    void aRefusedCommandIsTold() {
        PresenterScene scene;
        auto& presenter = scene.open();
        QSignalSpy failures(&presenter, &ExperimentPresenter::commandFailed);
        scene.head.answerWith<protocol::ResumeRequest>(base::fail(ErrorCode::wrong_state));
        presenter.resume();
        scene.settle();
        QCOMPARE(failures.size(), 1);
        QCOMPARE(failures.front().front().value<Error>().code, ErrorCode::wrong_state);
    }

    void thePageSaysWhyItHasNothingToShow() {
        PresenterScene scene;
        scene.head.add(scene.experiment);
        scene.head.start();
        scene.window.open(scene.experiment.summary.experiment);
        auto& presenter = *scene.window.current();
        QCOMPARE(presenter.face(), PageFace::loading);
        scene.settle();
        QCOMPARE(presenter.face(), PageFace::ready);
        QCOMPARE(presenter.faceSentence(), QString());
        scene.change([](auto& summary) { summary.missing = true; });
        QCOMPARE(presenter.face(), PageFace::missing);
        QVERIFY(presenter.faceSentence().startsWith("/data/trialdeck/fashion-mnist-lr was moved"));
        // A head may give the reason as well.
        scene.change([](auto& summary) { summary.error = Error{ErrorCode::experiment_missing, {}, {}}; });
        QCOMPARE(presenter.face(), PageFace::missing);
        QVERIFY(presenter.faceSentence().startsWith("/data/trialdeck/fashion-mnist-lr was moved"));
        scene.change([](auto& summary) { summary.error = Error{ErrorCode::journal_damaged, {}, {}}; });
        QCOMPARE(presenter.face(), PageFace::refused);
        QVERIFY(!presenter.faceSentence().isEmpty());
        scene.change([](auto& summary) {
            summary.missing = false;
            summary.error.reset();
        });
        QCOMPARE(presenter.face(), PageFace::ready);
    }

    void aFolderThatIsGoneIsSaidWhenOnlyAnAnswerTellsIt() {
        PresenterScene scene;
        const auto gone = base::fail(ErrorCode::experiment_missing, {{"path", "/data/gone"}});
        scene.head.answerWith<protocol::ExperimentShowRequest>(gone);
        scene.head.start();
        scene.head.changeSummary(scene.experiment.summary);
        scene.window.open(scene.experiment.summary.experiment);
        auto& presenter = *scene.window.current();
        scene.settle();
        QCOMPARE(presenter.face(), PageFace::missing);
        QVERIFY(presenter.faceSentence().startsWith("/data/trialdeck/fashion-mnist-lr was moved"));
    }

    void theEndIsToldTrialByTrial() {
        PresenterScene scene;
        auto& presenter = scene.open();
        scene.change([](auto& summary) {
            summary.state = ExperimentState::failed;
            summary.terminated = 7;
        });
        const auto ending = app::presenters::endingOf(presenter);
        QVERIFY(!ending.isCompleted);
        QCOMPARE(ending.sentences.size(), 2);
        QCOMPARE(ending.sentences.front(),
                 QString("fashion-mnist-lr: Failed, 8 of 8 trial(s) ended, 1 with an error"));
        QVERIFY(ending.sentences.back().startsWith("Trial 4: The program ended with exit code"));
        scene.change([](auto& summary) { summary.state = ExperimentState::completed; });
        QVERIFY(app::presenters::endingOf(presenter).isCompleted);
        QCOMPARE(app::presenters::endingOf(presenter).sentences, QStringList());
    }

    void aChartNamesTheTrialsThatDiverged() {
        PresenterScene scene;
        auto& presenter = scene.open();
        QStringList told;
        for (const auto* chart : presenter.charts()) {
            for (const TrialId trial : chart->diverged())
                told << QStringLiteral("%1 %2").arg(chart->metricName()).arg(trial.raw());
        }
        QCOMPARE(told, QStringList({"loss 4", "train_loss 4"}));
        fakes::RecordScript script;
        script.report(3, 8, Object{{"loss", std::numeric_limits<double>::infinity()}});
        scene.head.sendRecords(presenter.id(), script.records());
        scene.settle();
        QCOMPARE(presenter.charts().front()->metricName(), QString("loss"));
        QCOMPARE(presenter.charts().front()->diverged().size(), size_t{2});
        const auto& table = presenter.table();
        const int loss =
            table.findColumn({app::models::TrialField::metric, presenter.charts().front()->metric()});
        using Table = app::models::TrialTableModel;
        QVERIFY(table.index(4, loss).data(Table::DivergedRole).toBool());
        QVERIFY(!table.index(0, loss).data(Table::DivergedRole).toBool());
        QCOMPARE(table.index(4, loss).data(Qt::ToolTipRole).toString(),
                 QString("diverged: its newest value is NaN"));
    }
};

QTEST_GUILESS_MAIN(ExperimentPresenterTest)
#include "experiment_presenter_test.moc"
