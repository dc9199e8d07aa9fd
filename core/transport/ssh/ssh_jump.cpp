// SPDX-License-Identifier: Apache-2.0
#include "core/transport/ssh/ssh_jump.h"

#include "core/base/words.h"

#include <algorithm>
#include <charconv>

namespace trialdeck::transport {

namespace {

int hexDigitOf(char letter) {
    if (letter >= '0' && letter <= '9')
        return letter - '0';
    const char low = static_cast<char>(letter | 0x20);
    return low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
}

std::optional<std::string> percentDecoded(std::string_view text) {
    std::string decoded;
    for (size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '%') {
            decoded += text[at];
            continue;
        }
        if (at + 2 >= text.size() || hexDigitOf(text[at + 1]) < 0 || hexDigitOf(text[at + 2]) < 0)
            return std::nullopt;
        decoded += static_cast<char>(hexDigitOf(text[at + 1]) * 16 + hexDigitOf(text[at + 2]));
        at += 2;
    }
    return decoded;
}

/// "host", "host:port" or "[address]:port" into the jump.
bool readHostAndPort(std::string_view text, SshJump& jump) {
    size_t end = 0;
    if (!text.empty() && text.front() == '[') {
        end = text.find(']');
        if (end == std::string_view::npos)
            return false;
        jump.host = text.substr(1, end - 1);
        ++end;
    } else {
        end = std::min(text.find_first_of(":/"), text.size());
        jump.host = text.substr(0, end);
    }
    text.remove_prefix(end);
    if (jump.host.empty())
        return false;
    if (text.empty() || text == ":")
        return true;
    if (text.front() != ':')
        return false;
    jump.port = parseSshPort(text.substr(1));
    return jump.port.has_value();
}

bool isDomainName(std::string_view host) {
    return host.find("..") == std::string_view::npos && host.front() != '.' && host.front() != '-' &&
           std::all_of(host.begin(), host.end(), [](unsigned char letter) {
               return letter == '.' || letter == '-' || letter == '_' || (letter >= '0' && letter <= '9') ||
                      ((letter | 0x20U) >= 'a' && (letter | 0x20U) <= 'z' && letter < 0x80);
           });
}

std::optional<SshJump> parseSshUri(std::string_view text) {
    SshJump jump;
    if (const size_t at = text.find('@'); at != std::string_view::npos) {
        const std::string_view user = text.substr(0, at);
        const auto decoded = percentDecoded(user.substr(0, user.find(';')));
        if (!decoded || decoded->empty())
            return std::nullopt;
        jump.user = *decoded;
        text.remove_prefix(at + 1);
    }
    if (!text.empty() && text.back() == '/')
        text.remove_suffix(1);
    const bool address = !text.empty() && text.front() == '[';
    if (!readHostAndPort(text, jump) || (!address && !isDomainName(jump.host)))
        return std::nullopt;
    return jump;
}

} // namespace

std::optional<uint16_t> parseSshPort(std::string_view text) {
    if (text == "ssh")
        return uint16_t{22};
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value == 0 || value > 65535)
        return std::nullopt;
    return static_cast<uint16_t>(value);
}

std::optional<SshJump> parseSshJump(std::string_view text) {
    constexpr std::string_view kScheme = "ssh://";
    if (text.substr(0, kScheme.size()) == kScheme)
        return parseSshUri(text.substr(kScheme.size()));
    SshJump jump;
    // A user's name may have an @ itself.
    if (const size_t at = text.rfind('@'); at != std::string_view::npos) {
        if (at == 0)
            return std::nullopt;
        jump.user = text.substr(0, at);
        text.remove_prefix(at + 1);
    }
    if (!readHostAndPort(text, jump))
        return std::nullopt;
    return jump;
}

std::optional<std::vector<SshJump>> parseSshJumps(std::string_view text) {
    std::vector<SshJump> jumps;
    if (base::lowerCase(text) == "none")
        return jumps;
    for (;;) {
        const size_t comma = text.find(',');
        auto jump = parseSshJump(text.substr(0, comma));
        if (!jump)
            return std::nullopt;
        jumps.push_back(*std::move(jump));
        if (comma == std::string_view::npos)
            return jumps;
        text.remove_prefix(comma + 1);
    }
}

} // namespace trialdeck::transport
