// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/ssh_client.h"

#include <string>

namespace trialdeck::ctl {

/// Which SSH client makes the connection and why, in English and without a point: "SSH by libssh2".
[[nodiscard]] std::string sshClientText(const transport::SshClientChoice& choice);

} // namespace trialdeck::ctl
