// SPDX-License-Identifier: Apache-2.0
#include "core/engine/process/output_follower.h"

#include "tests/support/compare.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace trialdeck;
using namespace trialdeck::engine::process;
using supervise::SegmentedLog;
using supervise::Stream;

class OutputFollowerTest : public QObject {
    Q_OBJECT
private slots:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_lines.clear();
    }

    void handsOverEachLineOnceHoweverItCame_data() {
        QTest::addColumn<int>("piece");
        QTest::addColumn<int>("segment");
        for (const int piece : {1, 3, 1000}) {
            for (const int segment : {4, 17, 100000})
                QTest::addRow("%d at a time, segments of %d", piece, segment) << piece << segment;
        }
    }
    void handsOverEachLineOnceHoweverItCame() {
        QFETCH(int, piece);
        QFETCH(int, segment);
        SegmentedLog log(m_files, folder(), Stream::output, {static_cast<uint64_t>(segment), 1 << 20});
        OutputFollower follower(m_files, folder(), Stream::output, 0, 1000);
        const std::string all = "first\nbar 0%\rbar 50%\rbar 100%\n\r\n\nwindows\r\n\x1b[1mbold\x1b[0m\nend";
        for (size_t at = 0; at < all.size(); at += static_cast<size_t>(piece)) {
            log.append(std::string_view(all).substr(at, static_cast<size_t>(piece)));
            poll(follower);
        }
        QCOMPARE(m_lines,
                 std::vector<std::string>({"first@6", "bar 100%@30", "@32", "@33", "windows@42", "bold@55"}));
        follower.finish(handler());
        QCOMPARE(m_lines.back(), std::string("end@58"));
    }

    void goesOnWhereItWas() {
        SegmentedLog log(m_files, folder(), Stream::output, {8, 1 << 20});
        log.append("one\ntwo\nthree\nfour\n");
        OutputFollower follower(m_files, folder(), Stream::output, 8, 1000);
        poll(follower);
        QCOMPARE(m_lines, std::vector<std::string>({"three@14", "four@19"}));
    }

    void passesOverWhatWasNotKept() {
        SegmentedLog log(m_files, folder(), Stream::output, {10, 20});
        for (int i = 0; i < 10; ++i)
            log.append("line " + std::to_string(i) + " ..\n");
        OutputFollower follower(m_files, folder(), Stream::output, 0, 1000);
        follower.finish(handler());
        QCOMPARE(m_lines,
                 std::vector<std::string>({"line 0 ..@10", "line 7 ..@80", "line 8 ..@90", "line 9 ..@100"}));
    }

    void aLongLineIsCut() {
        SegmentedLog log(m_files, folder(), Stream::output, {});
        OutputFollower follower(m_files, folder(), Stream::output, 0, 10);
        log.append(std::string(3'000'000, 'x') + "\nloss 0.5\n");
        follower.finish(handler());
        QCOMPARE(m_lines, std::vector<std::string>({"xxxxxxxxxx@3000001", "loss 0.5@3000010"}));
    }

    void manyStatesOfOneLineAreOneLine() {
        SegmentedLog log(m_files, folder(), Stream::output, {});
        OutputFollower follower(m_files, folder(), Stream::output, 0, 1000);
        std::string bar;
        for (int i = 0; i <= 200'000; ++i)
            bar += "\rstep " + std::to_string(i) + "/200000";
        log.append(bar + "\n");
        follower.finish(handler());
        QCOMPARE(m_lines.size(), size_t{1});
        QVERIFY(m_lines.front().rfind("step 200000/200000@", 0) == 0);
    }

    void aStreamWithoutAByteHasNoLine() {
        OutputFollower follower(m_files, folder(), Stream::output, 0, 1000);
        poll(follower);
        follower.finish(handler());
        QVERIFY(m_lines.empty());
    }

private:
    base::Path folder() const { return m_folder->path().toStdString(); }
    OutputFollower::Handler handler() {
        return [this](std::string_view line, uint64_t endOffset) {
            m_lines.push_back(std::string(line) + "@" + std::to_string(endOffset));
        };
    }
    void poll(OutputFollower& follower) {
        while (follower.poll(handler())) {
        }
    }

    base::PosixFileSystem m_files;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::vector<std::string> m_lines;
};

QTEST_GUILESS_MAIN(OutputFollowerTest)
#include "output_follower_test.moc"
