// SPDX-License-Identifier: Apache-2.0
#include "core/transport/ssh/ssh_key_blob.h"

#include <array>
#include <nettle/base64.h>
#include <nettle/sha2.h>

namespace trialdeck::transport {

namespace {

/// A type of public key: how many strings follow its name, and how long the last but the free ones is.
struct KeyShape {
    std::string_view type;
    int strings = 0;
    /// Which string (from 0) has a fixed length in bytes; -1 for none.
    int fixed = -1;
    size_t length = 0;
};

constexpr auto kShapes = std::to_array<KeyShape>({
    {"ssh-ed25519", 1, 0, 32},
    {"ssh-rsa", 2, -1, 0},
    {"ecdsa-sha2-nistp256", 2, 1, 65},
    {"ecdsa-sha2-nistp384", 2, 1, 97},
    {"ecdsa-sha2-nistp521", 2, 1, 133},
    {"ssh-dss", 4, -1, 0},
    {"sk-ssh-ed25519@openssh.com", 2, 0, 32},
    {"sk-ecdsa-sha2-nistp256@openssh.com", 3, 1, 65},
});

} // namespace

std::optional<uint32_t> SshBlobReader::number() {
    if (m_rest.size() < 4) {
        m_rest = {};
        return std::nullopt;
    }
    uint32_t value = 0;
    for (size_t i = 0; i < 4; ++i)
        value = value << 8U | static_cast<uint8_t>(m_rest[i]);
    m_rest.remove_prefix(4);
    return value;
}

std::optional<std::string_view> SshBlobReader::string() {
    const auto length = number();
    if (!length || *length > m_rest.size()) {
        m_rest = {};
        return std::nullopt;
    }
    const std::string_view field = m_rest.substr(0, *length);
    m_rest.remove_prefix(*length);
    return field;
}

std::optional<std::string> decodedBase64(std::string_view text) {
    base64_decode_ctx context;
    base64_decode_init(&context);
    std::string bytes(BASE64_DECODE_LENGTH(text.size()), '\0');
    size_t length = bytes.size();
    if (base64_decode_update(&context, &length, reinterpret_cast<uint8_t*>(bytes.data()), text.size(),
                             text.data()) == 0 ||
        base64_decode_final(&context) == 0)
        return std::nullopt;
    bytes.resize(length);
    return bytes;
}

std::string encodedBase64(std::string_view bytes) {
    std::string text(BASE64_ENCODE_RAW_LENGTH(bytes.size()), '\0');
    base64_encode_raw(text.data(), bytes.size(), reinterpret_cast<const uint8_t*>(bytes.data()));
    return text;
}

std::string sshFingerprint(std::string_view blob) {
    sha256_ctx context;
    sha256_init(&context);
    sha256_update(&context, blob.size(), reinterpret_cast<const uint8_t*>(blob.data()));
    std::string digest(SHA256_DIGEST_SIZE, '\0');
    sha256_digest(&context, digest.size(), reinterpret_cast<uint8_t*>(digest.data()));
    std::string text = encodedBase64(digest);
    while (!text.empty() && text.back() == '=')
        text.pop_back();
    return "SHA256:" + text;
}

SshKeyForm checkSshKey(std::string_view type, std::string_view blob) {
    const KeyShape* shape = nullptr;
    for (const KeyShape& known : kShapes) {
        if (known.type == type)
            shape = &known;
    }
    if (!shape)
        return SshKeyForm::unknown_type;
    SshBlobReader reader(blob);
    if (reader.string() != type)
        return SshKeyForm::bad;
    for (int i = 0; i < shape->strings; ++i) {
        const auto field = reader.string();
        if (!field || field->empty() || (i == shape->fixed && field->size() != shape->length))
            return SshKeyForm::bad;
    }
    return reader.rest().empty() ? SshKeyForm::good : SshKeyForm::bad;
}

std::string_view sshKeyTypeOf(std::string_view algorithm) {
    return algorithm == "rsa-sha2-256" || algorithm == "rsa-sha2-512" ? "ssh-rsa" : algorithm;
}

bool isSshCertificateType(std::string_view type) {
    return type.find("-cert-v0") != std::string_view::npos;
}

bool isSecurityKeyType(std::string_view type) {
    return type.substr(0, 3) == "sk-";
}

} // namespace trialdeck::transport
