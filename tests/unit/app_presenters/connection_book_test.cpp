// SPDX-License-Identifier: Apache-2.0
#include "app/presenters/connection_book.h"

#include "app/presenters/connection_draft.h"
#include "tests/support/compare.h"
#include "tests/support/memory_file_system.h"
#include "tests/unit/app_presenters/presenter_scene.h"

#include <QSignalSpy>
#include <QtTest>

using namespace trialdeck;
using app::presenters::ConnectionBook;
using app::presenters::ConnectionDraft;
using client::SavedConnection;
using Field = ConnectionDraft::Field;

namespace {

SavedConnection of(const char* host, const char* name = "") {
    SavedConnection connection;
    connection.host = host;
    connection.name = name;
    return connection;
}

/// A window with connections that are kept in memory and lead to fake heads.
struct Scene : tests::PresenterScene {
    [[nodiscard]] QStringList shown() {
        QStringList names;
        const auto& tree = window.sidebar();
        for (int row = 0; row < tree.rowCount(); ++row) {
            const QModelIndex top = tree.index(row, 0);
            names << top.data().toString();
            for (int under = 0; under < tree.rowCount(top); ++under)
                names << "  " + tree.index(under, 0, top).data().toString();
        }
        return names;
    }
    fakes::FakeHeadClient& last() { return *made.back(); }

    tests::MemoryFileSystem files;
    client::SavedConnections saved{files, "/config/connections.json"};
    std::vector<fakes::FakeHeadClient*> made;
    ConnectionBook book{saved,
                        {[this](const SavedConnection& connection) {
                             auto fake = std::make_unique<fakes::FakeHeadClient>(
                                 QString::fromStdString(connection.name));
                             made.push_back(fake.get());
                             return fake;
                         },
                         {},
                         {}},
                        window};
};

bool isFree(const QString&) {
    return false;
}

} // namespace

class ConnectionBookTest : public QObject {
    Q_OBJECT

private slots:
    void aNewConnectionIsKeptConnectedAndShown() {
        Scene scene;
        QVERIFY(scene.book.keep(of("gpu-head")));
        QCOMPARE(scene.shown(), QStringList({"This computer", "gpu-head"}));
        QVERIFY(scene.window.connection());
        QCOMPARE(scene.window.connection()->name(), QString("gpu-head"));
        QCOMPARE(scene.last().status().state, app::client::LinkStatus::State::connected);
        QCOMPARE(scene.window.localHead(), static_cast<app::client::HeadClient*>(&scene.head));
        Scene again;
        again.files.put("/config/connections.json", *scene.files.content("/config/connections.json"));
        again.book.open();
        QCOMPARE(again.shown(), QStringList({"This computer", "gpu-head"}));
    }

    void anEditedWayIsConnectedAnewAtItsPlace() {
        Scene scene;
        QVERIFY(scene.book.keep(of("gpu-1")));
        QVERIFY(scene.book.keep(of("gpu-2")));
        SavedConnection edited = *scene.window.connectionOf(*scene.made.front())->saved();
        edited.port = 2222;
        QVERIFY(scene.book.keep(edited));
        QCOMPARE(scene.made.size(), size_t{3});
        QCOMPARE(scene.shown(), QStringList({"This computer", "gpu-1", "gpu-2"}));
        QCOMPARE(scene.window.connection()->address(), QString("gpu-1:2222"));
    }

    void anotherNameNeedsNoNewConnection() {
        Scene scene;
        QVERIFY(scene.book.keep(of("gpu-1")));
        SavedConnection edited = *scene.window.connection()->saved();
        edited.name = "GPU";
        QVERIFY(scene.book.keep(edited));
        QCOMPARE(scene.made.size(), size_t{1});
        QCOMPARE(scene.shown(), QStringList({"This computer", "GPU"}));
    }

    void aRemovedConnectionTakesItsExperimentsOffTheSidebarAlone() {
        Scene scene;
        QVERIFY(scene.book.keep(of("gpu-1")));
        QVERIFY(scene.book.keep(of("gpu-2")));
        scene.made.front()->add(scene.experiment);
        fakes::ReplayedExperiment other = scene.experiment;
        other.summary.experiment = ExperimentId("e-2");
        other.summary.name = "other";
        scene.last().add(other);
        scene.window.open(scene.experiment.summary.experiment);
        QVERIFY(scene.window.current());
        const auto question = scene.book.removeQuestion(*scene.made.front());
        QVERIFY(question.sentence.contains("Nothing on the host is deleted"));
        question.proceed();
        QCOMPARE(scene.shown(), QStringList({"This computer", "gpu-2", "  other"}));
        QVERIFY(!scene.window.current());
        scene.window.open(ExperimentId("e-2"));
        QVERIFY(scene.window.current());
        QCOMPARE(scene.saved.all().size(), size_t{1});
    }

    void aCopyHasANameOfItsOwn() {
        Scene scene;
        QVERIFY(scene.book.keep(of("gpu-head")));
        const SavedConnection copy = scene.book.copyOf(*scene.window.connection()->saved());
        QCOMPARE(copy.name, std::string("gpu-head 2"));
        QVERIFY(copy.id.empty());
        QVERIFY(scene.book.keep(copy));
        QCOMPARE(scene.shown(), QStringList({"This computer", "gpu-head", "gpu-head 2"}));
    }

    void aDamagedListIsSaid() {
        Scene scene;
        scene.files.put("/config/connections.json", "{");
        QSignalSpy failed(&scene.book, &ConnectionBook::failed);
        scene.book.open();
        QCOMPARE(failed.size(), 1);
        QVERIFY(scene.book.keep(of("gpu-head")));
    }

    void whatIsTypedIsUnderstood_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("meant");
        QTest::newRow("name") << " gpu-head "
                              << "@gpu-head:0";
        QTest::newRow("all") << "ada@gpu-head:2222"
                             << "ada@gpu-head:2222";
        QTest::newRow("address") << "ssh://ada@10.0.0.7:22/home"
                                 << "ada@10.0.0.7:22";
        QTest::newRow("ipv6") << "2001:db8::1"
                              << "@2001:db8::1:0";
        QTest::newRow("ipv6 with a port") << "[2001:db8::1]:2222"
                                          << "@2001:db8::1:2222";
        QTest::newRow("mail as user") << "ada@lab.example@gpu"
                                      << "ada@lab.example@gpu:0";
    }
    void whatIsTypedIsUnderstood() {
        QFETCH(const QString, typed);
        QFETCH(const QString, meant);
        ConnectionDraft draft;
        draft.host = typed;
        const SavedConnection connection = draft.connection();
        QCOMPARE(QString::fromStdString(connection.user + "@" + connection.host) + ":" +
                     QString::number(connection.port.value_or(0)),
                 meant);
        QVERIFY(draft.canConnect(isFree));
    }

    void mistakesAreSaidAtTheirField() {
        ConnectionDraft draft;
        QVERIFY(!draft.canConnect(isFree));
        QVERIFY(draft.problem(Field::host, isFree).isEmpty());
        draft.host = "-oProxyCommand=evil";
        QVERIFY(!draft.problem(Field::host, isFree).isEmpty());
        draft.host = "gpu head";
        QVERIFY(!draft.problem(Field::host, isFree).isEmpty());
        draft.host = "gpu-head";
        draft.port = "ssh";
        QVERIFY(!draft.problem(Field::port, isFree).isEmpty());
        draft.port.clear();
        draft.identityFile = "/no/such/key";
        QVERIFY(!draft.problem(Field::identityFile, isFree).isEmpty());
        draft.identityFile.clear();
        QVERIFY(draft.canConnect(isFree));
        QVERIFY(!draft.problem(Field::name, [](const QString&) { return true; }).isEmpty());
    }

    void theFieldsHoldWhatWasKept() {
        SavedConnection connection = of("gpu-head", "GPU");
        connection.user = "ada";
        connection.port = 2222;
        connection.jump = "login";
        connection.extraIndex = "https://wheels.lab";
        connection.transport = client::SshWay::system_ssh;
        QVERIFY(ConnectionDraft::of(connection).connection() == connection);
    }
};

QTEST_GUILESS_MAIN(ConnectionBookTest)
#include "connection_book_test.moc"
