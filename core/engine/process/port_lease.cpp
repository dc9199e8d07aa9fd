// SPDX-License-Identifier: Apache-2.0
#include "core/engine/process/port_lease.h"

#include "core/base/unique_fd.h"

#include <algorithm>
#include <arpa/inet.h>
#include <charconv>
#include <netinet/in.h>
#include <sys/socket.h>

namespace trialdeck::engine::process {

namespace {

bool canBind(int port, in_addr_t address) {
    const base::UniqueFd fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    // As servers do: connections that are only fading away do not count.
    const int reuse = 1;
    setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &reuse, sizeof reuse);
    sockaddr_in name{};
    name.sin_family = AF_INET;
    name.sin_port = htons(static_cast<uint16_t>(port));
    name.sin_addr.s_addr = htonl(address);
    return fd && bind(fd.get(), reinterpret_cast<const sockaddr*>(&name), sizeof name) == 0;
}

} // namespace

bool isPortFree(int port) {
    return canBind(port, INADDR_LOOPBACK) && canBind(port, INADDR_ANY);
}

int firstEphemeralPort(base::FileSystem& files) {
    constexpr int kUsual = 32'768;
    const auto text = base::readWholeFile(files, "/proc/sys/net/ipv4/ip_local_port_range");
    int port = kUsual;
    if (text)
        std::from_chars(text->data(), text->data() + text->size(), port);
    return port;
}

std::optional<int> PortLease::lease(const AttemptKey& key) {
    // Where the system's range begins too low, its ports must do.
    const int end = m_end > kBegin + 1000 ? m_end : 60'000;
    // Daemons of other users begin elsewhere.
    if (m_next == 0)
        m_next = kBegin + static_cast<int>(std::hash<std::string>{}(key.experiment) %
                                           static_cast<size_t>(end - kBegin));
    for (int tried = 0; tried < end - kBegin; ++tried) {
        const int port = m_next;
        m_next = m_next + 1 < end ? m_next + 1 : kBegin;
        const bool leased = std::any_of(m_leases.begin(), m_leases.end(),
                                        [port](const auto& lease) { return lease.second == port; });
        if (!leased && isPortFree(port)) {
            m_leases[key] = port;
            return port;
        }
    }
    return std::nullopt;
}

} // namespace trialdeck::engine::process
