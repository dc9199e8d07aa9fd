// SPDX-License-Identifier: Apache-2.0
// Public keys as SSH writes them. Source: RFC 4251, section 5; RFC 4253, section 6.6.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace trialdeck::transport {

/// Takes fields from the front of bytes in the wire's form. A field that is not whole is none, and so is
/// every one after it.
class SshBlobReader {
public:
    explicit SshBlobReader(std::string_view bytes) : m_rest(bytes) {}

    [[nodiscard]] std::optional<uint32_t> number();
    /// Points into the bytes.
    [[nodiscard]] std::optional<std::string_view> string();
    [[nodiscard]] std::string_view rest() const { return m_rest; }

private:
    std::string_view m_rest;
};

/// White space between the letters is passed over. @return nothing where it is not base64
[[nodiscard]] std::optional<std::string> decodedBase64(std::string_view text);
[[nodiscard]] std::string encodedBase64(std::string_view bytes);

/// "SHA256:" and what `ssh-keygen -l` prints behind it.
[[nodiscard]] std::string sshFingerprint(std::string_view blob);

/// How much of a public key's form is understood here.
enum class SshKeyForm { good, bad, unknown_type };
/// @param type  as it stands beside the blob; the blob must say the same
[[nodiscard]] SshKeyForm checkSshKey(std::string_view type, std::string_view blob);

/// The type of the key that a signature algorithm uses: "ssh-rsa" for "rsa-sha2-512".
[[nodiscard]] std::string_view sshKeyTypeOf(std::string_view algorithm);

[[nodiscard]] bool isSshCertificateType(std::string_view type);
/// The key lies in a device that must be touched.
[[nodiscard]] bool isSecurityKeyType(std::string_view type);

} // namespace trialdeck::transport
