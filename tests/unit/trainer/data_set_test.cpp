// SPDX-License-Identifier: Apache-2.0
#include "trainer/data/data_set.h"

#include "tests/support/compare.h"
#include "tests/unit/trainer/support/small_data_set.h"
#include "trainer/data/epoch_order.h"

#include <QTemporaryDir>
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace trialdeck;
using namespace trialdeck::tests;
using namespace trialdeck::trainer::data;

class DataSetTest : public QObject {
    Q_OBJECT
private slots:
    void loadsTheFourFilesOfAFolder() {
        const DataSet written = smallDataSet(12, 5);
        writeDataSet(written, folder());
        const auto read = loadDataSet(folder());
        QVERIFY(read);
        QCOMPARE(read->train.images.pixels, written.train.images.pixels);
        QCOMPARE(read->test.labels, written.test.labels);
        QCOMPARE(read->classes, size_t{4});
        QCOMPARE(read->inputs(), size_t{36});
    }

    void filesThatDoNotBelongTogetherAreRefused_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("reason");
        const auto add = [](const char* file, const std::string& bytes, const char* reason) {
            QTest::newRow(reason) << file << QByteArray(bytes.data(), static_cast<int>(bytes.size()))
                                  << reason;
        };
        add("train-labels-idx1-ubyte", idxLabels({1, 2, 3}), "has 3 labels for the 12 images of ");
        add("t10k-images-idx3-ubyte", idxImages({5, 2, 2, std::vector<uint8_t>(20)}),
            "has training and test images of different sizes");
        add("t10k-labels-idx1-ubyte", idxLabels({0, 1, 2, 3, 9}),
            "has test labels of a class that no training image has");
    }
    void filesThatDoNotBelongTogetherAreRefused() {
        QFETCH(QString, file);
        QFETCH(QByteArray, bytes);
        QFETCH(QString, reason);
        writeDataSet(smallDataSet(12, 5), folder());
        writeBytes(folder() / file.toStdString(), bytes.toStdString());
        const auto read = loadDataSet(folder());
        QVERIFY(!read);
        QVERIFY(QString::fromStdString(read.error().detail).contains(reason));
    }

    void missingFolderNamesTheFileThatWasLookedFor() {
        const auto read = loadDataSet("/no/such/folder");
        QCOMPARE(read.error().code, ErrorCode::file_not_found);
        QCOMPARE(read.error().arguments.at("path"),
                 std::string("/no/such/folder/train-images-idx3-ubyte.gz"));
    }

    void gatherNormalisesTheChosenRows() {
        const Split split{{3, 1, 2, {0, 255, 10, 20, 30, 40}}, {5, 6, 7}};
        const std::vector<uint32_t> rows{2, 0};
        std::vector<float> inputs(4);
        std::vector<uint8_t> labels(2);
        gather(split, rows, inputs.data(), labels.data());
        QCOMPARE(labels, (std::vector<uint8_t>{7, 5}));
        const std::vector<double> pixels{30, 40, 0, 255};
        for (size_t i = 0; i < pixels.size(); ++i)
            QVERIFY(std::abs(inputs[i] - (pixels[i] / 255 - 0.28604) / 0.32025) < 1e-5);
    }

    void realTrainingImagesAreNormalisedToMean0AndDeviation1() {
        const auto set = loadDataSet("/usr/share/datasets/fashion-mnist");
        QVERIFY(set);
        std::vector<uint32_t> rows(set->train.count());
        std::iota(rows.begin(), rows.end(), 0U);
        std::vector<float> inputs(rows.size() * set->inputs());
        std::vector<uint8_t> labels(rows.size());
        gather(set->train, rows, inputs.data(), labels.data());
        double sum = 0;
        double squares = 0;
        for (const float x : inputs) {
            sum += x;
            squares += double{x} * x;
        }
        const auto count = static_cast<double>(inputs.size());
        QVERIFY(std::abs(sum / count) < 1e-3);
        // The published deviation is the mean of the images' own deviations, so it is not exactly 1 here.
        QVERIFY(std::abs(std::sqrt(squares / count) - 1) < 0.15);
    }

    void epochOrderHoldsEachIndexOnceAndDiffersByEpochAndSeed() {
        const auto order = epochOrder(1000, 1, 0);
        std::vector<uint32_t> sorted = order;
        std::sort(sorted.begin(), sorted.end());
        for (uint32_t i = 0; i < 1000; ++i)
            QCOMPARE(sorted[i], i);
        QCOMPARE(epochOrder(1000, 1, 0), order);
        QVERIFY(epochOrder(1000, 1, 1) != order);
        QVERIFY(epochOrder(1000, 2, 0) != order);
    }

    void slicesOfAllRanksCoverEverythingOnce() {
        for (const size_t count : {0, 1, 5, 32, 10000}) {
            for (size_t ranks = 1; ranks <= 7; ++ranks) {
                size_t next = 0;
                for (size_t rank = 0; rank < ranks; ++rank) {
                    const Slice slice = sliceOf(count, rank, ranks);
                    QCOMPARE(slice.begin, next);
                    QVERIFY(slice.size() >= count / ranks && slice.size() <= count / ranks + 1);
                    next = slice.end;
                }
                QCOMPARE(next, count);
            }
        }
    }

private:
    std::filesystem::path folder() const { return m_folder.path().toStdString(); }

    QTemporaryDir m_folder;
};

QTEST_APPLESS_MAIN(DataSetTest)
#include "data_set_test.moc"
