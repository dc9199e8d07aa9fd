// SPDX-License-Identifier: Apache-2.0
#include "core/engine/process/port_lease.h"

#include "core/base/unique_fd.h"

#include <QtTest>
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

using namespace trialdeck;
using namespace trialdeck::engine;
using namespace trialdeck::engine::process;

namespace {

AttemptKey key(uint32_t trial) {
    return {"e", trial, 0};
}

/// Listens on a port of the system's choice.
std::pair<base::UniqueFd, int> listenSomewhere() {
    base::UniqueFd fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    if (bind(fd.get(), reinterpret_cast<sockaddr*>(&address), length) != 0 || listen(fd.get(), 1) != 0 ||
        getsockname(fd.get(), reinterpret_cast<sockaddr*>(&address), &length) != 0)
        return {base::UniqueFd(), 0};
    return {std::move(fd), ntohs(address.sin_port)};
}

} // namespace

class PortLeaseTest : public QObject {
    Q_OBJECT
private slots:
    void aPortThatIsListenedOnIsNotFree() {
        auto [fd, port] = listenSomewhere();
        QVERIFY(port > 0);
        QVERIFY(!isPortFree(port));
        fd.reset();
        QVERIFY(isPortFree(port));
    }

    void leasesNoPortTwice() {
        PortLease lease(32'768);
        std::map<int, uint32_t> given;
        for (uint32_t trial = 0; trial < 200; ++trial) {
            const auto port = lease.lease(key(trial));
            QVERIFY(port && *port >= 15'000 && *port < 32'768);
            QVERIFY(given.emplace(*port, trial).second);
        }
    }

    void aPortThatWasLetGoRests() {
        PortLease lease(32'768);
        const int first = lease.lease(key(1)).value();
        lease.release(key(1));
        QVERIFY(lease.lease(key(2)).value() != first);
    }

    void staysBelowThePortsOfOutgoingConnections() {
        base::PosixFileSystem files;
        QVERIFY(firstEphemeralPort(files) > 1024);
        PortLease lease(16'100);
        for (uint32_t trial = 0; trial < 50; ++trial)
            QVERIFY(lease.lease(key(trial)).value() < 16'100);
    }
};

QTEST_GUILESS_MAIN(PortLeaseTest)
#include "port_lease_test.moc"
