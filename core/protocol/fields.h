// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/message.h"
#include "core/protocol/type_traits.h"

#include <concepts>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// From plain structs to Objects and back by one list of fields for each struct:
///
///     template<typename V, typename S>
///     static void fields(V& v, S& s) {
///         v.required("experiment", s.experiment);
///         v("trial", s.trial);
///     }
///
/// Holds what message.h only declares. Included by the few .cpp files that instantiate encode() and decode(),
/// so that their cost is paid once, and by tests.
namespace trialdeck::protocol {

class FieldEncoder;
class FieldDecoder;

/// Why a value is not what a field wants.
struct Mismatch {
    ErrorCode code = ErrorCode::wrong_type;
    /// "preview.parameters[2].values": where, from the message down; made while the error travels up.
    std::string path;
    /// "text", "integer", "RUNNING|PAUSED|…"
    std::string expected;
    std::string found;

    /// Puts a step before the path.
    void goInto(std::string_view step);
};
using Decoded = tl::expected<void, Mismatch>;

template<typename T>
concept WholeNumber = std::integral<T> && !std::same_as<T, bool>;
/// A struct with a list of fields.
template<typename T>
concept Fielded = requires(FieldEncoder& encoder, T& message) {
    T::fields(encoder, message);
};

/// Builds an Object; moves long content out of the struct.
class FieldEncoder {
public:
    template<typename T>
    void operator()(std::string_view name, T& field) {
        if constexpr (IsOptional<T>::value) {
            if (field)
                m_object.append(std::string(name), valueOf(*field));
        } else {
            m_object.append(std::string(name), valueOf(field));
        }
    }
    template<typename T>
    void required(std::string_view name, T& field) {
        (*this)(name, field);
    }
    [[nodiscard]] Object take() && { return std::move(m_object); }

private:
    template<typename T>
    static Value valueOf(T& field);

    Object m_object;
};

/// Takes an Object apart; moves long content out of it. The first mismatch stands; fields after it are left.
class FieldDecoder {
public:
    explicit FieldDecoder(Object& object) : m_object(object) {}

    template<typename T>
    void operator()(std::string_view name, T& field) {
        read(name, field, false);
    }
    template<typename T>
    void required(std::string_view name, T& field) {
        read(name, field, true);
    }
    [[nodiscard]] Decoded take() && { return std::move(m_result); }

private:
    template<typename T>
    void read(std::string_view name, T& field, bool isRequired);

    Object& m_object;
    Decoded m_result;
};

[[nodiscard]] Decoded mismatch(std::string_view expected, const Value& found);
[[nodiscard]] Decoded wrongNumber(std::string_view expected, const Value& found);
/// wrong_type or missing_field with the arguments field, expected and found.
[[nodiscard]] Error errorOf(Mismatch mismatch);

[[nodiscard]] Value valueOfArguments(base::ErrorArguments& arguments);
[[nodiscard]] Value valueOfError(Error& error);
[[nodiscard]] Decoded readValue(Value& value, bool& field);
[[nodiscard]] Decoded readValue(Value& value, double& field);
[[nodiscard]] Decoded readValue(Value& value, std::string& field);
[[nodiscard]] Decoded readValue(Value& value, base::Bytes& field);
[[nodiscard]] Decoded readValue(Value& value, Value& field);
[[nodiscard]] Decoded readValue(Value& value, Object& field);
[[nodiscard]] Decoded readValue(Value& value, Array& field);
[[nodiscard]] Decoded readValue(Value& value, base::WallTime& field);
[[nodiscard]] Decoded readValue(Value& value, base::ErrorArguments& field);
/// A code that this version does not know becomes `internal`: an error is told in any case.
[[nodiscard]] Decoded readValue(Value& value, ErrorCode& field);
[[nodiscard]] Decoded readValue(Value& value, Error& field);

template<typename T>
[[nodiscard]] Decoded readValue(Value& value, T& field) {
    if constexpr (WholeNumber<T>) {
        const auto& storage = value.storage();
        if (const auto* whole = std::get_if<int64_t>(&storage); whole && std::in_range<T>(*whole))
            field = static_cast<T>(*whole);
        else if (const auto* large = std::get_if<uint64_t>(&storage); large && std::in_range<T>(*large))
            field = static_cast<T>(*large);
        else
            return wrongNumber("integer from " + std::to_string(std::numeric_limits<T>::min()) + " to " +
                                   std::to_string(std::numeric_limits<T>::max()),
                               value);
        return {};
    } else if constexpr (IsStrongId<T>::value) {
        typename T::RawType raw{};
        TRIALDECK_TRY(readValue(value, raw));
        field = T(std::move(raw));
        return {};
    } else if constexpr (std::is_enum_v<T>) {
        const std::string* name = value.asString();
        const auto known = name ? fromName<T>(*name) : std::nullopt;
        if (!known)
            return mismatch("one of the names that PROTOCOL.md lists", value);
        field = *known;
        return {};
    } else if constexpr (IsVector<T>::value) {
        Array* items = value.asArray();
        if (!items)
            return mismatch("list", value);
        field.clear();
        field.reserve(items->size());
        for (size_t i = 0; i < items->size(); ++i) {
            typename T::value_type item{};
            if (auto read = readValue((*items)[i], item); !read) {
                read.error().goInto("[" + std::to_string(i) + "]");
                return read;
            }
            field.push_back(std::move(item));
        }
        return {};
    } else {
        static_assert(Fielded<T>, "a field of a kind that messages cannot carry");
        Object* object = value.asObject();
        if (!object)
            return mismatch("map", value);
        FieldDecoder decoder(*object);
        T::fields(decoder, field);
        return std::move(decoder).take();
    }
}

template<typename T>
Value FieldEncoder::valueOf(T& field) {
    if constexpr (std::same_as<T, bool> || std::same_as<T, double> || std::same_as<T, Value> ||
                  std::same_as<T, std::string> || std::same_as<T, base::Bytes> || std::same_as<T, Object> ||
                  std::same_as<T, Array>)
        return Value(std::move(field));
    else if constexpr (WholeNumber<T>)
        return std::is_signed_v<T> ? Value(static_cast<int64_t>(field)) : Value(static_cast<uint64_t>(field));
    else if constexpr (IsStrongId<T>::value) {
        typename T::RawType raw = field.raw();
        return valueOf(raw);
    } else if constexpr (std::same_as<T, base::WallTime>)
        return Value(base::formatIso8601(field));
    else if constexpr (std::same_as<T, base::ErrorArguments>)
        return valueOfArguments(field);
    else if constexpr (std::same_as<T, Error>)
        return valueOfError(field);
    else if constexpr (std::is_enum_v<T>)
        return Value(nameOf(field));
    else if constexpr (IsVector<T>::value) {
        Array items;
        items.reserve(field.size());
        for (auto& item : field)
            items.push_back(valueOf(item));
        return items;
    } else {
        static_assert(Fielded<T>, "a field of a kind that messages cannot carry");
        FieldEncoder encoder;
        T::fields(encoder, field);
        return std::move(encoder).take();
    }
}

template<typename T>
void FieldDecoder::read(std::string_view name, T& field, bool isRequired) {
    if (!m_result)
        return;
    Value* value = m_object.find(name);
    // Null says as much as a missing field.
    if (!value || value->isNull()) {
        if (isRequired)
            m_result = tl::make_unexpected(Mismatch{ErrorCode::missing_field, std::string(name), {}, {}});
        return;
    }
    if constexpr (IsOptional<T>::value) {
        typename T::value_type content{};
        m_result = readValue(*value, content);
        field = std::move(content);
    } else {
        m_result = readValue(*value, field);
    }
    if (!m_result)
        m_result.error().goInto(name);
}

template<typename Message>
Object encode(Message message) {
    FieldEncoder encoder;
    Message::fields(encoder, message);
    return std::move(encoder).take();
}

template<typename Message>
Expected<Message> decode(Object object) {
    Message message;
    FieldDecoder decoder(object);
    Message::fields(decoder, message);
    if (auto result = std::move(decoder).take(); !result)
        return tl::make_unexpected(errorOf(std::move(result).error()));
    return message;
}

} // namespace trialdeck::protocol
