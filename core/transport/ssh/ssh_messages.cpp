// SPDX-License-Identifier: Apache-2.0
#include "core/transport/ssh/ssh_messages.h"

#include "core/protocol/frame.h"

#include <algorithm>
#include <array>
#include <optional>

namespace trialdeck::transport {

namespace {

constexpr std::string_view kDebug = "debug";

/// What stands between two texts, the second one behind the first.
std::optional<std::string_view> between(std::string_view text, std::string_view before,
                                        std::string_view after) {
    const size_t start = text.find(before);
    if (start == std::string_view::npos)
        return std::nullopt;
    text.remove_prefix(start + before.size());
    const size_t end = after.empty() ? text.size() : text.find(after);
    if (end == std::string_view::npos)
        return std::nullopt;
    return text.substr(0, end);
}

bool has(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

std::string lastLine(std::string_view text) {
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r'))
        text.remove_suffix(1);
    const size_t start = text.rfind('\n');
    return std::string(start == std::string_view::npos ? text : text.substr(start + 1));
}

Error changedKey(std::string_view text, std::string host) {
    Error error{ErrorCode::host_key_changed, {{"host", std::move(host)}}, {}};
    if (const auto type = between(text, "fingerprint for the ", " key sent by"))
        error.arguments["key_type"] = *type;
    if (const auto fingerprint = between(text, "key sent by the remote host is\n", "."))
        error.arguments["fingerprint"] = *fingerprint;
    if (auto place = between(text, "Offending ", "\n")) {
        if (const auto file = between(*place, "key in ", "")) {
            const size_t colon = file->rfind(':');
            error.arguments["path"] = std::string(file->substr(0, colon));
            if (colon != std::string_view::npos)
                error.arguments["line"] = std::string(file->substr(colon + 1));
        }
    }
    return error;
}

/// "ssh: connect to host a.example port 22: Connection refused".
std::optional<Error> connectFailure(std::string_view text, const std::string& host) {
    const auto place = between(text, "connect to host ", "\n");
    if (!place)
        return std::nullopt;
    const size_t colon = place->rfind(": ");
    std::string reason(colon == std::string_view::npos ? *place : place->substr(colon + 2));
    while (!reason.empty() && reason.back() == '\r')
        reason.pop_back();
    ErrorCode code = ErrorCode::host_unreachable;
    if (has(reason, "refused"))
        code = ErrorCode::host_refused;
    return Error{code, {{"host", host}, {"reason", std::move(reason)}}, std::string(*place)};
}

std::optional<Error> keyFailure(std::string_view text, const std::string& host) {
    // "Load key "/home/anna/.ssh/id": bad permissions" and the like: the login failed because of it.
    const auto path = between(text, "Load key \"", "\"");
    if (!path)
        return std::nullopt;
    auto reason = between(text, "\": ", "\n");
    std::string why(reason.value_or(""));
    while (!why.empty() && why.back() == '\r')
        why.pop_back();
    return Error{ErrorCode::key_unusable,
                 {{"host", host}, {"path", std::string(*path)}, {"reason", std::move(why)}},
                 {}};
}

Error refusedLogin(std::string_view text, const std::string& host) {
    const auto methods = between(text, "Permission denied (", ")");
    if (auto key = keyFailure(text, host))
        return *key;
    Error error{ErrorCode::login_refused, {{"host", host}}, {}};
    error.arguments["methods"] = std::string(methods.value_or(""));
    const size_t at = text.find(": Permission denied (");
    const size_t start = at == std::string_view::npos ? at : text.rfind('\n', at);
    const size_t from = start == std::string_view::npos ? 0 : start + 1;
    if (at != std::string_view::npos) {
        const std::string_view account = text.substr(from, at - from);
        error.arguments["user"] = std::string(account.substr(0, account.find('@')));
    }
    return error;
}

/// "channel 0: open failed: connect failed: No route to host": the jump host could not go on.
std::optional<Error> jumpFailure(std::string_view text, const std::string& host) {
    auto reason = between(text, "open failed: ", "\n");
    if (!reason || !has(text, "stdio forwarding failed"))
        return std::nullopt;
    if (const auto why = between(*reason, "connect failed: ", ""))
        reason = why;
    std::string said(*reason);
    while (!said.empty() && said.back() == '\r')
        said.pop_back();
    ErrorCode code = ErrorCode::host_unreachable;
    if (has(said, "Connection refused"))
        code = ErrorCode::host_refused;
    else if (has(said, "Name or service not known") || has(said, "name resolution") ||
             has(said, "nodename nor servname"))
        code = ErrorCode::host_not_found;
    return Error{code, {{"host", host}, {"reason", std::move(said)}}, "go on from a jump host"};
}

struct Known {
    std::string_view said;
    ErrorCode code;
};

/// Behind a connection that came about.
constexpr std::string_view kNoName = "Connection timed out during banner exchange";

/// In this order: the first that was said decides.
constexpr std::array kKnown = {
    Known{"Could not resolve hostname", ErrorCode::host_not_found},
    Known{"REVOKED HOST KEY", ErrorCode::host_key_revoked},
    Known{"host key is revoked", ErrorCode::host_key_revoked},
    Known{"Bad configuration option", ErrorCode::ssh_configuration},
    Known{"terminating, ", ErrorCode::ssh_configuration},
    Known{"Bad owner or permissions on", ErrorCode::ssh_configuration},
    Known{"Too many authentication failures", ErrorCode::too_many_logins},
    Known{"Unable to negotiate with", ErrorCode::no_common_algorithm},
    Known{"no matching", ErrorCode::no_common_algorithm},
    Known{"invalid characters", ErrorCode::not_an_ssh_server},
    Known{"banner line too long", ErrorCode::not_an_ssh_server},
    Known{"No banner received", ErrorCode::not_an_ssh_server},
    Known{"Bad packet length", ErrorCode::not_an_ssh_server},
    Known{"Protocol major versions differ", ErrorCode::not_an_ssh_server},
    Known{"Bad remote protocol version", ErrorCode::not_an_ssh_server},
    Known{kNoName, ErrorCode::timed_out},
    Known{"not responding", ErrorCode::connection_lost},
};

} // namespace

SshMessages::SshMessages(std::string host, StepTrace& trace) : m_host(std::move(host)), m_trace(trace) {}

void SshMessages::read(std::string_view bytes) {
    m_line += bytes;
    size_t start = 0;
    for (size_t end; (end = m_line.find('\n', start)) != std::string::npos; start = end + 1)
        readLine(std::string_view(m_line).substr(start, end - start));
    m_line.erase(0, start);
    if (m_line.size() > kKeptBytes)
        m_line.erase(0, m_line.size() - kKeptBytes);
}

void SshMessages::readLine(std::string_view line) {
    if (!line.empty() && line.back() == '\r')
        line.remove_suffix(1);
    if (m_finished && m_forwards.readLine(line))
        return;
    if (line.substr(0, kDebug.size()) == kDebug) {
        const size_t colon = line.find(": ");
        if (colon != std::string_view::npos && !m_finished)
            readDebug(line.substr(colon + 2));
        return;
    }
    if (line.substr(0, 17) == "Authenticated to " && !m_finished) {
        m_trace.begin(ConnectionStep::login);
        if (const auto method = between(line, "using \"", "\""))
            m_trace.setDetail(std::string(*method));
        m_trace.done();
        return;
    }
    const bool isVersion = line.substr(0, 8) == "OpenSSH_" && has(line, "SSL");
    if (isVersion)
        return;
    m_plain += line;
    m_plain += '\n';
    if (m_plain.size() > 2 * kKeptBytes)
        m_plain.erase(kKeptBytes / 2, m_plain.size() - kKeptBytes);
}

void SshMessages::readDebug(std::string_view text) {
    if (text.substr(0, 14) == "Connecting to ") {
        m_trace.begin(ConnectionStep::name);
        std::string address(text.substr(14));
        if (const auto number = between(text, "[", "]"))
            address = std::string(*number);
        if (const auto port = between(text, "port ", "."))
            address += " port " + std::string(*port);
        m_trace.setDetail(address);
        m_trace.begin(ConnectionStep::tcp);
    } else if (text.substr(0, 23) == "Executing proxy command") {
        m_isIndirect = true;
        m_trace.begin(ConnectionStep::tcp);
        m_trace.setDetail("ProxyCommand");
    } else if (const auto other = between(text, "kex_exchange_identification: banner line ", "")) {
        // The first one; others may be empty.
        if (m_other.empty())
            m_other = std::string(between(*other, ": ", "").value_or(""));
    } else if (const auto goal = between(text, "channel_connect_stdio_fwd: ", "")) {
        m_goal = goal->substr(0, goal->rfind(':'));
    } else if (text == "Connection established.") {
        m_isConnected = true;
        m_trace.begin(ConnectionStep::host_key);
    } else if (const auto software = between(text, "remote software version ", "")) {
        m_software = std::string(*software);
        m_trace.begin(ConnectionStep::host_key);
    } else if (const auto key = between(text, "Server host key: ", "")) {
        m_trace.begin(ConnectionStep::host_key);
        m_trace.setDetail(std::string(*key));
    } else if (text == "SSH2_MSG_NEWKEYS received") {
        m_trace.begin(ConnectionStep::login);
    }
}

std::string SshMessages::plainText() const {
    return protocol::cleanTerminalText(m_plain + m_line, kKeptBytes);
}

std::string SshMessages::hostIn(std::string_view text) const {
    if (!m_isIndirect)
        return m_host;
    constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kPlaces = {
        {{"Host key for ", " has changed"},
         {" host key for ", " is marked as revoked"},
         {"Could not resolve hostname ", ": "},
         {"connect to host ", " port "}}};
    for (const auto& [before, after] : kPlaces) {
        if (const auto name = between(text, before, after); name && !has(*name, "\n"))
            return std::string(*name);
    }
    const std::string_view account = text.substr(0, text.find(": Permission denied ("));
    const size_t at = account.rfind('@');
    if (account.size() == text.size() || at == std::string_view::npos || has(account.substr(at), "\n"))
        return m_host;
    return std::string(account.substr(at + 1));
}

Error SshMessages::failure() const {
    const std::string text = m_plain + m_line + "\n";
    const std::string host = hostIn(text);
    if (has(text, "IDENTIFICATION HAS CHANGED"))
        return changedKey(text, host);
    for (const Known& known : kKnown) {
        const size_t at = text.find(known.said);
        if (at == std::string::npos)
            continue;
        const size_t start = text.rfind('\n', at);
        const size_t from = start == std::string::npos ? 0 : start + 1;
        std::string sentence = text.substr(from, text.find('\n', at) - from);
        Error error{known.code, {{"host", host}, {"reason", sentence}}, sentence};
        if (const auto offer = between(sentence, "Their offer: ", ""))
            error.arguments["offer"] = std::string(*offer);
        if (known.said == kNoName && !m_other.empty())
            error.code = ErrorCode::not_an_ssh_server;
        if (error.code == ErrorCode::not_an_ssh_server)
            error.arguments["found"] = m_software.empty() ? m_other : m_software;
        return error;
    }
    if (auto error = connectFailure(text, host))
        return *error;
    if (auto error = jumpFailure(text, m_goal.empty() ? m_host : m_goal))
        return *error;
    if (has(text, "Permission denied ("))
        return refusedLogin(text, host);
    if (has(text, "Host key verification failed"))
        return {ErrorCode::host_key_refused, {{"host", host}}, {}};
    Error error{ErrorCode::connection_lost, {{"host", m_host}, {"reason", lastLine(plainText())}}, {}};
    if (m_software.empty() && !m_other.empty()) {
        error.code = ErrorCode::not_an_ssh_server;
        error.arguments["found"] = m_other;
    }
    error.detail = m_finished ? "ssh ended" : "ssh ended before it was logged in";
    return error;
}

Prompt promptFrom(std::string_view text, std::string_view host) {
    Prompt prompt;
    prompt.host = host;
    prompt.text = protocol::cleanTerminalText(text, SshMessages::kKeptBytes);
    if (const auto type = between(text, "\n", " key fingerprint is ");
        type && has(text, "The authenticity of host")) {
        prompt.kind = Prompt::Kind::host_key;
        prompt.keyType = *type;
        const auto rest = between(text, " key fingerprint is ", "\n");
        std::string fingerprint(rest.value_or(""));
        while (!fingerprint.empty() && (fingerprint.back() == '.' || fingerprint.back() == '\r'))
            fingerprint.pop_back();
        prompt.fingerprint = fingerprint;
        return prompt;
    }
    if (const auto path = between(text, "passphrase for key '", "'")) {
        prompt.kind = Prompt::Kind::passphrase;
        prompt.text = *path;
        return prompt;
    }
    if (const auto path = between(text, "passphrase for ", ":")) {
        prompt.kind = Prompt::Kind::passphrase;
        prompt.text = *path;
        return prompt;
    }
    if (const size_t end = text.find("'s password:"); end != std::string_view::npos) {
        prompt.kind = Prompt::Kind::password;
        const std::string_view account = text.substr(0, end);
        const size_t at = account.rfind('@');
        prompt.user = account.substr(0, at);
        // A jump host asks under its own name.
        if (at != std::string_view::npos)
            prompt.host = account.substr(at + 1);
        return prompt;
    }
    // "(anna@host) Verification code: " since OpenSSH 8.9; the rest is the host's own wording.
    if (const auto account = between(text, "(", ") "); account && text.front() == '(') {
        const size_t at = account->rfind('@');
        prompt.user = account->substr(0, at);
        prompt.text = protocol::cleanTerminalText(text.substr(account->size() + 3), SshMessages::kKeptBytes);
    }
    return prompt;
}

} // namespace trialdeck::transport
