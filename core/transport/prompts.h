// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace trialdeck::transport {

/// One thing that only a person can answer while a connection is made.
struct Prompt {
    enum class Kind {
        /// Is this the host that is meant? Shown: keyType and fingerprint. Answered with "yes" or nothing.
        host_key,
        password,
        /// Of a key file: `text` is its path.
        passphrase,
        /// Whatever the host asks, word for word in `text`.
        interactive,
    };
    Kind kind = Kind::interactive;
    std::string user;
    std::string host;
    std::string text;
    /// "ED25519", as OpenSSH names it.
    std::string keyType;
    /// "SHA256:…"
    std::string fingerprint;
    /// The answer may be shown while it is typed.
    bool echo = false;
    /// The answer before this one was refused.
    bool again = false;

    friend bool operator==(const Prompt&, const Prompt&) = default;
};

/// Asks the person at the window or terminal. Handed to the transports that need it by their constructor;
/// called on the transport's event loop, answered on the same loop at any later time.
class Prompts {
public:
    virtual ~Prompts() = default;
    /// @param answer  called once; nothing when the person gave up, which ends the attempt with `cancelled`
    virtual void ask(const Prompt& prompt, std::function<void(std::optional<std::string>)> answer) = 0;
    /// Nobody waits for the answer any more: the attempt that asked has ended. The answer is not called.
    virtual void withdraw() = 0;
};

} // namespace trialdeck::transport
