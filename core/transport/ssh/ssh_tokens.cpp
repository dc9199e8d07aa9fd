// SPDX-License-Identifier: Apache-2.0
#include "core/transport/ssh/ssh_tokens.h"

#include <nettle/sha1.h>

namespace trialdeck::transport {

namespace {

std::string sha1Hex(const std::string& bytes) {
    sha1_ctx context;
    sha1_init(&context);
    sha1_update(&context, bytes.size(), reinterpret_cast<const uint8_t*>(bytes.data()));
    uint8_t digest[SHA1_DIGEST_SIZE];
    sha1_digest(&context, sizeof digest, digest);
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (const uint8_t byte : digest) {
        text += kDigits[byte >> 4U];
        text += kDigits[byte & 0xFU];
    }
    return text;
}

} // namespace

SshTokens sshTokens(const SshConfigPlace& place, const SshConfigQuestion& question, const std::string& host,
                    const std::string& alias, const std::string& user, uint16_t port,
                    const std::string& jumpHost) {
    const std::string portText = std::to_string(port);
    return {
        // OpenSSH since 9.6 adds the jump host, which earlier ones do not.
        {'C', sha1Hex(place.localHost + host + portText + user)},
        {'L', place.localHost.substr(0, place.localHost.find('.'))},
        {'d', place.home.native()},
        {'h', host},
        {'i', place.userId},
        {'j', jumpHost},
        {'k', alias},
        {'l', place.localHost},
        {'n', question.host},
        {'p', portText},
        {'r', user},
        {'u', place.localUser},
    };
}

tl::expected<std::string, SshConfigProblem> expandSshTokens(std::string_view text, const SshTokens& tokens,
                                                            const base::Environment* environment) {
    std::string expanded;
    for (size_t at = 0; at < text.size(); ++at) {
        const char next = at + 1 < text.size() ? text[at + 1] : '\0';
        if (environment && text[at] == '$' && next == '{') {
            const size_t end = text.find('}', at);
            const auto variable = end == std::string_view::npos
                                      ? environment->end()
                                      : environment->find(text.substr(at + 2, end - at - 2));
            if (variable == environment->end())
                return tl::make_unexpected(SshConfigProblem::unknown_variable);
            expanded += variable->second;
            at = end;
        } else if (text[at] != '%') {
            expanded += text[at];
        } else if (next == '%') {
            expanded += '%';
            ++at;
        } else {
            const auto token = tokens.find(next);
            if (token == tokens.end())
                return tl::make_unexpected(SshConfigProblem::unknown_token);
            expanded += token->second;
            ++at;
        }
    }
    return expanded;
}

} // namespace trialdeck::transport
