// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/message.h"

namespace trialdeck::protocol {

struct HelloResult {
    int protocol = kProtocolVersion;
    std::string headVersion;
    /// Identifies the build: another one than the client's own is handed over from.
    std::string buildId;
    /// A UUID of this start of the daemon. Results of commands are kept for as long as it stays the same.
    std::string instance;
    int64_t pid = 0;
    std::string host;
    /// TRIALDECK_HOME of the head, absolute.
    std::string home;
    std::string logPath;
    /// What this head can do: "experiments", "pause", "asha", …; the window shows no button without it.
    std::vector<std::string> capabilities;
    /// The head's clock when it answered.
    std::optional<base::WallTime> time;
    /// What is not as it should be on this host and will be noticed later: ends_at_logout.
    std::vector<Error> findings;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v.required("protocol", s.protocol);
        v("head_version", s.headVersion);
        v.required("build_id", s.buildId);
        v.required("instance", s.instance);
        v("pid", s.pid);
        v("host", s.host);
        v("home", s.home);
        v("log_path", s.logPath);
        v("capabilities", s.capabilities);
        v("time", s.time);
        v("findings", s.findings);
    }
};

/// First request of every session. @return version_mismatch where the ranges do not meet.
struct HelloRequest {
    static constexpr std::string_view kMethod = "hello";
    static constexpr RequestKind kKind = RequestKind::read;
    using Result = HelloResult;
    std::string clientName;
    std::string clientVersion;
    std::string buildId;
    /// A UUID that stays the same over reconnects; with the request id it names a command for an hour.
    std::string clientId;
    int protocolMin = kProtocolVersion;
    int protocolMax = kProtocolVersion;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v("client_name", s.clientName);
        v("client_version", s.clientVersion);
        v.required("build_id", s.buildId);
        v.required("client_id", s.clientId);
        v.required("protocol_min", s.protocolMin);
        v.required("protocol_max", s.protocolMax);
    }
};

} // namespace trialdeck::protocol
