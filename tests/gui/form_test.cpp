// SPDX-License-Identifier: Apache-2.0
// The window with the real head: an experiment is made in the form by keys alone, runs, and is seen to the
// end.
#include "app/client/live_head_client.h"
#include "app/presenters/window_presenter.h"
#include "app/views/appearance.h"
#include "app/views/experiment_page.h"
#include "app/views/main_window.h"
#include "app/views/memory.h"
#include "app/views/new_experiment_page.h"
#include "app/views/trial_table_view.h"
#include "core/base/build_id.h"
#include "core/transport/pipe_transport.h"
#include "tests/support/compare.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTemporaryDir>

using namespace trialdeck;
using app::views::NewExperimentPage;

namespace {

constexpr int kPatience = 60'000;
const char kHead[] = TRIALDECK_BIN_DIR "/trialdeck-head";
const char kScript[] = "for i in 1 2 3; do echo \"epoch $i loss 0.$((9 - i))\"; done";

/// The window as main makes it, in a home of its own. Ends the daemon and its trials.
struct LiveWindow {
    QTemporaryDir folder;
    base::SystemClock clock;
    std::unique_ptr<base::Log> log = base::makeStderrLog(base::LogLevel::error);
    app::views::Appearance appearance;
    app::views::Memory memory;
    app::client::LiveHeadClient head;
    app::presenters::WindowPresenter presenter;
    std::unique_ptr<app::views::MainWindow> window;

    LiveWindow()
        : memory(folder.filePath(QStringLiteral("window.ini"))),
          head(
              QStringLiteral("This computer"),
              [this](transport::Prompts&) {
                  return app::client::LiveHeadClient::Way{std::make_unique<transport::PipeTransport>(pipe()),
                                                          {}};
              },
              options(), clock, *log),
          presenter(clock) {
        appearance.setLanguage(QStringLiteral("en"));
        presenter.addHead(head);
        window = std::make_unique<app::views::MainWindow>(presenter, appearance, memory);
        window->resize(1440, 900);
        window->show();
        head.start();
    }

    ~LiveWindow() {
        bool ended = false;
        protocol::ShutdownRequest shutdown;
        shutdown.stopTrials = true;
        head.ask(window.get(), shutdown, [&ended](const auto&) { ended = true; });
        (void)QTest::qWaitFor([&ended] { return ended; }, kPatience);
    }

    template<typename Widget>
    Widget* find(const char* name) const {
        return window->findChild<Widget*>(QLatin1String(name));
    }
    [[nodiscard]] bool isConnected() const {
        return head.status().state == app::client::LinkStatus::State::connected;
    }
    [[nodiscard]] bool hasEnded() const {
        return presenter.current() && protocol::isFinished(presenter.current()->summary().state);
    }

private:
    [[nodiscard]] transport::PipeOptions pipe() const {
        base::Environment environment = base::currentEnvironment();
        environment["TRIALDECK_HOME"] = folder.filePath(QStringLiteral("home")).toStdString();
        environment["HOME"] = folder.path().toStdString();
        return {kHead, environment};
    }
    static trialdeck::client::ClientOptions options() {
        trialdeck::client::ClientOptions options;
        options.name = "test";
        options.buildId = base::buildId();
        return options;
    }
};

/// Into the field that has the focus, as a person types.
void type(const QString& text) {
    QTest::keyClicks(QApplication::focusWidget(), text);
}

void goTo(QWidget* wanted) {
    constexpr int kMostFields = 60;
    for (int i = 0; i < kMostFields && QApplication::focusWidget() != wanted; ++i)
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    QCOMPARE(QApplication::focusWidget(), wanted);
}

} // namespace

class FormTest : public QObject {
    Q_OBJECT

private slots:
    void anExperimentIsMadeByKeysAloneAndSeenToItsEnd() {
        LiveWindow live;
        QTRY_VERIFY_WITH_TIMEOUT(live.isConnected(), kPatience);
        live.window->activateWindow();
        QTest::keyClick(live.window.get(), Qt::Key_N, Qt::ControlModifier);
        auto* name = live.find<QLineEdit>("name");
        QTRY_VERIFY(name);
        name->setFocus();
        type("by-keys");
        goTo(live.find<QPlainTextEdit>("trial.command"));
        type(QStringLiteral("bash -c '%1' x {momentun}").arg(QLatin1String(kScript)));
        auto* field = live.find<QWidget>("field.trial.command");
        const auto problem = [field] {
            QString text;
            for (const QLabel* label : field->findChildren<QLabel*>())
                text += label->isVisibleTo(field) ? label->text() : QString();
            return text;
        };
        QTRY_VERIFY_WITH_TIMEOUT(problem().contains("There is no parameter momentun"), kPatience);
        QVERIFY(!live.find<QAbstractButton>("start")->isEnabled());

        goTo(live.find<QAbstractButton>("addParameter"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
        QTRY_COMPARE(QApplication::focusWidget()->accessibleName(), QString("Parameter"));
        QTRY_VERIFY(QApplication::focusWidget()->isVisible());
        type("momentun");
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        type("0.1");
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        type("0.9");
        QTRY_VERIFY_WITH_TIMEOUT(!problem().contains("There is no parameter"), kPatience);
        goTo(live.find<QLineEdit>("search.num_samples"));
        type("2");
        QTRY_VERIFY_WITH_TIMEOUT(live.find<QPlainTextEdit>("yaml")->toPlainText().contains("num_samples: 2"),
                                 kPatience);
        // What the form has no field for is written in the YAML.
        auto* yaml = live.find<QPlainTextEdit>("yaml");
        yaml->setFocus();
        yaml->moveCursor(QTextCursor::End);
        QString text = yaml->toPlainText();
        QVERIFY(text.contains("name: by-keys"));
        text.replace("trial:\n",
                     "trial:\n  report: {stdout: 'epoch (?<training_iteration>\\d+) loss (?<loss>\\S+)'}\n");
        yaml->setPlainText(text);
        auto* start = live.find<QAbstractButton>("start");
        if (!QTest::qWaitFor([start] { return start->isEnabled(); }, kPatience))
            QFAIL(qPrintable(live.find<QLabel>("yamlProblems")->text() + yaml->toPlainText()));
        start->setFocus();
        QTest::keyClick(start, Qt::Key_Space);

        QTRY_VERIFY_WITH_TIMEOUT(live.hasEnded(), kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(live.presenter.current()->data().trials().size(), size_t{2}, kPatience);
        // The state may come before the last records, and a chart is made a moment after its first one.
        QTRY_COMPARE_WITH_TIMEOUT(live.presenter.current()->charts().size(), size_t{1}, kPatience);
        const auto charts = live.presenter.current()->charts();
        QCOMPARE(charts.front()->metricName(), QString("loss"));
        QTRY_VERIFY_WITH_TIMEOUT(charts.front()->series(TrialId(0)), kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(charts.front()->series(TrialId(0))->values,
                                  (std::vector<double>{0.8, 0.7, 0.6}), kPatience);
        QCOMPARE(live.find<app::views::TrialTableView>("trialTable")->model()->rowCount(), 2);
        QCOMPARE(live.find<QLabel>("experimentState")->text(), QString("Completed"));
    }

    void aFileFillsTheFormAndOneConfigurationIsTried() {
        LiveWindow live;
        QTRY_VERIFY_WITH_TIMEOUT(live.isConnected(), kPatience);
        const QString path = live.folder.filePath("experiment.yaml");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("name: from-file\n"
                   "trial:\n"
                   "  command: [bash, -c, 'echo epoch 1 loss 0.5', x, \"{lr}\"]\n"
                   "  report: {stdout: 'epoch (?<training_iteration>\\d+) loss (?<loss>\\S+)'}\n"
                   "param_space: {lr: {loguniform: [1.0e-4, 1.0]}}\n"
                   "search: {num_samples: 32, metric: loss, mode: min}\n");
        file.close();
        live.window->openDropped(path);
        auto* name = live.find<QLineEdit>("name");
        QTRY_COMPARE_WITH_TIMEOUT(name->text(), QString("from-file"), kPatience);
        QCOMPARE(live.find<QLineEdit>("search.num_samples")->text(), QString("32"));
        QCOMPARE(live.find<QComboBox>("search.mode")->currentText(), QString("min"));
        QVERIFY(live.find<QLabel>("preview")->text().contains("32 trials"));
        auto* tryOne = live.find<QAbstractButton>("tryOne");
        QTRY_VERIFY_WITH_TIMEOUT(tryOne->isEnabled(), kPatience);
        tryOne->click();
        QTRY_VERIFY_WITH_TIMEOUT(live.hasEnded(), kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(live.presenter.current()->data().trials().size(), size_t{1}, kPatience);
    }

    void mistakesStandInTheYamlWithTheNearestWord() {
        LiveWindow live;
        QTRY_VERIFY_WITH_TIMEOUT(live.isConnected(), kPatience);
        NewExperimentPage* form = live.window->showForm();
        QVERIFY(form);
        form->presenter().load("name: a\ntrial: {command: [\"true\"]}\nsearch: {num_sample: 3}\n",
                               live.folder.path());
        auto* problems = live.find<QLabel>("yamlProblems");
        QTRY_VERIFY_WITH_TIMEOUT(problems->text().contains("There is no key num_sample here."), kPatience);
        QVERIFY(problems->text().contains("Line 3, column 10"));
        QVERIFY(problems->text().contains("num_samples"));
        QVERIFY(!live.find<QAbstractButton>("start")->isEnabled());
    }
};

QTEST_MAIN(FormTest)
#include "form_test.moc"
