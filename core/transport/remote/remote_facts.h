// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trialdeck::transport {

/// A folder in which programs could lie.
struct RemotePlace {
    enum class Condition { good, read_only, no_execution };
    std::string folder;
    Condition condition = Condition::good;
    /// What this user can still write there, in bytes; missing where the host cannot say.
    std::optional<uint64_t> freeBytes;
};

/// What one probe finds out about a host.
struct RemoteFacts {
    /// uname -s, uname -m: "Linux", "x86_64".
    std::string system;
    std::string machine;
    std::string home;
    std::string shell;
    /// The host's clock, in seconds since 1970 UTC.
    std::optional<int64_t> seconds;
    bool hasGzip = false;
    /// The command that prints a file's SHA-256 as its first word; empty where there is none.
    std::string hashCommand;
    /// In the order of preference.
    std::vector<RemotePlace> places;
};

/// Where programs of Trialdeck lie on a host, best first, as a list of words for /bin/sh: in the home, else
/// in /var/tmp or /tmp. "$u" in it is the user's number.
inline constexpr std::string_view kRemotePlaces =
    R"("${XDG_DATA_HOME:-$HOME/.local/share}/trialdeck" "/var/tmp/trialdeck-$u" "/tmp/trialdeck-$u")";

/// POSIX shell that prints the facts, one "key value" a line, and leaves nothing behind but empty folders.
[[nodiscard]] std::string factsScript();

/// Reads what factsScript() printed; unknown lines, such as a login script's, are skipped.
[[nodiscard]] RemoteFacts parseFacts(std::string_view printed);

/// The first place that is good and has room.
/// @param host  for the error
/// @return unsupported_system; no_place_for_head
[[nodiscard]] Expected<std::string> choosePlace(const RemoteFacts& facts, uint64_t neededBytes,
                                                const std::string& host);

} // namespace trialdeck::transport
