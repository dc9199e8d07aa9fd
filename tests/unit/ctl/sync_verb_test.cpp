// SPDX-License-Identifier: Apache-2.0
#include "core/ctl/sync_verb.h"

#include "tests/support/compare.h"

#include <QtTest>

using namespace trialdeck;

namespace {

const base::Path kHome = "/home/ada";

/// "up local remote +include -exclude", or the error's code.
std::string textOf(const ctl::Command& command, const std::optional<client::SyncedFolders>& last = {}) {
    const auto request = ctl::syncRequestOf(command, last, kHome, "/home/ada/work");
    if (!request)
        return std::string(nameOf(request.error().code));
    std::string text = request->direction == transport::SyncDirection::up ? "up " : "down ";
    text += request->local.native() + " " + request->remote;
    for (const std::string& pattern : request->include)
        text += " +" + pattern;
    for (const std::string& pattern : request->exclude)
        text += " -" + pattern;
    return text;
}

} // namespace

class SyncVerbTest : public QObject {
    Q_OBJECT
private slots:
    void foldersAreMadeAbsolute_data() {
        QTest::addColumn<QString>("local");
        QTest::addColumn<QString>("expected");
        QTest::newRow("relative") << "net"
                                  << "/home/ada/work/net";
        QTest::newRow("with a slash") << "net/"
                                      << "/home/ada/work/net";
        QTest::newRow("here") << "."
                              << "/home/ada/work";
        QTest::newRow("above") << "../x/./y/"
                               << "/home/ada/x/y";
        QTest::newRow("home") << "~/net"
                              << "/home/ada/net";
        QTest::newRow("absolute") << "/data//net"
                                  << "/data/net";
        QTest::newRow("everything") << "/"
                                    << "/";
    }
    void foldersAreMadeAbsolute() {
        QFETCH(QString, local);
        QFETCH(QString, expected);
        ctl::Command command;
        command.verb = ctl::Verb::syncUp;
        command.folders = {local.toStdString(), "~/p"};
        QCOMPARE(textOf(command), "up " + expected.toStdString() + " ~/p");
        command.verb = ctl::Verb::syncDown;
        command.folders = {"~/p", local.toStdString()};
        QCOMPARE(textOf(command), "down " + expected.toStdString() + " ~/p");
    }

    void withoutFoldersTheLastOnesAreTaken() {
        ctl::Command command;
        command.verb = ctl::Verb::syncDown;
        QCOMPARE(textOf(command), std::string("missing_key"));
        const client::SyncedFolders last{"/home/ada/net", "~/net", {"keep.*"}, {".git/"}};
        QCOMPARE(textOf(command, last), std::string("down /home/ada/net ~/net +keep.* -.git/"));
        command.exclude = {"*.pt"};
        QCOMPARE(textOf(command, last), std::string("down /home/ada/net ~/net -*.pt"));
        command.folders = {"a", "b"};
        QCOMPARE(textOf(command, last), std::string("down /home/ada/work/b a -*.pt"));
    }
};

QTEST_APPLESS_MAIN(SyncVerbTest)
#include "sync_verb_test.moc"
