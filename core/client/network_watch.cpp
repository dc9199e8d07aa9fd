// SPDX-License-Identifier: Apache-2.0
#include "core/client/network_watch.h"

#include "core/base/unique_fd.h"

#include <array>
#include <asio/posix/stream_descriptor.hpp>
#include <asio/steady_timer.hpp>
#include <cerrno>
#include <chrono>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sys/socket.h>
#include <utility>

namespace trialdeck::client {

namespace {

/// An address comes with routes, and before the way is usable.
constexpr std::chrono::milliseconds kSettling{250};
constexpr size_t kBufferBytes = size_t{16} << 10;

/// A socket to which the kernel writes what changes about interfaces, addresses and routes.
base::UniqueFd openRoutes() {
    base::UniqueFd fd(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE));
    if (!fd)
        return {};
    sockaddr_nl address{};
    address.nl_family = AF_NETLINK;
    address.nl_groups =
        RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE;
    if (::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        return {};
    return fd;
}

/// Whether what came opens a way; that one closes is noticed by the connections on it.
bool opensWay(const char* bytes, size_t size) {
    auto length = static_cast<unsigned>(size);
    for (const auto* message = reinterpret_cast<const nlmsghdr*>(bytes); NLMSG_OK(message, length);
         message = NLMSG_NEXT(message, length)) {
        if (message->nlmsg_type == RTM_NEWADDR || message->nlmsg_type == RTM_NEWROUTE)
            return true;
        if (message->nlmsg_type == RTM_NEWLINK) {
            const auto* link = static_cast<const ifinfomsg*>(NLMSG_DATA(message));
            if ((link->ifi_change & IFF_RUNNING) != 0 && (link->ifi_flags & IFF_RUNNING) != 0)
                return true;
        }
    }
    return false;
}

} // namespace

class NetworkWatch::Listener final : public std::enable_shared_from_this<Listener> {
public:
    Listener(asio::io_context& loop, std::function<void()> onReturn)
        : m_routes(loop), m_settling(loop), m_onReturn(std::move(onReturn)) {}

    void start() {
        base::UniqueFd fd = openRoutes();
        if (!fd)
            return;
        m_routes.assign(fd.release());
        listen();
    }
    void stop() {
        m_onReturn = nullptr;
        asio::error_code ignored;
        m_routes.close(ignored);
        m_settling.cancel();
    }

private:
    void listen() {
        m_routes.async_wait(asio::posix::stream_descriptor::wait_read,
                            [self = shared_from_this()](const asio::error_code& error) {
                                if (error || !self->m_onReturn)
                                    return;
                                self->read();
                                self->listen();
                            });
    }

    void read() {
        bool isOpened = false;
        while (true) {
            const ssize_t size = ::recv(m_routes.native_handle(), m_buffer.data(), m_buffer.size(), 0);
            if (size > 0)
                isOpened = isOpened || opensWay(m_buffer.data(), static_cast<size_t>(size));
            else if (size < 0 && errno == EINTR)
                continue;
            else if (size < 0 && errno == ENOBUFS)
                // More happened than was kept for us.
                isOpened = true;
            else
                break;
        }
        if (!isOpened || std::exchange(m_isSettling, true))
            return;
        m_settling.expires_after(kSettling);
        m_settling.async_wait([self = shared_from_this()](const asio::error_code& error) {
            self->m_isSettling = false;
            if (!error && self->m_onReturn)
                self->m_onReturn();
        });
    }

    asio::posix::stream_descriptor m_routes;
    asio::steady_timer m_settling;
    std::function<void()> m_onReturn;
    bool m_isSettling = false;
    alignas(nlmsghdr) std::array<char, kBufferBytes> m_buffer{};
};

NetworkWatch::NetworkWatch(asio::io_context& loop, std::function<void()> onReturn)
    : m_listener(std::make_shared<Listener>(loop, std::move(onReturn))) {
    m_listener->start();
}

NetworkWatch::~NetworkWatch() {
    m_listener->stop();
}

} // namespace trialdeck::client
