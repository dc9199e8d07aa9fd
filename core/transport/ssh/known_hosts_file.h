// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/files.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace trialdeck::transport {

/// Twenty bytes from the system's source of randomness.
[[nodiscard]] std::string newHostSalt();

/// One of the file's lines has its name hashed.
[[nodiscard]] bool hasHashedHosts(std::string_view content);

/// The line, without its end, for a key that was accepted.
/// @param salt  20 bytes: the name is hashed; empty: it is not
[[nodiscard]] std::string lineForHostKey(std::string_view host, uint16_t port, std::string_view type,
                                         std::string_view blob, std::string_view salt);

/// Whether the name is hashed in a file that has no line yet: HashKnownHosts.
enum class HostNames { plain, hashed };

/// Appends a key that was accepted; hashed if the file is. All that is there stays byte for byte;
/// what is no plain file (/dev/null) keeps nothing. The file
/// is this user's alone (0600) afterwards, a folder that was missing 0700.
/// @return host_not_found for a name that would be something else there (a blank, a pattern, a comment, a
///         marker) or a key of no known form; what the system said, with path
[[nodiscard]] Expected<void> appendHostKey(const base::Path& file, std::string_view host, uint16_t port,
                                           std::string_view type, std::string_view blob, HostNames inNewFile);

} // namespace trialdeck::transport
