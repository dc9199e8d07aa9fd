// SPDX-License-Identifier: Apache-2.0
// A head behind a real sshd on a line with 100 ms of round trip: how soon it is there, how fast bytes go.
#include "core/base/build_id.h"
#include "core/base/files.h"
#include "core/transport/remote/ssh_transport.h"
#include "tests/benchmarks/figures.h"
#include "tests/integration/head_session.h"
#include "tests/support/fault_proxy.h"
#include "tests/support/run_awaitable.h"
#include "tests/support/ssh_ways.h"

#include <QElapsedTimer>
#include <QFile>

#include <cstdio>

using namespace trialdeck;
using namespace std::chrono_literals;
using benchmarks::printRow;
using benchmarks::quantile;
using tests::FaultProxy;
using tests::HeadSession;
using tests::PlainSshd;
using tests::SshWay;
using tests::SshWays;

namespace {

constexpr auto kOneWay = 50ms;
constexpr int kConnects = 9;
constexpr size_t kFileBytes = size_t{128} << 20;

std::string text(const char* format, double value) {
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, format, value);
    return buffer;
}

/// Hears of the first records.
class FirstRecords final : public client::RecordsListener {
public:
    void onSubscribed(const protocol::RecordsSubscribeResult&) override {}
    void onRecords(const protocol::RecordsEvent&) override { came = true; }
    protocol::Cursor onRollback(protocol::Cursor) override { return {}; }
    void onRefused(const Error&) override {}
    bool came = false;
};

struct Place {
    explicit Place(SshWay chosen)
        : server("SetEnv XDG_DATA_HOME=" + data.path().toUtf8()), ways(server), way(chosen),
          proxy({.target = server.port(), .delay = kOneWay}),
          session([this](asio::io_context&, HeadSession& of) {
              transport::SshTransportOptions options;
              options.hostName = "lab";
              options.programs = {TRIALDECK_BIN_DIR "/trialdeck-head",
                                  {TRIALDECK_BIN_DIR "/trialdeck-train"},
                                  std::string(base::buildId())};
              options.remoteHome = (of.folder() / "home").native();
              return std::make_unique<transport::SshTransport>(ways.make(way, proxy.port()), files,
                                                               ways.clock, std::move(options));
          }) {}

    QTemporaryDir data;
    PlainSshd server;
    SshWays ways;
    SshWay way;
    base::PosixFileSystem files;
    FaultProxy proxy;
    HeadSession session;
};

void measureConnecting(SshWay way, const std::string& name) {
    Place place(way);
    QElapsedTimer clock;
    clock.start();
    place.session.connect();
    const double first = double(clock.elapsed()) / 1000;
    const double wire = double(place.proxy.carriedBytes()) / 1e6;
    printRow("new host to the head's answer, " + name,
             text("%.2f s", first) + text(", %.1f MB on the wire", wire), "30 s and the upload's time; 12 MB",
             first < 30 && wire < 12);
    const ExperimentId id =
        place.session.create("name: small\ntrial: {command: [sh, -c, 'echo {{}} >>$TRIALDECK_REPORT']}\n"
                             "storage_path: " +
                             (place.session.folder() / "results").native() + "\n");
    place.session.waitForState(id, ExperimentState::completed);
    std::vector<double> times;
    for (int connect = 0; connect < kConnects; ++connect) {
        place.session.disconnect();
        clock.restart();
        place.session.connect();
        FirstRecords records;
        const auto following = place.session.followRecords(id, records);
        place.session.waitFor([&] { return records.came; });
        times.push_back(double(clock.elapsed()) / 1000);
    }
    const double median = quantile(times, 0.5);
    printRow("click to first trial table, head deployed, " + name, text("%.2f s (median of 9)", median),
             "1.5 s", median <= 1.5);
}

double seconds(const std::function<void()>& deed) {
    QElapsedTimer clock;
    clock.start();
    deed();
    return double(clock.nsecsElapsed()) / 1e9;
}

/// Without a delay: what counts is the work for each byte. Bytes that do not compress.
void measureCopying(SshWay way, const std::string& name) {
    PlainSshd server;
    SshWays ways(server);
    asio::io_context loop;
    const QTemporaryDir folder;
    std::string bytes(kFileBytes, '\0');
    QFile random("/dev/urandom");
    if (!random.open(QIODevice::ReadOnly) ||
        random.read(bytes.data(), qint64(bytes.size())) != qint64(bytes.size()))
        std::abort();
    QFile file(folder.filePath("file"));
    if (!file.open(QIODevice::WriteOnly))
        std::abort();
    file.write(bytes.data(), qint64(bytes.size()));
    file.close();
    const auto host = ways.make(way, server.port());
    if (!tests::runAwaitable(loop, host->open({})))
        std::abort();
    const QString target = folder.filePath("copy");
    const double up = seconds([&] {
        const auto sent = tests::runAwaitable(
            loop, transport::runScript(*host, "cat >" + target.toStdString(), bytes), 120s);
        if (!sent || sent->exit.code != 0)
            std::abort();
    });
    const double scp = seconds([&] {
        const int code = QProcess::execute(
            "scp", {"-q", "-F", QString::fromStdString(server.clientConfig("id_ed25519")), "-P",
                    QString::number(server.port()), "-o", "StrictHostKeyChecking=accept-new", file.fileName(),
                    "lab:" + folder.filePath("scp")});
        if (code != 0)
            std::abort();
    });
    printRow("upload of 128 MiB, " + name,
             text("%.0f MB/s", double(kFileBytes) / up / 1e6) +
                 text(" against scp's %.0f MB/s", double(kFileBytes) / scp / 1e6) +
                 text(", ratio %.2f", scp / up),
             "0.9 of scp", scp / up >= 0.9);
}

} // namespace

int main() {
    benchmarks::printMachine();
    for (const auto& [way, name] :
         {std::pair(SshWay::system, "the system's ssh"), {SshWay::libssh2, "libssh2"}}) {
        measureConnecting(way, name);
        measureCopying(way, name);
    }
    return 0;
}
