// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/record.h"

#include <cstdint>

namespace trialdeck::protocol {

constexpr int kProtocolVersion = 1;

/// What a request does to the world. A read may be asked again at will. A command carries its id into the
/// head's CommandLedger, so that it is done once however often it is sent.
enum class RequestKind { read, command };

/// A message as its map, and back. A field that is missing keeps its default unless it is required; one that
/// is unknown is passed over. Defined for every request, result and event of messages.h and for the structs
/// inside them (messages/*.cpp); anything else fails to link.
template<typename Message>
[[nodiscard]] Object encode(Message message);
/// @return missing_field or wrong_type with the arguments field ("preview.parameters[2].values"), expected
/// and
///         found.
template<typename Message>
[[nodiscard]] Expected<Message> decode(Object object);

struct EmptyResult {
    template<typename V, typename S>
    static void fields(V&, S&) {}
};

} // namespace trialdeck::protocol
