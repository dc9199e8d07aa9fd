// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/frame.h"
#include "core/protocol/message.h"

#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace trialdeck::protocol {

/// Counts the requests of one client (its client_id), from 1, over all of its sessions.
using RequestId = base::StrongId<struct RequestTag, uint64_t>;

/// `{id, method, params}`
struct Request {
    RequestId id;
    std::string method;
    Object params;
};

/// `{id, result}`, or `{id, part, more, result}` with a byte string in result: one piece of a result that is
/// larger than a frame.
struct Response {
    RequestId id;
    Value result;
    std::optional<uint32_t> part;
    bool more = false;
};

/// `{id, error: {code, arguments, detail}}`
struct ErrorResponse {
    RequestId id;
    Error error;
};

/// `{event, cursor, data}`
struct Event {
    std::string name;
    /// Only with records: where the client is once it has taken these.
    std::optional<Cursor> cursor;
    Object data;
};

/// What one frame carries.
using Envelope = std::variant<Request, Response, ErrorResponse, Event>;

/// A frame's payload. @return too_large past kMaxFrameBytes, too_deep.
[[nodiscard]] Expected<std::string> encodeEnvelope(Envelope envelope);
/// @return bad_cbor, bad_utf8, too_deep, bad_message (a map of none of these forms).
[[nodiscard]] Expected<Envelope> decodeEnvelope(std::string_view payload);

template<typename Message>
[[nodiscard]] Event eventOf(Message message) {
    Event event;
    event.name = Message::kEvent;
    if constexpr (requires { message.cursor(); })
        event.cursor = message.cursor();
    event.data = encode(std::move(message));
    return event;
}

template<typename Message>
[[nodiscard]] Request requestOf(RequestId id, Message message) {
    Request request;
    request.id = id;
    request.method = Message::kMethod;
    request.params = encode(std::move(message));
    return request;
}

/// An answer of any size, one frame after the other. Holds the encoded answer until its last frame is taken.
class PartsWriter {
public:
    /// No answer is larger than this.
    static constexpr size_t kMaxAnswerBytes = size_t{32} << 20;

    /// @return too_deep, too_large.
    [[nodiscard]] static Expected<PartsWriter> create(RequestId id, Object result);

    /// The next frame's payload; nothing behind the last one.
    [[nodiscard]] std::optional<std::string> next();

private:
    PartsWriter(RequestId id, std::string encoded) : m_id(id), m_encoded(std::move(encoded)) {}

    RequestId m_id;
    std::string m_encoded;
    size_t m_at = 0;
    uint32_t m_part = 0;
};

/// Joins the frames of one answer. Made for what a stranger sends: parts out of order, too many or of the
/// wrong kind are bad_message or too_large.
class PartsReader {
public:
    /// @return the whole result once it is complete.
    [[nodiscard]] Expected<std::optional<Object>> add(Response response);

private:
    std::string m_joined;
    uint32_t m_next = 0;
};

} // namespace trialdeck::protocol
