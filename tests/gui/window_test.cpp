// SPDX-License-Identifier: Apache-2.0
#include "app/views/command_palette.h"
#include "app/views/confirm_dialog.h"
#include "app/views/face.h"
#include "app/views/legend_strip.h"
#include "app/views/new_experiment_page.h"
#include "app/views/trial_table_view.h"
#include "tests/gui/window_fixture.h"
#include "tests/support/compare.h"

#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QDropEvent>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QTabBar>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>

using namespace trialdeck;
using app::views::ConfirmDialog;
using app::views::NewExperimentPage;
using app::views::TrialTableView;
using fakes::WindowFixture;
using Tab = app::views::ExperimentPage::Tab;

namespace {

QStringList askedOf(const WindowFixture& fixture, const QString& method) {
    QStringList found;
    for (const std::string& line : fixture.head.asked()) {
        if (QString::fromStdString(line).startsWith(method))
            found << QString::fromStdString(line);
    }
    return found;
}

QStringList trialsShown(const TrialTableView& table) {
    QStringList numbers;
    for (int row = 0; row < table.model()->rowCount(); ++row)
        numbers << QString::number(
            table.model()->index(row, 0).data(app::models::TrialTableModel::TrialRole).toUInt());
    return numbers;
}

int sectionOf(const TrialTableView& table, const QString& header) {
    for (int section = 0; section < table.model()->columnCount(); ++section) {
        if (table.model()->headerData(section, Qt::Horizontal).toString() == header)
            return section;
    }
    return -1;
}

void trigger(const WindowFixture& fixture, const char* action) {
    fixture.find<QAction>(action)->trigger();
}

} // namespace

class WindowTest : public QObject {
    Q_OBJECT

private slots:
    void anEmptyWindowSaysWhatToDo() {
        WindowFixture fixture;
        fixture.openWindow();
        QVERIFY(!fixture.window->page());
        QVERIFY(!fixture.find<QAction>("stop")->isVisible());
        trigger(fixture, "newExperiment");
        QVERIFY(fixture.find<NewExperimentPage>("newExperimentPage")->isVisible());
    }

    void aSelectedRowIsTheSelectedCurveAndTheReverse() {
        WindowFixture fixture;
        fixture.open();
        auto* table = fixture.find<TrialTableView>("trialTable");
        table->selectRow(2);
        const auto& selection = fixture.presenter.current()->selection();
        QCOMPARE(selection.current(), std::optional(TrialId(2)));
        auto* legend = fixture.find<app::views::LegendStrip>("legend");
        QTest::keyClick(legend, Qt::Key_Right);
        QCOMPARE(selection.current(), std::optional(TrialId(3)));
        QCOMPARE(table->currentIndex().row(), 3);
        auto* chart = fixture.find<QWidget>("chart:accuracy");
        QTest::keyClick(chart, Qt::Key_Right);
        QTest::keyClick(chart, Qt::Key_Down);
        QTest::keyClick(chart, Qt::Key_Return);
        QCOMPARE(selection.current(), std::optional(TrialId(4)));
        QCOMPARE(table->currentIndex().row(), 4);
    }

    void bookkeepingIsHiddenUntilItIsAskedFor() {
        WindowFixture fixture;
        fixture.open();
        auto* panel = fixture.find<QWidget>("chartPanel:time_this_iter_s");
        QVERIFY(panel && !panel->isVisible());
        auto* table = fixture.find<TrialTableView>("trialTable");
        QVERIFY(table->isColumnHidden(sectionOf(*table, "time_this_iter_s")));
        for (const auto& [button, metric] : {std::pair("chartsButton", "time_this_iter_s"),
                                             std::pair("columnsButton", "time_this_iter_s")}) {
            QMenu* menu = fixture.find<QToolButton>(button)->menu();
            emit menu->aboutToShow();
            for (QAction* action : menu->actions()) {
                if (action->text() == QLatin1String(metric))
                    action->setChecked(true);
            }
        }
        QVERIFY(panel->isVisible());
        QVERIFY(!table->isColumnHidden(sectionOf(*table, "time_this_iter_s")));
    }

    void aNarrowTableDoesWithoutColumnsRatherThanScroll() {
        WindowFixture fixture;
        fixture.open();
        fixture.window->page()->showTab(Tab::trials);
        fixture.window->resize(1280, 800);
        fixture.settle();
        TrialTableView* table = nullptr;
        for (TrialTableView* each : fixture.window->findChildren<TrialTableView*>("trialTable")) {
            if (each->isVisible())
                table = each;
        }
        QVERIFY(table);
        const auto hasRoom = [table] {
            return table->horizontalHeader()->length() <= table->viewport()->width();
        };
        QVERIFY(hasRoom());
        QVERIFY(table->isColumnHidden(sectionOf(*table, "node")));
        fixture.window->resize(2000, 900);
        fixture.settle();
        QVERIFY2(table->saveLayout().isEmpty(), "nobody has arranged columns");
        QVERIFY(hasRoom());
        QVERIFY(!table->isColumnHidden(sectionOf(*table, "node")));
    }

    void columnsFitTheWordsOfANewLanguageAtOnce() {
        WindowFixture fixture;
        fixture.open();
        auto* table = fixture.find<TrialTableView>("trialTable");
        const int state = sectionOf(*table, "State");
        const int english = table->columnWidth(state);
        fixture.appearance.setLanguage(QStringLiteral("zh_CN"));
        fixture.settle();
        QVERIFY(table->columnWidth(state) < english);
        fixture.appearance.setLanguage(QStringLiteral("en"));
        fixture.settle();
        QCOMPARE(table->columnWidth(state), english);
    }

    void aFaceShowsAllLinesOfItsText() {
        app::views::Face face;
        face.resize(1020, 600);
        face.show();
        face.set(QStringLiteral("chart"), QStringLiteral("No experiments yet"),
                 QStringLiteral("Start one from a template or your own script. ").repeated(4));
        QApplication::processEvents();
        const auto labels = face.findChildren<QLabel*>();
        const auto text =
            std::find_if(labels.begin(), labels.end(), [](auto* each) { return each->wordWrap(); });
        QVERIFY(text != labels.end());
        QVERIFY((*text)->height() > 2 * (*text)->fontMetrics().height());
        QVERIFY((*text)->height() >= (*text)->heightForWidth((*text)->width()));
    }

    void theStateInTheTitleTakesTheThemesColourAtOnce() {
        WindowFixture fixture;
        fixture.open();
        auto* state = fixture.find<QLabel>("experimentState");
        const QString light = state->styleSheet();
        fixture.appearance.setTheme(app::views::ThemeKind::dark);
        QVERIFY(state->styleSheet() != light);
        fixture.appearance.setTheme(app::views::ThemeKind::light);
        QCOMPARE(state->styleSheet(), light);
    }

    void theTableFiltersAndSorts() {
        WindowFixture fixture;
        fixture.open();
        auto* table = fixture.find<TrialTableView>("trialTable");
        auto* filter = fixture.find<QLineEdit>("trialFilter");
        QTest::keyClicks(filter, "lr < 0.01");
        QCOMPARE(trialsShown(*table), QStringList({"1", "2", "6", "7"}));
        filter->clear();
        QTest::keyClicks(filter, "accurracy > 0.5");
        const auto notes = fixture.window->findChildren<QLabel*>("trialFilterNote");
        QCOMPARE(notes.front()->text(),
                 QString("There is no column \"accurracy\". Did you mean \"accuracy\"?"));
        filter->clear();
        table->model()->sort(sectionOf(*table, "accuracy"), Qt::DescendingOrder);
        QCOMPARE(trialsShown(*table).mid(0, 2), QStringList({"3", "0"}));
        // What has no value comes last in both directions.
        QCOMPARE(trialsShown(*table).mid(6), QStringList({"6", "7"}));
    }

    void languageAndThemeChangeWithoutLosingInput() {
        WindowFixture fixture;
        fixture.open();
        auto* filter = fixture.find<QLineEdit>("trialFilter");
        QTest::keyClicks(filter, "lr");
        auto* tabs = fixture.find<QTabBar>("experimentTabs");
        QCOMPARE(tabs->tabText(0), QString("Overview"));
        trigger(fixture, "switchLanguage");
        fixture.settle();
        QCOMPARE(tabs->tabText(0), QStringLiteral("概览"));
        QCOMPARE(fixture.find<QAction>("stop")->text(), QStringLiteral("停止"));
        QCOMPARE(fixture.find<QLabel>("experimentState")->text(), QStringLiteral("运行中"));
        QCOMPARE(filter->text(), QString("lr"));
        trigger(fixture, "switchTheme");
        QCOMPARE(QApplication::palette().color(QPalette::Window),
                 app::views::Theme::of(app::views::ThemeKind::dark).background);
        QCOMPARE(filter->text(), QString("lr"));
        trigger(fixture, "switchTheme");
        trigger(fixture, "switchLanguage");
        fixture.settle();
        QCOMPARE(tabs->tabText(0), QString("Overview"));
    }

    void stoppingAsksAndNamesTheLoss() {
        WindowFixture fixture;
        fixture.open();
        trigger(fixture, "stop");
        fixture.settle();
        auto* dialog = fixture.find<ConfirmDialog>("confirmDialog");
        QVERIFY(dialog);
        QCOMPARE(
            dialog->findChild<QLabel*>("confirmSentence")->text(),
            QString("2 trials running for up to 41 m would lose 3 m of work since their last checkpoints; "
                    "those that wait will not be started any more."));
        // Return and Escape both leave everything as it is.
        QTest::keyClick(dialog, Qt::Key_Return);
        fixture.settle();
        QCOMPARE(askedOf(fixture, "experiment.stop"), QStringList());
        trigger(fixture, "stop");
        fixture.settle();
        auto* verb = fixture.window->findChildren<QAbstractButton*>("confirmVerb").last();
        QCOMPARE(verb->text(), QString("Stop experiment"));
        verb->click();
        fixture.settle();
        QCOMPARE(askedOf(fixture, "experiment.stop"), QStringList({"experiment.stop 3f1b"}));
    }

    void aTrialIsStoppedByDelWithAQuestion() {
        WindowFixture fixture;
        fixture.open();
        auto* table = fixture.find<TrialTableView>("trialTable");
        table->selectRow(3);
        QTest::keyClick(table, Qt::Key_Delete);
        fixture.settle();
        fixture.find<QAbstractButton>("confirmVerb")->click();
        fixture.settle();
        QCOMPARE(askedOf(fixture, "experiment.stop"), QStringList({"experiment.stop 3f1b trial 3"}));
    }

    void pausedExperimentsOfferResume() {
        WindowFixture fixture;
        fixture.open();
        QVERIFY(fixture.find<QAction>("pause")->isVisible());
        QVERIFY(!fixture.find<QAction>("resume")->isVisible());
        trigger(fixture, "pause");
        fixture.settle();
        QCOMPARE(askedOf(fixture, "experiment.pause"), QStringList({"experiment.pause 3f1b"}));
        protocol::ExperimentSummary summary = fixture.experiment.summary;
        summary.state = ExperimentState::paused;
        summary.reason = ExperimentReason::user;
        fixture.head.changeSummary(summary);
        fixture.settle();
        QVERIFY(!fixture.find<QAction>("pause")->isVisible());
        QVERIFY(fixture.find<QAction>("resume")->isVisible());
        trigger(fixture, "resume");
        fixture.settle();
        QCOMPARE(askedOf(fixture, "experiment.resume"), QStringList({"experiment.resume 3f1b"}));
    }

    void whatTheHeadCannotDoIsAbsent() {
        WindowFixture fixture;
        fixture.head.setCapabilities({"experiments"});
        fixture.open();
        QVERIFY(!fixture.find<QAction>("pause")->isVisible());
        auto* tabs = fixture.find<QTabBar>("experimentTabs");
        QVERIFY(!tabs->isTabVisible(static_cast<int>(Tab::files)));
        trigger(fixture, "newExperiment");
        QVERIFY(!fixture.find<QAbstractButton>("tryOne")->isVisible());
    }

    void theFormOffersThisComputerAndConnectedHosts() {
        fakes::FakeHeadClient gpu;
        gpu.setName(QStringLiteral("gpu-head"));
        gpu.setReach(app::client::HeadClient::Reach::another_host);
        WindowFixture fixture;
        fixture.open();
        trigger(fixture, "newExperiment");
        auto* where = fixture.find<QComboBox>("where");
        QVERIFY(where->isVisible());
        QCOMPARE(where->accessibleName(), QString("Where"));
        QCOMPARE(where->count(), 1);
        QVERIFY(!fixture.find<QLabel>("whereNote")->isVisible());
        fixture.presenter.addHead(gpu);
        QCOMPARE(where->count(), 1);
        gpu.start();
        fixture.settle();
        QCOMPARE(where->itemText(1), QString("gpu-head"));
        where->setFocus();
        QTest::keyClick(where, Qt::Key_Down);
        fixture.settle();
        QCOMPARE(where->currentText(), QString("gpu-head"));
        QVERIFY(fixture.find<QLabel>("whereNote")->text().startsWith("Paths are those of gpu-head;"));
        QCOMPARE(&fixture.find<NewExperimentPage>("newExperimentPage")->presenter().head(),
                 static_cast<app::client::HeadClient*>(&gpu));
        gpu.lose(fixture.clock.wallNow());
        fixture.settle();
        QVERIFY(!fixture.find<QAbstractButton>("start")->isEnabled());
        QCOMPARE(where->currentText(), QString("gpu-head"));
    }

    void actionsOfAnExperimentAreGoneWhileTheFormIsShown() {
        WindowFixture fixture;
        fixture.open();
        trigger(fixture, "newExperiment");
        QVERIFY(!fixture.find<QAction>("stop")->isVisible());
        fixture.presenter.open(fixture.experiment.summary.experiment);
        QVERIFY(fixture.find<QAction>("stop")->isVisible());
        QVERIFY(fixture.window->page()->isVisible());
    }

    void aDroppedFileBeginsADraft_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("command");
        QTest::newRow("Python") << "train.py"
                                << "python3 train.py";
        QTest::newRow("shell") << "descend.sh"
                               << "bash descend.sh";
    }
    void aDroppedFileBeginsADraft() {
        QFETCH(const QString, file);
        WindowFixture fixture;
        fixture.open();
        const QString path = fixture.folder.filePath(file);
        QFile script(path);
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.close();
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter({100, 100}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(fixture.window.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(fixture.window.get(), &drop);
        QTEST(fixture.find<QPlainTextEdit>("trial.command")->toPlainText(), "command");
        QCOMPARE(fixture.find<NewExperimentPage>("newExperimentPage")->presenter().baseDirectory(),
                 fixture.folder.path());
    }

    void thePaletteFindsActionsAndExperiments() {
        WindowFixture fixture;
        fixture.open();
        trigger(fixture, "palette");
        auto* input = fixture.find<QLineEdit>("paletteInput");
        QTest::keyClicks(input, "light dark");
        QTest::keyClick(input, Qt::Key_Return);
        QCOMPARE(fixture.appearance.theme(), app::views::ThemeKind::dark);
        trigger(fixture, "palette");
        QTest::keyClicks(input, "logs");
        QTest::keyClick(input, Qt::Key_Return);
        QCOMPARE(fixture.find<QTabBar>("experimentTabs")->currentIndex(), static_cast<int>(Tab::logs));
        fixture.appearance.setTheme(app::views::ThemeKind::light);
    }

    void everyPageFitsASmallScreen() {
        WindowFixture fixture;
        fixture.open();
        constexpr QSize kSmall(683, 384);
        for (const Tab tab : {Tab::overview, Tab::trials, Tab::logs, Tab::files, Tab::setup}) {
            fixture.window->page()->showTab(tab);
            fixture.window->resize(kSmall);
            fixture.settle();
            QCOMPARE(fixture.window->size(), kSmall);
        }
        trigger(fixture, "newExperiment");
        fixture.window->resize(kSmall);
        fixture.settle();
        QCOMPARE(fixture.window->size(), kSmall);
    }

    void aHeadThatWasShutDownIsStartedByAButtonOnly() {
        WindowFixture fixture;
        fixture.open();
        auto* notice = fixture.find<QWidget>("headNotice");
        QVERIFY(!notice->isVisible());
        fixture.head.end(fixture.clock.wallNow());
        fixture.settle();
        QVERIFY(notice->isVisible());
        QVERIFY(fixture.find<QLabel>("experimentStale")->text().startsWith("unknown since"));
        QCOMPARE(askedOf(fixture, "reconnect"), QStringList());
        notice->findChild<QAbstractButton*>("windowNoticeAction")->click();
        fixture.settle();
        QCOMPARE(askedOf(fixture, "reconnect"), QStringList({"reconnect"}));
        QVERIFY(!notice->isVisible());
    }

    void aLostHeadIsSaidAndNothingIsThrownAway() {
        WindowFixture fixture;
        fixture.open();
        const QStringList listed = askedOf(fixture, "files.list");
        fixture.head.lose(fixture.clock.wallNow());
        fixture.settle();
        QVERIFY(fixture.find<QLabel>("experimentStale")->text().startsWith("unknown since"));
        QCOMPARE(fixture.find<TrialTableView>("trialTable")->model()->rowCount(), 8);
        QVERIFY(!fixture.find<QAction>("stop")->isEnabled());
        QCOMPARE(fixture.find<QLabel>("experimentBest")->property("role").toString(), QString("muted"));
        fixture.window->page()->showTab(Tab::files);
        fixture.settle();
        auto* files = fixture.find<QTreeView>("fileTree");
        QVERIFY(!files->isEnabled());
        QCOMPARE(askedOf(fixture, "files.list"), listed);
        fixture.head.reconnect();
        fixture.settle();
        QVERIFY(files->isEnabled());
        QCOMPARE(files->model()->rowCount(), 3);
        QCOMPARE(fixture.find<QLabel>("experimentBest")->property("role").toString(), QString());
    }
};

QTEST_MAIN(WindowTest)
#include "window_test.moc"
