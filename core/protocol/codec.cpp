// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/codec.h"

#include "core/base/utf8.h"
#include "core/protocol/cbor_scan.h"

#include <nlohmann/json.hpp>

#include <variant>

namespace trialdeck::protocol {

namespace {

using Json = nlohmann::ordered_json;

struct ToJson {
    Json operator()(std::monostate) const { return nullptr; }
    Json operator()(bool value) const { return value; }
    Json operator()(int64_t value) const {
        // Json tells signed from unsigned, CBOR does not.
        return value < 0 ? Json(value) : Json(static_cast<uint64_t>(value));
    }
    Json operator()(uint64_t value) const { return value; }
    Json operator()(double value) const { return value; }
    Json operator()(const std::string& text) const {
        return base::firstInvalidUtf8(text) ? base::cleanUtf8(text) : text;
    }
    Json operator()(const base::Bytes& bytes) const {
        return Json::binary({bytes.data.begin(), bytes.data.end()});
    }
    Json operator()(const Array& array) const {
        Json::array_t items;
        items.reserve(array.size());
        for (const Value& item : array)
            items.push_back(std::visit(*this, item.storage()));
        return items;
    }
    Json operator()(const Object& object) const {
        // Keys of an Object differ already: appended without ordered_map's search for an equal one.
        Json::object_t entries;
        auto& list = static_cast<Json::object_t::Container&>(entries);
        list.reserve(object.size());
        for (const auto& [key, value] : object) {
            list.emplace_back(base::firstInvalidUtf8(key) ? base::cleanUtf8(key) : key,
                              std::visit(*this, value.storage()));
        }
        return entries;
    }
};

bool isDeeperThan(const Value& value, int depth) {
    const Array* array = value.asArray();
    const Object* object = value.asObject();
    if (!array && !object)
        return false;
    if (depth == 0)
        return true;
    if (array) {
        for (const Value& item : *array) {
            if (isDeeperThan(item, depth - 1))
                return true;
        }
        return false;
    }
    for (const auto& entry : *object) {
        if (isDeeperThan(entry.second, depth - 1))
            return true;
    }
    return false;
}

/// Takes nlohmann's events and builds a Value. The content of byte strings comes from the bytes that were
/// scanned: nlohmann sees them as empty, because it copies them one byte at a time.
class ValueBuilder {
public:
    using number_integer_t = Json::number_integer_t;
    using number_unsigned_t = Json::number_unsigned_t;
    using number_float_t = Json::number_float_t;
    using string_t = Json::string_t;
    using binary_t = Json::binary_t;

    ValueBuilder(std::string_view bytes, const std::vector<ByteStringPlace>& byteStrings)
        : m_bytes(bytes), m_byteStrings(byteStrings) {}

    bool null() { return add(nullptr); }
    bool boolean(bool value) { return add(value); }
    bool number_integer(number_integer_t value) { return add(value); }
    bool number_unsigned(number_unsigned_t value) { return add(value); }
    bool number_float(number_float_t value, const string_t&) { return add(value); }
    bool string(string_t& value) { return add(std::move(value)); }
    bool binary(binary_t&) {
        const ByteStringPlace place = m_byteStrings[m_nextByteString++];
        return add(base::Bytes{std::string(m_bytes.substr(place.offset, place.length))});
    }
    bool start_object(size_t) {
        m_open.emplace_back(Object());
        return true;
    }
    bool key(string_t& key) {
        m_open.back().key = std::move(key);
        return true;
    }
    bool end_object() { return close(); }
    bool start_array(size_t count) {
        Array array;
        array.reserve(count);
        m_open.emplace_back(std::move(array));
        return true;
    }
    bool end_array() { return close(); }
    bool parse_error(size_t position, const std::string&, const Json::exception& error) {
        m_error =
            Error{ErrorCode::bad_cbor, {{"offset", std::to_string(position)}, {"reason", error.what()}}, {}};
        return false;
    }

    [[nodiscard]] Expected<Value> take(bool complete) {
        if (!complete)
            return tl::make_unexpected(std::move(m_error));
        return std::move(m_root);
    }

private:
    struct Open {
        explicit Open(Value start) : container(std::move(start)) {}
        Value container;
        std::string key;
    };

    bool add(Value value) {
        if (m_open.empty())
            m_root = std::move(value);
        else if (Array* array = m_open.back().container.asArray())
            array->push_back(std::move(value));
        else
            m_open.back().container.asObject()->append(std::move(m_open.back().key), std::move(value));
        return true;
    }

    bool close() {
        Value complete = std::move(m_open.back().container);
        m_open.pop_back();
        return add(std::move(complete));
    }

    std::string_view m_bytes;
    const std::vector<ByteStringPlace>& m_byteStrings;
    size_t m_nextByteString = 0;
    std::vector<Open> m_open;
    Value m_root;
    Error m_error{ErrorCode::bad_cbor, {}, {}};
};

std::string withoutByteStrings(std::string_view bytes, const std::vector<ByteStringPlace>& byteStrings) {
    constexpr char kEmptyByteString = 0x40;
    std::string rest;
    size_t at = 0;
    for (const ByteStringPlace& place : byteStrings) {
        rest.append(bytes.substr(at, place.start - at));
        rest.push_back(kEmptyByteString);
        at = place.offset + place.length;
    }
    rest.append(bytes.substr(at));
    return rest;
}

} // namespace

Expected<std::string> encodeCbor(const Value& value) {
    if (isDeeperThan(value, kMaxDepth))
        return base::fail(ErrorCode::too_deep, {}, "encode a message");
    std::string bytes;
    Json::to_cbor(std::visit(ToJson{}, value.storage()), nlohmann::detail::output_adapter<char>(bytes));
    return bytes;
}

Expected<Value> decodeCbor(std::string_view bytes) {
    const auto byteStrings = scanCbor(bytes, kMaxDepth);
    if (!byteStrings)
        return tl::make_unexpected(byteStrings.error());
    std::string rest;
    std::string_view input = bytes;
    if (!byteStrings->empty())
        input = rest = withoutByteStrings(bytes, *byteStrings);
    ValueBuilder builder(bytes, *byteStrings);
    const bool complete = Json::sax_parse(input.begin(), input.end(), &builder, Json::input_format_t::cbor);
    return builder.take(complete);
}

} // namespace trialdeck::protocol
