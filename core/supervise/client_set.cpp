// SPDX-License-Identifier: Apache-2.0
#include "core/supervise/client_set.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace trialdeck::supervise {

void ClientSet::appendPolls(std::vector<pollfd>& polls) const {
    for (const Client& client : m_clients)
        polls.push_back(
            {client.fd.get(), static_cast<short>(client.unsent.empty() ? POLLIN : POLLIN | POLLOUT), 0});
}

void ClientSet::handle(std::span<const pollfd> polls, const OnLine& onLine) {
    for (size_t i = 0; i < polls.size() && i < m_clients.size(); ++i) {
        if (polls[i].revents & POLLOUT)
            transmit(m_clients[i]);
        if (polls[i].revents & (POLLIN | POLLHUP | POLLERR))
            receive(m_clients[i]);
    }
    for (size_t i = 0; i < m_clients.size(); ++i) {
        while (auto line = takeLine(m_clients[i].received))
            onLine(i, *line);
        if (m_clients[i].received.size() > kMaxLineBytes)
            m_clients[i].fd.reset();
    }
    m_clients.erase(
        std::remove_if(m_clients.begin(), m_clients.end(), [](const Client& client) { return !client.fd; }),
        m_clients.end());
}

void ClientSet::add(base::UniqueFd fd, std::string received) {
    fcntl(fd.get(), F_SETFL, fcntl(fd.get(), F_GETFL) | O_NONBLOCK);
    m_clients.push_back({std::move(fd), std::move(received), {}});
}

void ClientSet::send(size_t client, std::string_view line) {
    m_clients[client].unsent += line;
    transmit(m_clients[client]);
}

void ClientSet::sendAll(std::string_view line) {
    for (size_t i = 0; i < m_clients.size(); ++i)
        send(i, line);
}

void ClientSet::flush(std::chrono::milliseconds patience) {
    for (Client& client : m_clients) {
        while (client.fd && !client.unsent.empty()) {
            pollfd wait{client.fd.get(), POLLOUT, 0};
            if (poll(&wait, 1, static_cast<int>(patience.count())) <= 0)
                break;
            transmit(client);
        }
    }
}

void ClientSet::receive(Client& client) {
    std::array<char, 4096> buffer;
    const ssize_t count = read(client.fd.get(), buffer.data(), buffer.size());
    if (count > 0)
        client.received.append(buffer.data(), static_cast<size_t>(count));
    else if (count == 0 || (errno != EAGAIN && errno != EINTR))
        client.fd.reset();
}

void ClientSet::transmit(Client& client) {
    while (client.fd && !client.unsent.empty()) {
        const ssize_t count =
            ::send(client.fd.get(), client.unsent.data(), client.unsent.size(), MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0 && errno == EAGAIN)
            break;
        if (count < 0)
            client.fd.reset();
        else
            client.unsent.erase(0, static_cast<size_t>(count));
    }
    // Who does not read for so long has no use for more.
    if (client.unsent.size() > kMaxLineBytes)
        client.fd.reset();
}

} // namespace trialdeck::supervise
