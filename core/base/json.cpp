// SPDX-License-Identifier: Apache-2.0
#include "core/base/json.h"

#include "core/base/utf8.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>
#include <optional>
#include <unordered_map>

#define RAPIDJSON_HAS_STDSTRING 1
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/prettywriter.h>
#include <rapidjson/reader.h>
#include <rapidjson/stringbuffer.h>

namespace trialdeck::base {

namespace {

/// Keys up to which looking each one up is cheaper than an index of them.
constexpr size_t kFewKeys = 32;

/// Each key once, where it stood first and with the value it had last. Takes time linear in the keys: the
/// text is foreign.
Object withLastOfEqualKeys(Object object) {
    std::unordered_map<std::string_view, size_t> places;
    std::vector<const Object::Entry*> entries;
    for (const Object::Entry& entry : object) {
        const auto [place, isNew] = places.try_emplace(entry.first, entries.size());
        if (isNew)
            entries.push_back(&entry);
        else
            entries[place->second] = &entry;
    }
    if (entries.size() == object.size())
        return object;
    Object once;
    for (const Object::Entry* entry : entries)
        once.append(entry->first, entry->second);
    return once;
}

/// Builds a Value from the reader's events with an explicit stack, so depth costs heap and not stack.
class ValueBuilder : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, ValueBuilder> {
public:
    /// @param stream  what is read; stands behind a number when its event comes
    ValueBuilder(const rapidjson::MemoryStream& stream, int maxDepth)
        : m_stream(stream), m_maxDepth(maxDepth) {}

    bool Null() { return add(Value()); }
    bool Bool(bool value) { return add(Value(value)); }
    bool Int(int value) { return add(Value(value)); }
    bool Uint(unsigned value) { return add(Value(static_cast<int64_t>(value))); }
    bool Int64(int64_t value) { return add(Value(value)); }
    bool Uint64(uint64_t value) { return add(Value(value)); }
    bool Double(double value) { return add(Value(std::isfinite(value) ? exactly(value) : value)); }
    bool String(const char* text, rapidjson::SizeType length, bool) {
        return add(Value(std::string_view(text, length)));
    }
    bool Key(const char* text, rapidjson::SizeType length, bool) {
        m_open.back().key.assign(text, length);
        return true;
    }
    bool StartObject() { return open(Value(Object())); }
    bool StartArray() { return open(Value(Array())); }
    bool EndObject(rapidjson::SizeType) { return close(); }
    bool EndArray(rapidjson::SizeType) { return close(); }

    [[nodiscard]] bool tooDeep() const { return m_tooDeep; }
    Value take() { return std::move(m_root); }

private:
    struct Open {
        Value container;
        std::string key;
    };

    bool open(Value container) {
        if (static_cast<int>(m_open.size()) >= m_maxDepth) {
            m_tooDeep = true;
            return false;
        }
        m_open.push_back({std::move(container), {}});
        return true;
    }

    bool close() {
        Value finished = std::move(m_open.back().container);
        m_open.pop_back();
        if (Object* object = finished.asObject(); object && object->size() > kFewKeys)
            *object = withLastOfEqualKeys(std::move(*object));
        return add(std::move(finished));
    }

    bool add(Value value) {
        if (m_open.empty()) {
            m_root = std::move(value);
        } else if (Array* array = m_open.back().container.asArray()) {
            array->push_back(std::move(value));
        } else {
            Object& object = *m_open.back().container.asObject();
            if (object.size() < kFewKeys)
                object.set(std::move(m_open.back().key), std::move(value));
            else
                object.append(std::move(m_open.back().key), std::move(value));
        }
        return true;
    }

    /// The number that ends where the stream stands, rounded correctly. RapidJSON 1.1 reads 0e41 as -2.6e-85.
    [[nodiscard]] double exactly(double approximate) const {
        const char* begin = m_stream.src_;
        while (begin != m_stream.begin_ &&
               std::string_view("0123456789+-.eE").find(begin[-1]) != std::string_view::npos)
            --begin;
        double exact = 0;
        const auto result = std::from_chars(begin, m_stream.src_, exact);
        // Too small for a double is all that can be wrong: then the approximation is a zero.
        return result.ec == std::errc() ? exact : approximate;
    }

    const rapidjson::MemoryStream& m_stream;
    int m_maxDepth;
    bool m_tooDeep = false;
    std::vector<Open> m_open;
    Value m_root;
};

/// The code unit of the escape \uXXXX at that place, if one stands there.
std::optional<unsigned> escapedUnit(std::string_view text, size_t at) {
    constexpr size_t kLength = 6;
    if (text.size() - std::min(at, text.size()) < kLength || text[at] != '\\' || text[at + 1] != 'u')
        return std::nullopt;
    unsigned unit = 0;
    const char* const digits = text.data() + at + 2;
    const auto result = std::from_chars(digits, digits + 4, unit, 16);
    return result.ec == std::errc() && result.ptr == digits + 4 ? std::optional(unit) : std::nullopt;
}

/// Escapes for one half of a surrogate pair, as Python writes bytes that are no text, made escapes of U+FFFD.
/// RapidJSON 1.1 refuses the first half and makes bytes that are not UTF-8 of the second. All offsets stay.
/// @return empty where there are none
std::string withoutHalfPairs(std::string_view text) {
    constexpr size_t kLength = 6;
    const auto isFirst = [](unsigned unit) { return unit >= 0xD800 && unit <= 0xDBFF; };
    const auto isSecond = [](unsigned unit) { return unit >= 0xDC00 && unit <= 0xDFFF; };
    std::string mended;
    for (size_t at = text.find('\\'); at < text.size(); at = text.find('\\', at)) {
        const auto unit = escapedUnit(text, at);
        if (!unit) {
            at += 2;
            continue;
        }
        const auto next = escapedUnit(text, at + kLength);
        if (isFirst(*unit) && next && isSecond(*next)) {
            at += 2 * kLength;
            continue;
        }
        if (isFirst(*unit) || isSecond(*unit)) {
            if (mended.empty())
                mended = text;
            mended.replace(at, kLength, "\\uFFFD");
        }
        at += kLength;
    }
    return mended;
}

void appendBareNumber(std::string& out, double number) {
    char buffer[32];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, number).ptr;
    const std::string_view digits(buffer, static_cast<size_t>(end - buffer));
    out += digits;
    if (digits.find_first_of(".e") == std::string_view::npos)
        out += ".0";
}

void indent(std::string& out, int depth) {
    out += '\n';
    out.append(static_cast<size_t>(depth) * 2, ' ');
}

void appendPretty(std::string& out, const Value& value, int depth) {
    const Array* array = value.asArray();
    const Object* object = value.asObject();
    if ((!array || array->empty()) && (!object || object->empty())) {
        appendJson(out, value);
        return;
    }
    const char* separator = "";
    out += array ? '[' : '{';
    if (array) {
        for (const Value& element : *array) {
            out += separator;
            indent(out, depth + 1);
            appendPretty(out, element, depth + 1);
            separator = ",";
        }
    } else {
        for (const auto& [key, element] : *object) {
            out += separator;
            indent(out, depth + 1);
            appendJsonString(out, key);
            out += ": ";
            appendPretty(out, element, depth + 1);
            separator = ",";
        }
    }
    indent(out, depth);
    out += array ? ']' : '}';
}

} // namespace

Expected<Value> parseJson(std::string_view text, const JsonLimits& limits) {
    if (text.size() > limits.maxBytes)
        return fail(ErrorCode::too_large,
                    {{"bytes", std::to_string(text.size())}, {"limit", std::to_string(limits.maxBytes)}});
    if (const auto bad = firstInvalidUtf8(text))
        return fail(ErrorCode::bad_utf8, {{"offset", std::to_string(*bad)}});
    const std::string mended = withoutHalfPairs(text);
    if (!mended.empty())
        text = mended;
    constexpr unsigned kFlags = rapidjson::kParseIterativeFlag | rapidjson::kParseNanAndInfFlag;
    rapidjson::MemoryStream stream(text.data(), text.size());
    rapidjson::Reader reader;
    ValueBuilder builder(stream, limits.maxDepth);
    const rapidjson::ParseResult result = reader.Parse<kFlags>(stream, builder);
    if (result.IsError()) {
        const std::string offset = std::to_string(result.Offset());
        if (builder.tooDeep())
            return fail(ErrorCode::too_deep,
                        {{"offset", offset}, {"limit", std::to_string(limits.maxDepth)}});
        return fail(ErrorCode::bad_json, {{"offset", offset}}, rapidjson::GetParseError_En(result.Code()));
    }
    // The reader takes a zero byte for the end of the text.
    if (stream.Tell() < text.size())
        return fail(ErrorCode::bad_json, {{"offset", std::to_string(stream.Tell())}}, "zero byte");
    return builder.take();
}

void appendJsonNumber(std::string& out, double number) {
    if (std::isnan(number))
        out += "NaN";
    else if (std::isinf(number))
        out += number > 0 ? "Infinity" : "-Infinity";
    else
        appendBareNumber(out, number);
}

void appendJsonString(std::string& out, std::string_view text) {
    if (firstInvalidUtf8(text)) {
        appendJsonString(out, cleanUtf8(text));
        return;
    }
    static constexpr char kHex[] = "0123456789abcdef";
    out += '"';
    for (const char c : text) {
        switch (c) {
        case '"':
            out += "\\\"";
            break;
        case '\\':
            out += "\\\\";
            break;
        case '\n':
            out += "\\n";
            break;
        case '\r':
            out += "\\r";
            break;
        case '\t':
            out += "\\t";
            break;
        default:
            if (const auto byte = static_cast<unsigned char>(c); byte < 0x20) {
                out += "\\u00";
                out += kHex[byte >> 4U];
                out += kHex[byte & 0xFU];
            } else {
                out += c;
            }
        }
    }
    out += '"';
}

void appendJson(std::string& out, const Value& value) {
    struct Visitor {
        std::string& out;
        void operator()(std::monostate) const { out += "null"; }
        void operator()(bool flag) const { out += flag ? "true" : "false"; }
        void operator()(int64_t whole) const { out += std::to_string(whole); }
        void operator()(uint64_t whole) const { out += std::to_string(whole); }
        void operator()(double real) const { appendJsonNumber(out, real); }
        void operator()(const std::string& text) const { appendJsonString(out, text); }
        void operator()(const Bytes&) const { assert(!"JSON has no byte strings"); }
        void operator()(const Array& array) const {
            const char* separator = "";
            out += '[';
            for (const Value& element : array) {
                out += separator;
                appendJson(out, element);
                separator = ",";
            }
            out += ']';
        }
        void operator()(const Object& object) const {
            const char* separator = "";
            out += '{';
            for (const auto& [key, element] : object) {
                out += separator;
                appendJsonString(out, key);
                out += ':';
                appendJson(out, element);
                separator = ",";
            }
            out += '}';
        }
    };
    std::visit(Visitor{out}, value.storage());
}

std::string toJson(const Value& value) {
    std::string out;
    appendJson(out, value);
    return out;
}

std::string toPrettyJson(const Value& value) {
    std::string out;
    appendPretty(out, value, 0);
    out += '\n';
    return out;
}

} // namespace trialdeck::base
