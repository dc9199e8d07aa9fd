// SPDX-License-Identifier: Apache-2.0
#include "trainer/collective/open.h"

#include "trainer/collective/alone.h"
#include "trainer/collective/shared_memory.h"
#include "trainer/collective/tcp_ring.h"

namespace trialdeck::trainer::collective {

std::string_view nameOf(Transport transport) {
    return transport == Transport::automatic ? "auto" : "tcp";
}

std::optional<Transport> transportFromString(std::string_view name) {
    for (const Transport transport : {Transport::automatic, Transport::tcpRing}) {
        if (name == nameOf(transport))
            return transport;
    }
    return std::nullopt;
}

Expected<std::unique_ptr<Collective>> openCollective(const MeetingTerms& terms, Transport transport,
                                                     const base::Clock& clock,
                                                     std::optional<Listener> listener) {
    if (terms.world.size == 1)
        return std::make_unique<Alone>();
    auto meeting = Meeting::hold(terms, clock, std::move(listener));
    if (!meeting)
        return tl::make_unexpected(meeting.error());
    if (transport == Transport::automatic && meeting->onOneHost()) {
        auto shared = SharedMemory::open(*meeting);
        if (shared || shared.error().code != ErrorCode::unavailable)
            return shared;
    }
    return TcpRing::open(*std::move(meeting), clock);
}

} // namespace trialdeck::trainer::collective
