// SPDX-License-Identifier: Apache-2.0
#include "core/engine/process/resource_ledger.h"

#include "tests/support/compare.h"

#include <QtTest>

using namespace trialdeck::engine;
using namespace trialdeck::engine::process;

namespace {

AttemptKey key(uint32_t trial) {
    return {"e", trial, 0};
}

Device device(const char* uuid, bool instance = false) {
    return {uuid, "X100", 0, instance};
}

/// "fits", "fits alone", "waits for …".
std::string said(const Engine::Placement& placement) {
    if (!placement.fitsNow)
        return "waits for " + placement.waitsFor;
    return placement.aboveNode ? "fits alone" : "fits";
}

std::string joined(const ResourceLedger::DevicesByRank& devices) {
    std::string text;
    for (const auto& ofRank : devices) {
        text += text.empty() ? "" : " | ";
        for (size_t i = 0; i < ofRank.size(); ++i)
            text += (i > 0 ? "," : "") + ofRank[i];
    }
    return text;
}

constexpr uint64_t kGibibyte = uint64_t{1} << 30;

} // namespace

class ResourceLedgerTest : public QObject {
    Q_OBJECT
private slots:
    void givesWhatIsLeft() {
        ResourceLedger ledger({4, 8 * kGibibyte, {}, {{"license", 1}}});
        QCOMPARE(said(ledger.place(4, {1, 0, 2 * kGibibyte, {}})), std::string("fits"));
        ledger.reserve(key(1), 2, {1.5, 0, 3 * kGibibyte, {{"license", 0.5}}});
        QCOMPARE(ledger.cpusUsed(), 3.0);
        QCOMPARE(ledger.memoryReserved(), 6 * kGibibyte);
        QCOMPARE(said(ledger.place(1, {1, 0, 2 * kGibibyte, {}})), std::string("fits"));
        QCOMPARE(said(ledger.place(2, {1, 0, 0, {}})), std::string("waits for 2 CPU"));
        QCOMPARE(said(ledger.place(1, {2, 0, 3 * kGibibyte, {}})),
                 std::string("waits for 2 CPU, 3 GiB memory"));
        QCOMPARE(said(ledger.place(1, {0, 0, 0, {{"license", 1}}})), std::string("waits for 1 license"));
        ledger.release(key(1));
        QCOMPARE(said(ledger.place(1, {4, 0, 8 * kGibibyte, {{"license", 1}}})), std::string("fits"));
    }

    void tenTenthsAreOne() {
        ResourceLedger ledger({1, 0, {}, {}});
        for (uint32_t trial = 0; trial < 10; ++trial) {
            QCOMPARE(said(ledger.place(1, {0.1, 0, 0, {}})), std::string("fits"));
            ledger.reserve(key(trial), 1, {0.1, 0, 0, {}});
        }
        QCOMPARE(said(ledger.place(1, {0.1, 0, 0, {}})), std::string("waits for 0.1 CPU"));
    }

    void aRequestAboveTheNodeRunsAlone() {
        ResourceLedger ledger({0.5, kGibibyte, {}, {}});
        QCOMPARE(said(ledger.place(1, {1, 0, 0, {}})), std::string("fits alone"));
        ledger.reserve(key(1), 1, {0.1, 0, 0, {}});
        QCOMPARE(said(ledger.place(1, {1, 0, 0, {}})), std::string("waits for the whole node"));
        ledger.release(key(1));
        ledger.reserve(key(2), 1, {0, 0, 2 * kGibibyte, {}});
        QCOMPARE(said(ledger.place(1, {0.1, 0, 0, {}})),
                 std::string("waits for the end of a trial that needs the whole node"));
    }

    void gpusAreGivenByUuidInTheOrderOfTheList() {
        ResourceLedger ledger({8, 0, {device("GPU-c"), device("GPU-a"), device("GPU-b")}, {}});
        QCOMPARE(joined(ledger.reserve(key(1), 2, {1, 1, 0, {}})), std::string("GPU-c | GPU-a"));
        QCOMPARE(said(ledger.place(2, {1, 1, 0, {}})), std::string("waits for 2 GPU"));
        QCOMPARE(joined(ledger.reserve(key(2), 1, {1, 1, 0, {}})), std::string("GPU-b"));
        QCOMPARE(ledger.gpus().at(1).user.value().trial, 1U);
        ledger.release(key(1));
        QCOMPARE(joined(ledger.reserve(key(3), 1, {1, 2, 0, {}})), std::string("GPU-c,GPU-a"));
    }

    void halfAGpuIsSharedByTwo() {
        ResourceLedger ledger({8, 0, {device("GPU-a"), device("GPU-b")}, {}});
        QCOMPARE(joined(ledger.reserve(key(1), 1, {1, 0.5, 0, {}})), std::string("GPU-a"));
        QCOMPARE(joined(ledger.reserve(key(2), 3, {1, 0.5, 0, {}})), std::string("GPU-a | GPU-b | GPU-b"));
        QCOMPARE(said(ledger.place(1, {1, 0.5, 0, {}})), std::string("waits for 0.5 GPU"));
    }

    void gpusWithOthersWorkAreShownAndNotGiven() {
        ResourceLedger ledger({8, 0, {device("GPU-a"), device("GPU-b")}, {}});
        ledger.setBusyDevices({"GPU-a"});
        QVERIFY(ledger.gpus().at(0).busy);
        QCOMPARE(said(ledger.place(2, {1, 1, 0, {}})), std::string("waits for 2 GPU"));
        QCOMPARE(joined(ledger.reserve(key(1), 1, {1, 1, 0, {}})), std::string("GPU-b"));
    }

    void oneProcessGetsOneInstanceOfACutGpu() {
        ResourceLedger ledger({8, 0, {device("MIG-a", true), device("MIG-b", true)}, {}});
        QCOMPARE(joined(ledger.reserve(key(1), 2, {1, 1, 0, {}})), std::string("MIG-a | MIG-b"));
        ledger.release(key(1));
        QCOMPARE(said(ledger.place(1, {1, 2, 0, {}})), std::string("fits alone"));
        QCOMPARE(joined(ledger.reserve(key(2), 1, {1, 2, 0, {}})), std::string(""));
    }

    void whatAnEarlierDaemonGaveIsTakenUp() {
        ResourceLedger ledger({8, 0, {device("GPU-a"), device("GPU-b")}, {}});
        ledger.reserveGiven(key(1), 1, {1, 1, 0, {}}, {{"GPU-b"}});
        QCOMPARE(joined(ledger.reserve(key(2), 1, {1, 1, 0, {}})), std::string("GPU-a"));
    }
};

QTEST_GUILESS_MAIN(ResourceLedgerTest)
#include "resource_ledger_test.moc"
