// SPDX-License-Identifier: Apache-2.0
#include "tests/support/compare.h"
#include "tests/unit/app_presenters/presenter_scene.h"

#include <QSignalSpy>
#include <QtTest>

using namespace trialdeck;
using app::presenters::PaletteEntry;
using app::presenters::WindowPresenter;
using tests::PresenterScene;

namespace {

QStringList textsOf(const std::vector<PaletteEntry>& entries) {
    QStringList texts;
    for (const PaletteEntry& entry : entries)
        texts << entry.text;
    return texts;
}

fakes::ReplayedExperiment named(const char* name, const char* id) {
    fakes::ReplayedExperiment experiment = fakes::fashionMnist();
    experiment.summary.name = name;
    experiment.summary.experiment = ExperimentId(id);
    experiment.summary.created += std::chrono::hours(1);
    return experiment;
}

} // namespace

class WindowPresenterTest : public QObject {
    Q_OBJECT

private slots:
    void opensByNameOnceExperimentsAreKnown() {
        PresenterScene scene;
        scene.head.add(scene.experiment);
        scene.window.openByText("fashion-mnist-lr");
        QVERIFY(!scene.window.current());
        scene.head.start();
        QVERIFY(scene.window.current());
        QCOMPARE(scene.window.current()->id(), scene.experiment.summary.experiment);
    }

    void saysThatThereIsNoneOfThatNameOrId_data() {
        QTest::addColumn<QString>("wanted");
        QTest::newRow("name") << "resnet";
        QTest::newRow("id") << "00000000-7a52-4f0e-9a55-0d6f2f4f1a01";
    }
    void saysThatThereIsNoneOfThatNameOrId() {
        QFETCH(const QString, wanted);
        PresenterScene scene;
        QSignalSpy notFound(&scene.window, &WindowPresenter::notFound);
        scene.head.add(scene.experiment);
        scene.window.openByText(wanted);
        QCOMPARE(notFound.size(), 0);
        scene.head.start();
        QCOMPARE(notFound.size(), 1);
        QCOMPARE(notFound.front().front().toString(), wanted);
    }

    void opensTheNewest() {
        PresenterScene scene;
        scene.head.add(scene.experiment);
        scene.head.add(named("newer", "e-2"));
        scene.window.openNewest();
        scene.head.start();
        QCOMPARE(scene.window.current()->summary().name, std::string("newer"));
    }

    void whatWasCreatedIsOpenedWhenTheHeadTellsOfIt() {
        PresenterScene scene;
        scene.head.start();
        protocol::ExperimentCreateResult result;
        result.experiment = ExperimentId("e-2");
        scene.head.answerWith<protocol::ExperimentCreateRequest>(result);
        QSignalSpy notFound(&scene.window, &WindowPresenter::notFound);
        scene.window.create("name: newer", "/", false);
        scene.settle();
        QVERIFY(!scene.window.current());
        QCOMPARE(notFound.size(), 0);
        scene.head.add(named("newer", "e-2"));
        QVERIFY(scene.window.current());
    }

    void aRefusedDraftIsToldWithItsProblems() {
        PresenterScene scene;
        scene.head.start();
        protocol::ExperimentCreateResult result;
        result.problems.emplace_back();
        scene.head.answerWith<protocol::ExperimentCreateRequest>(result);
        QSignalSpy refused(&scene.window, &WindowPresenter::createRefused);
        scene.window.create("name: x", "/", false);
        scene.settle();
        QCOMPARE(refused.size(), 1);
        QVERIFY(!scene.window.current());
    }

    void theStatusLineFollowsTheLink() {
        PresenterScene scene;
        QCOMPARE(scene.window.status().connection, QString("This computer: connecting…"));
        scene.open();
        QCOMPARE(scene.window.status().connection, QString("This computer"));
        QCOMPARE(scene.window.status().nodes, QString("1 node(s) · 2/2 CPU"));
        QCOMPARE(scene.window.status().limits, QString());
        scene.head.lose(scene.clock.wallNow());
        QVERIFY(scene.window.status().connection.startsWith("This computer: unknown since"));
        QVERIFY(!scene.window.linkError());
        scene.head.fail({ErrorCode::head_binary_missing, {}, {}});
        QCOMPARE(scene.window.status().connection, QString("This computer: not reachable"));
        QCOMPARE(scene.window.linkError()->code, ErrorCode::head_binary_missing);
        QVERIFY(!scene.window.isShutDown());
        scene.head.end(scene.clock.wallNow());
        QVERIFY(scene.window.status().connection.startsWith("This computer: shut down"));
        QVERIFY(scene.window.isShutDown());
    }

    void aContainersLimitIsSaid() {
        PresenterScene scene;
        scene.open();
        protocol::NodeState node;
        node.name = "node-1";
        node.cpus = 2;
        node.machineCpus = 64;
        emit scene.head.nodeChanged(node);
        QCOMPARE(scene.window.status().limits, QString("2 of 64 CPUs (container limit)"));
        node.name = "node-2";
        node.cpus = 2.5;
        emit scene.head.nodeChanged(node);
        QCOMPARE(scene.window.status().limits, QString("node-1: 2 of 64 CPUs (container limit) · "
                                                       "node-2: 2.5 of 64 CPUs (container limit)"));
    }

    void thePaletteFindsByAllWordsAndPutsWhatBeginsSoFirst() {
        PresenterScene scene;
        scene.head.add(named("a-mnist", "e-2"));
        scene.open();
        const std::vector<PaletteEntry> actions = {{"Pause experiment", "Ctrl+P", {}},
                                                   {"Show the mnist page", {}, {}}};
        QCOMPARE(textsOf(scene.window.paletteEntries(actions, "")),
                 QStringList({"Pause experiment", "Show the mnist page", "a-mnist", "fashion-mnist-lr"}));
        QCOMPARE(textsOf(scene.window.paletteEntries(actions, "MNIST fash")),
                 QStringList({"fashion-mnist-lr"}));
        QCOMPARE(textsOf(scene.window.paletteEntries(actions, "a")),
                 QStringList({"a-mnist", "Pause experiment", "Show the mnist page", "fashion-mnist-lr"}));
        scene.window.paletteEntries({}, "a-mnist").front().run();
        QCOMPARE(scene.window.current()->summary().name, std::string("a-mnist"));
    }

    void whatWaitsForTheFirstConnectionHappensOnce() {
        PresenterScene scene;
        int done = 0;
        scene.window.whenConnected([&done] { ++done; });
        QCOMPARE(done, 0);
        scene.head.start();
        scene.head.lose(scene.clock.wallNow());
        scene.head.start();
        QCOMPARE(done, 1);
    }
};

QTEST_GUILESS_MAIN(WindowPresenterTest)
#include "window_presenter_test.moc"
