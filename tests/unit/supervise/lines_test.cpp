// SPDX-License-Identifier: Apache-2.0
#include "core/supervise/lines.h"

#include "tests/support/compare.h"

#include <QtTest>

using namespace trialdeck;
using namespace trialdeck::supervise;
using namespace std::chrono_literals;

namespace {

template<typename Line>
std::string withoutNewline(const Line& line) {
    std::string text = encodeLine(line);
    text.pop_back();
    return text;
}

base::WallTime at(int64_t milliseconds) {
    return base::WallTime(std::chrono::milliseconds(1767225600000 + milliseconds));
}

} // namespace

class LinesTest : public QObject {
    Q_OBJECT
private slots:
    void greetingReadsBack() {
        SupervisorRecord record{
            "e/1/0", 2, 100, 101, 123456, "host", "boot", "/s", "/l", at(0), {{"gpus", "GPU-1"}}};
        const auto line = parseSupervisorLine(withoutNewline(record));
        QVERIFY(std::get<SupervisorRecord>(line) == record);
    }

    void exitReadsBack() {
        ExitRecord record;
        record.attempt = "e/1/0";
        record.rank = 2;
        record.evidence.exit.signal = 9;
        record.evidence.stoppedByUs = true;
        record.evidence.memory = {0, 1, 2, std::nullopt, true, 5, 6, KernelLog::machineVictim, 7, 8};
        record.evidence.logTail = "last\nwords";
        record.startFailure = Error{ErrorCode::command_not_found, {{"command", "x"}}, "start x"};
        record.startedAt = at(1);
        record.endedAt = at(2500);
        record.duration = 2499ms;
        record.outputBytes = 10;
        record.errorBytes = 20;
        record.lostLogBytes = 30;
        const auto line = parseSupervisorLine(withoutNewline(record));
        QVERIFY(std::get<ExitRecord>(line) == record);
    }

    void requestsReadBack() {
        const auto stop = parseClientLine(withoutNewline(StopRequest{1500ms}));
        QCOMPARE(std::get<StopRequest>(stop).grace.count(), int64_t{1500});
        QVERIFY(std::holds_alternative<StatusRequest>(parseClientLine(withoutNewline(StatusRequest{}))));
        const StatusReport report{1, 2, 3, true};
        QVERIFY(std::get<StatusReport>(parseSupervisorLine(withoutNewline(report))) == report);
        QVERIFY(std::holds_alternative<QuietNotice>(parseSupervisorLine(withoutNewline(QuietNotice{}))));
    }

    void passesOverWhatItDoesNotKnow_data() {
        QTest::addColumn<QByteArray>("line");
        for (const char* line : {"", "{", "[]", "null", "{\"exit\":{}}", "{\"exit\":[]}", "{\"hello\":3}",
                                 "{\"later\":{}}", "\xff\xfe"})
            QTest::newRow(line) << QByteArray(line);
    }
    void passesOverWhatItDoesNotKnow() {
        QFETCH(QByteArray, line);
        QVERIFY(std::holds_alternative<UnknownLine>(parseSupervisorLine(line.toStdString())));
        QVERIFY(std::holds_alternative<UnknownLine>(parseClientLine(line.toStdString())));
    }

    void aSenselessGraceIsNone() {
        for (const char* line : {"{\"stop\":{}}", "{\"stop\":{\"grace_s\":-1}}",
                                 "{\"stop\":{\"grace_s\":NaN}}", "{\"stop\":{\"grace_s\":\"x\"}}"})
            QCOMPARE(std::get<StopRequest>(parseClientLine(line)).grace.count(), int64_t{0});
        QVERIFY(std::get<StopRequest>(parseClientLine("{\"stop\":{\"grace_s\":1e300}}")).grace > 1h);
    }

    void linesAreTakenWhole() {
        std::string bytes = "a\nbc\nd";
        QCOMPARE(takeLine(bytes).value(), std::string("a"));
        QCOMPARE(takeLine(bytes).value(), std::string("bc"));
        QVERIFY(!takeLine(bytes));
        QCOMPARE(bytes, std::string("d"));
    }
};

QTEST_GUILESS_MAIN(LinesTest)
#include "lines_test.moc"
