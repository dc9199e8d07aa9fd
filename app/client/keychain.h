// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <functional>
#include <string>

namespace trialdeck::app::client {

/// The place where the user's desktop keeps secrets, encrypted and unlocked by the login. On the window's
/// thread.
class Keychain {
public:
    enum class Answer {
        found,
        /// It works and has none of that name.
        missing,
        /// There is no such service here, or the user keeps it locked.
        unavailable,
    };
    /// The secret is overwritten by whoever takes it.
    using Reader = std::function<void(Answer answer, std::string secret)>;

    virtual ~Keychain() = default;
    /// `reader` is called later, once; possibly much later, where the user is asked to unlock the keychain.
    virtual void read(const QString& name, Reader reader) = 0;
    /// Replaces what has that name. A failure is logged.
    virtual void write(const QString& name, const std::string& secret) = 0;
    /// What is not there is forgotten already.
    virtual void remove(const QString& name) = 0;
};

} // namespace trialdeck::app::client
