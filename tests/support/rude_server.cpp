// SPDX-License-Identifier: Apache-2.0
#include "tests/support/rude_server.h"

#include "core/base/unique_fd.h"

#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <vector>

namespace trialdeck::tests {

namespace {

using Clock = std::chrono::steady_clock;
constexpr int kLookEveryMs = 10;

struct Guest {
    base::UniqueFd socket;
    std::string toSay;
    Clock::time_point next;
};

/// @return whether it is still there
bool listenTo(const Guest& guest) {
    std::array<char, 65'536> buffer;
    ssize_t count = 0;
    while ((count = recv(guest.socket.get(), buffer.data(), buffer.size(), MSG_DONTWAIT)) > 0) {
    }
    return count < 0 && errno == EAGAIN;
}

} // namespace

RudeServer::RudeServer(Manners manners) : m_manners(std::move(manners)) {
    m_listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const plain = reinterpret_cast<sockaddr*>(&address);
    if (bind(m_listener, plain, size) == 0 && listen(m_listener, SOMAXCONN) == 0 &&
        getsockname(m_listener, plain, &size) == 0)
        m_port = ntohs(address.sin_port);
    m_thread = std::thread([this] { serve(); });
}

RudeServer::~RudeServer() {
    m_ends = true;
    m_thread.join();
    const base::UniqueFd closing(m_listener);
}

void RudeServer::serve() {
    std::vector<Guest> guests;
    while (!m_ends) {
        std::vector<pollfd> sources = {{m_listener, POLLIN, 0}};
        const bool isBusy = !m_manners.more.empty() && m_manners.pause.count() == 0;
        for (const Guest& guest : guests)
            sources.push_back(
                {guest.socket.get(), static_cast<short>(isBusy ? POLLIN | POLLOUT : POLLIN), 0});
        poll(sources.data(), sources.size(), kLookEveryMs);
        const Clock::time_point now = Clock::now();
        for (int one; (one = accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC)) >= 0;)
            guests.push_back({base::UniqueFd(one), m_manners.first, now + m_manners.pause});
        std::erase_if(guests, [](const Guest& guest) { return !listenTo(guest); });
        for (Guest& guest : guests) {
            if (guest.toSay.empty() && !m_manners.more.empty() && now >= guest.next) {
                guest.toSay = m_manners.more;
                guest.next = now + m_manners.pause;
            }
            const ssize_t said =
                send(guest.socket.get(), guest.toSay.data(), guest.toSay.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
            if (said > 0)
                guest.toSay.erase(0, static_cast<size_t>(said));
        }
        // Whoever closes with words unread takes back its own.
        for (const Guest& guest : guests) {
            if (m_manners.then == Manners::Then::close && guest.toSay.empty())
                shutdown(guest.socket.get(), SHUT_WR);
        }
        m_guests = static_cast<int>(guests.size());
    }
}

} // namespace trialdeck::tests
