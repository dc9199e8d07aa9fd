// SPDX-License-Identifier: Apache-2.0
#include "core/supervise/end_cause.h"

#include "core/base/control_group.h"
#include "core/base/json.h"
#include "tests/support/compare.h"

#include <QtTest>

using namespace trialdeck;
using namespace trialdeck::supervise;

namespace {

std::optional<uint64_t> numberAt(const Value& value, std::string_view name) {
    const Value* field = value.find(name);
    const auto number = field ? field->toInteger() : std::nullopt;
    return number ? std::optional(static_cast<uint64_t>(*number)) : std::nullopt;
}

std::optional<uint64_t> killsAt(const Value& value, std::string_view name) {
    const Value* field = value.find(name);
    return field && field->asString() ? base::findCounter(*field->asString(), "oom_kill") : std::nullopt;
}

EndEvidence evidenceFrom(const Value& file) {
    EndEvidence evidence;
    const Value& worker = *file.find("worker");
    if (const auto code = numberAt(worker, "exit_code"))
        evidence.exit.code = static_cast<int>(*code);
    if (const auto signal = numberAt(worker, "signal"))
        evidence.exit.signal = static_cast<int>(*signal);
    evidence.stoppedByUs = *worker.find("stopped_by_us")->asBool();
    MemoryEvidence& memory = evidence.memory;
    memory.groupKillsBefore = killsAt(file, "memory.events before");
    memory.groupKillsAfter = killsAt(file, "memory.events after");
    memory.groupIsOurs = true;
    memory.peakBytes = numberAt(file, "memory.peak");
    memory.limitBytes = numberAt(file, "memory.max");
    const std::string log = *file.find("kernel log")->asString();
    if (log.find("machine out of memory") != std::string::npos)
        memory.kernelLog = KernelLog::machineVictim;
    else if (log.find("names pid") != std::string::npos)
        memory.kernelLog = KernelLog::groupVictim;
    else if (log == "readable: nothing")
        memory.kernelLog = KernelLog::silent;
    if (const Value* machine = file.find("machine")) {
        memory.machineBytes = numberAt(*machine, "MemTotal");
        memory.lowestAvailableBytes = numberAt(*machine, "lowest MemAvailable in the last 10 s");
    }
    if (const Value* tail = file.find("stderr tail"))
        evidence.logTail = *tail->asString();
    return evidence;
}

/// "code argument=value …", without the detail.
std::string causeOf(const EndEvidence& evidence) {
    const auto cause = classifyEnd(evidence);
    if (!cause)
        return "no failure";
    std::string text(nameOf(cause->code));
    for (const auto& [name, value] : cause->arguments)
        text += " " + name + "=" + value;
    return text;
}

EndEvidence killed() {
    EndEvidence evidence;
    evidence.exit.signal = 9;
    return evidence;
}

} // namespace

class EndCauseTest : public QObject {
    Q_OBJECT
private slots:
    void namesTheCauseOfEachPublicReport_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("cause");
        QTest::newRow("the trial's own limit")
            << "1-cgroup-oom"
            << "worker_out_of_memory limit_bytes=4294967296 peak_bytes=4294967296 scope=limit sure=yes";
        QTest::newRow("a child was killed, the worker ended with 1")
            << "2-child-oom-parent-exits-1"
            << "worker_out_of_memory limit_bytes=4294967296 peak_bytes=4294900000 scope=limit sure=yes";
        QTest::newRow("killed from outside with much memory free")
            << "3-killed-by-someone"
            << "worker_signal hint=killed_by_someone limit_bytes=4294967296 peak_bytes=1300000000 signal=9";
        QTest::newRow("code 137 is not signal 9") << "4-returns-137"
                                                  << "worker_exit exit_code=137 hint=killed_code";
        QTest::newRow("code 137 and the counter rose from 4 to 5")
            << "5-shell-137"
            << "worker_out_of_memory limit_bytes=8589934592 peak_bytes=8589934592 scope=limit sure=yes";
        QTest::newRow("the whole machine") << "6-machine-oom"
                                           << "worker_out_of_memory machine_bytes=67108864000 "
                                              "peak_bytes=60000000000 scope=machine sure=yes";
        QTest::newRow("stopped by us") << "7-stopped-by-us"
                                       << "no failure";
        QTest::newRow("the GPU library's words are quoted")
            << "8-gpu-memory"
            << "worker_exit exit_code=1 hint=gpu_memory quote=RuntimeError: the device has no memory left "
               "for 2.00 GiB";
        QTest::newRow("nothing is known") << "9-no-information"
                                          << "worker_killed_unknown signal=9";
    }
    void namesTheCauseOfEachPublicReport() {
        QFETCH(QString, file);
        QFETCH(QString, cause);
        base::PosixFileSystem files;
        const auto text =
            base::readWholeFile(files, base::Path(TRIALDECK_SOURCE_DIR) / "tests/cases/C61-oom-or-not" /
                                           (file.toStdString() + ".json"));
        QVERIFY(text);
        QCOMPARE(causeOf(evidenceFrom(base::parseJson(*text).value())), cause.toStdString());
    }

    void exitCodeZeroIsNoFailureWhateverTheCounters() {
        EndEvidence evidence;
        evidence.exit.code = 0;
        evidence.memory.groupIsOurs = true;
        evidence.memory.groupKillsBefore = 0;
        evidence.memory.groupKillsAfter = 1;
        QCOMPARE(causeOf(evidence), std::string("no failure"));
    }

    void aCounterThatOthersShareBlamesOnlyTheKilled() {
        EndEvidence evidence = killed();
        evidence.memory.groupKillsBefore = 1;
        evidence.memory.groupKillsAfter = 2;
        evidence.memory.limitBytes = 1000;
        QCOMPARE(causeOf(evidence), std::string("worker_out_of_memory limit_bytes=1000 scope=limit sure=no"));
        evidence.exit = {1, std::nullopt};
        QCOMPARE(causeOf(evidence), std::string("worker_exit exit_code=1"));
    }

    void theKernelsLogOverrulesASharedCounter() {
        EndEvidence evidence = killed();
        evidence.memory.machineKillsBefore = 1;
        evidence.memory.machineKillsAfter = 2;
        evidence.memory.kernelLog = KernelLog::silent;
        QVERIFY(causeOf(evidence).rfind("worker_killed_unknown", 0) == 0);
        evidence.memory.kernelLog = KernelLog::machineVictim;
        QCOMPARE(causeOf(evidence), std::string("worker_out_of_memory scope=machine sure=yes"));
    }

    void withoutAnyKillOnTheMachineSomebodyElseKilledIt() {
        EndEvidence evidence = killed();
        evidence.memory.machineKillsBefore = 3;
        evidence.memory.machineKillsAfter = 3;
        QCOMPARE(causeOf(evidence), std::string("worker_signal hint=killed_by_someone signal=9"));
    }

    void quotesTheLastLineThatSpeaksOfAFullAccelerator() {
        EndEvidence evidence;
        evidence.exit.code = 1;
        evidence.logTail = "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 1 GiB\n"
                           "  File \"train.py\", line 3\nbye\n";
        QCOMPARE(causeOf(evidence), std::string("worker_exit exit_code=1 hint=gpu_memory quote="
                                                "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to "
                                                "allocate 1 GiB"));
    }

    void anEndWithoutRecordIsLost() { QCOMPARE(causeOf(EndEvidence{}), std::string("worker_lost")); }
};

QTEST_GUILESS_MAIN(EndCauseTest)
#include "end_cause_test.moc"
