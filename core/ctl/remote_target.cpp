// SPDX-License-Identifier: Apache-2.0
#include "core/ctl/remote_target.h"

namespace trialdeck::ctl {

client::SavedConnection targetOf(const Command& command, const client::SavedConnections& saved) {
    const size_t at = command.host.rfind('@');
    const bool hasUser = at != std::string::npos;
    const std::string host = hasUser ? command.host.substr(at + 1) : command.host;
    client::SavedConnection target;
    if (const client::SavedConnection* named = saved.find(command.host)) {
        target = *named;
    } else {
        const client::SavedConnection* known = hasUser ? saved.find(host) : nullptr;
        if (known)
            target = *known;
        else
            target.host = target.name = host;
        if (hasUser)
            target.user = command.host.substr(0, at);
    }
    if (command.port != 0)
        target.port = command.port;
    if (command.transport)
        target.transport = *command.transport;
    return target;
}

} // namespace trialdeck::ctl
