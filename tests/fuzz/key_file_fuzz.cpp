// SPDX-License-Identifier: Apache-2.0
// Any bytes as a private key file: what is called good says what it is.
#include "core/transport/ssh/key_file.h"
#include "core/transport/ssh/ssh_key_blob.h"

#include <cstdint>
#include <cstdlib>

using namespace trialdeck;
using namespace trialdeck::transport;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const KeyFile key = inspectKeyText(bytes);
    if (key.state == KeyFileState::missing || key.state == KeyFileState::folder)
        std::abort();
    if (key.state == KeyFileState::good && key.format == KeyFileFormat::unknown)
        std::abort();
    if (key.state == KeyFileState::good && key.format == KeyFileFormat::openssh &&
        (key.type.empty() || SshBlobReader(key.publicBlob).string() != std::string_view(key.type)))
        std::abort();
    if (!key.needsPassphrase && !key.cipher.empty())
        std::abort();
    // The armour is base64 of something shorter: the form itself is reached without it, too.
    const std::string text = "-----BEGIN OPENSSH PRIVATE KEY-----\n" + encodedBase64(bytes) +
                             "\n-----END OPENSSH PRIVATE KEY-----\n";
    const KeyFile inner = inspectKeyText(text);
    if (inner.format != KeyFileFormat::openssh)
        std::abort();
    return 0;
}
