// SPDX-License-Identifier: Apache-2.0
#include "app/views/window_actions.h"

#include "app/views/icons.h"
#include "app/views/theme.h"

namespace trialdeck::app::views {

WindowActions::WindowActions(QWidget& window) {
    const auto make = [&window](QAction*& action, const char* name, const QKeySequence& shortcut) {
        action = new QAction(&window);
        action->setObjectName(QLatin1String(name));
        action->setShortcut(shortcut);
        window.addAction(action);
    };
    constexpr auto kMore = Qt::CTRL | Qt::SHIFT;
    make(newExperiment, "newExperiment", QKeySequence::New);
    make(openYaml, "openYaml", QKeySequence::Open);
    make(connectHost, "connectHost", kMore | Qt::Key_N);
    make(pause, "pause", Qt::CTRL | Qt::Key_P);
    make(resume, "resume", kMore | Qt::Key_P);
    make(stop, "stop", kMore | Qt::Key_S);
    make(overview, "showOverview", Qt::CTRL | Qt::Key_1);
    make(trials, "showTrials", Qt::CTRL | Qt::Key_2);
    make(logs, "showLogs", Qt::CTRL | Qt::Key_3);
    make(files, "showFiles", Qt::CTRL | Qt::Key_4);
    make(setup, "showSetup", Qt::CTRL | Qt::Key_5);
    make(search, "search", QKeySequence::Find);
    make(copyCommand, "copyCommand", kMore | Qt::Key_C);
    make(palette, "palette", Qt::CTRL | Qt::Key_K);
    make(reconnect, "reconnect", Qt::Key_F5);
    make(testConnection, "testConnection", kMore | Qt::Key_R);
    make(tensorBoard, "openTensorBoard", kMore | Qt::Key_B);
    make(hangUp, "hangUp", kMore | Qt::Key_H);
    make(editConnection, "editConnection", Qt::CTRL | Qt::Key_E);
    make(duplicateConnection, "duplicateConnection", Qt::CTRL | Qt::Key_D);
    make(copyDiagnostics, "copyDiagnostics", kMore | Qt::Key_D);
    make(forgetSecrets, "forgetSecrets", kMore | Qt::Key_K);
    make(removeConnection, "removeConnection", QKeySequence::Delete);
    make(language, "switchLanguage", kMore | Qt::Key_L);
    make(theme, "switchTheme", kMore | Qt::Key_T);
    make(shortcuts, "showShortcuts", Qt::Key_F1);
    make(about, "showAbout", Qt::SHIFT | Qt::Key_F1);
}

std::vector<QAction*> WindowActions::all() const {
    return {newExperiment,
            openYaml,
            connectHost,
            pause,
            resume,
            stop,
            overview,
            trials,
            logs,
            files,
            setup,
            search,
            tensorBoard,
            copyCommand,
            palette,
            reconnect,
            testConnection,
            hangUp,
            editConnection,
            duplicateConnection,
            copyDiagnostics,
            forgetSecrets,
            removeConnection,
            language,
            theme,
            shortcuts,
            about};
}

QString WindowActions::fullText(const QAction& action) {
    const QString full = action.property("fullText").toString();
    return full.isEmpty() ? action.text() : full;
}

void WindowActions::retranslate() {
    //: Menu entry below "New": opens the form
    newExperiment->setText(tr("Experiment"));
    newExperiment->setProperty("fullText", tr("New experiment"));
    openYaml->setText(tr("Open YAML…"));
    connectHost->setText(tr("Connect a host…"));
    //: Toolbar button: pause the experiment
    pause->setText(tr("Pause"));
    pause->setProperty("fullText", tr("Pause the experiment"));
    pause->setToolTip(tr("Start nothing new; running trials end after their next checkpoint"));
    //: Toolbar button: go on after a pause
    resume->setText(tr("Resume"));
    resume->setProperty("fullText", tr("Resume the experiment"));
    resume->setToolTip(tr("Go on from the newest checkpoints"));
    //: Toolbar button: stop the experiment
    stop->setText(tr("Stop"));
    stop->setProperty("fullText", tr("Stop the experiment"));
    stop->setToolTip(tr("End the running trials and start no more"));
    tensorBoard->setText(QStringLiteral("TensorBoard"));
    tensorBoard->setProperty("fullText", tr("Open in TensorBoard"));
    tensorBoard->setToolTip(tr("Starts TensorBoard where the experiment runs and opens it in the browser"));
    overview->setText(tr("Show overview"));
    trials->setText(tr("Show trials"));
    logs->setText(tr("Show logs"));
    files->setText(tr("Show files"));
    setup->setText(tr("Show set-up"));
    search->setText(tr("Filter trials or search the log"));
    copyCommand->setText(tr("Copy as trialdeckctl command"));
    palette->setText(tr("Command palette"));
    reconnect->setText(tr("Reconnect"));
    //: Walks the way to a host once more
    testConnection->setText(tr("Test again"));
    testConnection->setProperty("fullText", tr("Test the connection again"));
    setHangUpText(HangUp::end);
    //: Of a connection
    editConnection->setText(tr("Edit…"));
    editConnection->setProperty("fullText", tr("Edit the connection…"));
    //: Of a connection
    duplicateConnection->setText(tr("Duplicate…"));
    duplicateConnection->setProperty("fullText", tr("Duplicate the connection…"));
    //: Everything about a connection that does not work, for a report
    copyDiagnostics->setText(tr("Copy diagnostics"));
    copyDiagnostics->setToolTip(tr("Steps, times and errors of the connection; no secrets"));
    //: Removes the passwords and passphrases of a connection from the desktop's keychain
    forgetSecrets->setText(tr("Forget remembered secrets"));
    //: Of a connection
    removeConnection->setText(tr("Remove…"));
    removeConnection->setProperty("fullText", tr("Remove the connection…"));
    language->setText(tr("Switch between Chinese and English"));
    theme->setText(tr("Switch between light and dark"));
    shortcuts->setText(tr("Keyboard shortcuts"));
    about->setText(tr("About Trialdeck"));
    for (QAction* action : {pause, resume, stop, tensorBoard})
        action->setToolTip(action->toolTip() + QStringLiteral("  ") +
                           action->shortcut().toString(QKeySequence::NativeText));
}

void WindowActions::setHangUpText(HangUp what) {
    if (what == HangUp::undo) {
        //: Makes a connection again that the user had ended
        hangUp->setText(tr("Connect"));
        hangUp->setToolTip({});
        return;
    }
    //: Ends a connection
    hangUp->setText(tr("Disconnect"));
    hangUp->setToolTip(tr("Trials go on; nothing is tried again before you connect"));
}

void WindowActions::setIcons(const Theme& colours) {
    const auto draw = [&](QAction* action, const char* name) {
        action->setIcon(icon(QLatin1String(name), colours.text));
    };
    draw(pause, "pause");
    draw(resume, "resume");
    draw(stop, "stop");
    draw(tensorBoard, "chart");
    draw(newExperiment, "chart");
    draw(openYaml, "file");
    draw(connectHost, "computer");
    draw(testConnection, "refresh");
    draw(copyDiagnostics, "copy");
}

} // namespace trialdeck::app::views
