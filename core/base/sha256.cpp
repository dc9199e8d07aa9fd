// SPDX-License-Identifier: Apache-2.0
#include "core/base/sha256.h"

#include <nettle/sha2.h>

namespace trialdeck::base {

struct Sha256::State {
    sha256_ctx context;
};

Sha256::Sha256() : m_state(std::make_unique<State>()) {
    sha256_init(&m_state->context);
}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::update(std::string_view bytes) {
    sha256_update(&m_state->context, bytes.size(), reinterpret_cast<const uint8_t*>(bytes.data()));
}

std::string Sha256::hexDigest() const {
    static constexpr char kHex[] = "0123456789abcdef";
    // nettle's digest resets its context, hence the copy.
    sha256_ctx copy = m_state->context;
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_digest(&copy, sizeof digest, digest);
    std::string text;
    text.reserve(2 * sizeof digest);
    for (const uint8_t byte : digest) {
        text += kHex[byte >> 4U];
        text += kHex[byte & 0xFU];
    }
    return text;
}

std::string sha256Hex(std::string_view bytes) {
    Sha256 hash;
    hash.update(bytes);
    return hash.hexDigest();
}

} // namespace trialdeck::base
