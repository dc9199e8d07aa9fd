// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/saved_connections.h"

#include <QString>

#include <functional>

namespace trialdeck::app::presenters {

/// A connection while somebody types it: texts as they stand in the fields, what is wrong with them, and the
/// connection that they mean.
struct ConnectionDraft {
    enum class Field { host, user, port, identityFile, jump, name, remoteHome };

    /// Kept as it is where the fields do not say otherwise.
    trialdeck::client::SavedConnection base;
    /// "gpu-head", "ada@gpu-head:2222", "ssh://ada@gpu-head".
    QString host;
    QString user;
    QString port;
    QString identityFile;
    QString jump;
    QString name;
    QString remoteHome;
    trialdeck::client::SshWay transport = trialdeck::client::SshWay::automatic;

    [[nodiscard]] static ConnectionDraft of(const trialdeck::client::SavedConnection& connection);

    /// What the fields mean; user and port typed with the host fill their empty fields.
    [[nodiscard]] trialdeck::client::SavedConnection connection() const;
    /// A sentence; empty where nothing is wrong, or nothing is typed yet.
    /// @param isNameTaken  by another connection
    [[nodiscard]] QString problem(Field field, const std::function<bool(const QString&)>& isNameTaken) const;
    [[nodiscard]] bool canConnect(const std::function<bool(const QString&)>& isNameTaken) const;
};

} // namespace trialdeck::app::presenters
