// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/message.h"

namespace trialdeck::protocol {

/// One stream of one worker; offsets in bytes count from its start, also where old segments are gone.
struct LogAddress {
    ExperimentId experiment;
    TrialId trial;
    AttemptNumber attempt;
    uint32_t rank = 0;
    OutputStream stream = OutputStream::standardOutput;
    friend bool operator==(const LogAddress&, const LogAddress&) = default;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v.required("experiment", s.experiment);
        v.required("trial", s.trial);
        v.required("attempt", s.attempt);
        v.required("rank", s.rank);
        v.required("stream", s.stream);
    }
};

struct LogReadResult {
    /// Offset of data's first byte: higher than asked for where the beginning is gone.
    uint64_t offset = 0;
    base::Bytes data;
    /// Bytes the stream has now.
    uint64_t end = 0;
    /// The worker has ended: nothing will follow.
    bool complete = false;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v.required("offset", s.offset);
        v.required("data", s.data);
        v("end", s.end);
        v("complete", s.complete);
    }
};

struct LogReadRequest {
    static constexpr std::string_view kMethod = "log.read";
    static constexpr RequestKind kKind = RequestKind::read;
    using Result = LogReadResult;
    LogAddress address;
    uint64_t offset = 0;
    /// Count `offset` back from the end.
    bool fromEnd = false;
    /// At most 128 KiB are sent.
    uint64_t maxBytes = 65536;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v.required("address", s.address);
        v("offset", s.offset);
        v("from_end", s.fromEnd);
        v("max_bytes", s.maxBytes);
    }
};

/// New bytes from `offset` on, as events `log`.
struct LogSubscribeRequest {
    static constexpr std::string_view kMethod = "log.subscribe";
    static constexpr RequestKind kKind = RequestKind::read;
    using Result = EmptyResult;
    LogAddress address;
    uint64_t offset = 0;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v.required("address", s.address);
        v("offset", s.offset);
    }
};

struct LogUnsubscribeRequest {
    static constexpr std::string_view kMethod = "log.unsubscribe";
    static constexpr RequestKind kKind = RequestKind::read;
    using Result = EmptyResult;
    LogAddress address;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v.required("address", s.address);
    }
};

struct LogEvent {
    static constexpr std::string_view kEvent = "log";
    LogAddress address;
    uint64_t offset = 0;
    base::Bytes data;
    bool complete = false;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v.required("address", s.address);
        v.required("offset", s.offset);
        v.required("data", s.data);
        v("complete", s.complete);
    }
};

} // namespace trialdeck::protocol
