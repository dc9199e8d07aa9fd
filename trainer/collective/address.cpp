// SPDX-License-Identifier: Apache-2.0
#include "trainer/collective/address.h"

#include "core/base/process.h"

#include <algorithm>
#include <arpa/inet.h>
#include <cctype>
#include <cstring>
#include <netinet/in.h>
#include <optional>

namespace trialdeck::trainer::collective {

namespace {

constexpr int kLookUpMilliseconds = 30'000;

template<typename Sockaddr>
Address addressFrom(const Sockaddr& value) {
    Address address;
    static_assert(sizeof value <= sizeof address.storage);
    std::memcpy(&address.storage, &value, sizeof value);
    address.length = sizeof value;
    return address;
}

template<typename Sockaddr>
Sockaddr valueOf(const Address& address) {
    Sockaddr value;
    std::memcpy(&value, &address.storage, sizeof value);
    return value;
}

std::optional<Address> fromNumbers(const std::string& host, uint16_t port) {
    sockaddr_in four{};
    four.sin_family = AF_INET;
    four.sin_port = htons(port);
    if (inet_pton(AF_INET, host.c_str(), &four.sin_addr) == 1)
        return addressFrom(four);
    sockaddr_in6 six{};
    six.sin6_family = AF_INET6;
    six.sin6_port = htons(port);
    if (inet_pton(AF_INET6, host.c_str(), &six.sin6_addr) == 1)
        return addressFrom(six);
    return std::nullopt;
}

/// What may be given to getent: no option and nothing that only a shell would understand.
bool looksLikeName(std::string_view host) {
    return !host.empty() && host.size() < 256 && host.front() != '-' &&
           std::all_of(host.begin(), host.end(), [](unsigned char c) {
               return std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_';
           });
}

} // namespace

uint16_t Address::port() const {
    return ntohs(family() == AF_INET6 ? valueOf<sockaddr_in6>(*this).sin6_port
                                      : valueOf<sockaddr_in>(*this).sin_port);
}

Address Address::withPort(uint16_t port) const {
    if (family() == AF_INET6) {
        auto six = valueOf<sockaddr_in6>(*this);
        six.sin6_port = htons(port);
        return addressFrom(six);
    }
    auto four = valueOf<sockaddr_in>(*this);
    four.sin_port = htons(port);
    return addressFrom(four);
}

Address Address::onAllInterfaces() const {
    if (family() == AF_INET6) {
        auto six = valueOf<sockaddr_in6>(*this);
        six.sin6_addr = in6addr_any;
        return addressFrom(six);
    }
    auto four = valueOf<sockaddr_in>(*this);
    four.sin_addr.s_addr = htonl(INADDR_ANY);
    return addressFrom(four);
}

std::string Address::text() const {
    char buffer[INET6_ADDRSTRLEN] = "";
    if (family() == AF_INET6) {
        const auto six = valueOf<sockaddr_in6>(*this);
        inet_ntop(AF_INET6, &six.sin6_addr, buffer, sizeof buffer);
        return "[" + std::string(buffer) + "]:" + std::to_string(port());
    }
    const auto four = valueOf<sockaddr_in>(*this);
    inet_ntop(AF_INET, &four.sin_addr, buffer, sizeof buffer);
    return std::string(buffer) + ":" + std::to_string(port());
}

Expected<Address> resolve(std::string_view host, uint16_t port) {
    const std::string name = host == "localhost" ? "127.0.0.1" : std::string(host);
    if (const auto numbers = fromNumbers(name, port))
        return *numbers;
    if (looksLikeName(name)) {
        base::SpawnOptions lookUp;
        lookUp.command = {"getent", "ahosts", name};
        lookUp.environment = base::currentEnvironment();
        const auto output = base::runAndCollect(lookUp, kLookUpMilliseconds);
        if (output) {
            // The first line is the address that this machine prefers: "10.0.0.4  STREAM head-0".
            const std::string& text = output->standardOutput;
            if (const auto found = fromNumbers(text.substr(0, text.find_first_of(" \t\n")), port))
                return *found;
        }
    }
    return base::fail(ErrorCode::unavailable, {{"host", name}},
                      "MASTER_ADDR \"" + name + "\" is neither an address nor a host name known here");
}

Address localAddress(int socket) {
    Address address;
    address.length = sizeof address.storage;
    getsockname(socket, reinterpret_cast<sockaddr*>(&address.storage), &address.length);
    return address;
}

Address peerAddress(int socket) {
    Address address;
    address.length = sizeof address.storage;
    getpeername(socket, reinterpret_cast<sockaddr*>(&address.storage), &address.length);
    return address;
}

} // namespace trialdeck::trainer::collective
