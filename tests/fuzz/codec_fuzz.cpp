// SPDX-License-Identifier: Apache-2.0
// Any payload of a frame: what decodes is encoded to bytes that decode to the same, and no message crashes on
// what it is given.
#include "core/protocol/codec.h"
#include "core/protocol/envelope.h"
#include "core/protocol/messages.h"

#include <cstdint>
#include <cstdlib>

using namespace trialdeck;
using namespace trialdeck::protocol;

namespace {

/// A map that a message takes is a map again that it takes as the same.
template<typename Message>
void tryMessage(const Object& object) {
    auto message = decode<Message>(object);
    if (!message)
        return;
    const Object encoded = encode(std::move(*message));
    const auto again = decode<Message>(encoded);
    if (!again || !(encode(*again) == encoded))
        std::abort();
}

void tryEveryMessage(const Object& object) {
#define TRIALDECK_TRY_MESSAGE(Message) tryMessage<Message>(object);
    TRIALDECK_REQUESTS(TRIALDECK_TRY_MESSAGE)
    TRIALDECK_RESULTS(TRIALDECK_TRY_MESSAGE)
    TRIALDECK_EVENTS(TRIALDECK_TRY_MESSAGE)
#undef TRIALDECK_TRY_MESSAGE
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const auto value = decodeCbor(bytes);
    auto envelope = decodeEnvelope(bytes);
    if (!value) {
        if (envelope)
            std::abort();
        return 0;
    }
    const auto encoded = encodeCbor(*value);
    if (!encoded || decodeCbor(*encoded) != *value)
        std::abort();
    if (!envelope)
        return 0;
    if (auto* request = std::get_if<Request>(&*envelope))
        tryEveryMessage(request->params);
    if (auto* event = std::get_if<Event>(&*envelope))
        tryEveryMessage(event->data);
    if (auto* response = std::get_if<Response>(&*envelope)) {
        PartsReader reader;
        if (const auto whole = reader.add(std::move(*response)); whole && *whole)
            tryEveryMessage(**whole);
    }
    return 0;
}
