// SPDX-License-Identifier: Apache-2.0
#include "app/presenters/new_experiment_presenter.h"

#include "tests/support/compare.h"
#include "tests/unit/app_presenters/presenter_scene.h"

#include <QSignalSpy>
#include <QtTest>

using namespace trialdeck;
using app::presenters::NewExperimentPresenter;
using tests::PresenterScene;

namespace {

/// What the head finds in a draft.
protocol::SpecCheckResult checked(const char* name, uint64_t trials) {
    protocol::SpecCheckResult result;
    result.form = Value(Object{{"name", name}});
    result.yaml = std::string("name: ") + name + "\n";
    result.preview.trials = trials;
    return result;
}

protocol::Problem problemAt(const char* path, protocol::Severity severity) {
    protocol::Problem problem;
    problem.path = path;
    problem.severity = severity;
    problem.code = ErrorCode::missing_key;
    problem.line = 3;
    problem.column = 5;
    return problem;
}

QStringList namesOf(const std::vector<app::client::HeadClient*>& heads) {
    QStringList names;
    for (const app::client::HeadClient* head : heads)
        names << head->name();
    return names;
}

} // namespace

class NewExperimentPresenterTest : public QObject {
    Q_OBJECT

private slots:
    void aFileFillsTheForm() {
        PresenterScene scene;
        scene.head.start();
        NewExperimentPresenter draft(scene.head);
        scene.head.answerWith<protocol::SpecCheckRequest>(checked("sweep", 8));
        QSignalSpy replaced(&draft, &NewExperimentPresenter::fieldsReplaced);
        draft.load("name: sweep", "/data");
        QVERIFY(draft.isChecking());
        QVERIFY(!draft.canStart());
        scene.settle();
        QCOMPARE(replaced.size(), 1);
        QCOMPARE(draft.text("name"), QString("sweep"));
        QCOMPARE(draft.previewText(), QString("8 trial(s)"));
        QVERIFY(draft.canStart());
        QCOMPARE(draft.asCommand(), QString("trialdeckctl run sweep.yaml"));
    }

    void theFormFillsTheYamlAfterAPauseInTyping() {
        PresenterScene scene;
        scene.head.start();
        NewExperimentPresenter draft(scene.head);
        scene.head.answerWith<protocol::SpecCheckRequest>(checked("ab", 1));
        QSignalSpy replaced(&draft, &NewExperimentPresenter::yamlReplaced);
        draft.setText("name", "a");
        draft.setText("name", "ab");
        QTRY_COMPARE(replaced.size(), 1);
        QCOMPARE(draft.yaml(), QString("name: ab\n"));
        QCOMPARE(scene.asked("spec.check").size(), 1);
    }

    void anAnswerToAnOlderDraftIsPassedOver() {
        PresenterScene scene;
        scene.head.start();
        NewExperimentPresenter draft(scene.head);
        scene.head.answerWith<protocol::SpecCheckRequest>(checked("old", 8));
        draft.load("name: old", "/");
        draft.setYaml("name: new");
        scene.settle();
        QCOMPARE(draft.text("name"), QString());
        QCOMPARE(draft.yaml(), QString("name: new"));
        QVERIFY(draft.isChecking());
    }

    void onlyErrorsForbidTheStart() {
        PresenterScene scene;
        scene.head.start();
        NewExperimentPresenter draft(scene.head);
        protocol::SpecCheckResult result = checked("sweep", 8);
        result.problems = {problemAt("search.metric", protocol::Severity::warning)};
        scene.head.answerWith<protocol::SpecCheckRequest>(result);
        draft.load("name: sweep", "/");
        scene.settle();
        QVERIFY(draft.canStart());
        QCOMPARE(draft.problems("search").size(), size_t{1});
        QCOMPARE(draft.problems("sear").size(), size_t{0});
        QCOMPARE(draft.problems("stop").size(), size_t{0});
        result.problems.push_back(problemAt("trial.command[0]", protocol::Severity::error));
        scene.head.answerWith<protocol::SpecCheckRequest>(result);
        draft.load("name: sweep", "/");
        scene.settle();
        QVERIFY(!draft.canStart());
        QCOMPARE(draft.errorCount(), 1);
        QCOMPARE(draft.problems("trial.command").front().line, 3);
    }

    void withoutAHeadNothingStartsAndTheDraftStays() {
        PresenterScene scene;
        scene.head.start();
        NewExperimentPresenter draft(scene.head);
        scene.head.answerWith<protocol::SpecCheckRequest>(checked("sweep", 8));
        draft.load("name: sweep", "/");
        scene.settle();
        scene.head.lose(scene.clock.wallNow());
        QVERIFY(!draft.canStart());
        draft.start();
        scene.settle();
        QCOMPARE(scene.asked("experiment.create"), QStringList());
        QCOMPARE(draft.text("name"), QString("sweep"));
    }

    void startsOnceAndTellsWhatBecameOfIt() {
        PresenterScene scene;
        scene.head.start();
        NewExperimentPresenter draft(scene.head);
        scene.head.answerWith<protocol::SpecCheckRequest>(checked("sweep", 8));
        draft.load("name: sweep", "/");
        scene.settle();
        QSignalSpy started(&draft, &NewExperimentPresenter::started);
        QSignalSpy failed(&draft, &NewExperimentPresenter::failed);
        scene.head.answerWith<protocol::ExperimentCreateRequest>(base::fail(ErrorCode::disk_full));
        draft.start();
        draft.start();
        scene.settle();
        QCOMPARE(failed.size(), 1);
        QCOMPARE(scene.asked("experiment.create").size(), 1);
        protocol::ExperimentCreateResult made;
        made.experiment = ExperimentId("e-1");
        scene.head.answerWith<protocol::ExperimentCreateRequest>(made);
        draft.start();
        scene.settle();
        QCOMPARE(started.size(), 1);
    }

    void theChosenHeadChecksAndStarts() {
        PresenterScene scene;
        fakes::FakeHeadClient gpu;
        gpu.setName("gpu-head");
        gpu.setReach(app::client::HeadClient::Reach::another_host);
        scene.head.start();
        NewExperimentPresenter draft(scene.head);
        draft.setHeads({&scene.head, &gpu});
        QCOMPARE(namesOf(draft.places()), QStringList({"This computer"}));
        gpu.start();
        QCOMPARE(namesOf(draft.places()), QStringList({"This computer", "gpu-head"}));
        scene.head.answerWith<protocol::SpecCheckRequest>(checked("sweep", 8));
        draft.load("name: sweep", "/data");
        scene.settle();
        gpu.answerWith<protocol::SpecCheckRequest>(checked("sweep", 4));
        draft.chooseHead(gpu);
        QVERIFY(draft.head().isRemote());
        QVERIFY2(!draft.canStart(), "what this computer found says nothing about the host");
        scene.settle();
        QCOMPARE(draft.previewText(), QString("4 trial(s)"));
        QCOMPARE(draft.asCommand(), QString("trialdeckctl --host gpu-head run sweep.yaml"));
        protocol::ExperimentCreateResult made;
        made.experiment = ExperimentId("e-1");
        gpu.answerWith<protocol::ExperimentCreateRequest>(made);
        QSignalSpy started(&draft, &NewExperimentPresenter::started);
        draft.start();
        scene.settle();
        QCOMPARE(started.size(), 1);
        QCOMPARE(scene.asked("experiment.create"), QStringList());
        QCOMPARE(gpu.asked(), std::vector<std::string>({"spec.check", "experiment.create"}));
    }

    void aHostThatIsAwayStaysChosenAndStartsNothing() {
        PresenterScene scene;
        fakes::FakeHeadClient gpu;
        gpu.setName("gpu-head");
        gpu.setReach(app::client::HeadClient::Reach::another_host);
        scene.head.start();
        gpu.start();
        NewExperimentPresenter draft(scene.head);
        draft.setHeads({&scene.head, &gpu});
        draft.chooseHead(gpu);
        scene.settle();
        gpu.lose(scene.clock.wallNow());
        QCOMPARE(namesOf(draft.places()), QStringList({"This computer", "gpu-head"}));
        QCOMPARE(draft.absence(), QString("gpu-head is not connected."));
        QVERIFY(!draft.canStart());
        draft.setHeads({&scene.head});
        QVERIFY(!draft.head().isRemote());
        QCOMPARE(draft.absence(), QString());
        QCOMPARE(scene.asked("spec.check").size(), 1);
    }

    void aScriptOfThisComputerRunsHere() {
        PresenterScene scene;
        fakes::FakeHeadClient gpu;
        gpu.setReach(app::client::HeadClient::Reach::another_host);
        gpu.start();
        NewExperimentPresenter draft(scene.head);
        draft.setHeads({&scene.head, &gpu});
        draft.chooseHead(gpu);
        draft.beginWithScript("/data/train.py");
        QVERIFY(!draft.head().isRemote());
    }

    void aScriptIsRunByItsInterpreterInItsFolder() {
        PresenterScene scene;
        NewExperimentPresenter draft(scene.head);
        draft.beginWithScript("/data/projects/train it.py");
        QCOMPARE(draft.text("name"), QString("train it"));
        QCOMPARE(draft.commandText(), QString("python3 'train it.py'"));
        QCOMPARE(draft.baseDirectory(), QString("/data/projects"));
    }
};

QTEST_GUILESS_MAIN(NewExperimentPresenterTest)
#include "new_experiment_presenter_test.moc"
