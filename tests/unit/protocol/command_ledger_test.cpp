// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/command_ledger.h"

#include "tests/support/compare.h"

#include <QtTest>

using namespace trialdeck;
using namespace trialdeck::protocol;
using namespace std::chrono_literals;

namespace {

CommandLedger::Key key(uint64_t id, std::string client = "c-1") {
    return {std::move(client), RequestId(id)};
}

std::string told(const CommandLedger::Answer& answer) {
    if (std::holds_alternative<CommandLedger::Fresh>(answer))
        return "fresh";
    if (std::holds_alternative<CommandLedger::Running>(answer))
        return "running";
    const auto& outcome = std::get<CommandLedger::Outcome>(answer);
    return outcome ? "done" : std::string(nameOf(outcome.error().code));
}

} // namespace

class CommandLedgerTest : public QObject {
    Q_OBJECT
private slots:
    void aCommandSentAgainIsAnsweredAndNotDoneAgain() {
        CommandLedger ledger;
        base::ManualClock clock;
        QCOMPARE(told(ledger.begin(key(1), clock.steadyNow())), std::string("fresh"));
        QCOMPARE(told(ledger.begin(key(1), clock.steadyNow())), std::string("running"));
        ledger.finish(key(1), Object{{"experiment", "e-1"}}, clock.steadyNow());
        const auto answer = ledger.begin(key(1), clock.steadyNow());
        QVERIFY(std::get<CommandLedger::Outcome>(answer).value() == (Object{{"experiment", "e-1"}}));
    }

    void failuresAreRememberedToo() {
        CommandLedger ledger;
        base::ManualClock clock;
        (void)ledger.begin(key(1), clock.steadyNow());
        ledger.finish(key(1), base::fail(ErrorCode::experiment_not_found), clock.steadyNow());
        QCOMPARE(told(ledger.begin(key(1), clock.steadyNow())), std::string("experiment_not_found"));
    }

    void clientsWithTheSameNumbersAreApart() {
        CommandLedger ledger;
        base::ManualClock clock;
        (void)ledger.begin(key(1, "c-1"), clock.steadyNow());
        QCOMPARE(told(ledger.begin(key(1, "c-2"), clock.steadyNow())), std::string("fresh"));
    }

    void resultsAreKeptForAnHour() {
        CommandLedger ledger;
        base::ManualClock clock;
        (void)ledger.begin(key(1), clock.steadyNow());
        clock.advance(90min);
        QCOMPARE(told(ledger.begin(key(1), clock.steadyNow())), std::string("running"));
        ledger.finish(key(1), Object{}, clock.steadyNow());
        clock.advance(60min);
        QCOMPARE(told(ledger.begin(key(1), clock.steadyNow())), std::string("done"));
        clock.advance(1ms);
        QCOMPARE(told(ledger.begin(key(1), clock.steadyNow())), std::string("fresh"));
    }

    void theOldestGoWhenThereAreTooMany() {
        CommandLedger ledger;
        base::ManualClock clock;
        for (uint64_t id = 1; id <= CommandLedger::kMaxEntries + 1; ++id) {
            (void)ledger.begin(key(id), clock.steadyNow());
            ledger.finish(key(id), Object{}, clock.steadyNow());
        }
        QCOMPARE(ledger.size(), CommandLedger::kMaxEntries);
        QCOMPARE(told(ledger.begin(key(2), clock.steadyNow())), std::string("done"));
        QCOMPARE(told(ledger.begin(key(1), clock.steadyNow())), std::string("fresh"));
    }
};

QTEST_APPLESS_MAIN(CommandLedgerTest)
#include "command_ledger_test.moc"
