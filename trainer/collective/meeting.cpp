// SPDX-License-Identifier: Apache-2.0
#include "trainer/collective/meeting.h"

#include "core/base/host.h"
#include "core/base/sha256.h"

#include <array>
#include <cstring>
#include <poll.h>
#include <unistd.h>

namespace trialdeck::trainer::collective {

namespace {

// The messages of the meeting are these structs as they lie in memory: all workers run the same program on
// x86-64. The magic word changes with them.
constexpr std::array<char, 8> kMagic = {'T', 'D', 'M', 'E', 'E', 'T', '0', '1'};
constexpr size_t kDigestBytes = 64;
using Digest = std::array<char, kDigestBytes>;

/// For a guest that connected but does not say who it is: a stray connection, not a worker.
constexpr std::chrono::milliseconds kIntroduction{2000};

struct Hello {
    std::array<char, 8> magic = kMagic;
    int32_t rank = 0;
    int32_t size = 0;
    Digest group = {};
    Digest options = {};
    /// Machine, user and process namespace.
    Digest host = {};
    uint16_t ringPort = 0;
};

enum class Verdict : uint32_t { welcome, otherGroup, otherSize, otherOptions, rankTaken };

struct Answer {
    std::array<char, 8> magic = kMagic;
    Verdict verdict = Verdict::welcome;
    int32_t sizeOfHost = 0;
};

struct RosterEntry {
    Address ringAddress;
    uint8_t onOneHost = 0;
};

Digest digest(std::string_view text) {
    const std::string hex = base::sha256Hex(text);
    Digest result{};
    std::copy_n(hex.begin(), std::min(hex.size(), result.size()), result.begin());
    return result;
}

/// Equal for two processes that can open each other's files in /proc.
Digest hostIdentity() {
    std::array<char, 64> processNamespace{};
    const ssize_t length = readlink("/proc/self/ns/pid", processNamespace.data(), processNamespace.size());
    return digest(base::bootId() + " " + std::to_string(geteuid()) + " " +
                  std::string(processNamespace.data(), length > 0 ? static_cast<size_t>(length) : 0));
}

Hello helloOf(const MeetingTerms& terms, uint16_t ringPort) {
    return {kMagic,         terms.world.rank, terms.world.size, digest(terms.group), digest(terms.options),
            hostIdentity(), ringPort};
}

template<typename T>
std::span<std::byte> bytesOf(T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    return std::as_writable_bytes(std::span(&value, 1));
}

template<typename T>
std::span<const std::byte> constBytesOf(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    return std::as_bytes(std::span(&value, 1));
}

std::string rankName(int rank, const Address& address) {
    return "rank " + std::to_string(rank) + " (" + address.text() + ")";
}

base::Unexpected refused(Verdict verdict, int sizeOfHost, const std::string& who) {
    std::string reason = "another worker has its rank already";
    if (verdict == Verdict::otherGroup)
        reason = "it belongs to another trial";
    else if (verdict == Verdict::otherSize)
        reason = "rank 0 was started with WORLD_SIZE " + std::to_string(sizeOfHost);
    else if (verdict == Verdict::otherOptions)
        reason = "it was started with other options than rank 0";
    return base::fail(ErrorCode::connection_refused, {{"peer", who}, {"reason", reason}},
                      who + " was turned away by rank 0: " + reason);
}

} // namespace

Expected<Meeting> Meeting::hold(const MeetingTerms& terms, const base::Clock& clock,
                                std::optional<Listener> listener) {
    Meeting meeting(terms);
    const auto met = terms.world.rank == 0 ? meeting.host(clock, std::move(listener)) : meeting.join(clock);
    if (!met)
        return tl::make_unexpected(met.error());
    return meeting;
}

std::string Meeting::missingRanks() const {
    std::string missing;
    for (int rank = 1; rank < size(); ++rank) {
        if (m_control[static_cast<size_t>(rank)].socket() < 0)
            missing += (missing.empty() ? "" : ", ") + std::to_string(rank);
    }
    return missing;
}

Expected<void> Meeting::host(const base::Clock& clock, std::optional<Listener> listener) {
    const base::SteadyTime deadline = clock.steadyNow() + patience().meeting;
    const World& world = m_terms.world;
    const auto address = resolve(world.masterAddress, world.masterPort);
    if (!address)
        return tl::make_unexpected(address.error());
    if (!listener) {
        auto opened = Listener::open(*address);
        if (!opened)
            return tl::make_unexpected(opened.error());
        listener = *std::move(opened);
    }
    auto ringListener = Listener::open(address->withPort(0));
    if (!ringListener)
        return tl::make_unexpected(ringListener.error());
    m_ringListener = *std::move(ringListener);

    m_control.resize(static_cast<size_t>(size()));
    m_ringAddresses.resize(static_cast<size_t>(size()));
    m_ringAddresses[0] = address->withPort(m_ringListener.port());
    TRIALDECK_TRY(admitAll(*listener, deadline, clock));

    std::vector<RosterEntry> roster;
    for (const Address& ringAddress : m_ringAddresses)
        roster.push_back({ringAddress, static_cast<uint8_t>(m_onOneHost)});
    const Answer welcome{kMagic, Verdict::welcome, size()};
    for (size_t guest = 1; guest < m_control.size(); ++guest) {
        TRIALDECK_TRY(m_control[guest].send(constBytesOf(welcome), patience().silence));
        TRIALDECK_TRY(m_control[guest].send(std::as_bytes(std::span(roster)), patience().silence));
    }
    return {};
}

Expected<void> Meeting::admitAll(const Listener& listener, base::SteadyTime deadline,
                                 const base::Clock& clock) {
    while (!missingRanks().empty()) {
        std::vector<pollfd> events{{listener.socket(), POLLIN, 0}};
        for (const Connection& guest : m_control)
            events.push_back({guest.socket(), POLLRDHUP, 0});
        const int ready = poll(events.data(), events.size(), pollTimeout(deadline, clock));
        if (ready == 0)
            return base::fail(ErrorCode::timed_out, {{"ranks", missingRanks()}},
                              "waited " + std::to_string(patience().meeting.count() / 1000) + " s at " +
                                  m_terms.world.masterAddress + " port " + std::to_string(listener.port()) +
                                  ", but rank " + missingRanks() + " did not come");
        if (const auto ended = endedRank())
            return tl::make_unexpected(m_control[static_cast<size_t>(*ended)].lost());
        if (ready < 0 || events[0].revents == 0)
            continue;
        auto guest = listener.accept(deadline, clock);
        if (guest)
            TRIALDECK_TRY(admit(*std::move(guest)));
    }
    return {};
}

Expected<void> Meeting::admit(Connection guest) {
    Hello hello;
    if (!guest.receive(bytesOf(hello), kIntroduction) || hello.magic != kMagic)
        return {};
    const Hello own = helloOf(m_terms, 0);
    const auto rank = static_cast<size_t>(hello.rank);
    Verdict verdict = Verdict::welcome;
    if (hello.group != own.group)
        verdict = Verdict::otherGroup;
    else if (hello.size != own.size || rank == 0 || rank >= m_control.size())
        verdict = Verdict::otherSize;
    else if (hello.options != own.options)
        verdict = Verdict::otherOptions;
    else if (m_control[rank].socket() >= 0)
        verdict = Verdict::rankTaken;

    const Address peer = peerAddress(guest.socket());
    guest.renamePeer(rankName(hello.rank, peer));
    if (verdict != Verdict::welcome) {
        const Answer answer{kMagic, verdict, own.size};
        // The guest may be gone already; the meeting goes on or ends in the same way.
        static_cast<void>(guest.send(constBytesOf(answer), kIntroduction));
        if (verdict == Verdict::otherGroup)
            return {};
        return refused(verdict, own.size, guest.peer());
    }
    m_onOneHost = m_onOneHost && hello.host == own.host;
    m_ringAddresses[rank] = peer.withPort(hello.ringPort);
    m_control[rank] = std::move(guest);
    return {};
}

Expected<void> Meeting::join(const base::Clock& clock) {
    const base::SteadyTime deadline = clock.steadyNow() + patience().meeting;
    const World& world = m_terms.world;
    const auto address = resolve(world.masterAddress, world.masterPort);
    if (!address)
        return tl::make_unexpected(address.error());
    auto connected = connectTo(*address, deadline, clock);
    if (!connected)
        return tl::make_unexpected(std::move(connected).error().during("look for rank 0"));
    Connection host = *std::move(connected);
    host.renamePeer(rankName(0, *address));

    auto ringListener = Listener::open(localAddress(host.socket()).withPort(0));
    if (!ringListener)
        return tl::make_unexpected(ringListener.error());
    m_ringListener = *std::move(ringListener);
    const Hello hello = helloOf(m_terms, m_ringListener.port());
    TRIALDECK_TRY(host.send(constBytesOf(hello), patience().silence));

    Answer answer;
    TRIALDECK_TRY(host.receive(bytesOf(answer), patience().meeting));
    if (answer.magic != kMagic)
        return base::fail(ErrorCode::bad_message, {{"peer", host.peer()}},
                          "what answers at " + address->text() + " is no worker of trialdeck-train");
    if (answer.verdict != Verdict::welcome)
        return refused(answer.verdict, answer.sizeOfHost, "rank " + std::to_string(rank()));
    std::vector<RosterEntry> roster(static_cast<size_t>(size()));
    TRIALDECK_TRY(host.receive(std::as_writable_bytes(std::span(roster)), patience().silence));
    for (const RosterEntry& entry : roster)
        m_ringAddresses.push_back(entry.ringAddress);
    m_onOneHost = roster.front().onOneHost != 0;
    m_control.push_back(std::move(host));
    return {};
}

Expected<void> Meeting::broadcast(std::span<std::byte> bytes) const {
    if (rank() != 0)
        return m_control[0].receive(bytes, patience().silence);
    for (size_t guest = 1; guest < m_control.size(); ++guest)
        TRIALDECK_TRY(m_control[guest].send(bytes, patience().silence));
    return {};
}

Expected<bool> Meeting::allAgree(bool mine) const {
    auto vote = static_cast<std::byte>(mine);
    if (rank() != 0) {
        TRIALDECK_TRY(m_control[0].send({&vote, 1}, patience().silence));
    } else {
        for (size_t guest = 1; guest < m_control.size(); ++guest) {
            std::byte other{};
            TRIALDECK_TRY(m_control[guest].receive({&other, 1}, patience().silence));
            vote &= other;
        }
    }
    TRIALDECK_TRY(broadcast({&vote, 1}));
    return vote != std::byte{0};
}

std::optional<int> Meeting::endedRank() const {
    for (size_t i = 0; i < m_control.size(); ++i) {
        if (m_control[i].socket() >= 0 && m_control[i].ended())
            return static_cast<int>(i);
    }
    return std::nullopt;
}

Expected<Meeting::Ring> Meeting::formRing(const base::Clock& clock) const {
    const base::SteadyTime deadline = clock.steadyNow() + patience().meeting;
    const int next = (rank() + 1) % size();
    const int previous = (rank() + size() - 1) % size();
    const Address& nextAddress = m_ringAddresses[static_cast<size_t>(next)];
    auto toNext = connectTo(nextAddress, deadline, clock);
    if (!toNext)
        return tl::make_unexpected(std::move(toNext).error().during("look for rank " + std::to_string(next)));
    toNext->renamePeer(rankName(next, nextAddress));
    const Hello hello = helloOf(m_terms, 0);
    TRIALDECK_TRY(toNext->send(constBytesOf(hello), patience().silence));
    for (;;) {
        auto guest = m_ringListener.accept(deadline, clock);
        if (!guest)
            return tl::make_unexpected(
                std::move(guest).error().during("wait for rank " + std::to_string(previous)));
        Hello theirs;
        if (!guest->receive(bytesOf(theirs), kIntroduction) || theirs.magic != kMagic ||
            theirs.group != hello.group || theirs.rank != previous)
            continue;
        guest->renamePeer(rankName(previous, peerAddress(guest->socket())));
        return Ring{*std::move(toNext), *std::move(guest)};
    }
}

} // namespace trialdeck::trainer::collective
