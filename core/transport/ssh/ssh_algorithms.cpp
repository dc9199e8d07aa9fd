// SPDX-License-Identifier: Apache-2.0
#include "core/transport/ssh/ssh_algorithms.h"

#include "core/transport/ssh/ssh_patterns.h"

#include <algorithm>

namespace trialdeck::transport {

namespace {

struct SshAlgorithmLists {
    std::vector<std::string> usual;
    std::vector<std::string> known;
};

/// From `ssh -G` and `ssh -Q`.
const SshAlgorithmLists& algorithmLists(SshAlgorithmKind kind) {
    static const SshAlgorithmLists kKeyExchange{
        {"sntrup761x25519-sha512", "sntrup761x25519-sha512@openssh.com", "curve25519-sha256",
         "curve25519-sha256@libssh.org", "ecdh-sha2-nistp256", "ecdh-sha2-nistp384", "ecdh-sha2-nistp521",
         "diffie-hellman-group-exchange-sha256", "diffie-hellman-group16-sha512",
         "diffie-hellman-group18-sha512", "diffie-hellman-group14-sha256"},
        {"diffie-hellman-group1-sha1", "diffie-hellman-group14-sha1", "diffie-hellman-group14-sha256",
         "diffie-hellman-group16-sha512", "diffie-hellman-group18-sha512",
         "diffie-hellman-group-exchange-sha1", "diffie-hellman-group-exchange-sha256", "ecdh-sha2-nistp256",
         "ecdh-sha2-nistp384", "ecdh-sha2-nistp521", "curve25519-sha256", "curve25519-sha256@libssh.org",
         "sntrup761x25519-sha512", "sntrup761x25519-sha512@openssh.com"}};
    static const SshAlgorithmLists kHostKey{
        {"ssh-ed25519-cert-v01@openssh.com", "ecdsa-sha2-nistp256-cert-v01@openssh.com",
         "ecdsa-sha2-nistp384-cert-v01@openssh.com", "ecdsa-sha2-nistp521-cert-v01@openssh.com",
         "sk-ssh-ed25519-cert-v01@openssh.com", "sk-ecdsa-sha2-nistp256-cert-v01@openssh.com",
         "rsa-sha2-512-cert-v01@openssh.com", "rsa-sha2-256-cert-v01@openssh.com", "ssh-ed25519",
         "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521", "sk-ssh-ed25519@openssh.com",
         "sk-ecdsa-sha2-nistp256@openssh.com", "rsa-sha2-512", "rsa-sha2-256"},
        {"ssh-ed25519",
         "ssh-ed25519-cert-v01@openssh.com",
         "sk-ssh-ed25519@openssh.com",
         "sk-ssh-ed25519-cert-v01@openssh.com",
         "ecdsa-sha2-nistp256",
         "ecdsa-sha2-nistp256-cert-v01@openssh.com",
         "ecdsa-sha2-nistp384",
         "ecdsa-sha2-nistp384-cert-v01@openssh.com",
         "ecdsa-sha2-nistp521",
         "ecdsa-sha2-nistp521-cert-v01@openssh.com",
         "sk-ecdsa-sha2-nistp256@openssh.com",
         "sk-ecdsa-sha2-nistp256-cert-v01@openssh.com",
         "webauthn-sk-ecdsa-sha2-nistp256@openssh.com",
         "ssh-dss",
         "ssh-dss-cert-v01@openssh.com",
         "ssh-rsa",
         "ssh-rsa-cert-v01@openssh.com",
         "rsa-sha2-256",
         "rsa-sha2-256-cert-v01@openssh.com",
         "rsa-sha2-512",
         "rsa-sha2-512-cert-v01@openssh.com"}};
    static const SshAlgorithmLists kCipher{
        {"chacha20-poly1305@openssh.com", "aes128-ctr", "aes192-ctr", "aes256-ctr", "aes128-gcm@openssh.com",
         "aes256-gcm@openssh.com"},
        {"3des-cbc", "aes128-cbc", "aes192-cbc", "aes256-cbc", "aes128-ctr", "aes192-ctr", "aes256-ctr",
         "aes128-gcm@openssh.com", "aes256-gcm@openssh.com", "chacha20-poly1305@openssh.com"}};
    static const SshAlgorithmLists kMac{
        {"umac-64-etm@openssh.com", "umac-128-etm@openssh.com", "hmac-sha2-256-etm@openssh.com",
         "hmac-sha2-512-etm@openssh.com", "hmac-sha1-etm@openssh.com", "umac-64@openssh.com",
         "umac-128@openssh.com", "hmac-sha2-256", "hmac-sha2-512", "hmac-sha1"},
        {"hmac-sha1", "hmac-sha1-96", "hmac-sha2-256", "hmac-sha2-512", "hmac-md5", "hmac-md5-96",
         "umac-64@openssh.com", "umac-128@openssh.com", "hmac-sha1-etm@openssh.com",
         "hmac-sha1-96-etm@openssh.com", "hmac-sha2-256-etm@openssh.com", "hmac-sha2-512-etm@openssh.com",
         "hmac-md5-etm@openssh.com", "hmac-md5-96-etm@openssh.com", "umac-64-etm@openssh.com",
         "umac-128-etm@openssh.com"}};
    switch (kind) {
    case SshAlgorithmKind::key_exchange:
        return kKeyExchange;
    case SshAlgorithmKind::host_key:
        return kHostKey;
    case SshAlgorithmKind::cipher:
        return kCipher;
    case SshAlgorithmKind::mac:
        break;
    }
    return kMac;
}

void addMissing(std::vector<std::string>& names, const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
}

} // namespace

const std::vector<std::string>& usualSshAlgorithms(SshAlgorithmKind kind) {
    return algorithmLists(kind).usual;
}

const std::vector<std::string>& knownSshAlgorithms(SshAlgorithmKind kind) {
    return algorithmLists(kind).known;
}

std::vector<std::string> assembleSshAlgorithms(SshAlgorithmKind kind, std::string_view said) {
    const SshAlgorithmLists& lists = algorithmLists(kind);
    const char change = said.empty() ? '+' : said.front();
    const bool changes = change == '+' || change == '-' || change == '^';
    if (changes && !said.empty())
        said.remove_prefix(1);
    std::vector<std::string> result;
    if (change == '-') {
        std::copy_if(lists.usual.begin(), lists.usual.end(), std::back_inserter(result),
                     [&](const std::string& name) {
                         return matchPatternList(name, said, LetterCase::matters) != PatternAnswer::yes;
                     });
        return result;
    }
    if (change == '+')
        result = lists.usual;
    for (const std::string& pattern : splitAtCommas(said)) {
        for (const std::string& name : lists.known) {
            if (matchesPattern(name, pattern))
                addMissing(result, name);
        }
    }
    if (change == '^') {
        for (const std::string& name : lists.usual)
            addMissing(result, name);
    }
    return result;
}

std::vector<std::string> splitAtCommas(std::string_view text) {
    std::vector<std::string> parts;
    if (text.empty())
        return parts;
    for (;;) {
        const size_t end = text.find(',');
        parts.emplace_back(text.substr(0, end));
        if (end == std::string_view::npos)
            return parts;
        text.remove_prefix(end + 1);
    }
}

} // namespace trialdeck::transport
