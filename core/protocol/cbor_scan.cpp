// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/cbor_scan.h"

#include "core/base/utf8.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace trialdeck::protocol {

namespace {

enum class Major : uint8_t { unsignedNumber, negativeNumber, bytes, text, list, map, tag, simple };

struct Head {
    Major major = Major::simple;
    /// The low five bits of the first byte.
    uint8_t extra = 0;
    /// Number, length or raw bits of a float.
    uint64_t argument = 0;
};

/// A list or map that is not complete yet. `left` counts items, in a map keys and values alike.
struct Open {
    bool map = false;
    uint64_t left = 0;
};

class Scanner {
public:
    Scanner(std::string_view bytes, int maxDepth)
        : m_bytes(bytes), m_maxDepth(static_cast<size_t>(maxDepth)) {}

    Expected<std::vector<ByteStringPlace>> run() {
        do {
            TRIALDECK_TRY(item());
            while (!m_open.empty() && m_open.back().left == 0)
                m_open.pop_back();
        } while (!m_open.empty());
        if (m_at != m_bytes.size())
            return refuse(ErrorCode::bad_cbor, m_at, "bytes behind the end of the item");
        return std::move(m_byteStrings);
    }

private:
    static base::Unexpected refuse(ErrorCode code, size_t offset, std::string_view reason) {
        return base::fail(code, {{"offset", std::to_string(offset)}, {"reason", std::string(reason)}});
    }

    Expected<Head> head() {
        const size_t start = m_at;
        if (m_at == m_bytes.size())
            return refuse(ErrorCode::bad_cbor, start, "ends inside an item");
        const auto first = static_cast<uint8_t>(m_bytes[m_at++]);
        Head result{static_cast<Major>(first >> 5), static_cast<uint8_t>(first & 0x1f), 0};
        if (result.extra < 24) {
            result.argument = result.extra;
            return result;
        }
        if (result.extra > 27)
            return refuse(ErrorCode::bad_cbor, start, "indefinite or reserved length");
        const size_t width = size_t{1} << (result.extra - 24);
        if (m_bytes.size() - m_at < width)
            return refuse(ErrorCode::bad_cbor, start, "ends inside an item");
        for (size_t i = 0; i < width; ++i)
            result.argument = result.argument << 8 | static_cast<uint8_t>(m_bytes[m_at++]);
        return result;
    }

    Expected<void> item() {
        const size_t start = m_at;
        const auto read = head();
        if (!read)
            return tl::make_unexpected(read.error());
        const bool isKey = !m_open.empty() && m_open.back().map && m_open.back().left % 2 == 0;
        if (isKey && read->major != Major::text)
            return refuse(ErrorCode::bad_cbor, start, "a map key that is not text");
        if (!m_open.empty())
            --m_open.back().left;
        switch (read->major) {
        case Major::unsignedNumber:
            return {};
        case Major::negativeNumber:
            if (read->argument > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
                return refuse(ErrorCode::bad_cbor, start, "a whole number below the range of int64");
            return {};
        case Major::bytes:
        case Major::text:
            return string(*read, start);
        case Major::list:
        case Major::map:
            return container(*read, start);
        case Major::tag:
            return refuse(ErrorCode::bad_cbor, start, "a tag");
        case Major::simple:
            // 20 false, 21 true, 22 null; 25, 26, 27 floats of 2, 4, 8 bytes.
            if ((read->extra >= 20 && read->extra <= 22) || read->extra >= 25)
                return {};
            return refuse(ErrorCode::bad_cbor, start, "an unknown simple value");
        }
        return {};
    }

    Expected<void> string(const Head& read, size_t start) {
        if (read.argument > m_bytes.size() - m_at)
            return refuse(ErrorCode::bad_cbor, start, "a length beyond the end");
        const auto length = static_cast<size_t>(read.argument);
        if (read.major == Major::bytes)
            m_byteStrings.push_back({start, m_at, length});
        else if (const auto bad = base::firstInvalidUtf8(m_bytes.substr(m_at, length)))
            return refuse(ErrorCode::bad_utf8, m_at + *bad, "text that is not UTF-8");
        m_at += length;
        return {};
    }

    Expected<void> container(const Head& read, size_t start) {
        const bool map = read.major == Major::map;
        const uint64_t leastBytes = map ? 2 : 1;
        if (read.argument > (m_bytes.size() - m_at) / leastBytes)
            return refuse(ErrorCode::bad_cbor, start, "a length beyond the end");
        if (m_open.size() == m_maxDepth)
            return refuse(ErrorCode::too_deep, start, "nested too deep");
        m_open.push_back({map, read.argument * leastBytes});
        return {};
    }

    std::string_view m_bytes;
    size_t m_at = 0;
    size_t m_maxDepth;
    std::vector<Open> m_open;
    std::vector<ByteStringPlace> m_byteStrings;
};

} // namespace

Expected<std::vector<ByteStringPlace>> scanCbor(std::string_view bytes, int maxDepth) {
    return Scanner(bytes, maxDepth).run();
}

} // namespace trialdeck::protocol
