// SPDX-License-Identifier: Apache-2.0
#include "app/client/live_head_client.h"

#include "core/transport/pipe_transport.h"
#include "tests/support/compare.h"

#include <QElapsedTimer>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

using namespace trialdeck;
using app::client::LinkStatus;
using app::client::LiveHeadClient;

namespace {

/// A window's client whose head is a shell script; $3 is the nonce.
struct Scene {
    explicit Scene(const QByteArray& script) {
        QFile file(path("trialdeck-head"));
        if (!file.open(QIODevice::WriteOnly))
            qFatal("no script");
        file.write("#!/bin/sh\nbegun() { echo >\"$(dirname \"$0\")/begun\"; }\n" + script);
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        file.close();
        client::ClientOptions options;
        options.name = "test";
        transport::PipeOptions pipe;
        pipe.program = path("trialdeck-head").toStdString();
        pipe.environment = base::currentEnvironment();
        head = std::make_unique<LiveHeadClient>(QStringLiteral("here"),
                                                std::make_unique<transport::PipeTransport>(std::move(pipe)),
                                                std::move(options), clock, log);
    }
    [[nodiscard]] QString path(const char* name) const { return folder.filePath(QLatin1String(name)); }
    [[nodiscard]] bool hasBegun() const { return QFile::exists(path("begun")); }

    QTemporaryDir folder;
    base::SystemClock clock;
    base::NullLog log;
    std::unique_ptr<LiveHeadClient> head;
};

} // namespace

class LiveHeadClientTest : public QObject {
    Q_OBJECT

private slots:
    void closesAtOnce_data() {
        QTest::addColumn<QByteArray>("script");
        QTest::newRow("while a head is silent") << QByteArray("trap '' TERM; begun; exec cat >/dev/null");
        QTest::newRow("while a head has said its marker and no more")
            << QByteArray("printf '\\002trialdeck-head %s\\003' \"$3\"; begun; exec cat >/dev/null");
        QTest::newRow("while the last words of a head are waited for")
            << QByteArray("exec cat >/dev/null 1>&- & begun; exec 0>&- 1>&-; exec sleep 20");
        QTest::newRow("between two tries") << QByteArray("begun; exit 1");
    }
    void closesAtOnce() {
        QFETCH(const QByteArray, script);
        Scene scene(script);
        scene.head->start();
        QTRY_VERIFY(scene.hasBegun());
        QElapsedTimer taken;
        taken.start();
        scene.head.reset();
        QVERIFY2(taken.elapsed() < 900, QByteArray::number(taken.elapsed()).constData());
    }

    void aHeadThatEndsIsAFailureWithItsWords() {
        Scene scene("echo 'no space left' >&2; exit 1");
        scene.head->start();
        QTRY_COMPARE(scene.head->status().state, LinkStatus::State::failed);
        QCOMPARE(scene.head->status().error->code, ErrorCode::head_did_not_answer);
        QCOMPARE(scene.head->status().error->arguments.at("printed"), std::string("no space left"));
    }
};

QTEST_GUILESS_MAIN(LiveHeadClientTest)
#include "live_head_client_test.moc"
