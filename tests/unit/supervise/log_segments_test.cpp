// SPDX-License-Identifier: Apache-2.0
#include "core/supervise/log_segments.h"

#include "tests/support/compare.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace trialdeck;
using namespace trialdeck::supervise;

namespace {

/// Takes so many more bytes and then says that the disk is full.
class FullDisk final : public base::FileSystem {
public:
    explicit FullDisk(uint64_t room) : m_room(room) {}
    void makeRoom(uint64_t bytes) { m_room = bytes; }

    Expected<std::unique_ptr<base::File>> open(const base::Path& path, base::OpenMode mode) override {
        auto file = m_files.open(path, mode);
        if (!file)
            return file;
        return std::make_unique<Full>(std::move(*file), m_room);
    }
    Expected<base::FileStatus> status(const base::Path& path) override { return m_files.status(path); }
    Expected<std::vector<std::string>> list(const base::Path& path) override { return m_files.list(path); }
    Expected<void> createDirectories(const base::Path& path) override {
        return m_files.createDirectories(path);
    }
    Expected<void> rename(const base::Path& from, const base::Path& to) override {
        return m_files.rename(from, to);
    }
    Expected<void> remove(const base::Path& path) override { return m_files.remove(path); }
    Expected<void> removeAll(const base::Path& path) override { return m_files.removeAll(path); }
    Expected<void> syncDirectory(const base::Path& path) override { return m_files.syncDirectory(path); }
    Expected<uint64_t> freeBytes(const base::Path& path) override { return m_files.freeBytes(path); }

private:
    class Full final : public base::File {
    public:
        Full(std::unique_ptr<base::File> file, uint64_t& room) : m_file(std::move(file)), m_room(room) {}
        Expected<size_t> readAt(uint64_t offset, std::span<char> buffer) override {
            return m_file->readAt(offset, buffer);
        }
        Expected<void> append(std::string_view bytes) override {
            const size_t fits = std::min<uint64_t>(m_room, bytes.size());
            m_room -= fits;
            TRIALDECK_TRY(m_file->append(bytes.substr(0, fits)));
            return fits == bytes.size() ? Expected<void>() : base::fail(ErrorCode::disk_full);
        }
        Expected<void> sync() override { return m_file->sync(); }
        Expected<void> truncate(uint64_t bytes) override { return m_file->truncate(bytes); }
        Expected<base::FileStatus> status() override { return m_file->status(); }
        Expected<void> close() override { return m_file->close(); }

    private:
        std::unique_ptr<base::File> m_file;
        uint64_t& m_room;
    };

    base::PosixFileSystem m_files;
    uint64_t m_room;
};

} // namespace

class LogSegmentsTest : public QObject {
    Q_OBJECT
private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void segmentsAreNamedByTheOffsetOfTheirFirstByte() {
        SegmentedLog log(m_files, folder(), Stream::output, {10, 100});
        log.append("0123456789ab");
        log.append("cdefghijklmnop");
        QCOMPARE(described(Stream::output), std::string("0+10 10+10 20+6"));
        QCOMPARE(log.bytes(), uint64_t{26});
        QCOMPARE(described(Stream::errors), std::string());
    }

    void theFirstSegmentAndTheNewestBytesAreKept() {
        SegmentedLog log(m_files, folder(), Stream::errors, {10, 20});
        for (int i = 0; i < 12; ++i)
            log.append("0123456789");
        QCOMPARE(described(Stream::errors), std::string("0+10 90+10 100+10 110+10"));
    }

    void whatTheDiskDoesNotTakeIsAGapInTheOffsets() {
        FullDisk disk(15);
        SegmentedLog log(disk, folder(), Stream::output, {10, 100});
        log.append("0123456789");
        log.append("abcdefgh");
        log.append("lost");
        disk.makeRoom(100);
        log.append("back");
        QCOMPARE(described(Stream::output), std::string("0+10 10+5 22+4"));
        QCOMPARE(log.bytes(), uint64_t{26});
        QCOMPARE(log.lostBytes(), uint64_t{7});
    }

    void rememberItsEndHoweverItCame_data() {
        QTest::addColumn<int>("piece");
        for (const int piece : {1, 7, 4096, 100000})
            QTest::addRow("%d bytes at a time", piece) << piece;
    }
    void rememberItsEndHoweverItCame() {
        QFETCH(int, piece);
        SegmentedLog log(m_files, folder(), Stream::output, {});
        std::string all;
        for (int i = 0; all.size() < 50'000; ++i)
            all += std::to_string(i) + ",";
        for (size_t at = 0; at < all.size(); at += static_cast<size_t>(piece))
            log.append(std::string_view(all).substr(at, static_cast<size_t>(piece)));
        QVERIFY(log.tail().size() >= SegmentedLog::kTailBytes);
        QVERIFY(log.tail().size() <= 2 * SegmentedLog::kTailBytes);
        QCOMPARE(log.tail(), all.substr(all.size() - log.tail().size()));
    }

    void otherFilesAreNoSegments() {
        for (const char* name : {"stdout.log", "stdout.x.log", "stdout.-1.log", "stdout.5.log.gz",
                                 "xstdout.5.log", "stdout.5", "stdout.99999999999999999999999.log"})
            QVERIFY(base::replaceFile(m_files, folder() / name, "x"));
        QVERIFY(base::replaceFile(m_files, folder() / "stdout.7.log", "abc"));
        QCOMPARE(described(Stream::output), std::string("7+3"));
    }

private:
    base::Path folder() const { return m_folder->path().toStdString(); }

    std::string described(Stream stream) {
        std::string text;
        const auto segments = listSegments(m_files, folder(), stream).value();
        for (const LogSegment& segment : segments) {
            text += (text.empty() ? "" : " ") + std::to_string(segment.offset) + "+" +
                    std::to_string(segment.bytes);
        }
        return text;
    }

    base::PosixFileSystem m_files;
    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(LogSegmentsTest)
#include "log_segments_test.moc"
