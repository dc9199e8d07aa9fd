// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/envelope.h"

#include "core/protocol/codec.h"
#include "core/protocol/fields.h"

#include <algorithm>

namespace trialdeck::protocol {

namespace {

/// Room for everything in a part's frame but its piece: keys, numbers and heads.
constexpr size_t kPartOverheadBytes = 64;

struct ToObject {
    Object operator()(Request request) const {
        Object object;
        object.append("id", request.id.raw());
        object.append("method", std::move(request.method));
        object.append("params", std::move(request.params));
        return object;
    }
    Object operator()(Response response) const {
        Object object;
        object.append("id", response.id.raw());
        if (response.part) {
            object.append("part", uint64_t{*response.part});
            object.append("more", response.more);
        }
        object.append("result", std::move(response.result));
        return object;
    }
    Object operator()(ErrorResponse response) const {
        Object object;
        object.append("id", response.id.raw());
        object.append("error", valueOfError(response.error));
        return object;
    }
    Object operator()(Event event) const {
        Object object;
        object.append("event", std::move(event.name));
        if (event.cursor) {
            object.append("cursor", Array{uint64_t{event.cursor->epoch.raw()}, event.cursor->number.raw()});
        }
        object.append("data", std::move(event.data));
        return object;
    }
};

/// Everything that any envelope may have.
struct Everything {
    std::optional<RequestId> id;
    std::optional<std::string> method;
    Object params;
    std::optional<Value> result;
    std::optional<uint32_t> part;
    bool more = false;
    std::optional<Error> error;
    std::optional<std::string> event;
    std::vector<uint64_t> cursor;
    Object data;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v("id", s.id);
        v("method", s.method);
        v("params", s.params);
        v("result", s.result);
        v("part", s.part);
        v("more", s.more);
        v("error", s.error);
        v("event", s.event);
        v("cursor", s.cursor);
        v("data", s.data);
    }
};

Expected<Envelope> sort(Everything all) {
    if (all.event) {
        Event event{std::move(*all.event), std::nullopt, std::move(all.data)};
        if (all.cursor.size() == 2 && std::in_range<uint32_t>(all.cursor[0]))
            event.cursor = Cursor{Epoch(static_cast<uint32_t>(all.cursor[0])), RecordNumber(all.cursor[1])};
        else if (!all.cursor.empty())
            return base::fail(ErrorCode::bad_message, {}, "a cursor that is not [epoch, record]");
        return event;
    }
    if (!all.id)
        return base::fail(ErrorCode::bad_message, {}, "neither id nor event");
    if (all.method)
        return Request{*all.id, std::move(*all.method), std::move(all.params)};
    if (all.error)
        return ErrorResponse{*all.id, std::move(*all.error)};
    if (all.result)
        return Response{*all.id, std::move(*all.result), all.part, all.more};
    return base::fail(ErrorCode::bad_message, {}, "neither method, result nor error");
}

} // namespace

Expected<std::string> encodeEnvelope(Envelope envelope) {
    auto payload = encodeCbor(std::visit(ToObject{}, std::move(envelope)));
    if (payload && payload->size() > kMaxFrameBytes)
        return base::fail(ErrorCode::too_large, {{"bytes", std::to_string(payload->size())}},
                          "a message above the size of a frame");
    return payload;
}

Expected<Envelope> decodeEnvelope(std::string_view payload) {
    auto value = decodeCbor(payload);
    if (!value)
        return tl::make_unexpected(std::move(value).error());
    Object* object = value->asObject();
    if (!object)
        return base::fail(ErrorCode::bad_message, {}, "not a map");
    auto all = decode<Everything>(std::move(*object));
    if (!all) {
        Error error = std::move(all).error();
        error.code = ErrorCode::bad_message;
        return tl::make_unexpected(std::move(error).during("read an envelope"));
    }
    return sort(std::move(*all));
}

Expected<PartsWriter> PartsWriter::create(RequestId id, Object result) {
    auto encoded = encodeCbor(std::move(result));
    if (!encoded)
        return tl::make_unexpected(std::move(encoded).error());
    if (encoded->size() > kMaxAnswerBytes)
        return base::fail(ErrorCode::too_large, {{"bytes", std::to_string(encoded->size())}},
                          "an answer above the limit");
    return PartsWriter(id, std::move(*encoded));
}

std::optional<std::string> PartsWriter::next() {
    if (m_at == m_encoded.size())
        return std::nullopt;
    constexpr size_t kPieceBytes = kMaxFrameBytes - kPartOverheadBytes;
    const size_t bytes = std::min(kPieceBytes, m_encoded.size() - m_at);
    Response response{m_id, {}, std::nullopt, false};
    std::optional<std::string> payload;
    if (bytes == m_encoded.size()) {
        // {"id": …, "result": …} around the result as it is already encoded.
        payload = encodeCbor(Object{{"id", m_id.raw()}, {"result", nullptr}}).value();
        payload->pop_back();
        payload->append(m_encoded);
    } else {
        response.part = m_part++;
        response.more = m_at + bytes < m_encoded.size();
        response.result = base::Bytes{m_encoded.substr(m_at, bytes)};
        payload = encodeCbor(ToObject{}(std::move(response))).value();
    }
    m_at += bytes;
    if (m_at == m_encoded.size()) {
        m_encoded = {};
        m_at = 0;
    }
    return payload;
}

Expected<std::optional<Object>> PartsReader::add(Response response) {
    if (!response.part && m_next == 0) {
        Object* whole = response.result.asObject();
        if (!whole)
            return base::fail(ErrorCode::bad_message, {}, "a result that is not a map");
        return std::move(*whole);
    }
    const base::Bytes* piece = response.result.asBytes();
    if (response.part != m_next || !piece)
        return base::fail(ErrorCode::bad_message, {{"part", std::to_string(m_next)}},
                          "a part of an answer is missing");
    if (m_joined.size() + piece->data.size() > PartsWriter::kMaxAnswerBytes)
        return base::fail(ErrorCode::too_large, {}, "an answer above the limit");
    m_joined += piece->data;
    ++m_next;
    if (response.more)
        return std::nullopt;
    auto value = decodeCbor(m_joined);
    if (!value)
        return tl::make_unexpected(std::move(value).error());
    Object* whole = value->asObject();
    if (!whole)
        return base::fail(ErrorCode::bad_message, {}, "a result that is not a map");
    return std::move(*whole);
}

} // namespace trialdeck::protocol
