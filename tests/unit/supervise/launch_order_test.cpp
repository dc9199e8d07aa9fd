// SPDX-License-Identifier: Apache-2.0
#include "core/supervise/launch_order.h"

#include "tests/support/compare.h"

#include <QtTest>

using namespace trialdeck;
using namespace trialdeck::supervise;

class LaunchOrderTest : public QObject {
    Q_OBJECT
private slots:
    void readsBackWhatItWrites() {
        LaunchOrder order;
        order.attempt = "e/1/2";
        order.rank = 3;
        order.folder = "/a b/rank_3";
        order.socket = "/s";
        order.lock = "/l";
        order.program = "/bin/sh";
        order.command = {"sh", "-c", "", "line\nend", "\xff\xfe"};
        order.environment = {{"A", "1=2"}, {"EMPTY", ""}, {"BYTES", "\x82\n"}};
        order.workingDirectory = "/w";
        order.terminal = true;
        order.stopGrace = std::chrono::milliseconds(1500);
        order.logs = {100, 1000};
        order.quiet = {std::chrono::milliseconds(7), std::chrono::milliseconds(5)};
        order.notes = {{"master_port", "29500"}};
        order.revival = DaemonRevival{{"head", "serve"}, "/head.lock", "/stay-down"};
        std::string bytes = encodeLaunchOrder(order) + "next";
        QVERIFY(takeLaunchOrder(bytes).value().value() == order);
        QCOMPARE(bytes, std::string("next"));
    }

    void waitsForTheWholeOfIt() {
        const std::string whole = encodeLaunchOrder(LaunchOrder{});
        for (size_t length = 0; length < whole.size(); ++length) {
            std::string part = whole.substr(0, length);
            QVERIFY(!takeLaunchOrder(part).value());
            QCOMPARE(part, whole.substr(0, length));
        }
    }

    void passesOverNamesOfLaterVersions() {
        std::string bytes("colour\0red\0attempt\0a\0end\0\0", 26);
        QCOMPARE(takeLaunchOrder(bytes).value()->attempt, std::string("a"));
    }

    void aValueEndsAtItsFirstNul() {
        LaunchOrder order;
        order.command = {std::string("a\0b", 3)};
        std::string bytes = encodeLaunchOrder(order);
        QCOMPARE(takeLaunchOrder(bytes).value()->command.front(), std::string("a"));
    }

    void refusesWhatIsNoNumberByName() {
        std::string bytes("rank\0many\0end\0\0", 15);
        const auto order = takeLaunchOrder(bytes);
        QCOMPARE(order.error().code, ErrorCode::bad_message);
        QCOMPARE(order.error().arguments.at("field"), std::string("rank"));
    }
};

QTEST_GUILESS_MAIN(LaunchOrderTest)
#include "launch_order_test.moc"
