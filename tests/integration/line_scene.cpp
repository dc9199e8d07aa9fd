// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/line_scene.h"

#include "core/base/build_id.h"
#include "core/transport/remote/ssh_transport.h"
#include "tests/support/compare.h"

#include <QDir>
#include <QFile>
#include <QProcess>

#include <algorithm>
#include <fstream>
#include <set>

namespace trialdeck::tests {

void WholeLog::onLog(const protocol::LogEvent& event) {
    gaps += event.offset != bytes.size();
    bytes += event.data.data;
}

void WholeLog::onRefused(const Error& error) {
    QFAIL(base::describe(error).c_str());
}

LineScene::LineScene(SshWay chosen)
    : server("SetEnv XDG_DATA_HOME=" + QByteArray::fromStdString(dataHome().native())), ways(server),
      way(chosen), proxy({.target = server.port()}),
      session([this](asio::io_context&, HeadSession& of) { return makeTransport(of); }) {}

std::unique_ptr<transport::Transport> LineScene::makeTransport(HeadSession& of) {
    transport::SshTransportOptions options;
    options.hostName = "lab";
    options.programs.head = TRIALDECK_BIN_DIR "/trialdeck-head";
    options.programs.buildId = base::buildId();
    options.remoteHome = (of.folder() / "home").native();
    const auto host = std::make_shared<FrameCutter>(ways.make(way, proxy.port()), proxy);
    cutter = host;
    return std::make_unique<transport::SshTransport>(host, files, ways.clock, std::move(options));
}

ExperimentId LineScene::start() {
    const std::string folder = session.folder().native();
    const std::string script = "i=0; while [ ! -e " + folder +
                               "/stop ]; do i=$((i+1)); echo line $i; "
                               "echo '{{\"loss\": '$i'}}' >>$TRIALDECK_REPORT; sleep 0.03; done; "
                               "echo $i >" +
                               folder + "/count-$$";
    return session.create(
        "name: cut\ntrial: {command: [sh, -c, \"" +
        QString::fromStdString(script).replace("\\", "\\\\").replace("\"", "\\\"").toStdString() +
        "\"]}\nstorage_path: " + (session.folder() / "results").native() +
        "\nsearch: {num_samples: 2, max_concurrent_trials: 2}\n");
}

void LineScene::stopTrials() const {
    std::ofstream(session.folder() / "stop").put('\n');
}

void LineScene::finish(const ExperimentId& id, const WholeLog& log) {
    stopTrials();
    QVERIFY(session.waitForState(id, ExperimentState::completed));
    const std::vector<size_t> counts = countsOfTrials();
    QCOMPARE(counts.size(), size_t{2});
    const size_t reports = counts[0] + counts[1];
    QVERIFY(session.waitFor([&] { return session.reports().size() >= reports; }));
    const std::vector<std::string> all = session.reports();
    QCOMPARE(all.size(), reports);
    QCOMPARE(std::set<std::string>(all.begin(), all.end()).size(), all.size());
    for (const auto& attempt : session.bodies<protocol::AttemptStarted>())
        QCOMPARE(attempt.attempt.raw(), 0U);
    const auto lines = std::count_if(all.begin(), all.end(),
                                     [](const std::string& report) { return report.starts_with("0/"); });
    std::string expected;
    for (int line = 1; line <= lines; ++line)
        expected += "line " + std::to_string(line) + "\n";
    QVERIFY(session.waitFor([&] { return log.bytes.size() >= expected.size(); }));
    QCOMPARE(log.bytes, expected);
    QCOMPARE(log.gaps, 0);
    qInfo("%zu reports, each once", reports);
}

std::vector<size_t> LineScene::countsOfTrials() const {
    std::vector<size_t> counts;
    for (const auto& entry : std::filesystem::directory_iterator(session.folder())) {
        if (entry.path().filename().native().starts_with("count-"))
            std::ifstream(entry.path()) >> counts.emplace_back();
    }
    return counts;
}

void LineScene::startClient(QProcess& client, const ExperimentId& id) {
    client.start(TRIALDECK_BIN_DIR "/ssh_follower",
                 {way == SshWay::libssh2 ? "libssh2" : "system_ssh",
                  QString::fromStdString(server.clientConfig("id_ed25519")), QString::number(server.port()),
                  QString::fromStdString((session.folder() / "home").native()),
                  QString::fromStdString(id.raw())});
    QVERIFY(client.waitForStarted());
}

Followed::Followed(LineScene& scene, WholeLog& log) {
    scene.session.connect();
    id = scene.start();
    scene.session.follow(id);
    following = scene.session.followLog(
        {id, TrialId(0), AttemptNumber(0), 0, protocol::OutputStream::standardOutput}, log);
}

std::vector<pid_t> processesOf(const base::Path& folder, std::string_view verb) {
    std::vector<pid_t> found;
    for (const QString& name : QDir("/proc").entryList({"[0-9]*"}, QDir::Dirs)) {
        QFile file("/proc/" + name + "/cmdline");
        if (!file.open(QIODevice::ReadOnly))
            continue;
        const QList<QByteArray> words = file.readAll().split('\0');
        if (words[0].startsWith(folder.native().c_str()) &&
            words.value(1) == QByteArray(verb.data(), qsizetype(verb.size())))
            found.push_back(name.toInt());
    }
    return found;
}

uint64_t seedOfRun() {
    const QByteArray wanted = qgetenv("TRIALDECK_TEST_SEED");
    const uint64_t seed = wanted.isEmpty() ? base::drawSeed() : wanted.toULongLong();
    qInfo("TRIALDECK_TEST_SEED=%llu", static_cast<unsigned long long>(seed));
    return seed;
}

} // namespace trialdeck::tests
