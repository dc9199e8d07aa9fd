// SPDX-License-Identifier: Apache-2.0
#include "tests/support/free_port.h"

#include "core/base/rng.h"
#include "core/base/unique_fd.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace trialdeck::tests {

uint16_t freePort() {
    constexpr int kTries = 20;
    static base::Rng rng(base::drawSeed(), 0, "free port");
    for (int tried = 0; tried < kTries; ++tried) {
        const auto port = static_cast<uint16_t>(rng.uniformInteger(20'000, 32'000));
        const base::UniqueFd probe(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (bind(probe.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
            return port;
    }
    return 0;
}

} // namespace trialdeck::tests
