// SPDX-License-Identifier: Apache-2.0
#include "core/base/value.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace trialdeck::base {

Object::Object() = default;
Object::Object(std::initializer_list<Entry> entries) : m_entries(entries) {}
Object::Object(const Object&) = default;
Object::Object(Object&&) noexcept = default;
Object& Object::operator=(const Object&) = default;
Object& Object::operator=(Object&&) noexcept = default;
Object::~Object() = default;

const Value* Object::find(std::string_view key) const {
    const auto entry = std::find_if(m_entries.begin(), m_entries.end(),
                                    [key](const Entry& candidate) { return candidate.first == key; });
    return entry == m_entries.end() ? nullptr : &entry->second;
}

Value* Object::find(std::string_view key) {
    return const_cast<Value*>(std::as_const(*this).find(key));
}

void Object::set(std::string key, Value value) {
    if (Value* existing = find(key))
        *existing = std::move(value);
    else
        m_entries.emplace_back(std::move(key), std::move(value));
}

void Object::append(std::string key, Value value) {
    m_entries.emplace_back(std::move(key), std::move(value));
}

void Object::erase(std::string_view key) {
    std::erase_if(m_entries, [key](const Entry& entry) { return entry.first == key; });
}

bool Object::empty() const {
    return m_entries.empty();
}
size_t Object::size() const {
    return m_entries.size();
}
std::vector<Object::Entry>::const_iterator Object::begin() const {
    return m_entries.begin();
}
std::vector<Object::Entry>::const_iterator Object::end() const {
    return m_entries.end();
}

bool operator==(const Object& left, const Object& right) {
    return left.m_entries == right.m_entries;
}

Value::Value(uint64_t value) {
    if (value <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
        m_storage = static_cast<int64_t>(value);
    else
        m_storage = value;
}

std::optional<int64_t> Value::toInteger() const {
    if (const auto* whole = std::get_if<int64_t>(&m_storage))
        return *whole;
    if (const auto* real = std::get_if<double>(&m_storage)) {
        // 2^63 is the first double above the range; -2^63 is still inside.
        constexpr double kLimit = 9223372036854775808.0;
        if (*real >= -kLimit && *real < kLimit && std::trunc(*real) == *real)
            return static_cast<int64_t>(*real);
    }
    return std::nullopt;
}

std::optional<double> Value::toDouble() const {
    if (const auto* real = std::get_if<double>(&m_storage))
        return *real;
    if (const auto* whole = std::get_if<int64_t>(&m_storage))
        return static_cast<double>(*whole);
    if (const auto* large = std::get_if<uint64_t>(&m_storage))
        return static_cast<double>(*large);
    return std::nullopt;
}

const Value* Value::find(std::string_view key) const {
    const Object* object = asObject();
    return object ? object->find(key) : nullptr;
}

bool operator==(const Value& left, const Value& right) {
    const auto* a = std::get_if<double>(&left.m_storage);
    const auto* b = std::get_if<double>(&right.m_storage);
    if (a && b)
        return *a == *b || (std::isnan(*a) && std::isnan(*b));
    return left.m_storage == right.m_storage;
}

std::string_view kindName(const Value& value) {
    static constexpr std::array<std::string_view, 9> kNames = {
        "null", "boolean", "integer", "integer", "number", "text", "bytes", "list", "map"};
    return kNames.at(value.storage().index());
}

} // namespace trialdeck::base
