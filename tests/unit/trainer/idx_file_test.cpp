// SPDX-License-Identifier: Apache-2.0
#include "trainer/data/idx_file.h"

#include "tests/support/compare.h"
#include "tests/unit/trainer/support/small_data_set.h"

#include <QTemporaryDir>

using namespace trialdeck;
using namespace trialdeck::tests;
using namespace trialdeck::trainer::data;

class IdxFileTest : public QObject {
    Q_OBJECT
private slots:
    void readsPlainAndGzippedFilesAlike() {
        const Images images{2, 2, 3, {1, 2, 3, 4, 5, 6, 250, 251, 252, 253, 254, 255}};
        writeBytes(path("plain"), idxImages(images));
        writeGzip(path("packed.gz"), idxImages(images));
        for (const char* name : {"plain", "packed.gz"}) {
            const auto read = readImages(path(name));
            QVERIFY2(read, name);
            QCOMPARE(read->count, size_t{2});
            QCOMPARE(read->rows, size_t{2});
            QCOMPARE(read->columns, size_t{3});
            QCOMPARE(read->pixels, images.pixels);
        }
    }

    void readsLabels() {
        writeGzip(path("labels.gz"), idxLabels({3, 1, 4}));
        QCOMPARE(*readLabels(path("labels.gz")), (std::vector<uint8_t>{3, 1, 4}));
    }

    void readsTheRealDataSet() {
        const auto images = readImages("/usr/share/datasets/fashion-mnist/t10k-images-idx3-ubyte.gz");
        QVERIFY(images);
        QCOMPARE(images->count, size_t{10000});
        QCOMPARE(images->pixelsPerImage(), size_t{784});
    }

    void missingFileIsNamed() {
        const auto read = readImages(path("nothing.gz"));
        QCOMPARE(read.error().code, ErrorCode::file_not_found);
        QCOMPARE(read.error().arguments.at("path"), path("nothing.gz").string());
    }

    void damagedFileIsRefusedWithItsReason_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("reason");
        const std::string whole = idxImages({2, 2, 2, {1, 2, 3, 4, 5, 6, 7, 8}});
        const auto add = [](const char* name, const std::string& bytes, const char* reason) {
            QTest::newRow(name) << QByteArray(bytes.data(), static_cast<int>(bytes.size())) << reason;
        };
        add("empty", "", "is cut short: it ends after 0 of 16 bytes of header");
        add("header cut", whole.substr(0, 7), "is cut short: it ends after 7 of 16 bytes of header");
        add("labels", idxLabels(std::vector<uint8_t>(20)), "is not an idx file of images");
        add("text", "<html>404 not found</html>", "is not an idx file of images");
        add("pixels cut", whole.substr(0, 20), "is cut short: it ends after 4 of 8 bytes of pixels");
        add("goes on", whole + "x", "goes on behind the pixels that its header promises");
        std::string huge = whole;
        huge.replace(4, 4, "\xff\xff\xff\xff");
        add("huge count", huge, "promises 17179869180 bytes of pixels in its header");
        huge.replace(8, 4, "\xff\xff\xff\xff");
        add("huge rows", huge, "promises images of 4294967295 × 2 pixels in its header");
        std::string none = whole;
        none.replace(4, 4, std::string(4, '\0'));
        add("no images", none, "promises 0 bytes of pixels in its header");
    }
    void damagedFileIsRefusedWithItsReason() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, reason);
        writeBytes(path("damaged"), bytes.toStdString());
        const auto read = readImages(path("damaged"));
        QVERIFY(!read);
        QCOMPARE(read.error().code, ErrorCode::file_io);
        QCOMPARE(QString::fromStdString(read.error().arguments.at("reason")), reason);
    }

    void everyPrefixOfAGzipFileIsRefused() {
        writeGzip(path("whole.gz"), idxLabels(std::vector<uint8_t>(300, 7)));
        const std::string whole = readBytes(path("whole.gz"));
        for (size_t length = 0; length < whole.size(); ++length) {
            writeBytes(path("cut.gz"), whole.substr(0, length));
            QVERIFY2(!readLabels(path("cut.gz")), std::to_string(length).c_str());
        }
    }

    void noFlippedBitGivesOtherLabels() {
        const std::vector<uint8_t> labels{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 5, 4, 3, 8, 1};
        writeGzip(path("whole.gz"), idxLabels(labels));
        const std::string whole = readBytes(path("whole.gz"));
        for (size_t bit = 0; bit < whole.size() * 8; ++bit) {
            std::string damaged = whole;
            damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
            writeBytes(path("damaged.gz"), damaged);
            // Bits without meaning, such as the time stamp, may be anything.
            QVERIFY2(readLabels(path("damaged.gz")).value_or(labels) == labels, std::to_string(bit).c_str());
        }
    }

private:
    std::filesystem::path path(const char* name) const { return m_folder.filePath(name).toStdString(); }

    QTemporaryDir m_folder;
};

QTEST_APPLESS_MAIN(IdxFileTest)
#include "idx_file_test.moc"
