// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/ssh_client.h"

#include <QString>

namespace trialdeck::app::presenters {

/// Which SSH client makes a connection and, where there is something to say, why: "libssh2", "ssh of this
/// computer: the key … is an RSA key …". In the user's language.
[[nodiscard]] QString sshClientWords(const transport::SshClientChoice& choice);

} // namespace trialdeck::app::presenters
