// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/files.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace trialdeck::transport {

enum class KeyFileState {
    /// A private key, as far as can be seen without a passphrase.
    good,
    missing,
    folder,
    /// It exists and cannot be read, or is a pipe or a device.
    unreadable,
    /// It begins as a private key and does not go on as one: cut, or changed.
    damaged,
    /// A public key: of use where an agent has the private one.
    public_only,
    /// Something else.
    not_a_key,
};

enum class KeyFileFormat {
    unknown,
    openssh,
    /// "BEGIN RSA PRIVATE KEY" and its kind.
    pem,
    pkcs8,
    /// Neither OpenSSH nor libssh2 reads these; puttygen and ssh-keygen -i convert them.
    putty,
    ssh_com,
};

/// Why libssh2 1.10 over OpenSSL 3 cannot log in with a key that the OpenSSH client can use.
enum class LibsshObstacle {
    none,
    /// aes256-gcm@openssh.com, chacha20-poly1305@openssh.com and ciphers that OpenSSL 3 has dropped.
    cipher,
    /// A type that it does not know.
    type,
    /// The key lies in a device.
    security_key,
    /// It signs with SHA-1 only, which servers since OpenSSH 8.8 refuse.
    rsa_with_sha1,
};

/// What a private key file is, found out without a passphrase.
struct KeyFile {
    base::Path path;
    KeyFileState state = KeyFileState::missing;
    KeyFileFormat format = KeyFileFormat::unknown;
    /// "ssh-ed25519"; empty where neither the file nor a public one beside it says.
    std::string type;
    /// As it goes over the wire; may be empty, too.
    std::string publicBlob;

    bool needsPassphrase = false;
    /// "aes256-ctr", "AES-128-CBC"; empty where nothing is encrypted or the file does not say.
    std::string cipher;
    /// "bcrypt" in OpenSSH's format.
    std::string keyDerivation;
    /// How often it derives: about 30 ms each.
    uint32_t rounds = 0;

    bool windowsLineEnds = false;
    /// Others than the owner may read or write it: the OpenSSH client does not use it.
    bool openToOthers = false;
    LibsshObstacle obstacle = LibsshObstacle::none;
    /// "<path>-cert.pub" where it exists and is a certificate.
    base::Path certificate;

    [[nodiscard]] bool isUsable() const {
        return state == KeyFileState::good &&
               (format == KeyFileFormat::openssh || format == KeyFileFormat::pem ||
                format == KeyFileFormat::pkcs8);
    }
};

/// Reads the file, and the public key and certificate beside it. Follows links.
[[nodiscard]] KeyFile inspectKeyFile(base::FileSystem& files, const base::Path& path);

/// The same of a content: what is not seen in the bytes stays as it is by default.
[[nodiscard]] KeyFile inspectKeyText(std::string_view text);

} // namespace trialdeck::transport
