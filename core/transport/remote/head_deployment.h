// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/files.h"
#include "core/transport/remote/remote_facts.h"
#include "core/transport/remote/remote_host.h"
#include "core/transport/remote/step_trace.h"

namespace trialdeck::transport {

/// What is put on a host.
struct HeadPrograms {
    /// trialdeck-head's file here, statically linked.
    base::Path head;
    /// Others that go beside it, trialdeck-train for one; those that are missing here stay away.
    std::vector<base::Path> others;
    /// Names the folder there: builds stand side by side.
    std::string buildId;
};

/// POSIX shell, one command: becomes `trialdeck-head attach` where this build lies in one of the places and
/// runs; ends with kHeadMissing otherwise.
/// @param remoteHome  TRIALDECK_HOME there; empty for its default
/// @param options  of attach: "--here"
[[nodiscard]] std::string attachScript(const std::string& buildId, const std::string& nonce,
                                       const std::string& remoteHome, const std::string& options = {});
inline constexpr int kHeadMissing = 44;

/// Puts the programs of one build on a host: finds out what kind of host it is and where programs may lie,
/// uploads, checks that what arrived is what was sent and runs, and only then renames the folder into place.
/// Builds that nobody has used for two weeks are removed. Steps home and head.
/// @param host  is open
/// @return unsupported_system, no_place_for_head, head_does_not_run, upload_damaged, disk_full, …
[[nodiscard]] asio::awaitable<Expected<RemoteFacts>> deployHead(RemoteHost& host, base::FileSystem& files,
                                                                const HeadPrograms& programs,
                                                                const std::string& hostName,
                                                                StepTrace& trace);

/// Runs a script over there to its end.
struct RemoteOutput {
    base::ProcessExit exit;
    std::string printed;
    std::string errors;
};
/// @param input  behind the script on its standard input; read as it is sent
/// @param onSent  told the bytes of the input that have gone out
[[nodiscard]] asio::awaitable<Expected<RemoteOutput>> runScript(RemoteHost& host, std::string_view script,
                                                                std::string_view input = {},
                                                                std::function<void(uint64_t)> onSent = {});

} // namespace trialdeck::transport
