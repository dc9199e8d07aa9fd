// SPDX-License-Identifier: Apache-2.0
#include "core/transport/ssh/key_file.h"

#include "core/base/wipe.h"
#include "core/transport/ssh/ssh_key_blob.h"

#include <algorithm>
#include <array>
#include <optional>

namespace trialdeck::transport {

namespace {

using namespace std::string_view_literals;

constexpr uint64_t kMaxKeyBytes = uint64_t{1} << 20;
constexpr uint32_t kOthersMask = 077;

/// A cipher of OpenSSH's format: the size of its blocks and of the tag behind them, in bytes.
struct KeyCipher {
    std::string_view name;
    size_t block = 16;
    size_t tag = 0;
    bool byLibssh2 = true;
};

constexpr auto kKeyCiphers = std::to_array<KeyCipher>({
    {"none", 8, 0, true},
    {"aes128-ctr", 16, 0, true},
    {"aes192-ctr", 16, 0, true},
    {"aes256-ctr", 16, 0, true},
    {"aes128-cbc", 16, 0, true},
    {"aes192-cbc", 16, 0, true},
    {"aes256-cbc", 16, 0, true},
    {"3des-cbc", 8, 0, true},
    {"aes128-gcm@openssh.com", 16, 16, false},
    {"aes256-gcm@openssh.com", 16, 16, false},
    {"chacha20-poly1305@openssh.com", 8, 16, false},
});

/// The names of algorithms and curves in DER. Source: RFC 3279, RFC 5480, RFC 8410.
struct KeyOid {
    std::string_view bytes;
    std::string_view type;
};
constexpr auto kOids = std::to_array<KeyOid>({
    {"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01"sv, "ssh-rsa"},
    {"\x06\x08\x2a\x86\x48\xce\x3d\x03\x01\x07"sv, "ecdsa-sha2-nistp256"},
    {"\x06\x05\x2b\x81\x04\x00\x22"sv, "ecdsa-sha2-nistp384"},
    {"\x06\x05\x2b\x81\x04\x00\x23"sv, "ecdsa-sha2-nistp521"},
    {"\x06\x03\x2b\x65\x70"sv, "ssh-ed25519"},
    {"\x06\x07\x2a\x86\x48\xce\x38\x04\x01"sv, "ssh-dss"},
});

/// A file in armour: "-----BEGIN LABEL-----", lines "Name: value", base64, "-----END LABEL-----".
struct Armour {
    std::string_view label;
    std::string_view headers;
    std::string body;
};

bool beginsWith(std::string_view text, std::string_view start) {
    return text.substr(0, start.size()) == start;
}

std::string_view takeLine(std::string_view& text) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t'))
        line.remove_suffix(1);
    return line;
}

/// The text between "-----BEGIN " and "-----"; nothing for any other line.
std::optional<std::string_view> labelOf(std::string_view line, std::string_view start) {
    constexpr std::string_view kDashes = "-----";
    if (!beginsWith(line, start) || line.size() < start.size() + kDashes.size() ||
        line.substr(line.size() - kDashes.size()) != kDashes)
        return std::nullopt;
    return line.substr(start.size(), line.size() - start.size() - kDashes.size());
}

/// @return nothing where the end is missing or what stands between is no base64
std::optional<Armour> readArmour(std::string_view text, std::string_view label) {
    Armour armour{label, {}, {}};
    const char* const begin = text.data();
    size_t headerBytes = 0;
    std::string base64;
    while (!text.empty()) {
        const std::string_view line = takeLine(text);
        if (const auto end = labelOf(line, "-----END ")) {
            auto body = *end == label ? decodedBase64(base64) : std::nullopt;
            base::wipe(base64);
            if (!body)
                return std::nullopt;
            armour.headers = {begin, headerBytes};
            armour.body = *std::move(body);
            return armour;
        }
        const bool header = base64.empty() && (line.empty() || line.find(':') != std::string_view::npos);
        if (header)
            headerBytes = static_cast<size_t>(line.data() + line.size() - begin);
        else
            base64 += line;
    }
    base::wipe(base64);
    return std::nullopt;
}

std::string_view headerValue(std::string_view headers, std::string_view name) {
    while (!headers.empty()) {
        std::string_view line = takeLine(headers);
        if (!beginsWith(line, name))
            continue;
        line.remove_prefix(name.size());
        line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
        return line;
    }
    return {};
}

/// The private part of a key that is not encrypted begins with the same number twice, then the type.
bool plainPartFits(std::string_view part, std::string_view type) {
    SshBlobReader reader(part);
    const auto first = reader.number();
    const auto second = reader.number();
    return first && first == second && reader.string() == type;
}

/// Source: OpenSSH, PROTOCOL.key.
void readOpenSshKey(std::string_view body, KeyFile& key) {
    constexpr std::string_view kMagic("openssh-key-v1\0", 15);
    key.state = KeyFileState::damaged;
    if (!beginsWith(body, kMagic))
        return;
    SshBlobReader reader(body.substr(kMagic.size()));
    const auto cipher = reader.string();
    const auto derivation = reader.string();
    const auto options = reader.string();
    const auto count = reader.number();
    const auto blob = reader.string();
    const auto part = reader.string();
    if (!cipher || !derivation || !options || !blob || !part || count != uint32_t{1})
        return;
    const auto type = SshBlobReader(*blob).string();
    if (!type || type->empty() || checkSshKey(*type, *blob) == SshKeyForm::bad)
        return;
    const auto* known = std::find_if(kKeyCiphers.begin(), kKeyCiphers.end(),
                                     [&](const KeyCipher& candidate) { return candidate.name == *cipher; });
    const bool encrypted = *cipher != "none";
    if (known != kKeyCiphers.end() &&
        (part->empty() || part->size() % known->block != 0 || reader.rest().size() != known->tag))
        return;
    if (!encrypted && !plainPartFits(*part, *type))
        return;
    key.type = *type;
    key.publicBlob = *blob;
    key.needsPassphrase = encrypted;
    if (encrypted) {
        SshBlobReader derivationReader(*options);
        const auto salt = derivationReader.string();
        const auto rounds = derivationReader.number();
        if (*derivation == "bcrypt" && (!salt || salt->empty() || !rounds || *rounds == 0))
            return;
        key.cipher = *cipher;
        key.keyDerivation = *derivation;
        key.rounds = rounds.value_or(0);
        if (known == kKeyCiphers.end() || !known->byLibssh2)
            key.obstacle = LibsshObstacle::cipher;
    }
    key.state = KeyFileState::good;
}

/// Whether a DER sequence fills the bytes: a cut file does not.
bool isWholeSequence(std::string_view der) {
    if (der.size() < 2 || der[0] != '\x30')
        return false;
    const auto first = static_cast<uint8_t>(der[1]);
    if (first < 0x80)
        return der.size() == size_t{2} + first;
    const size_t lengthBytes = first & 0x7FU;
    if (lengthBytes == 0 || lengthBytes > 4 || der.size() < 2 + lengthBytes)
        return false;
    size_t length = 0;
    for (size_t i = 0; i < lengthBytes; ++i)
        length = length << 8U | static_cast<uint8_t>(der[2 + i]);
    return der.size() == 2 + lengthBytes + length;
}

std::string_view typeInDer(std::string_view der) {
    for (const KeyOid& oid : kOids) {
        if (der.find(oid.bytes) != std::string_view::npos)
            return oid.type;
    }
    return {};
}

void readPemKey(const Armour& armour, KeyFile& key) {
    key.needsPassphrase =
        armour.label == "ENCRYPTED PRIVATE KEY" ||
        headerValue(armour.headers, "Proc-Type:").find("ENCRYPTED") != std::string_view::npos;
    const std::string_view cipher = headerValue(armour.headers, "DEK-Info:");
    if (key.needsPassphrase)
        key.cipher = cipher.substr(0, cipher.find(','));
    const bool opaque = key.needsPassphrase && key.format == KeyFileFormat::pem;
    key.state = armour.body.empty() || (!opaque && !isWholeSequence(armour.body)) ? KeyFileState::damaged
                                                                                  : KeyFileState::good;
    if (armour.label == "RSA PRIVATE KEY")
        key.type = "ssh-rsa";
    else if (armour.label == "DSA PRIVATE KEY")
        key.type = "ssh-dss";
    else if (!key.needsPassphrase)
        key.type = typeInDer(armour.body);
}

bool isPublicKeyLine(std::string_view line, KeyFile& key) {
    const size_t blank = line.find(' ');
    if (blank == std::string_view::npos)
        return false;
    const std::string_view type = line.substr(0, blank);
    line.remove_prefix(blank + 1);
    auto blob = decodedBase64(line.substr(0, line.find(' ')));
    if (!blob || SshBlobReader(*blob).string() != type)
        return false;
    key.type = type;
    key.publicBlob = *std::move(blob);
    return true;
}

KeyFileFormat formatOf(std::string_view label) {
    if (label == "OPENSSH PRIVATE KEY")
        return KeyFileFormat::openssh;
    if (label == "PRIVATE KEY" || label == "ENCRYPTED PRIVATE KEY")
        return KeyFileFormat::pkcs8;
    if (label == "RSA PRIVATE KEY" || label == "DSA PRIVATE KEY" || label == "EC PRIVATE KEY")
        return KeyFileFormat::pem;
    return KeyFileFormat::unknown;
}

LibsshObstacle obstacleOfType(std::string_view type) {
    if (isSecurityKeyType(type))
        return LibsshObstacle::security_key;
    if (type == "ssh-rsa")
        return LibsshObstacle::rsa_with_sha1;
    if (type.empty() || checkSshKey(type, {}) != SshKeyForm::unknown_type)
        return LibsshObstacle::none;
    return LibsshObstacle::type;
}

/// The public key beside a file that does not show its own.
void lookBeside(base::FileSystem& files, KeyFile& key) {
    const auto beside = [&](std::string_view suffix) {
        KeyFile found;
        base::Path path = key.path;
        path += suffix;
        if (const auto text = base::readWholeFile(files, path, kMaxKeyBytes))
            found = inspectKeyText(*text);
        found.path = path;
        return found;
    };
    if (key.publicBlob.empty()) {
        const KeyFile found = beside(".pub");
        if (found.state == KeyFileState::public_only && (key.type.empty() || key.type == found.type)) {
            key.type = found.type;
            key.publicBlob = found.publicBlob;
        }
    }
    const KeyFile found = beside("-cert.pub");
    if (found.state == KeyFileState::public_only && isSshCertificateType(found.type))
        key.certificate = found.path;
}

} // namespace

KeyFile inspectKeyText(std::string_view text) {
    KeyFile key;
    key.state = KeyFileState::not_a_key;
    key.windowsLineEnds = text.find("\r\n") != std::string_view::npos;
    std::string_view rest = text;
    std::string_view line;
    while (line.empty() && !rest.empty())
        line = takeLine(rest);
    if (beginsWith(line, "PuTTY-User-Key-File-")) {
        key.format = KeyFileFormat::putty;
        key.state = KeyFileState::good;
        key.type = line.substr(std::min(line.find(' '), line.size() - 1) + 1);
        const std::string_view cipher = headerValue(rest, "Encryption:");
        key.needsPassphrase = !cipher.empty() && cipher != "none";
        key.cipher = key.needsPassphrase ? cipher : std::string_view();
        return key;
    }
    if (beginsWith(line, "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY")) {
        key.format = KeyFileFormat::ssh_com;
        key.state = KeyFileState::good;
        return key;
    }
    const auto label = labelOf(line, "-----BEGIN ");
    if (!label) {
        if (isPublicKeyLine(line, key))
            key.state = KeyFileState::public_only;
        else if (beginsWith(line, "-----BEGIN "))
            key.state = KeyFileState::damaged;
        return key;
    }
    key.format = formatOf(*label);
    if (key.format == KeyFileFormat::unknown)
        return key;
    auto armour = readArmour(rest, *label);
    if (!armour)
        key.state = KeyFileState::damaged;
    else if (key.format == KeyFileFormat::openssh)
        readOpenSshKey(armour->body, key);
    else
        readPemKey(*armour, key);
    if (armour)
        base::wipe(armour->body);
    return key;
}

KeyFile inspectKeyFile(base::FileSystem& files, const base::Path& path) {
    KeyFile key;
    key.path = path;
    auto file = files.open(path, base::OpenMode::read);
    if (!file) {
        const bool missing =
            file.error().code == ErrorCode::file_not_found || file.error().code == ErrorCode::not_a_directory;
        key.state = missing ? KeyFileState::missing : KeyFileState::unreadable;
        return key;
    }
    const auto status = (*file)->status();
    if (!status || status->type != base::FileType::regular) {
        const bool folder = status && status->type == base::FileType::directory;
        key.state = folder ? KeyFileState::folder : KeyFileState::unreadable;
        return key;
    }
    auto text = base::readWholeFile(files, path, kMaxKeyBytes);
    if (!text) {
        key.state =
            text.error().code == ErrorCode::too_large ? KeyFileState::not_a_key : KeyFileState::unreadable;
        return key;
    }
    key = inspectKeyText(*text);
    base::wipe(*text);
    key.path = path;
    key.openToOthers = key.state != KeyFileState::public_only && (status->mode & kOthersMask) != 0;
    if (key.state != KeyFileState::good)
        return key;
    lookBeside(files, key);
    if (key.obstacle == LibsshObstacle::none)
        key.obstacle = obstacleOfType(key.type);
    return key;
}

} // namespace trialdeck::transport
