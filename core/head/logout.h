// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/process.h"

#include <string>
#include <string_view>
#include <vector>

namespace trialdeck::head {

/// What systemd's login manager does with the processes of users that log out.
struct LogindRules {
    bool killsProcesses = false;
    /// Not empty: those of these users alone.
    std::vector<std::string> only = {};
    std::vector<std::string> except = {"root"};
    friend bool operator==(const LogindRules&, const LogindRules&) = default;
};

/// Reads logind.conf and what lies in logind.conf.d as systemd does. What the files leave open is as the
/// commented line of the shipped file says, which is how the distribution has built it, else no.
/// @param root  "/", another folder in tests
[[nodiscard]] LogindRules readLogindRules(base::FileSystem& files, const base::Path& root);

struct LogoutFacts {
    std::string user;
    /// Of /proc/self/cgroup.
    std::string cgroups;
    bool lingers = false;
    LogindRules rules;
};

/// @param root  "/", another folder in tests
[[nodiscard]] LogoutFacts readLogoutFacts(base::FileSystem& files, const base::Environment& environment,
                                          const base::Path& root);

enum class LogoutFate {
    survives,
    /// It belongs to the login session, whose processes logind kills.
    endsWithSession,
    /// It belongs to the user's own systemd, which ends with the last session: the user does not linger.
    endsWithUser,
};

/// What becomes of a process when its user logs out, as far as systemd is concerned.
[[nodiscard]] LogoutFate fateAtLogout(const LogoutFacts& facts);

/// The words before a command that bring it where a logout does not end it; none where it survives anyway or
/// where nothing helps before the user lingers.
/// @param hasUserSystemd  the user's own systemd runs and can be asked
[[nodiscard]] std::vector<std::string> survivingPrefix(const LogoutFacts& facts, bool hasUserSystemd);

/// Whether the user's own systemd can be asked.
[[nodiscard]] bool userSystemdRuns(base::FileSystem& files, const base::Environment& environment);

} // namespace trialdeck::head
