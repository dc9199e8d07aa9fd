// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/base/unique_fd.h"
#include "core/head/head_home.h"

#include <string>

namespace trialdeck::head {

/// Which daemon of a home that several hosts share is wanted.
enum class AttachTo {
    /// The one that lives, wherever that is; a new one here where none does.
    theLivingOne,
    /// One on this host, whatever others do. Each host has a list of experiments of its own, so that two
    /// daemons never write one journal.
    thisHost,
};

/// Connects to this user's daemon on this host and starts one where none serves. Blocks until it listens.
/// Several may try at once: the lock lets one serve, all connect to it.
/// @param program  the trialdeck-head to start
/// @return head_did_not_answer with what the daemon said before it ended; daemon_elsewhere (host,
///         daemon_host, user, port), where what is needed to log in there is known
[[nodiscard]] Expected<base::UniqueFd> connectToDaemon(base::FileSystem& files, HeadHome& home,
                                                       const base::Path& program, AttachTo which);

/// Carries bytes between a pair of descriptors and a socket until both directions have ended. Blocks.
void relay(int input, int output, int socket);

/// `trialdeck-head attach`: prints the start marker with the nonce, then relays standard input and output.
/// @return the program's exit code: 0, or 1 after protocol::attachFailureLine() in the place of the marker
/// and
///         a sentence on standard error
[[nodiscard]] int attach(const base::Path& program, const std::string& nonce, AttachTo which);

} // namespace trialdeck::head
