// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/files.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trialdeck::transport {

enum class HostKeyVerdict {
    /// The key is on file for this host.
    known,
    /// Nothing is on file.
    unknown_host,
    /// A key of this type is on file, and it is another one: never to be accepted.
    changed,
    /// The key is named as one not to be trusted: never to be accepted.
    revoked,
    /// Only keys of other types are on file, some perhaps of types that cannot be checked here. As suspect as
    /// a changed one where the server could have shown one of knownHostKeyTypes().
    known_but_other_type,
    /// Trust hangs on a certificate authority, and certificates are not checked here.
    needs_certificate_check,
};

enum class KnownHostsProblem {
    bad_marker,
    bad_hash,
    /// The line ends before its key does.
    cut_short,
    bad_key,
    unknown_type,
    /// A file that exists and cannot be read; what is in it is not known.
    unreadable_file,
};

/// A line, or (line 0) a file, that does not count in full.
struct KnownHostsNote {
    KnownHostsProblem problem = KnownHostsProblem::bad_key;
    base::Path file;
    size_t line = 0;
    /// The host names as they stand there, and the type where that is the problem.
    std::string word;
    friend bool operator==(const KnownHostsNote&, const KnownHostsNote&) = default;
};

/// A key on file.
struct KnownHostLine {
    enum class Marker { none, revoked, cert_authority };
    Marker marker = Marker::none;
    /// As it stands there: a list of patterns, or one hash.
    std::string hosts;
    std::string type;
    /// As it goes over the wire.
    std::string blob;
    /// The type's form is known here.
    bool checkable = true;
    base::Path file;
    size_t line = 0;

    [[nodiscard]] std::string fingerprint() const;
};

struct HostKeyFinding {
    HostKeyVerdict verdict = HostKeyVerdict::unknown_host;
    /// The lines it rests on: the key that is known or revoked, the old keys, the authorities.
    std::vector<KnownHostLine> lines;
};

/// The known hosts of a user, read once. Immutable; a value.
class KnownHosts {
public:
    /// @param paths  in the order of the settings; missing ones are empty
    [[nodiscard]] static KnownHosts read(base::FileSystem& files, const std::vector<base::Path>& paths);

    /// Adds the lines of one file's content.
    void add(const base::Path& path, std::string_view content);

    /// @param host  name or address as it is connected to; with HostKeyAlias, that and port 22
    /// @param type  of the key or of the signature: "ssh-ed25519", "rsa-sha2-512"
    /// @param blob  the key as it goes over the wire
    [[nodiscard]] HostKeyFinding check(std::string_view host, uint16_t port, std::string_view type,
                                       std::string_view blob) const;

    /// Types of the plain keys on file for the host, best first: what to ask the server for.
    [[nodiscard]] std::vector<std::string> knownHostKeyTypes(std::string_view host, uint16_t port) const;

    /// All lines that speak of the host, as `ssh-keygen -F` finds them.
    [[nodiscard]] std::vector<KnownHostLine> linesOf(std::string_view host, uint16_t port) const;

    /// What stands on a line (from 1) of a file that was read; null where that is no key.
    [[nodiscard]] const KnownHostLine* lineAt(const base::Path& file, size_t line) const;

    [[nodiscard]] const std::vector<KnownHostsNote>& notes() const { return m_notes; }

private:
    void addLine(const base::Path& path, size_t number, std::string_view text);

    std::vector<KnownHostLine> m_lines;
    std::vector<KnownHostsNote> m_notes;
};

/// How known_hosts calls a host: "name", or "[name]:port" where the port is not 22; in lower case.
[[nodiscard]] std::string knownHostName(std::string_view host, uint16_t port);

/// "|1|salt|hash" of a name. @param salt  20 bytes
[[nodiscard]] std::string hashedHostName(std::string_view name, std::string_view salt);

} // namespace trialdeck::transport
