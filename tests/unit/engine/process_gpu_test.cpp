// SPDX-License-Identifier: Apache-2.0
#include "core/engine/process/compute_apps.h"
#include "tests/support/compare.h"
#include "tests/support/process_engine_probe.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace trialdeck;
using namespace trialdeck::engine;
using trialdeck::tests::ProcessEngineProbe;
using namespace std::chrono_literals;

/// A node with GPUs, as a program tells that stands for nvidia-smi.
class ProcessGpuTest : public QObject {
    Q_OBJECT
private slots:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        write("nvidia-smi", "#!/bin/sh\ncase $1 in -L) cat '" + path("list") + "';; *) cat '" + path("apps") +
                                "';; esac\n");
        std::filesystem::permissions(folder() / "nvidia-smi", std::filesystem::perms::owner_all);
        write("list", "GPU 0: X100 (UUID: GPU-a0)\nGPU 1: X100 (UUID: GPU-b1)\nGPU 2: X100 (UUID: GPU-c2)\n");
        write("apps", "");
        m_path = qgetenv("PATH");
        qputenv("PATH", m_folder->path().toUtf8() + ":" + m_path);
        qunsetenv("CUDA_VISIBLE_DEVICES");
        m_probe = std::make_unique<ProcessEngineProbe>(folder());
        m_probe->options().devices.reset();
        m_probe->options().gpuLook = 20ms;
    }
    void cleanup() {
        m_probe.reset();
        qputenv("PATH", m_path);
        qunsetenv("CUDA_VISIBLE_DEVICES");
    }

    void ranksSeeTheirGpusByUuid() {
        m_probe->restart();
        AttemptRequest gang = m_probe->request(1, {"env=CUDA_VISIBLE_DEVICES", "env=CUDA_DEVICE_ORDER"}, 2);
        gang.perWorker.gpu = 1;
        QVERIFY(m_probe->engine().start(gang));
        m_probe->engine().watchOutput(gang.key);
        QVERIFY(m_probe->runUntilTold("over 1"));
        QCOMPARE(m_probe->lines("output", 1, 0),
                 std::vector<std::string>({"CUDA_VISIBLE_DEVICES=GPU-a0", "CUDA_DEVICE_ORDER=PCI_BUS_ID"}));
        QCOMPARE(m_probe->lines("output", 1, 1),
                 std::vector<std::string>({"CUDA_VISIBLE_DEVICES=GPU-b1", "CUDA_DEVICE_ORDER=PCI_BUS_ID"}));
    }

    void aWorkerWithoutGpuSeesNone() {
        m_probe->restart();
        const AttemptRequest request = m_probe->request(1, {"env=CUDA_VISIBLE_DEVICES"});
        QVERIFY(m_probe->engine().start(request));
        m_probe->engine().watchOutput(request.key);
        QVERIFY(m_probe->runUntilTold("output 1.0 CUDA_VISIBLE_DEVICES="));
        QVERIFY(m_probe->runUntilTold("over 1"));
    }

    void theHeadsOwnListIsKept() {
        qputenv("CUDA_VISIBLE_DEVICES", "2,0,7");
        m_probe->restart();
        const Node node = m_probe->engine().nodes().front();
        QCOMPARE(node.gpus.size(), size_t{2});
        QCOMPARE(node.gpus.front().uuid, std::string("GPU-c2"));
        QVERIFY(node.note.find('7') != std::string::npos);
    }

    void othersWorkIsShownAndLeftAlone() {
        write("apps", "GPU-a0, 1\n");
        m_probe->restart();
        QVERIFY(m_probe->runUntil([this] { return m_probe->engine().nodes().front().gpus[0].busy; }));
        QVERIFY(!m_probe->engine().place(1, {1, 3, 0, {}}).fitsNow);
        QVERIFY(m_probe->engine().place(1, {1, 2, 0, {}}).fitsNow);
        write("apps", "");
        QVERIFY(m_probe->runUntil([this] { return !m_probe->engine().nodes().front().gpus[0].busy; }));
        QVERIFY(m_probe->engine().place(1, {1, 3, 0, {}}).fitsNow);
    }

    void ourOwnWorkIsNotOthers() {
        m_probe->restart();
        AttemptRequest request = m_probe->request(1, {"pid=" + path("pid"), "hang"});
        request.perWorker.gpu = 1;
        QVERIFY(m_probe->engine().start(request));
        QVERIFY(m_probe->runUntil([this] { return QFile(m_folder->filePath("pid")).size() > 1; }));
        QFile pid(m_folder->filePath("pid"));
        QVERIFY(pid.open(QIODevice::ReadOnly));
        write("apps", "GPU-a0, " + pid.readAll().toStdString() + "GPU-b1, 1\n");
        QVERIFY(m_probe->runUntil([this] { return m_probe->engine().nodes().front().gpus[1].busy; }));
        QVERIFY(!m_probe->engine().nodes().front().gpus[0].busy);
        m_probe->engine().stop(request.key);
        QVERIFY(m_probe->runUntilTold("over 1"));
    }

    void readsWhoComputes() {
        const std::vector<process::ComputeApp> expected{{"GPU-a", 12}, {"GPU-b", 0}};
        QVERIFY(process::parseComputeApps("GPU-a, 12\nGPU-b, [N/A]\n\nNo devices were found\nGPU-c\n") ==
                expected);
    }

private:
    base::Path folder() const { return m_folder->path().toStdString(); }
    std::string path(const char* name) const { return (folder() / name).native(); }
    void write(const char* name, const std::string& text) {
        base::PosixFileSystem files;
        QVERIFY(base::replaceFile(files, folder() / name, text));
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<ProcessEngineProbe> m_probe;
    QByteArray m_path;
};

QTEST_GUILESS_MAIN(ProcessGpuTest)
#include "process_gpu_test.moc"
