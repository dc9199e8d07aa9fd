// SPDX-License-Identifier: Apache-2.0
// A head behind a real sshd on a line with 100 ms of round trip: how soon it is there, how fast bytes go.
#include "core/transport/remote/head_deployment.h"
#include "core/transport/remote/remote_shell.h"
#include "tests/benchmarks/far_head.h"
#include "tests/benchmarks/figures.h"
#include "tests/support/run_awaitable.h"

#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <asio/local/stream_protocol.hpp>
#include <asio/write.hpp>

#include <cstdio>
#include <cstdlib>

using namespace trialdeck;
using namespace std::chrono_literals;
using benchmarks::FarHead;
using benchmarks::nameOf;
using benchmarks::printRow;
using benchmarks::quantile;
using tests::FaultProxy;
using tests::PlainSshd;
using tests::SshWay;
using tests::SshWays;

namespace {

constexpr int kConnects = 9;
constexpr size_t kFileBytes = size_t{64} << 20;
constexpr int kCopies = 5;

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

void measureConnecting(SshWay way) {
    FarHead place(way);
    const std::string name = nameOf(way);
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
    std::string steps;
    for (const transport::StepState& step : place.session.state().steps)
        steps += std::string(nameOf(step.step)) + text(" %.0f ms, ", double(step.time.count()));
    std::printf("  the last: %sfirst records until %.0f ms\n", steps.c_str(), times.back() * 1000);
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

void must(bool holds, const char* what) {
    if (holds)
        return;
    std::fprintf(stderr, "%s\n", what);
    std::exit(1);
}

/// Copies one file of bytes that do not compress by our host and by scp, in turns. Both are logged in before:
/// scp goes over a connection that another client holds.
class Copies {
public:
    explicit Copies(std::chrono::milliseconds oneWay)
        : m_proxy({.target = m_server.port(), .delay = oneWay}),
          m_port(oneWay > 0ms ? m_proxy.port() : m_server.port()) {
        std::string bytes(kFileBytes, '\0');
        QFile random("/dev/urandom");
        must(random.open(QIODevice::ReadOnly) &&
                 random.read(bytes.data(), qint64(bytes.size())) == qint64(bytes.size()),
             "no random bytes");
        QFile file(path("file"));
        must(file.open(QIODevice::WriteOnly) &&
                 file.write(bytes.data(), qint64(bytes.size())) == qint64(bytes.size()),
             "no file to send");
        file.close();
        m_bytes = std::move(bytes);
        m_control = {"-q",
                     "-F",
                     QString::fromStdString(m_server.clientConfig("id_ed25519")),
                     "-o",
                     "ControlPath=" + path("control"),
                     "-o",
                     "StrictHostKeyChecking=accept-new"};
        m_master.start("ssh", m_control + QStringList{"-M", "-N", "-p", QString::number(m_port), "lab"});
        while (!QFile::exists(path("control")))
            must(!m_master.waitForFinished(20), "ssh did not log in");
    }
    ~Copies() {
        m_master.kill();
        m_master.waitForFinished();
    }

    void measure(SshWay way, const std::string& line) {
        const auto host = m_ways.make(way, m_port);
        must(tests::runAwaitable(m_loop, host->open({})).has_value(), "no login");
        std::vector<double> up;
        std::vector<double> scpUp;
        std::vector<double> down;
        std::vector<double> scpDown;
        for (int turn = 0; turn < kCopies; ++turn) {
            up.push_back(seconds([&] { run(*host, "cat >" + path("to").toStdString(), m_bytes); }));
            scpUp.push_back(seconds([&] { scp(path("file"), "lab:" + path("to")); }));
            down.push_back(seconds([&] { fetch(*host); }));
            scpDown.push_back(seconds([&] { scp("lab:" + path("file"), path("to")); }));
        }
        row("upload of 64 MiB, ", way, line, up, scpUp);
        row("download of 64 MiB, ", way, line, down, scpDown);
    }

private:
    [[nodiscard]] QString path(const QString& name) const { return m_folder.filePath(name); }

    void run(transport::RemoteHost& host, const std::string& script, std::string_view input) {
        const auto sent = tests::runAwaitable(m_loop, transport::runScript(host, script, input), 120s);
        must(sent && sent->exit.code == 0, "the upload failed");
    }

    void fetch(transport::RemoteHost& host) {
        auto program = tests::runAwaitable(m_loop, host.start(std::string(transport::kShellCommand)));
        must(program.has_value(), "no program");
        asio::local::stream_protocol::socket socket(m_loop, asio::local::stream_protocol(),
                                                    (*program)->takeSocket().release());
        const std::string line = transport::asShellLine("exec cat " + path("file").toStdString());
        asio::write(socket, asio::buffer(line));
        QFile to(path("to"));
        must(to.open(QIODevice::WriteOnly | QIODevice::Truncate | QIODevice::Unbuffered), "no file");
        std::vector<char> buffer(size_t{256} << 10);
        size_t got = 0;
        std::function<void()> next = [&] {
            socket.async_read_some(asio::buffer(buffer), [&](const std::error_code& failure, size_t count) {
                if (failure)
                    return;
                to.write(buffer.data(), qint64(count));
                got += count;
                if (got < kFileBytes)
                    next();
            });
        };
        next();
        m_loop.restart();
        while (got < kFileBytes)
            must(m_loop.run_one() > 0, "the download ended");
    }

    void scp(const QString& from, const QString& to) {
        must(QProcess::execute("scp", m_control + QStringList{from, to}) == 0, "scp failed");
    }

    static void row(const std::string& what, SshWay way, const std::string& line,
                    const std::vector<double>& ours, const std::vector<double>& theirs) {
        const double mine = quantile(ours, 0.5);
        const double other = quantile(theirs, 0.5);
        printRow(what + line + ", " + nameOf(way),
                 text("%.0f MB/s", double(kFileBytes) / mine / 1e6) +
                     text(" against scp's %.0f MB/s", double(kFileBytes) / other / 1e6) +
                     text(", ratio %.2f", other / mine) + text(" (medians of %.0f)", kCopies),
                 "0.9 of scp", other / mine >= 0.9);
    }

    const QTemporaryDir m_folder;
    PlainSshd m_server{"SetEnv HOME=" + m_folder.path().toUtf8()};
    SshWays m_ways{m_server};
    FaultProxy m_proxy;
    uint16_t m_port;
    asio::io_context m_loop;
    std::string m_bytes;
    QStringList m_control;
    QProcess m_master;
};

} // namespace

int main() {
    benchmarks::printMachine();
    for (const SshWay way : {SshWay::system, SshWay::libssh2})
        measureConnecting(way);
    for (const auto& [line, oneWay] : {std::pair("no delay", 0ms), {"100 ms of round trip", 50ms}}) {
        Copies copies(oneWay);
        for (const SshWay way : {SshWay::system, SshWay::libssh2})
            copies.measure(way, line);
    }
    return 0;
}
