// SPDX-License-Identifier: Apache-2.0
#include "core/engine/process/read_turns.h"

#include <asio/io_context.hpp>
#include <asio/post.hpp>

#include <deque>
#include <utility>

namespace trialdeck::engine::process {

namespace {

/// After so long the loop looks at everything else before it reads on.
constexpr std::chrono::milliseconds kAtOnce{2};

} // namespace

struct ReadTurns::State : std::enable_shared_from_this<ReadTurns::State> {
    State(asio::io_context& ioLoop, const base::Clock& systemClock) : loop(ioLoop), clock(systemClock) {}

    void add(const std::shared_ptr<TurnTaker>& taker);
    void postRound();
    void playRound();

    asio::io_context& loop;
    const base::Clock& clock;
    std::deque<std::weak_ptr<TurnTaker>> queue;
    bool posted = false;
};

void ReadTurns::State::add(const std::shared_ptr<TurnTaker>& taker) {
    if (!std::exchange(taker->m_waitsForTurn, true))
        queue.push_back(taker);
}

void ReadTurns::State::postRound() {
    if (posted || queue.empty())
        return;
    posted = true;
    asio::post(loop, [weak = weak_from_this()] {
        if (const auto self = weak.lock())
            self->playRound();
    });
}

void ReadTurns::State::playRound() {
    posted = false;
    const base::SteadyTime end = clock.steadyNow() + kAtOnce;
    do {
        const std::weak_ptr<TurnTaker> next = std::move(queue.front());
        queue.pop_front();
        const auto taker = next.lock();
        if (!taker)
            continue;
        taker->m_waitsForTurn = false;
        if (taker->readPiece())
            add(taker);
    } while (!queue.empty() && clock.steadyNow() < end);
    postRound();
}

ReadTurns::ReadTurns(asio::io_context& loop, const base::Clock& clock)
    : m_state(std::make_shared<State>(loop, clock)) {}

ReadTurns::~ReadTurns() = default;

void ReadTurns::ask(const std::shared_ptr<TurnTaker>& taker) {
    m_state->add(taker);
    m_state->postRound();
}

} // namespace trialdeck::engine::process
