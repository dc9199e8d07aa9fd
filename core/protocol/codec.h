// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/value.h"

#include <string>
#include <string_view>

namespace trialdeck::protocol {

/// Lists and maps inside one another that a message may have.
constexpr int kMaxDepth = 32;

/// One CBOR item (RFC 8949). Doubles keep their bits except for the sign and payload of NaN; text that is not
/// UTF-8 is sent with U+FFFD for each bad byte.
/// @return too_deep past kMaxDepth.
[[nodiscard]] Expected<std::string> encodeCbor(const Value& value);

/// Reads exactly one item. Made for bytes of strangers: the whole is checked before any of it is built
/// (cbor_scan.h), and what is built takes at most some 40 bytes for each byte of input.
/// @return bad_cbor, bad_utf8 or too_deep with the argument offset (bytes).
[[nodiscard]] Expected<Value> decodeCbor(std::string_view bytes);

} // namespace trialdeck::protocol
