// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/message.h"

namespace trialdeck::protocol {

struct RecordsSubscribeResult {
    /// The epoch that writes now.
    Epoch epoch;
    /// The cursor from which records follow. Lower than asked for where a crash took records of the client's
    /// epoch: the client drops what it has behind it.
    Cursor from;
    /// Newest record at this moment: for progress while catching up.
    RecordNumber last;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v.required("epoch", s.epoch);
        v.required("from_epoch", s.from.epoch);
        v.required("from_record", s.from.number);
        v.required("last_record", s.last);
    }
};

/// All records behind the cursor, then each new one, as events `records`.
struct RecordsSubscribeRequest {
    static constexpr std::string_view kMethod = "records.subscribe";
    static constexpr RequestKind kKind = RequestKind::read;
    using Result = RecordsSubscribeResult;
    ExperimentId experiment;
    /// (0, 0): from the beginning.
    Cursor cursor;
    /// The client takes packed lines, too: for lines of communication that are slower than packing.
    bool packed = false;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v.required("experiment", s.experiment);
        v("epoch", s.cursor.epoch);
        v("record", s.cursor.number);
        v("packed", s.packed);
    }
};

struct RecordsUnsubscribeRequest {
    static constexpr std::string_view kMethod = "records.unsubscribe";
    static constexpr RequestKind kKind = RequestKind::read;
    using Result = EmptyResult;
    ExperimentId experiment;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v.required("experiment", s.experiment);
    }
};

struct RecordsEvent {
    static constexpr std::string_view kEvent = "records";
    ExperimentId experiment;
    Epoch epoch;
    RecordNumber first;
    RecordNumber last;
    /// Whole lines of the journal; one that is larger than a frame comes in pieces.
    base::Bytes lines;
    /// The next event of this experiment has the same numbers and goes on inside these lines.
    bool more = false;
    /// Not 0: `lines` is a zlib stream of so many bytes. Only where the subscription asked for it.
    uint64_t unpackedBytes = 0;
    [[nodiscard]] uint64_t lineBytes() const { return unpackedBytes > 0 ? unpackedBytes : lines.data.size(); }
    /// Where the client is once it has these; nothing while more is to come.
    [[nodiscard]] std::optional<Cursor> cursor() const {
        return more ? std::nullopt : std::optional(Cursor{epoch, last});
    }
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v.required("experiment", s.experiment);
        v.required("epoch", s.epoch);
        v.required("first", s.first);
        v.required("last", s.last);
        v.required("lines", s.lines);
        v("more", s.more);
        v("unpacked_bytes", s.unpackedBytes);
    }
};

/// Lines that a client has at once while an event is in pieces.
constexpr size_t kMaxEventBytes = kMaxRecordBytes + (size_t{1} << 20);

/// The event as events that fit into frames: itself, or pieces of it.
[[nodiscard]] std::vector<RecordsEvent> splitRecords(RecordsEvent event);

/// Packs the lines where that is worth it.
void packRecords(RecordsEvent& event);
/// @return bad_message where the packed lines are not what they say
[[nodiscard]] Expected<void> unpackRecords(RecordsEvent& event);

} // namespace trialdeck::protocol
