// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace trialdeck::protocol {

/// Where one byte string lies in the bytes that were scanned: its head begins at `start`, its content at
/// `offset`.
struct ByteStringPlace {
    size_t start = 0;
    size_t offset = 0;
    size_t length = 0;
};

/// Walks over one CBOR item without building anything and without recursion, so that the decoder behind it
/// meets only what it can hold: nesting of lists and maps up to maxDepth, every length within the bytes that
/// are there, text in UTF-8, map keys that are text, whole numbers within int64 and uint64, nothing behind
/// the item. Indefinite lengths, tags and simple values other than false, true and null are refused: our
/// encoder writes none.
/// @return the byte strings in their order; bad_cbor, bad_utf8 or too_deep with the argument offset (bytes).
[[nodiscard]] Expected<std::vector<ByteStringPlace>> scanCbor(std::string_view bytes, int maxDepth);

} // namespace trialdeck::protocol
