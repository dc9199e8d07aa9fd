// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/elsewhere.h"

#include <charconv>

namespace trialdeck::protocol {

namespace {

std::string lineStart(std::string_view nonce) {
    return "trialdeck-head " + std::string(nonce) + " elsewhere ";
}

std::string_view cutBlank(std::string_view& text) {
    const size_t end = text.find(' ');
    const std::string_view word = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    return word;
}

} // namespace

std::string elsewhereLine(std::string_view nonce, const DaemonElsewhere& place) {
    return "\n" + lineStart(nonce) + std::to_string(place.port) + " " +
           (place.user.empty() ? "-" : place.user) + " " + place.host + "\n";
}

std::optional<DaemonElsewhere> findElsewhereLine(std::string_view printed, std::string_view nonce) {
    const std::string start = lineStart(nonce);
    const size_t at = printed.find(start);
    if (at == std::string_view::npos)
        return std::nullopt;
    std::string_view rest = printed.substr(at + start.size());
    rest = rest.substr(0, rest.find_first_of("\r\n"));
    const std::string_view port = cutBlank(rest);
    const std::string_view user = cutBlank(rest);
    DaemonElsewhere place;
    std::from_chars(port.data(), port.data() + port.size(), place.port);
    if (user != "-")
        place.user = user;
    place.host = rest;
    if (place.host.empty())
        return std::nullopt;
    return place;
}

} // namespace trialdeck::protocol
