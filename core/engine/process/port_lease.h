// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/engine.h"

namespace trialdeck::engine::process {

/// Whether a program could listen on this TCP port now, on all addresses or on the loopback one. Binds and
/// lets go; never listens.
[[nodiscard]] bool isPortFree(int port);

/// First port that the system gives to outgoing connections: those from there on may be taken at any moment.
[[nodiscard]] int firstEphemeralPort(base::FileSystem& files);

/// Leases MASTER_PORTs, so that no two attempts of this daemon share one. Owned by the process engine.
class PortLease {
public:
    /// @param end  ports from 15000 up to and without this one are given
    explicit PortLease(int end) : m_end(end) {}

    /// A port that is free now. Starts looking behind the last one given, so a port that was just let go
    /// rests. @return nothing where none is free
    [[nodiscard]] std::optional<int> lease(const AttemptKey& key);
    /// Takes up a lease that an earlier daemon gave.
    void leaseGiven(const AttemptKey& key, int port) { m_leases[key] = port; }
    void release(const AttemptKey& key) { m_leases.erase(key); }

private:
    static constexpr int kBegin = 15'000;

    int m_end;
    int m_next = 0;
    std::map<AttemptKey, int> m_leases;
};

} // namespace trialdeck::engine::process
