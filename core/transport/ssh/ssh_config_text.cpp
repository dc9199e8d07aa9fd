// SPDX-License-Identifier: Apache-2.0
#include "core/transport/ssh/ssh_config_text.h"

#include "core/base/words.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace trialdeck::transport {

namespace {

constexpr std::string_view kBlanks = " \t\r\n\f";

constexpr auto kUsedKeywords = std::to_array<std::pair<std::string_view, SshOption>>({
    {"host", SshOption::host},
    {"match", SshOption::match},
    {"include", SshOption::include},
    {"ignoreunknown", SshOption::ignore_unknown},
    {"hostname", SshOption::host_name},
    {"user", SshOption::user},
    {"port", SshOption::port},
    {"identityfile", SshOption::identity_file},
    {"identityfile2", SshOption::identity_file},
    {"certificatefile", SshOption::certificate_file},
    {"identitiesonly", SshOption::identities_only},
    {"identityagent", SshOption::identity_agent},
    {"proxyjump", SshOption::proxy_jump},
    {"proxycommand", SshOption::proxy_command},
    {"hostkeyalias", SshOption::host_key_alias},
    {"userknownhostsfile", SshOption::user_known_hosts_file},
    {"globalknownhostsfile", SshOption::global_known_hosts_file},
    {"knownhostscommand", SshOption::known_hosts_command},
    {"hashknownhosts", SshOption::hash_known_hosts},
    {"revokedhostkeys", SshOption::revoked_host_keys},
    {"stricthostkeychecking", SshOption::strict_host_key_checking},
    {"hostkeyalgorithms", SshOption::host_key_algorithms},
    {"kexalgorithms", SshOption::kex_algorithms},
    {"ciphers", SshOption::ciphers},
    {"macs", SshOption::macs},
    {"batchmode", SshOption::batch_mode},
    {"bindaddress", SshOption::bind_address},
    {"bindinterface", SshOption::bind_address},
    {"pubkeyacceptedalgorithms", SshOption::accepted_key_algorithms},
    {"pubkeyacceptedkeytypes", SshOption::accepted_key_algorithms},
    {"serveraliveinterval", SshOption::server_alive_interval},
    {"serveralivecountmax", SshOption::server_alive_count_max},
    {"compression", SshOption::compression},
    {"connecttimeout", SshOption::connect_timeout},
    {"addressfamily", SshOption::address_family},
    {"preferredauthentications", SshOption::preferred_authentications},
    {"pubkeyauthentication", SshOption::pubkey_authentication},
    {"dsaauthentication", SshOption::pubkey_authentication},
    {"passwordauthentication", SshOption::password_authentication},
    {"kbdinteractiveauthentication", SshOption::kbd_interactive_authentication},
    {"challengeresponseauthentication", SshOption::kbd_interactive_authentication},
    {"skeyauthentication", SshOption::kbd_interactive_authentication},
    {"tisauthentication", SshOption::kbd_interactive_authentication},
    {"gssapiauthentication", SshOption::gssapi_authentication},
    {"hostbasedauthentication", SshOption::host_based_authentication},
    {"canonicalizehostname", SshOption::canonicalize_host_name},
    {"pkcs11provider", SshOption::pkcs11_provider},
    {"smartcarddevice", SshOption::pkcs11_provider},
    {"securitykeyprovider", SshOption::security_key_provider},
});

/// Keywords of OpenSSH that say nothing about how a host is reached, those it no longer minds, and Debian's.
constexpr auto kOtherKeywords = std::to_array<std::string_view>({
    "addkeystoagent",
    "afstokenpassing",
    "canonicaldomains",
    "canonicalizefallbacklocal",
    "canonicalizemaxdots",
    "canonicalizepermittedcnames",
    "casignaturealgorithms",
    "channeltimeout",
    "checkhostip",
    "cipher",
    "clearallforwardings",
    "compressionlevel",
    "connectionattempts",
    "controlmaster",
    "controlpath",
    "controlpersist",
    "dynamicforward",
    "enableescapecommandline",
    "enablesshkeysign",
    "escapechar",
    "exitonforwardfailure",
    "fallbacktorsh",
    "fingerprinthash",
    "forkafterauthentication",
    "forwardagent",
    "forwardx11",
    "forwardx11timeout",
    "forwardx11trusted",
    "gatewayports",
    "globalknownhostsfile2",
    "gssapiclientidentity",
    "gssapidelegatecredentials",
    "gssapikexalgorithms",
    "gssapikeyexchange",
    "gssapirenewalforcesrekey",
    "gssapiserveridentity",
    "gssapitrustdns",
    "hostbasedacceptedalgorithms",
    "hostbasedkeytypes",
    "ipqos",
    "kbdinteractivedevices",
    "keepalive",
    "kerberosauthentication",
    "kerberostgtpassing",
    "localcommand",
    "localforward",
    "loglevel",
    "logverbose",
    "nohostauthenticationforlocalhost",
    "numberofpasswordprompts",
    "obscurekeystroketiming",
    "permitlocalcommand",
    "permitremoteopen",
    "protocol",
    "protocolkeepalives",
    "proxyusefdpass",
    "refuseconnection",
    "rekeylimit",
    "remotecommand",
    "remoteforward",
    "requesttty",
    "requiredrsasize",
    "rhostsauthentication",
    "rhostsrsaauthentication",
    "rsaauthentication",
    "sendenv",
    "sessiontype",
    "setenv",
    "setuptimeout",
    "stdinnull",
    "streamlocalbindmask",
    "streamlocalbindunlink",
    "syslogfacility",
    "tag",
    "tcpkeepalive",
    "tunnel",
    "tunneldevice",
    "updatehostkeys",
    "useprivilegedport",
    "userknownhostsfile2",
    "useroaming",
    "usersh",
    "verifyhostkeydns",
    "versionaddendum",
    "visualhostkey",
    "warnweakcrypto",
    "xauthlocation",
});

std::string_view withoutBlanks(std::string_view text) {
    const size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::optional<int64_t> secondsOfUnit(char unit) {
    switch (unit | 0x20) {
    case 's':
        return 1;
    case 'm':
        return 60;
    case 'h':
        return 3'600;
    case 'd':
        return 86'400;
    case 'w':
        return 604'800;
    default:
        return std::nullopt;
    }
}

} // namespace

std::optional<SshOption> sshOptionFromString(std::string_view keyword) {
    for (const auto& [word, option] : kUsedKeywords) {
        if (word == keyword)
            return option;
    }
    if (std::binary_search(kOtherKeywords.begin(), kOtherKeywords.end(), keyword))
        return SshOption::other;
    return std::nullopt;
}

std::optional<SshConfigLine> splitSshConfigLine(std::string_view line) {
    line = withoutBlanks(line.substr(0, line.find('\0')));
    if (line.empty() || line.front() == '#')
        return std::nullopt;
    const bool quoted = line.front() == '"';
    if (quoted)
        line.remove_prefix(1);
    const size_t end = std::min(line.find_first_of(quoted ? "\"" : " \t\r\n\f\"="), line.size());
    SshConfigLine result{base::lowerCase(line.substr(0, end)), {}};
    const bool blank = end < line.size() && line[end] != '=';
    line.remove_prefix(
        std::min(end + (quoted || (end < line.size() && line[end] != '"') ? 1 : 0), line.size()));
    line = withoutBlanks(line);
    // One "=" may stand between keyword and value.
    if (blank && !line.empty() && line.front() == '=')
        line = withoutBlanks(line.substr(1));
    result.rest = line;
    return result;
}

std::optional<std::vector<std::string>> splitSshWords(std::string_view text) {
    std::vector<std::string> words;
    char quote = '\0';
    bool inWord = false;
    for (size_t at = 0; at < text.size(); ++at) {
        const char letter = text[at];
        const char next = at + 1 < text.size() ? text[at + 1] : '\0';
        const bool blank = letter == ' ' || letter == '\t';
        if (!inWord && blank)
            continue;
        if (!inWord && letter == '#')
            break;
        if (!inWord)
            words.emplace_back();
        inWord = true;
        if (letter == '\\' &&
            (next == '\'' || next == '"' || next == '\\' || (quote == '\0' && next == ' '))) {
            words.back() += next;
            ++at;
        } else if (quote == '\0' && blank) {
            inWord = false;
        } else if (quote == '\0' && (letter == '"' || letter == '\'')) {
            quote = letter;
        } else if (quote != '\0' && letter == quote) {
            quote = '\0';
        } else {
            words.back() += letter;
        }
    }
    if (quote != '\0')
        return std::nullopt;
    return words;
}

std::optional<std::chrono::seconds> parseSshDuration(std::string_view text) {
    constexpr int64_t kMost = std::numeric_limits<int>::max();
    int64_t total = 0;
    if (text.empty())
        return std::nullopt;
    while (!text.empty()) {
        int64_t value = 0;
        size_t digits = 0;
        while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9' && value <= kMost)
            value = value * 10 + (text[digits++] - '0');
        if (digits == 0)
            return std::nullopt;
        text.remove_prefix(digits);
        const auto unit = text.empty() ? std::optional<int64_t>(1) : secondsOfUnit(text.front());
        if (!unit || value > kMost / *unit || total + value * *unit > kMost)
            return std::nullopt;
        total += value * *unit;
        if (!text.empty())
            text.remove_prefix(1);
    }
    return std::chrono::seconds(total);
}

std::optional<bool> parseSshFlag(std::string_view text) {
    const std::string word = base::lowerCase(text);
    if (word == "yes" || word == "true")
        return true;
    if (word == "no" || word == "false")
        return false;
    return std::nullopt;
}

} // namespace trialdeck::transport
