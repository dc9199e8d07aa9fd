// SPDX-License-Identifier: Apache-2.0
#include "core/head/record_feed.h"
#include "core/protocol/envelope.h"
#include "core/protocol/frame.h"
#include "tests/unit/storage/journal_support.h"

using namespace trialdeck;
using namespace trialdeck::tests;
using head::RecordFeed;
using protocol::RecordsEvent;

namespace {

constexpr size_t kPushBytes = size_t{128} << 10;

struct Feed {
    JournalFixture fixture;
    std::unique_ptr<storage::JournalWriter> writer = *fixture.create();
    RecordFeed feed{kExperiment, writer->reader(), {}};

    void append(protocol::RecordBody body) { (void)writer->append(std::move(body)); }
    void appendLarge(size_t bytes) {
        append(
            protocol::DecisionMade{TrialId(0), 1, protocol::DecisionAction::stop, std::string(bytes, 'x')});
    }
    /// The next event; a default one where there is none.
    RecordsEvent next() { return feed.next(kPushBytes).value().value_or(RecordsEvent{}); }
};

bool fitsIntoAFrame(const RecordsEvent& event) {
    const auto frame = protocol::encodeEnvelope(protocol::eventOf(RecordsEvent(event)));
    return frame && frame->size() <= protocol::kMaxFrameBytes;
}

} // namespace

class RecordFeedTest : public QObject {
    Q_OBJECT
private slots:
    void recordsGoOutTogetherAndInOrder() {
        Feed feed;
        QVERIFY(feed.feed.caughtUp());
        for (int i = 0; i < 3; ++i)
            feed.append(record(i));
        QVERIFY(!feed.feed.caughtUp());
        const RecordsEvent event = feed.next();
        QCOMPARE(event.first.raw(), uint64_t{1});
        QCOMPARE(event.last.raw(), uint64_t{3});
        QVERIFY(!event.more);
        QVERIFY(feed.feed.caughtUp());
        QVERIFY(!feed.feed.next(kPushBytes).value());
    }

    void linesArePackedForWhoAsks() {
        Feed feed;
        feed.appendLarge(20'000);
        RecordFeed packed(kExperiment, feed.writer->reader(), {}, RecordFeed::Lines::packed);
        RecordsEvent event = packed.next(kPushBytes).value().value();
        QVERIFY(event.lines.data.size() < 2'000);
        QVERIFY(protocol::unpackRecords(event).has_value());
        QVERIFY(event.lines.data == feed.next().lines.data);
    }

    void aRecordLargerThanAFrameComesInPieces() {
        Feed feed;
        feed.append(record(0));
        feed.appendLarge(3 * protocol::kMaxFrameBytes);
        feed.append(record(2));
        QCOMPARE(feed.next().last.raw(), uint64_t{1});
        std::string whole;
        int pieces = 0;
        for (bool more = true; more; ++pieces) {
            QVERIFY(!feed.feed.caughtUp());
            const RecordsEvent piece = feed.next();
            QVERIFY(fitsIntoAFrame(piece));
            QCOMPARE(piece.first.raw(), uint64_t{2});
            QCOMPARE(piece.last.raw(), uint64_t{2});
            whole += piece.lines.data;
            more = piece.more;
        }
        QCOMPARE(pieces, 4);
        QVERIFY(whole.ends_with('\n'));
        QVERIFY(protocol::parseRecordLine(std::string_view(whole).substr(0, whole.size() - 1)));
        QCOMPARE(feed.next().first.raw(), uint64_t{3});
        QVERIFY(feed.feed.caughtUp());
    }
};

QTEST_APPLESS_MAIN(RecordFeedTest)
#include "record_feed_test.moc"
