// SPDX-License-Identifier: Apache-2.0
#include "core/engine/file_watch.h"
#include "tests/support/compare.h"

#include <QFile>
#include <QTemporaryDir>
#include <asio/io_context.hpp>
#include <cstdio>
#include <fstream>

using namespace trialdeck;
using engine::FileWatch;
using std::chrono::milliseconds;

class FileWatchTest : public QObject {
    Q_OBJECT
private slots:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_loop = std::make_unique<asio::io_context>();
        m_watch = std::make_unique<FileWatch>(*m_loop, m_clock);
        m_told = 0;
    }
    void cleanup() {
        m_watch.reset();
        m_loop.reset();
    }

    void tellsOnceAtTheBeginningAndThenOfGrowth() {
        append("one");
        add("file");
        QCOMPARE(m_told, 0);
        QVERIFY(isTold());
        append("two");
        QVERIFY(isTold());
    }

    void growthIsToldLongBeforeFilesAreLookedAtAnyway() {
        append("");
        add("file");
        QVERIFY(isTold());
        const auto begin = m_clock.steadyNow();
        for (int i = 0; i < 20; ++i) {
            append("x");
            QVERIFY(isTold());
        }
        // Looking around each second would take twenty.
        QVERIFY(m_clock.steadyNow() - begin < std::chrono::seconds(10));
    }

    void manyWritesAreToldAsFew() {
        append("");
        add("file");
        QVERIFY(isTold());
        for (int i = 0; i < 1000; ++i)
            append("line\n");
        QVERIFY(isTold());
        m_loop->poll();
        QVERIFY(m_told <= 3);
    }

    void aFileThatComesLaterIsFound() {
        add("file");
        QVERIFY(isTold());
        append("late");
        QVERIFY(isTold());
        append("more");
        QVERIFY(isTold());
    }

    void aFileThatIsReplacedIsFollowed() {
        append("old");
        add("file");
        QVERIFY(isTold());
        append("new", "other");
        QVERIFY(std::rename(path("other").c_str(), path("file").c_str()) == 0);
        QVERIFY(isTold());
        append("more");
        QVERIFY(isTold());
    }

    void aFolderTellsOfNewFilesInIt() {
        add("");
        QVERIFY(isTold());
        append("x", "new.log");
        QVERIFY(isTold());
    }

    void severalMayWatchOneFileAndLeaveOneByOne() {
        append("");
        const FileWatch::Id first = add("file");
        int second = 0;
        (void)m_watch->add(path("file"), [&second] { ++second; });
        QVERIFY(isTold());
        m_watch->remove(first);
        m_watch->remove(first);
        second = 0;
        append("x");
        QVERIFY(runUntil([&second] { return second > 0; }));
        QCOMPARE(m_told, 0);
    }

    void whoIsToldMayLeave() {
        append("");
        FileWatch::Id own = 0;
        int told = 0;
        own = m_watch->add(path("file"), [this, &own, &told] {
            ++told;
            m_watch->remove(own);
        });
        QVERIFY(runUntil([&told] { return told == 1; }));
        append("x");
        m_loop->run_for(milliseconds(20));
        QCOMPARE(told, 1);
    }

    void nothingIsToldOnceTheWatchIsGone() {
        append("");
        add("file");
        append("x");
        m_watch.reset();
        m_loop->run_for(milliseconds(20));
        QCOMPARE(m_told, 0);
    }

private:
    static constexpr std::chrono::seconds kSoon{10};

    [[nodiscard]] std::string path(const char* name) const { return m_folder->filePath(name).toStdString(); }

    void append(std::string_view text, const char* name = "file") const {
        std::ofstream(path(name), std::ios::app) << text << std::flush;
    }

    FileWatch::Id add(const char* name) {
        return m_watch->add(path(name), [this] { ++m_told; });
    }

    bool runUntil(const std::function<bool()>& reached) {
        const auto until = std::chrono::steady_clock::now() + kSoon;
        while (!reached() && std::chrono::steady_clock::now() < until)
            m_loop->run_one_until(until);
        return reached();
    }

    /// Whether something is told soon; counts from there.
    bool isTold() {
        const bool told = runUntil([this] { return m_told > 0; });
        m_told = 0;
        return told;
    }

    base::SystemClock m_clock;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<asio::io_context> m_loop;
    std::unique_ptr<FileWatch> m_watch;
    int m_told = 0;
};

QTEST_GUILESS_MAIN(FileWatchTest)
#include "file_watch_test.moc"
