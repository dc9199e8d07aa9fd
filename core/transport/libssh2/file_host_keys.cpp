// SPDX-License-Identifier: Apache-2.0
#include "core/transport/libssh2/file_host_keys.h"

#include "core/transport/ssh/known_hosts.h"
#include "core/transport/ssh/known_hosts_file.h"

namespace trialdeck::transport {

namespace {

HostKeyAnswer::Verdict answerFor(HostKeyVerdict verdict) {
    switch (verdict) {
    case HostKeyVerdict::known:
        return HostKeyAnswer::Verdict::known;
    case HostKeyVerdict::changed:
        return HostKeyAnswer::Verdict::changed;
    case HostKeyVerdict::revoked:
        return HostKeyAnswer::Verdict::revoked;
    case HostKeyVerdict::known_but_other_type:
        return HostKeyAnswer::Verdict::other_type;
    case HostKeyVerdict::unknown_host:
    case HostKeyVerdict::needs_certificate_check:
        // A key without a certificate is as new as any.
        break;
    }
    return HostKeyAnswer::Verdict::unknown;
}

} // namespace

std::vector<base::Path> knownHostsFiles(const SshHostSettings& settings) {
    std::vector<base::Path> all = settings.userKnownHostsFiles;
    all.insert(all.end(), settings.globalKnownHostsFiles.begin(), settings.globalKnownHostsFiles.end());
    return all;
}

FileHostKeys::FileHostKeys(base::FileSystem& files, const SshHostSettings& settings)
    : m_files(files), m_all(knownHostsFiles(settings)),
      m_own(settings.userKnownHostsFiles.empty() ? base::Path() : settings.userKnownHostsFiles.front()),
      m_hashed(settings.hashKnownHosts) {}

HostKeyAnswer FileHostKeys::check(const std::string& host, uint16_t port, std::string_view type,
                                  std::string_view blob) {
    const HostKeyFinding finding = KnownHosts::read(m_files, m_all).check(host, port, type, blob);
    HostKeyAnswer answer;
    answer.verdict = answerFor(finding.verdict);
    if (finding.lines.empty())
        return answer;
    answer.file = finding.lines.front().file;
    answer.line = static_cast<int>(finding.lines.front().line);
    answer.fingerprint = finding.lines.front().fingerprint();
    return answer;
}

std::vector<std::string> FileHostKeys::typesOf(const std::string& host, uint16_t port) {
    return KnownHosts::read(m_files, m_all).knownHostKeyTypes(host, port);
}

Expected<void> FileHostKeys::add(const std::string& host, uint16_t port, std::string_view type,
                                 std::string_view blob) {
    if (m_own.empty())
        return {};
    return appendHostKey(m_own, host, port, type, blob, m_hashed ? HostNames::hashed : HostNames::plain);
}

} // namespace trialdeck::transport
