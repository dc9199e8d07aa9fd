// SPDX-License-Identifier: Apache-2.0
#include "core/engine/process/read_turns.h"
#include "tests/support/compare.h"

#include <QtTest>

#include <asio/io_context.hpp>
#include <asio/post.hpp>

using namespace trialdeck;
using engine::process::ReadTurns;
using engine::process::TurnTaker;

namespace {

/// Writes its name into the list for each piece that it reads; each takes so long.
class Reader final : public TurnTaker {
public:
    Reader(std::string name, int pieces, std::string& list, base::ManualClock& clock,
           std::chrono::milliseconds time = {})
        : m_name(std::move(name)), m_pieces(pieces), m_list(list), m_clock(clock), m_time(time) {}
    bool readPiece() override {
        m_list += m_name;
        m_clock.advance(m_time);
        return --m_pieces > 0;
    }

private:
    std::string m_name;
    int m_pieces;
    std::string& m_list;
    base::ManualClock& m_clock;
    std::chrono::milliseconds m_time;
};

} // namespace

class ReadTurnsTest : public QObject {
    Q_OBJECT

private slots:
    void thoseWithMoreToReadTakeTurns() {
        const auto flood = std::make_shared<Reader>("a", 4, m_list, m_clock);
        const auto other = std::make_shared<Reader>("b", 2, m_list, m_clock);
        m_turns.ask(flood);
        m_turns.ask(other);
        QCOMPARE(run(), std::string("ababaa"));
    }

    void askingTwiceIsOneTurn() {
        const auto reader = std::make_shared<Reader>("a", 1, m_list, m_clock);
        m_turns.ask(reader);
        m_turns.ask(reader);
        QCOMPARE(run(), std::string("a"));
        m_turns.ask(reader);
        QCOMPARE(run(), std::string("a"));
    }

    void theRestOfTheLoopComesBetween() {
        const auto slow = std::make_shared<Reader>("a", 3, m_list, m_clock, std::chrono::milliseconds(5));
        m_turns.ask(slow);
        asio::post(m_loop, [this] { m_list += "-"; });
        QCOMPARE(run(), std::string("a-aa"));
    }

    void whoIsGoneIsPassedOver() {
        auto gone = std::make_shared<Reader>("a", 1, m_list, m_clock);
        const auto stays = std::make_shared<Reader>("b", 1, m_list, m_clock);
        m_turns.ask(gone);
        m_turns.ask(stays);
        gone.reset();
        QCOMPARE(run(), std::string("b"));
    }

private:
    std::string run() {
        m_loop.restart();
        m_loop.run();
        return std::exchange(m_list, {});
    }

    asio::io_context m_loop;
    base::ManualClock m_clock;
    ReadTurns m_turns{m_loop, m_clock};
    std::string m_list;
};

QTEST_GUILESS_MAIN(ReadTurnsTest)
#include "read_turns_test.moc"
