// SPDX-License-Identifier: Apache-2.0
#include "core/transport/ssh/known_hosts.h"

#include "core/base/words.h"
#include "core/transport/ssh/ssh_key_blob.h"
#include "core/transport/ssh/ssh_patterns.h"

#include <algorithm>
#include <array>
#include <nettle/hmac.h>
#include <optional>

namespace trialdeck::transport {

namespace {

constexpr uint64_t kMaxKnownHostsBytes = uint64_t{64} << 20;
constexpr std::string_view kHashMark = "|1|";

/// Best first.
constexpr auto kPreferredTypes = std::to_array<std::string_view>(
    {"ssh-ed25519", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521",
     "sk-ssh-ed25519@openssh.com", "sk-ecdsa-sha2-nistp256@openssh.com", "ssh-rsa", "ssh-dss"});

/// Takes a word and the blanks behind it from the front.
std::string_view takeWord(std::string_view& text) {
    const std::string_view word = text.substr(0, text.find_first_of(" \t"));
    text.remove_prefix(word.size());
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    return word;
}

std::optional<std::string> saltOf(std::string_view hosts) {
    const size_t end = hosts.find('|', kHashMark.size());
    if (hosts.substr(0, kHashMark.size()) != kHashMark || end == std::string_view::npos)
        return std::nullopt;
    auto salt = decodedBase64(hosts.substr(kHashMark.size(), end - kHashMark.size()));
    const auto hash = decodedBase64(hosts.substr(end + 1));
    const bool whole = salt && hash && salt->size() == SHA1_DIGEST_SIZE && hash->size() == SHA1_DIGEST_SIZE;
    return whole ? std::move(salt) : std::nullopt;
}

bool speaksOf(const KnownHostLine& line, std::string_view name) {
    if (line.hosts.front() != '|')
        return matchPatternList(name, line.hosts, LetterCase::ignored) == PatternAnswer::yes;
    const auto salt = saltOf(line.hosts);
    return salt && hashedHostName(name, *salt) == line.hosts;
}

std::vector<const KnownHostLine*> linesFor(const std::vector<KnownHostLine>& lines, std::string_view name) {
    std::vector<const KnownHostLine*> found;
    for (const KnownHostLine& line : lines) {
        if (speaksOf(line, name))
            found.push_back(&line);
    }
    return found;
}

/// What the lines of one name say of a key.
HostKeyFinding judge(const std::vector<const KnownHostLine*>& lines, std::string_view type,
                     std::string_view blob) {
    HostKeyFinding known{HostKeyVerdict::known, {}};
    HostKeyFinding revoked{HostKeyVerdict::revoked, {}};
    HostKeyFinding changed{HostKeyVerdict::changed, {}};
    HostKeyFinding other{HostKeyVerdict::known_but_other_type, {}};
    HostKeyFinding authorities{HostKeyVerdict::needs_certificate_check, {}};
    for (const KnownHostLine* line : lines) {
        if (line->marker == KnownHostLine::Marker::cert_authority)
            authorities.lines.push_back(*line);
        else if (line->marker == KnownHostLine::Marker::none && line->type != type)
            other.lines.push_back(*line);
        else if (line->marker == KnownHostLine::Marker::none)
            (line->blob == blob ? known : changed).lines.push_back(*line);
        if (line->marker == KnownHostLine::Marker::revoked && line->blob == blob)
            revoked.lines.push_back(*line);
    }
    if (!revoked.lines.empty())
        return revoked;
    if (isSshCertificateType(type))
        return authorities;
    for (auto* finding : {&known, &changed, &authorities, &other}) {
        if (!finding->lines.empty())
            return std::move(*finding);
    }
    return {};
}

} // namespace

std::string KnownHostLine::fingerprint() const {
    return sshFingerprint(blob);
}

std::string knownHostName(std::string_view host, uint16_t port) {
    const std::string name = base::lowerCase(host);
    return port == 0 || port == 22 ? name : "[" + name + "]:" + std::to_string(port);
}

std::string hashedHostName(std::string_view name, std::string_view salt) {
    hmac_sha1_ctx context;
    hmac_sha1_set_key(&context, salt.size(), reinterpret_cast<const uint8_t*>(salt.data()));
    hmac_sha1_update(&context, name.size(), reinterpret_cast<const uint8_t*>(name.data()));
    std::string digest(SHA1_DIGEST_SIZE, '\0');
    hmac_sha1_digest(&context, digest.size(), reinterpret_cast<uint8_t*>(digest.data()));
    return std::string(kHashMark) + encodedBase64(salt) + "|" + encodedBase64(digest);
}

KnownHosts KnownHosts::read(base::FileSystem& files, const std::vector<base::Path>& paths) {
    KnownHosts hosts;
    for (const base::Path& path : paths) {
        const auto content = base::readWholeFile(files, path, kMaxKnownHostsBytes);
        if (content)
            hosts.add(path, *content);
        else if (content.error().code != ErrorCode::file_not_found)
            hosts.m_notes.push_back({KnownHostsProblem::unreadable_file, path, 0, path.native()});
    }
    return hosts;
}

void KnownHosts::add(const base::Path& path, std::string_view content) {
    for (size_t number = 1; !content.empty(); ++number) {
        const size_t end = content.find('\n');
        std::string_view line = content.substr(0, end);
        content.remove_prefix(end == std::string_view::npos ? content.size() : end + 1);
        line = line.substr(0, line.find('\0'));
        while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t'))
            line.remove_suffix(1);
        line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
        if (!line.empty() && line.front() != '#')
            addLine(path, number, line);
    }
}

void KnownHosts::addLine(const base::Path& path, size_t number, std::string_view text) {
    const auto note = [&](KnownHostsProblem problem, std::string_view word) {
        m_notes.push_back({problem, path, number, std::string(word)});
    };
    KnownHostLine line;
    line.file = path;
    line.line = number;
    if (text.front() == '@') {
        const std::string_view marker = takeWord(text);
        if (marker == "@revoked")
            line.marker = KnownHostLine::Marker::revoked;
        else if (marker == "@cert-authority")
            line.marker = KnownHostLine::Marker::cert_authority;
        else
            return note(KnownHostsProblem::bad_marker, marker);
    }
    line.hosts = takeWord(text);
    line.type = takeWord(text);
    const std::string_view key = takeWord(text);
    if (line.hosts.empty() || line.type.empty() || key.empty() || key.front() == '#')
        return note(KnownHostsProblem::cut_short, line.hosts);
    if (line.hosts.front() == '|' && !saltOf(line.hosts))
        return note(KnownHostsProblem::bad_hash, line.hosts);
    auto blob = decodedBase64(key);
    const SshKeyForm form = blob ? checkSshKey(line.type, *blob) : SshKeyForm::bad;
    if (form == SshKeyForm::bad)
        return note(KnownHostsProblem::bad_key, line.hosts);
    if (form == SshKeyForm::unknown_type)
        note(KnownHostsProblem::unknown_type, line.hosts + " " + line.type);
    line.checkable = form == SshKeyForm::good;
    line.blob = *std::move(blob);
    m_lines.push_back(std::move(line));
}

HostKeyFinding KnownHosts::check(std::string_view host, uint16_t port, std::string_view type,
                                 std::string_view blob) const {
    type = sshKeyTypeOf(type);
    const std::string name = knownHostName(host, port);
    HostKeyFinding finding = judge(linesFor(m_lines, name), type, blob);
    const std::string plainName = knownHostName(host, 22);
    if (finding.verdict != HostKeyVerdict::unknown_host || name == plainName)
        return finding;
    // As OpenSSH does: a host that is new at this port may show the key that it has at the usual one.
    HostKeyFinding plain = judge(linesFor(m_lines, plainName), type, blob);
    const bool counts = plain.verdict == HostKeyVerdict::known || plain.verdict == HostKeyVerdict::revoked;
    return counts ? std::move(plain) : std::move(finding);
}

std::vector<std::string> KnownHosts::knownHostKeyTypes(std::string_view host, uint16_t port) const {
    const auto lines = linesFor(m_lines, knownHostName(host, port));
    std::vector<std::string> types;
    for (const std::string_view type : kPreferredTypes) {
        const bool present = std::any_of(lines.begin(), lines.end(), [type](const KnownHostLine* line) {
            return line->marker == KnownHostLine::Marker::none && line->checkable && line->type == type;
        });
        if (present)
            types.emplace_back(type);
    }
    return types;
}

const KnownHostLine* KnownHosts::lineAt(const base::Path& file, size_t line) const {
    const auto found = std::find_if(m_lines.begin(), m_lines.end(), [&](const KnownHostLine& each) {
        return each.file == file && each.line == line;
    });
    return found == m_lines.end() ? nullptr : &*found;
}

std::vector<KnownHostLine> KnownHosts::linesOf(std::string_view host, uint16_t port) const {
    std::vector<KnownHostLine> lines;
    for (const KnownHostLine* line : linesFor(m_lines, knownHostName(host, port)))
        lines.push_back(*line);
    return lines;
}

} // namespace trialdeck::transport
