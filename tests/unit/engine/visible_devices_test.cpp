// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "core/engine/visible_devices.h"
#include "tests/support/compare.h"

using namespace trialdeck;
using namespace trialdeck::engine;

class VisibleDevicesTest : public QObject {
    Q_OBJECT
private slots:
    void handsOutWhatCudaWouldShow_data() {
        QTest::addColumn<QByteArray>("number");
        QTest::addColumn<QByteArray>("devices");
        QTest::addColumn<bool>("wrong");
        QTest::addColumn<QByteArray>("noteNames");
        const auto row = [](const char* number, const char* devices, bool wrong, const char* noteNames) {
            QTest::newRow(number) << QByteArray(number) << QByteArray(devices) << wrong
                                  << QByteArray(noteNames);
        };
        row("01", "0 1.0 1.1 1.2 2 3", false, "");
        row("02", "", false, "hides all");
        row("03", "0", false, "");
        row("04", "2 0", false, "");
        row("05", "0 2", false, "");
        row("06", "0 2", false, "\"-1\"");
        row("07", "", false, "hides all");
        row("08", "0", false, "\"7\"");
        row("09", "", true, "twice");
        row("10", "0", false, "");
        row("11", "0 2", false, "");
        row("12", "3", false, "");
        row("13", "", true, "more than one");
        row("14", "1.1", false, "");
        row("15", "1.0 1.1", false, "");
        row("16", "1.2", false, "");
        row("17", "", false, "hides all");
        row("18", "0 1.0 1.1 1.2 2 3", false, "another variable");
        row("19", "", true, "no device");
        row("20", "0", false, "mixes");
        row("21", "", true, "MIG-bbbb0000-0000-4000-8000-000000000002");
        row("22", "", true, "no device \"0x2\"");
        row("23", "", true, "no device");
    }
    void handsOutWhatCudaWouldShow() {
        QFETCH(QByteArray, number);
        QFETCH(QByteArray, devices);
        QFETCH(bool, wrong);
        QFETCH(QByteArray, noteNames);
        const std::vector<Device> all = parseDeviceList(caseFile("nvidia-smi-L.txt"));
        QCOMPARE(all.size(), size_t{7});
        const auto value = valueOf(number.toStdString());
        const VisibleDevices visible = visibleDevices(all, value);
        QCOMPARE(shortNames(all, visible.devices), devices.toStdString());
        QCOMPARE(visible.wrong, wrong);
        QCOMPARE(visible.note.empty(), noteNames.isEmpty());
        QVERIFY2(visible.note.find(noteNames.toStdString()) != std::string::npos, visible.note.c_str());
    }

    void knowsInstancesByTheNamesOfOldDrivers() {
        const std::vector<Device> all = parseDeviceList(caseFile("old-driver-L.txt"));
        QCOMPARE(all.size(), size_t{3});
        const auto visible = visibleDevices(all, "MIG-GPU-aaaa1111-0000-4000-8000-000000000000/2/0");
        QCOMPARE(shortNames(all, visible.devices), std::string("0.1"));
    }

    void aMachineWithoutGpusHasNone() {
        QVERIFY(parseDeviceList("").empty());
        QVERIFY(parseDeviceList("NVIDIA-SMI has failed (UUID: \n)GPU x: (UUID: a)\n").empty());
        QVERIFY(visibleDevices({}, std::nullopt).devices.empty());
        QVERIFY(visibleDevices({}, "0").wrong);
    }

private:
    static std::string caseFile(const char* name) {
        base::PosixFileSystem files;
        return base::readWholeFile(files,
                                   base::Path(TRIALDECK_SOURCE_DIR "/tests/cases/C56-visible-devices") / name)
            .value();
    }

    /// The variable's value of a line of values.tsv; nothing where it is not set.
    static std::optional<std::string> valueOf(const std::string& number) {
        const std::string text = caseFile("values.tsv");
        const size_t begin = text.find("\n" + number + "\t") + number.size() + 2;
        const std::string value = text.substr(begin, text.find('\n', begin) - begin);
        return value == "(unset)" ? std::nullopt : std::optional(value);
    }

    /// "1.2": instance 2 of GPU 1.
    static std::string shortNames(const std::vector<Device>& all, const std::vector<Device>& devices) {
        std::string names;
        for (const Device& device : devices) {
            int instance = 0;
            for (const Device& other : all) {
                if (other == device)
                    break;
                instance += other.instance && other.index == device.index ? 1 : 0;
            }
            names += (names.empty() ? "" : " ") + std::to_string(device.index) +
                     (device.instance ? "." + std::to_string(instance) : "");
        }
        return names;
    }
};

QTEST_APPLESS_MAIN(VisibleDevicesTest)
#include "visible_devices_test.moc"
