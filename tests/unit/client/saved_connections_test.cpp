// SPDX-License-Identifier: Apache-2.0
#include "core/client/saved_connections.h"

#include "tests/support/compare.h"
#include "tests/support/memory_file_system.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace trialdeck;
using client::SavedConnection;
using client::SavedConnections;
using client::SshWay;

namespace {

constexpr auto kHandWritten = R"({"colour": "green", "connections": [{"comment": "no host"},
                                {"id": "c-1", "host": "gpu-head", "mood": "good", "port": 99999}, 7]})";
const base::Path kFile = "/home/ada/.config/trialdeck/connections.json";

SavedConnection everythingSet() {
    SavedConnection connection;
    connection.id = "c-1";
    connection.name = "GPU head";
    connection.host = "gpu-head";
    connection.user = "ada";
    connection.port = 2222;
    connection.identityFile = "~/.ssh/id_lab";
    connection.jump = "login.lab";
    connection.transport = SshWay::system_ssh;
    connection.compression = true;
    connection.remoteHome = "/data/ada/.trialdeck";
    connection.packageIndex = "https://pypi.lab/simple";
    connection.extraIndex = "https://wheels.lab/simple";
    connection.proxy = "http://proxy.lab:3128";
    connection.registryMirror = "registry.lab";
    connection.forwards = Array{Object{{"remote", 6006}}};
    connection.lastSync = client::SyncedFolders{"/home/ada/net", "/data/net", {"keep.*"}, {".git/", "*.pt"}};
    return connection;
}

SavedConnection of(const char* host) {
    SavedConnection connection;
    connection.host = host;
    return connection;
}

std::string listed(const SavedConnections& saved) {
    std::string text;
    for (const SavedConnection& each : saved.all())
        text += (text.empty() ? "" : ", ") + each.name + "=" + each.host;
    return text;
}

} // namespace

class SavedConnectionsTest : public QObject {
    Q_OBJECT
private slots:
    void whatWasSavedIsReadAgain() {
        tests::MemoryFileSystem files;
        SavedConnections saved(files, kFile);
        QVERIFY(saved.load());
        QVERIFY(saved.put(everythingSet()));
        const auto added = saved.put(of("ada@10.0.0.7"));
        QVERIFY(added);
        QCOMPARE(added->id.size(), size_t{36});
        SavedConnections again(files, kFile);
        QVERIFY(again.load());
        QCOMPARE(listed(again), std::string("GPU head=gpu-head, ada@10.0.0.7=ada@10.0.0.7"));
        QVERIFY(again.all().front() == everythingSet());
        QVERIFY(*again.find("c-1") == everythingSet());
        QVERIFY(*again.find("GPU head") == everythingSet());
        QVERIFY(!again.find("gpu"));
    }

    void whatWasClearedIsGone() {
        tests::MemoryFileSystem files;
        SavedConnections saved(files, kFile);
        QVERIFY(saved.put(everythingSet()));
        SavedConnection plain = of("gpu-head");
        plain.id = "c-1";
        QVERIFY(saved.put(plain));
        plain.name = "gpu-head";
        QCOMPARE(saved.all().size(), size_t{1});
        QVERIFY(saved.all().front() == plain);
        QVERIFY(saved.remove("c-1"));
        QVERIFY(saved.all().empty());
    }

    void whatIsNotKnownHereIsKept() {
        tests::MemoryFileSystem files;
        files.put(kFile, kHandWritten);
        SavedConnections saved(files, kFile);
        QVERIFY(saved.load());
        QCOMPARE(listed(saved), std::string("gpu-head=gpu-head"));
        QVERIFY(!saved.all().front().port);
        SavedConnection changed = saved.all().front();
        changed.user = "ada";
        QVERIFY(saved.put(changed));
        const std::string text = *files.content(kFile);
        for (const char* kept : {"green", "no host", "good", "7", "ada"})
            QVERIFY2(text.find(kept) != std::string::npos, kept);
    }

    void anEntryWrittenByHandNeedsOnlyAHost() {
        tests::MemoryFileSystem files;
        files.put(kFile, "{\"connections\": [{\"host\": \"gpu-head\"}]}");
        SavedConnections saved(files, kFile);
        QVERIFY(saved.load());
        SavedConnection changed = saved.all().front();
        QCOMPARE(changed.id, std::string("gpu-head"));
        changed.port = 22;
        QVERIFY(saved.put(changed));
        QCOMPARE(saved.all().size(), size_t{1});
    }

    void twoWindowsDoNotUndoEachOthersChanges() {
        tests::MemoryFileSystem files;
        SavedConnections one(files, kFile);
        SavedConnections other(files, kFile);
        QVERIFY(one.load() && other.load());
        QVERIFY(one.put(of("gpu-1")));
        QVERIFY(other.put(of("gpu-2")));
        QCOMPARE(listed(other), std::string("gpu-1=gpu-1, gpu-2=gpu-2"));
    }

    void aDamagedFileIsSetAside_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("torn") << QByteArray("{\"connections\": [{\"ho");
        QTest::newRow("no map") << QByteArray("[1]");
        QTest::newRow("no list") << QByteArray("{\"connections\": {}}");
        QTest::newRow("no text") << QByteArray("\xff\xfe");
    }
    void aDamagedFileIsSetAside() {
        QFETCH(const QByteArray, text);
        tests::MemoryFileSystem files;
        files.put(kFile, text.toStdString());
        files.put(kFile.native() + ".damaged", "an older one");
        SavedConnections saved(files, kFile);
        const auto loaded = saved.load();
        QCOMPARE(loaded.error().code, ErrorCode::connections_set_aside);
        QCOMPARE(loaded.error().arguments.at("kept_at"), kFile.native() + ".damaged-2");
        QVERIFY(saved.put(of("gpu-head")));
        QCOMPARE(*files.content(kFile.native() + ".damaged-2"), text.toStdString());
        QCOMPARE(*files.content(kFile.native() + ".damaged"), std::string("an older one"));
        QCOMPARE(listed(saved), std::string("gpu-head=gpu-head"));
    }

    void theFileIsForItsOwnerAlone() {
        const QTemporaryDir folder;
        const base::Path file = folder.filePath("config/connections.json").toStdString();
        base::PosixFileSystem files;
        SavedConnections saved(files, file);
        QVERIFY(saved.put(of("gpu-head")));
        QCOMPARE(files.status(file)->mode, uint32_t{0600});
    }

    void theFileLiesWhereConfigurationsDo() {
        QCOMPARE(
            client::savedConnectionsFile({{"HOME", "/home/ada"}, {"XDG_CONFIG_HOME", "/etc/ada"}})->native(),
            std::string("/etc/ada/trialdeck/connections.json"));
        QCOMPARE(client::savedConnectionsFile({{"HOME", "/home/ada"}, {"XDG_CONFIG_HOME", "ada"}})->native(),
                 kFile.native());
    }
};

QTEST_APPLESS_MAIN(SavedConnectionsTest)
#include "saved_connections_test.moc"
