// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "trainer/collective/connection.h"
#include "trainer/collective/world.h"

#include <optional>
#include <vector>

namespace trialdeck::trainer::collective {

/// What a worker brings to the meeting.
struct MeetingTerms {
    World world;
    /// Which gang this is (trial and attempt): a worker of another one is turned away and waited past.
    std::string group;
    /// What all workers must have been started with: one that differs ends the meeting for everybody.
    std::string options;
    Patience patience;
};

/// The workers of one trial after all of them have met at rank 0: rank 0 keeps a connection to each other
/// rank, and each other rank one to rank 0. They stay open to the end, because their closing tells that a
/// worker ended. Owned by one Collective; one thread at a time.
class Meeting {
public:
    /// @param listener  rank 0's own, where it has one already (tests listen on port 0); else it listens at
    ///                  the terms' master address
    /// @return timed_out naming the missing ranks, connection_lost, connection_refused with rank 0's
    /// sentence, or what resolve and Listener::open say.
    static Expected<Meeting> hold(const MeetingTerms& terms, const base::Clock& clock,
                                  std::optional<Listener> listener = std::nullopt);

    [[nodiscard]] int rank() const { return m_terms.world.rank; }
    [[nodiscard]] int size() const { return m_terms.world.size; }
    [[nodiscard]] const Patience& patience() const { return m_terms.patience; }
    /// All ranks run on one machine, as one user, and see each other's processes.
    [[nodiscard]] bool onOneHost() const { return m_onOneHost; }

    /// Replaces the bytes of every rank by rank 0's.
    [[nodiscard]] Expected<void> broadcast(std::span<std::byte> bytes) const;
    /// True on every rank when it is true on every rank.
    [[nodiscard]] Expected<bool> allAgree(bool mine) const;

    /// The first rank seen to have ended, among those that this rank is connected to.
    [[nodiscard]] std::optional<int> endedRank() const;

    /// A connection to the next rank and one from the rank before, in a ring over all ranks.
    struct Ring {
        Connection next;
        Connection previous;
    };
    [[nodiscard]] Expected<Ring> formRing(const base::Clock& clock) const;

private:
    explicit Meeting(MeetingTerms terms) : m_terms(std::move(terms)) {}

    Expected<void> host(const base::Clock& clock, std::optional<Listener> listener);
    Expected<void> admitAll(const Listener& listener, base::SteadyTime deadline, const base::Clock& clock);
    Expected<void> admit(Connection guest);
    Expected<void> join(const base::Clock& clock);
    [[nodiscard]] std::string missingRanks() const;

    MeetingTerms m_terms;
    /// On rank 0 by rank, its own empty; on others only [0].
    std::vector<Connection> m_control;
    /// Where each rank waits for its neighbour in the ring.
    std::vector<Address> m_ringAddresses;
    Listener m_ringListener;
    bool m_onOneHost = true;
};

} // namespace trialdeck::trainer::collective
