// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.h"

#include <memory>

namespace asio {
class io_context;
}

namespace trialdeck::engine::process {

/// What has something to read and reads it piece by piece.
class TurnTaker {
public:
    virtual ~TurnTaker() = default;
    /// Reads one piece. @return whether more may be there at once
    virtual bool readPiece() = 0;

private:
    friend class ReadTurns;
    bool m_waitsForTurn = false;
};

/// Lets those who have something to read take turns, so that neither one flooding worker keeps the loop from
/// the others, nor all of them together keep it from clients and timers. Owned by a process engine; lives on
/// its loop.
class ReadTurns {
public:
    ReadTurns(asio::io_context& loop, const base::Clock& clock);
    ~ReadTurns();
    ReadTurns(const ReadTurns&) = delete;
    ReadTurns& operator=(const ReadTurns&) = delete;

    /// It gets its turn soon, from the loop; once, however often it asks before.
    void ask(const std::shared_ptr<TurnTaker>& taker);

private:
    struct State;
    std::shared_ptr<State> m_state;
};

} // namespace trialdeck::engine::process
