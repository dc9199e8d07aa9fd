// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace trialdeck::base {

class Value;
using Array = std::vector<Value>;

/// Text keys to values in the order of insertion. Look-up is linear: meant for maps that a person could read.
class Object {
public:
    using Entry = std::pair<std::string, Value>;

    Object();
    Object(std::initializer_list<Entry> entries);
    Object(const Object&);
    Object(Object&&) noexcept;
    Object& operator=(const Object&);
    Object& operator=(Object&&) noexcept;
    ~Object();

    /// @return null where the key is missing.
    [[nodiscard]] const Value* find(std::string_view key) const;
    [[nodiscard]] Value* find(std::string_view key);
    /// Replaces the value of the key or adds the key at the end.
    void set(std::string key, Value value);
    /// Adds at the end without looking for the key: for building maps whose keys are known to differ.
    void append(std::string key, Value value);
    void erase(std::string_view key);

    [[nodiscard]] bool empty() const;
    [[nodiscard]] size_t size() const;
    [[nodiscard]] std::vector<Entry>::const_iterator begin() const;
    [[nodiscard]] std::vector<Entry>::const_iterator end() const;

    friend bool operator==(const Object&, const Object&);

private:
    std::vector<Entry> m_entries;
};

/// Byte strings are their own kind, so that CBOR keeps them apart from text.
struct Bytes {
    std::string data;
    friend bool operator==(const Bytes&, const Bytes&) = default;
};

/// One value of JSON or CBOR, as configurations, metrics and messages carry it. Whole numbers stay exact
/// over the ranges of int64 and uint64; a number written with a point or exponent is a double.
/// Equality is exact by kind: 1 and 1.0 differ, and NaN equals NaN (so that a Value equals its copy).
class Value {
public:
    using Storage =
        std::variant<std::monostate, bool, int64_t, uint64_t, double, std::string, Bytes, Array, Object>;

    Value() = default;
    Value(std::nullptr_t) {}
    Value(bool value) : m_storage(value) {}
    Value(int value) : m_storage(static_cast<int64_t>(value)) {}
    Value(int64_t value) : m_storage(value) {}
    Value(long long value) : m_storage(static_cast<int64_t>(value)) {}
    /// Stored as int64 where it fits, so that equal whole numbers are equal Values.
    Value(uint64_t value);
    Value(double value) : m_storage(value) {}
    Value(const char* text) : m_storage(std::string(text)) {}
    Value(std::string text) : m_storage(std::move(text)) {}
    Value(std::string_view text) : m_storage(std::string(text)) {}
    Value(Bytes bytes) : m_storage(std::move(bytes)) {}
    Value(Array array) : m_storage(std::move(array)) {}
    Value(Object object) : m_storage(std::move(object)) {}

    [[nodiscard]] bool isNull() const { return holds<std::monostate>(); }
    [[nodiscard]] bool isBool() const { return holds<bool>(); }
    /// A whole number that was written as one.
    [[nodiscard]] bool isInteger() const { return holds<int64_t>() || holds<uint64_t>(); }
    [[nodiscard]] bool isNumber() const { return isInteger() || holds<double>(); }
    [[nodiscard]] bool isString() const { return holds<std::string>(); }
    [[nodiscard]] bool isBytes() const { return holds<Bytes>(); }
    [[nodiscard]] bool isArray() const { return holds<Array>(); }
    [[nodiscard]] bool isObject() const { return holds<Object>(); }

    /// Null pointers where the value is of another kind.
    [[nodiscard]] const bool* asBool() const { return std::get_if<bool>(&m_storage); }
    [[nodiscard]] const std::string* asString() const { return std::get_if<std::string>(&m_storage); }
    [[nodiscard]] const Bytes* asBytes() const { return std::get_if<Bytes>(&m_storage); }
    [[nodiscard]] const Array* asArray() const { return std::get_if<Array>(&m_storage); }
    [[nodiscard]] const Object* asObject() const { return std::get_if<Object>(&m_storage); }
    [[nodiscard]] std::string* asString() { return std::get_if<std::string>(&m_storage); }
    [[nodiscard]] Bytes* asBytes() { return std::get_if<Bytes>(&m_storage); }
    [[nodiscard]] Array* asArray() { return std::get_if<Array>(&m_storage); }
    [[nodiscard]] Object* asObject() { return std::get_if<Object>(&m_storage); }
    /// Whole numbers within int64, including doubles such as 3.0; nothing otherwise.
    [[nodiscard]] std::optional<int64_t> toInteger() const;
    /// Any number, whole ones rounded to the nearest double; nothing for other kinds.
    [[nodiscard]] std::optional<double> toDouble() const;

    /// The entry of an object; null where this is no object or has no such key.
    [[nodiscard]] const Value* find(std::string_view key) const;

    [[nodiscard]] const Storage& storage() const { return m_storage; }

    friend bool operator==(const Value&, const Value&);

private:
    template<typename T>
    [[nodiscard]] bool holds() const {
        return std::holds_alternative<T>(m_storage);
    }

    Storage m_storage;
};

/// "null", "boolean", "integer", "number", "text", "bytes", "list", "map".
[[nodiscard]] std::string_view kindName(const Value& value);

} // namespace trialdeck::base

namespace trialdeck {
using base::Array;
using base::Object;
using base::Value;
} // namespace trialdeck
