// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/unique_fd.h"
#include "core/supervise/lines.h"

#include <functional>
#include <list>
#include <poll.h>
#include <vector>

namespace trialdeck::supervise {

/// The daemons that a supervisor talks to: the one that started it and those that connected later, one at a
/// time in practice. Owned by one supervisor, used in its poll loop.
class ClientSet {
public:
    /// Appends what to wait for; afterwards handle() takes the same entries back in the same order.
    void appendPolls(std::vector<pollfd>& polls) const;
    /// Reads and writes what is ready. `onLine` is called for each whole line and may answer by send().
    using OnLine = std::function<void(size_t client, std::string_view line)>;
    void handle(std::span<const pollfd> polls, const OnLine& onLine);

    /// @param fd       a connected unix socket
    /// @param received bytes that were read from it already
    void add(base::UniqueFd fd, std::string received = {});
    void send(size_t client, std::string_view line);
    void sendAll(std::string_view line);
    /// Waits until all that was sent is on its way, for at most this long.
    void flush(std::chrono::milliseconds patience);

    [[nodiscard]] bool empty() const { return m_clients.empty(); }

private:
    struct Client {
        base::UniqueFd fd;
        std::string received;
        std::string unsent;
    };

    void receive(Client& client);
    static void transmit(Client& client);

    std::vector<Client> m_clients;
};

} // namespace trialdeck::supervise
