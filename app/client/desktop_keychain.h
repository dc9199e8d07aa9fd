// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/client/keychain.h"
#include "core/base/log.h"

namespace trialdeck::app::client {

/// The desktop's keychain by QtKeychain: the Secret Service (GNOME, KeePassXC) or KWallet. Nothing is ever
/// kept in a file of ours where there is none.
class DesktopKeychain final : public Keychain {
public:
    /// @param log  outlives every answer
    explicit DesktopKeychain(base::Log& log) : m_log(log) {}

    void read(const QString& name, Reader reader) override;
    void write(const QString& name, const std::string& secret) override;
    void remove(const QString& name) override;

private:
    base::Log& m_log;
};

} // namespace trialdeck::app::client
