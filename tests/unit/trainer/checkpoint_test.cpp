// SPDX-License-Identifier: Apache-2.0
#include "trainer/checkpoint/checkpoint.h"

#include "tests/support/compare.h"
#include "tests/unit/trainer/support/small_data_set.h"

#include <QTemporaryDir>
#include <limits>

using namespace trialdeck;
using namespace trialdeck::tests;
using namespace trialdeck::trainer::checkpoint;

namespace {

Checkpoint example() {
    Checkpoint checkpoint{{2, 3, 2}, 0xFFFFFFFFFFFFFFFFULL, 7, {}, {}};
    for (int i = 0; i < 17; ++i) {
        checkpoint.parameters.push_back(1.0F / static_cast<float>(i + 3));
        checkpoint.velocity.push_back(-static_cast<float>(i));
    }
    checkpoint.velocity[3] = -0.0F;
    checkpoint.velocity[4] = std::numeric_limits<float>::infinity();
    return checkpoint;
}

} // namespace

class CheckpointTest : public QObject {
    Q_OBJECT
private slots:
    void loadsWhatWasSaved() {
        QVERIFY(save(m_files, folder(), example()));
        QCOMPARE(*load(m_files, folder()), example());
    }

    void folderHoldsTheFileAloneAndNothingIsLeftBeside() {
        QVERIFY(save(m_files, folder(), example()));
        QCOMPARE(*m_files.list(folder()), (std::vector<std::string>{std::string(kFileName)}));
        QCOMPARE(*m_files.list(folder().parent_path()), (std::vector<std::string>{"epoch_000007"}));
    }

    void replacesAnOlderFolderAndTheRestOfAnInterruptedOne() {
        QVERIFY(save(m_files, folder(), example()));
        const base::Path partial = folder().parent_path() / ".epoch_000007.partial";
        QVERIFY(m_files.createDirectories(partial));
        writeBytes(partial / "rest", "rest");
        Checkpoint newer = example();
        newer.epoch = 8;
        QVERIFY(save(m_files, folder(), newer));
        QCOMPARE(load(m_files, folder())->epoch, uint64_t{8});
        QVERIFY(!base::exists(m_files, partial));
    }

    void everyCutAndEveryFlippedByteIsRefused() {
        QVERIFY(save(m_files, folder(), example()));
        const std::string whole = readBytes(folder() / kFileName);
        for (size_t at = 0; at < whole.size(); ++at) {
            std::string damaged = whole;
            damaged[at] = static_cast<char>(damaged[at] ^ 0x01);
            for (const std::string& bytes : {damaged, whole.substr(0, at)}) {
                writeBytes(folder() / kFileName, bytes);
                const auto loaded = load(m_files, folder());
                QVERIFY2(!loaded && loaded.error().code == ErrorCode::checkpoint_unreadable,
                         std::to_string(at).c_str());
            }
        }
        writeBytes(folder() / kFileName, whole + "x");
        QVERIFY(!load(m_files, folder()));
    }

    void reasonsAreSaid_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("reason");
        QVERIFY(save(m_files, folder(), example()));
        const std::string whole = readBytes(folder() / kFileName);
        const auto add = [](const std::string& bytes, const char* reason) {
            QTest::newRow(reason) << QByteArray(bytes.data(), static_cast<int>(bytes.size())) << reason;
        };
        std::string later = whole;
        later[8] = 2;
        add(later, "has version 2, but this trialdeck-train reads version 1");
        std::string flipped = whole;
        flipped[100] = static_cast<char>(flipped[100] ^ 0x40);
        add(flipped, "is damaged: its bytes are not those that were written");
        add("PK\x03\x04 some archive of PyTorch", "is no checkpoint of trialdeck-train");
        add(whole.substr(0, 30), "is cut short");
    }
    void reasonsAreSaid() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, reason);
        QVERIFY(m_files.createDirectories(folder()));
        writeBytes(folder() / kFileName, bytes.toStdString());
        const auto loaded = load(m_files, folder());
        QCOMPARE(QString::fromStdString(loaded.error().arguments.at("reason")), reason);
    }

    void missingFolderIsNamed() {
        const auto loaded = load(m_files, "/no/such/checkpoint");
        QCOMPARE(loaded.error().code, ErrorCode::checkpoint_unreadable);
        QVERIFY(loaded.error().detail.find("/no/such/checkpoint") != std::string::npos);
    }

    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

private:
    base::Path folder() const { return m_folder->filePath("epoch_000007").toStdString(); }

    base::PosixFileSystem m_files;
    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_APPLESS_MAIN(CheckpointTest)
#include "checkpoint_test.moc"
