// SPDX-License-Identifier: Apache-2.0
// Other hosts in the window: the dialog, the sidebar, a connection's page and its questions.
#include "app/views/confirm_dialog.h"
#include "app/views/connection_page.h"
#include "app/views/connection_pictures.h"
#include "tests/fakes/app/fake_keychain.h"
#include "tests/gui/connected_window.h"
#include "tests/gui/keyboard_walk.h"
#include "tests/support/compare.h"

#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QDir>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>

using namespace trialdeck;
using namespace std::chrono_literals;
using namespace tests::keyboard;
using app::views::ConnectDialog;
using app::views::ConnectionPage;
using client::SavedConnection;
using fakes::ConnectedWindow;
using fakes::FakeHeadClient;
using transport::ConnectionStep;
using transport::Prompt;
using transport::StepPhase;
using transport::StepState;

namespace {

Prompt askedPrompt(Prompt::Kind kind) {
    Prompt asked;
    asked.kind = kind;
    asked.user = "ada";
    asked.host = "gpu-head";
    asked.text = "Verification code:";
    asked.keyType = "ED25519";
    asked.fingerprint = "SHA256:hF2mpyOqUdbjRmUXwVVPrNMoYnWgvS4bN3f0m6Z0Ebs";
    return asked;
}

template<typename Widget>
Widget* in(const QWidget& root, const char* name) {
    return root.findChild<Widget*>(QLatin1String(name));
}

StepState step(ConnectionStep which, StepPhase phase, std::chrono::milliseconds time) {
    StepState state;
    state.step = which;
    state.phase = phase;
    state.time = time;
    return state;
}

} // namespace

class ConnectionsTest : public QObject {
    Q_OBJECT

private slots:
    void withoutMeansNoHostIsOffered() {
        fakes::WindowFixture fixture;
        fixture.openWindow();
        QVERIFY(!fixture.find<QAction>("connectHost")->isVisible());
    }

    void aHostIsConnectedByKeysAlone() {
        ConnectedWindow fixture;
        fixture.openActive();
        ConnectDialog* dialog = fixture.openDialog("connectHost");
        QVERIFY(dialog);
        QVERIFY2(withoutName(*dialog).isEmpty(), qPrintable(withoutName(*dialog).join('\n')));
        auto* host = in<QLineEdit>(*dialog, "connectHostName");
        QCOMPARE(QApplication::focusWidget(), host);
        QVERIFY(!in<QPushButton>(*dialog, "connectConfirm")->isEnabled());
        QTest::keyClicks(host, "ada@gpu-9:2222");
        QTest::keyClick(host, Qt::Key_Return);
        fixture.settle();
        QVERIFY(!fixture.window->findChild<ConnectDialog*>() ||
                !fixture.window->findChild<ConnectDialog*>()->isVisible());
        QCOMPARE(fixture.sidebar(), QStringList({"This computer", "gpu-9"}));
        QVERIFY(fixture.find<ConnectionPage>("connectionPage")->isVisible());
        QCOMPARE(fixture.find<QLabel>("connectionState")->text(), QString("Connected"));
        QCOMPARE(fixture.find<QLabel>("connectionAddress")->text(), QString("ada@gpu-9:2222"));
    }

    void theDialogSaysWhatIsWrongAtItsField() {
        ConnectedWindow fixture;
        fixture.openActive();
        ConnectDialog* dialog = fixture.openDialog("connectHost");
        auto* port = in<QLineEdit>(*dialog, "connectPort");
        QTest::keyClicks(in<QLineEdit>(*dialog, "connectHostName"), "gpu-9");
        QTest::keyClicks(port, "99999");
        QVERIFY(!in<QPushButton>(*dialog, "connectConfirm")->isEnabled());
        QVERIFY(!port->accessibleDescription().isEmpty());
        QTest::keyClick(dialog, Qt::Key_Escape);
        QVERIFY(!dialog->isVisible());
        QCOMPARE(fixture.sidebar(), QStringList({"This computer"}));
    }

    void whatIsSeldomWantedIsFolded() {
        ConnectedWindow fixture;
        fixture.openActive();
        ConnectDialog* dialog = fixture.openDialog("connectHost");
        auto* way = in<QComboBox>(*dialog, "connectTransport");
        QVERIFY(!way->isVisible());
        in<QToolButton>(*dialog, "connectAdvanced")->click();
        QVERIFY(way->isVisible());
        QCOMPARE(way->count(), 2);
    }

    void aConnectionIsEditedDuplicatedAndRemoved() {
        ConnectedWindow fixture;
        fixture.openActive();
        fixture.connectTo("gpu-1");
        ConnectDialog* dialog = fixture.openDialog("editConnection");
        QCOMPARE(in<QLineEdit>(*dialog, "connectHostName")->text(), QString("gpu-1"));
        QTest::keyClicks(in<QLineEdit>(*dialog, "connectName"), "GPU");
        in<QPushButton>(*dialog, "connectConfirm")->click();
        fixture.settle();
        QCOMPARE(fixture.sidebar(), QStringList({"This computer", "GPU"}));
        dialog = fixture.openDialog("duplicateConnection");
        QCOMPARE(in<QLineEdit>(*dialog, "connectName")->text(), QString("GPU 2"));
        in<QPushButton>(*dialog, "connectConfirm")->click();
        fixture.settle();
        QCOMPARE(fixture.sidebar(), QStringList({"This computer", "GPU", "GPU 2"}));
        fixture.find<QAction>("removeConnection")->trigger();
        auto* question = fixture.find<QDialog>("confirmDialog");
        QVERIFY(question && question->isVisible());
        QVERIFY(in<QLabel>(*question, "confirmSentence")->text().contains("Nothing on the host is deleted"));
        in<QPushButton>(*question, "confirmVerb")->click();
        fixture.settle();
        QCOMPARE(fixture.sidebar(), QStringList({"This computer", "GPU"}));
        QVERIFY(!fixture.find<ConnectionPage>("connectionPage"));
        QVERIFY(!fixture.find<QAction>("removeConnection")->isEnabled());
    }

    void thisComputerCanBeTestedButNotRemoved() {
        ConnectedWindow fixture;
        fixture.openActive();
        fixture.presenter.showConnection(fixture.head);
        fixture.settle();
        QVERIFY(fixture.find<ConnectionPage>("connectionPage")->isVisible());
        QVERIFY(!fixture.find<QAction>("removeConnection")->isVisible());
        QVERIFY(fixture.find<QAction>("testConnection")->isVisible());
        fixture.find<QAction>("testConnection")->trigger();
        QCOMPARE(QString::fromStdString(fixture.head.asked().back()), QString("test again"));
    }

    void theWayIsShownStepByStep() {
        ConnectedWindow fixture;
        fixture.openActive();
        FakeHeadClient& head = fixture.connectTo("gpu-head");
        head.beginTry();
        StepState upload = step(ConnectionStep::head, StepPhase::running, 900ms);
        upload.doneBytes = 3 << 20;
        upload.totalBytes = 12 << 20;
        head.takeSteps({step(ConnectionStep::tcp, StepPhase::done, 21ms), upload});
        fixture.settle();
        auto* bar = fixture.find<QProgressBar>("uploadBar");
        QVERIFY(bar->isVisible());
        QCOMPARE(bar->value(), bar->maximum() / 4);
        const auto rows = fixture.window->findChildren<QWidget*>("step");
        QCOMPARE(rows.size(), 8);
        QCOMPARE(rows[1]->accessibleName(), QString("TCP, done, 21 ms"));
        upload.phase = StepPhase::failed;
        upload.error = Error{ErrorCode::upload_damaged, {{"host", "gpu-head"}}, {}};
        head.fail(*upload.error);
        head.takeSteps({step(ConnectionStep::tcp, StepPhase::done, 21ms), upload});
        fixture.settle();
        QVERIFY(!bar->isVisible());
        const auto errors = fixture.window->findChildren<QLabel*>("stepError");
        QVERIFY(errors[6]->isVisible());
        QVERIFY(errors[6]->text().startsWith("What arrived on gpu-head"));
        QVERIFY(!fixture.find<QLabel>("connectionError")->isVisible());
    }

    void aLostConnectionIsGreyedAndSaysSinceWhen() {
        ConnectedWindow fixture;
        fixture.openActive();
        FakeHeadClient& head = fixture.connectTo("gpu-head");
        head.lose(fixture.clock.wallNow());
        fixture.settle();
        QVERIFY(fixture.find<QLabel>("connectionState")->text().startsWith("Unknown since"));
        QVERIFY(fixture.find<QLabel>("connectionStale")->isVisible());
        QVERIFY(fixture.find<QLabel>("connectionError")->isVisible());
        QVERIFY(fixture.find<QWidget>("connectionNodes")->isVisible());
        fixture.find<QAction>("reconnect")->trigger();
        fixture.settle();
        QVERIFY(!fixture.find<QLabel>("connectionStale")->isVisible());
    }

    void whatIsDisconnectedStaysSoUntilItIsConnected() {
        ConnectedWindow fixture;
        fixture.openActive();
        FakeHeadClient& head = fixture.connectTo("gpu-head");
        auto* toggle = fixture.find<QAction>("hangUp");
        QCOMPARE(toggle->text(), QString("Disconnect"));
        toggle->trigger();
        fixture.settle();
        QCOMPARE(fixture.find<QLabel>("connectionState")->text(), QString("Disconnected"));
        QVERIFY(!fixture.saved.all().front().isWanted);
        fixture.presenter.showConnection(fixture.head);
        fixture.presenter.reconnect();
        QCOMPARE(QString::fromStdString(head.asked().back()), QString("hang up"));
        fixture.presenter.showConnection(head);
        fixture.settle();
        QCOMPARE(toggle->text(), QString("Connect"));
        toggle->trigger();
        fixture.settle();
        QCOMPARE(fixture.find<QLabel>("connectionState")->text(), QString("Connected"));
        QVERIFY(fixture.saved.all().front().isWanted);
    }

    void aStartLeavesAloneWhatWasDisconnected() {
        ConnectedWindow fixture;
        SavedConnection connection;
        connection.host = "gpu-head";
        connection.isWanted = false;
        QVERIFY(fixture.saved.put(connection));
        fixture.openActive();
        fixture.connections.open();
        fixture.settle();
        QCOMPARE(fixture.sidebar(), QStringList({"This computer", "gpu-head"}));
        QCOMPARE(fixture.made.back()->asked(), std::vector<std::string>{"hang up"});
        QVERIFY(!fixture.saved.all().front().isWanted);
    }

    void ofTwoWaysToOneHeadTheChosenOneIsShown() {
        ConnectedWindow fixture;
        fixture.openActive();
        fixture.connectTo("gpu-head").add(fixture.experiment);
        FakeHeadClient& second = fixture.connectTo("gpu-head.lab");
        second.add(fixture.experiment);
        fixture.settle();
        auto* tree = fixture.find<QTreeView>("sidebar");
        const QModelIndex row = tree->model()->index(0, 0, tree->model()->index(2, 0));
        tree->selectionModel()->select(row, QItemSelectionModel::ClearAndSelect);
        fixture.settle();
        QVERIFY(fixture.window->page());
        QCOMPARE(&fixture.window->page()->experiment().head(), &second);
        QCOMPARE(tree->currentIndex(), row);
    }

    void aPasswordIsAskedInThePageAndLeavesNoTrace() {
        ConnectedWindow fixture;
        fixture.openActive();
        FakeHeadClient& head = fixture.connectTo("gpu-head");
        head.takePrompt(1, askedPrompt(Prompt::Kind::password));
        fixture.settle();
        auto* field = fixture.find<QLineEdit>("promptField");
        QVERIFY(fixture.find<QWidget>("promptPanel")->isVisible());
        QCOMPARE(QApplication::focusWidget(), field);
        QCOMPARE(field->echoMode(), QLineEdit::Password);
        QVERIFY2(withoutName(*fixture.window).isEmpty(), qPrintable(withoutName(*fixture.window).join('\n')));
        QTest::keyClicks(field, "hunter2");
        QTest::keyClick(field, Qt::Key_Return);
        fixture.settle();
        QCOMPARE(QString::fromStdString(head.asked().back()), QString("answer 1 hunter2"));
        QVERIFY(!fixture.find<QWidget>("promptPanel")->isVisible());
        QVERIFY(field->text().isEmpty());
        Prompt again = askedPrompt(Prompt::Kind::password);
        again.again = true;
        head.takePrompt(2, again);
        fixture.settle();
        QVERIFY(fixture.find<QLabel>("promptRefusal")->isVisible());
        fixture.find<QPushButton>("promptCancel")->click();
        QCOMPARE(QString::fromStdString(head.asked().back()), QString("answer 2 -"));
    }

    void aPassphraseGoesToTheKeychainWhereThatIsWished() {
        ConnectedWindow fixture;
        fixture.openActive();
        fakes::FakeKeychain keychain;
        FakeHeadClient& head = fixture.connectTo("gpu-head");
        head.takePrompt(1, askedPrompt(Prompt::Kind::passphrase));
        fixture.settle();
        auto* remember = fixture.find<QCheckBox>("promptRemember");
        QVERIFY2(!remember->isVisible(), "no keychain, nothing to be promised");
        head.answerPrompt(1, std::nullopt);
        head.setKeychain(keychain);
        head.takePrompt(2, askedPrompt(Prompt::Kind::passphrase));
        fixture.settle();
        QVERIFY(remember->isVisible());
        QVERIFY(!remember->isChecked());
        remember->click();
        QTest::keyClicks(fixture.find<QLineEdit>("promptField"), "opensesame");
        fixture.find<QPushButton>("promptAnswer")->click();
        transport::StepState login;
        login.step = transport::ConnectionStep::login;
        login.phase = transport::StepPhase::done;
        head.takeSteps({login});
        QCOMPARE(keychain.secrets.size(), size_t{1});
        QCOMPARE(keychain.secrets.begin()->second, std::string("opensesame"));
        head.takePrompt(3, askedPrompt(Prompt::Kind::interactive));
        fixture.settle();
        QVERIFY2(!remember->isVisible(), "a code is good once");
        head.answerPrompt(3, std::nullopt);
    }

    void aHostKeyIsTrustedOrNot() {
        ConnectedWindow fixture;
        fixture.openActive();
        FakeHeadClient& head = fixture.connectTo("gpu-head");
        head.takePrompt(1, askedPrompt(Prompt::Kind::host_key));
        fixture.settle();
        QVERIFY(!fixture.find<QLineEdit>("promptField")->isVisible());
        QCOMPARE(fixture.find<QLabel>("promptKey")->text(),
                 QString("ED25519 SHA256:hF2mpyOqUdbjRmUXwVVPrNMoYnWgvS4bN3f0m6Z0Ebs"));
        QCOMPARE(QApplication::focusWidget(), fixture.find<QPushButton>("promptCancel"));
        fixture.find<QPushButton>("promptAnswer")->click();
        QCOMPARE(QString::fromStdString(head.asked().back()), QString("answer 1 yes"));
    }

    void whatAHostAsksMayBeReadWhileItIsTyped() {
        ConnectedWindow fixture;
        fixture.openActive();
        FakeHeadClient& head = fixture.connectTo("gpu-head");
        Prompt code = askedPrompt(Prompt::Kind::interactive);
        code.echo = true;
        head.takePrompt(1, code);
        head.takePrompt(2, askedPrompt(Prompt::Kind::password));
        fixture.settle();
        QCOMPARE(fixture.find<QLineEdit>("promptField")->echoMode(), QLineEdit::Normal);
        QCOMPARE(fixture.find<QLabel>("promptSentence")->text(), QString("Verification code:"));
        head.dropPrompt(1);
        fixture.settle();
        QVERIFY2(fixture.find<QLabel>("promptTitle")->text().startsWith("Password"), "one at a time");
        head.dropPrompt(2);
        fixture.settle();
        QVERIFY(!fixture.find<QWidget>("promptPanel")->isVisible());
    }

    void aQuestionOnAnotherPageHasANoticeThatLeadsThere() {
        ConnectedWindow fixture;
        fixture.openActive();
        FakeHeadClient& head = fixture.connectTo("gpu-head");
        fixture.presenter.open(fixture.experiment.summary.experiment);
        head.takePrompt(1, askedPrompt(Prompt::Kind::password));
        fixture.settle();
        auto* notice = fixture.find<QWidget>("promptNotice");
        QVERIFY(notice->isVisible());
        QVERIFY(fixture.window->page());
        in<QToolButton>(*notice, "windowNoticeAction")->click();
        fixture.settle();
        QVERIFY(!notice->isVisible());
        QCOMPARE(fixture.window->focusWidget(), fixture.find<QLineEdit>("promptField"));
        fixture.find<QAction>("newExperiment")->trigger();
        QVERIFY2(notice->isVisible(), "the form hides the page");
        head.dropPrompt(1);
        QVERIFY(!notice->isVisible());
    }

    void theSidebarLeadsToConnectionsAndFoldsThem() {
        ConnectedWindow fixture;
        fixture.openActive();
        fixture.connectTo("gpu-head");
        fixture.presenter.open(fixture.experiment.summary.experiment);
        fixture.settle();
        auto* tree = fixture.find<QTreeView>("sidebar");
        const QRect here = tree->visualRect(tree->model()->index(0, 0));
        QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, {here.left() + 8, here.center().y()});
        QVERIFY(!tree->isExpanded(tree->model()->index(0, 0)));
        QVERIFY(fixture.window->page());
        QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, here.center());
        fixture.settle();
        QVERIFY(!fixture.window->page());
        QCOMPARE(fixture.find<QLabel>("connectionName")->text(), QString("This computer"));
        QTest::keyClick(tree, Qt::Key_Down);
        fixture.settle();
        QCOMPARE(fixture.find<QLabel>("connectionName")->text(), QString("gpu-head"));
    }

    void aSidebarThatGetsTheFocusChoosesNothing() {
        ConnectedWindow fixture;
        fixture.openActive();
        fixture.find<QAction>("newExperiment")->trigger();
        fixture.settle();
        QFocusEvent focus(QEvent::FocusIn, Qt::TabFocusReason);
        QApplication::sendEvent(fixture.find<QTreeView>("sidebar"), &focus);
        fixture.settle();
        QVERIFY(!fixture.find<ConnectionPage>("connectionPage"));
        QTest::keyClick(fixture.find<QTreeView>("sidebar"), Qt::Key_Down);
        fixture.settle();
        QVERIFY(fixture.find<ConnectionPage>("connectionPage"));
    }

    void aConnectionHasAMenu() {
        ConnectedWindow fixture;
        fixture.openActive();
        fixture.connectTo("gpu-head");
        auto* tree = fixture.find<QTreeView>("sidebar");
        const QRect row = tree->visualRect(tree->model()->index(1, 0));
        QContextMenuEvent event(QContextMenuEvent::Mouse, row.center(),
                                tree->viewport()->mapToGlobal(row.center()));
        QApplication::sendEvent(tree->viewport(), &event);
        auto* menu = fixture.find<QMenu>("connectionMenu");
        QVERIFY(menu && menu->isVisible());
        QStringList texts;
        for (const QAction* action : menu->actions()) {
            if (action->isVisible())
                texts << action->text();
        }
        QCOMPARE(texts, QStringList({"Reconnect", "Test again", "Disconnect", "Edit…", "Duplicate…",
                                     "Copy diagnostics", "Remove…"}));
        menu->close();
    }

    void diagnosticsAreCopied() {
        ConnectedWindow fixture;
        fixture.openActive();
        fixture.connectTo("gpu-head");
        fixture.find<QAction>("copyDiagnostics")->trigger();
        QVERIFY(QApplication::clipboard()->text().contains("connection: gpu-head"));
    }

    void anExperimentOfAnotherHostIsLikeOneOfThisComputer() {
        ConnectedWindow fixture;
        fixture.openWindow();
        FakeHeadClient& head = fixture.connectTo("gpu-head");
        head.setLog("epoch 1\n");
        head.add(fixture.experiment);
        fixture.presenter.open(fixture.experiment.summary.experiment);
        fixture.settle();
        using Tab = app::views::ExperimentPage::Tab;
        for (const Tab tab : {Tab::overview, Tab::trials, Tab::logs, Tab::files, Tab::setup}) {
            fixture.window->page()->showTab(tab);
            fixture.settle();
        }
        fixture.find<QAction>("stop")->trigger();
        fixture.settle();
        for (const std::string& line : fixture.head.asked())
            QVERIFY2(false, ("this computer was asked: " + line).c_str());
        QVERIFY(head.asked().size() >= 3);
    }

    void everyPageDialogAndQuestionIsPhotographed() {
        const QTemporaryDir folder;
        const base::SystemClock clock;
        app::views::Appearance appearance;
        app::views::ConnectionPictures pictures(clock, appearance, {1280, 800}, folder.path());
        QCOMPARE(pictures.photograph(), QString());
        const QStringList files = QDir(folder.path()).entryList({QStringLiteral("*-light-en.png")});
        QCOMPARE(files.size(), 17);
        for (const QString& file : files) {
            const QImage english(folder.filePath(file));
            QCOMPARE(english.size(), QSize(1280, 800));
            for (const char* look : {"-dark-en", "-light-zh", "-dark-zh"}) {
                const QImage other(folder.filePath(QString(file).replace("-light-en", QLatin1String(look))));
                QVERIFY2(other.size() == english.size() && other != english, qPrintable(file));
            }
        }
    }

    void thePageIsReachedByTab() {
        ConnectedWindow fixture;
        fixture.openActive();
        fixture.connectTo("gpu-head").takePrompt(1, askedPrompt(Prompt::Kind::password));
        fixture.settle();
        QVERIFY2(withoutName(*fixture.window).isEmpty(), qPrintable(withoutName(*fixture.window).join('\n')));
        const QStringList missed = unreached(*fixture.window, tabRound());
        QVERIFY2(missed.isEmpty(), qPrintable(missed.join('\n')));
    }
};

QTEST_MAIN(ConnectionsTest)
#include "connections_test.moc"
