// SPDX-License-Identifier: Apache-2.0
#include "tests/support/ssh_ways.h"

#include "core/transport/libssh2/libssh_host.h"
#include "core/transport/ssh/system_ssh_host.h"

#include <QDir>
#include <QFile>
#include <QtTest>

#include <unistd.h>

namespace trialdeck::tests {

using namespace transport;

void addSshWays() {
    QTest::addColumn<SshWay>("way");
    QTest::newRow("system ssh") << SshWay::system;
    QTest::newRow("libssh2") << SshWay::libssh2;
}

int childrenNamed(const std::string& program) {
    int found = 0;
    const QByteArray name = "Name:\t" + QByteArray::fromStdString(program) + "\n";
    const QByteArray parent = "\nPPid:\t" + QByteArray::number(getpid()) + "\n";
    for (const QString& entry : QDir("/proc").entryList({"[0-9]*"}, QDir::Dirs)) {
        QFile file("/proc/" + entry + "/status");
        if (!file.open(QIODevice::ReadOnly))
            continue;
        const QByteArray status = file.readAll();
        found += status.startsWith(name) && status.contains(parent);
    }
    return found;
}

HostKeyAnswer MemoryKeys::check(const std::string& host, uint16_t port, std::string_view,
                                std::string_view blob) {
    const auto known = keys.find({host, port});
    if (known == keys.end())
        return {};
    const bool fits = known->second == blob;
    return {fits ? HostKeyAnswer::Verdict::known : HostKeyAnswer::Verdict::changed, "/known_hosts", 7, {}};
}

Expected<void> MemoryKeys::add(const std::string& host, uint16_t port, std::string_view,
                               std::string_view blob) {
    keys[{host, port}] = blob;
    return {};
}

void ListedAnswers::ask(const Prompt& prompt, std::function<void(std::optional<std::string>)> answer) {
    asked.push_back(prompt);
    if (givesUp) {
        answer(std::nullopt);
    } else if (!answers.empty()) {
        const std::string next = answers.front();
        answers.erase(answers.begin());
        answer(next);
    } else if (prompt.kind == Prompt::Kind::host_key) {
        answer("yes");
    } else {
        answer(std::nullopt);
    }
}

std::unique_ptr<RemoteHost> SshWays::make(SshWay way, uint16_t port, const std::string& key) {
    if (way == SshWay::system) {
        SystemSshOptions options;
        options.destination.host = "lab";
        options.destination.port = port;
        options.destination.user = m_server.user();
        options.destination.configFile = m_server.clientConfig(key);
        options.askpass = TRIALDECK_BIN_DIR "/trialdeck-askpass";
        options.environment = base::currentEnvironment();
        return std::make_unique<SystemSshHost>(std::move(options), clock, prompts);
    }
    LibsshHop hop;
    hop.name = "lab";
    hop.address = "127.0.0.1";
    hop.port = port;
    hop.user = m_server.user();
    hop.keys.push_back({m_server.key(key)});
    LibsshOptions options;
    options.name = "lab";
    options.hops = {hop};
    return std::make_unique<LibsshHost>(std::move(options), clock, keys, prompts);
}

} // namespace trialdeck::tests
