// SPDX-License-Identifier: Apache-2.0
#include "app/models/cell_column.h"

#include "core/base/json.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

namespace trialdeck::app::models {

namespace {

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

size_t endOfDigits(std::string_view text, size_t from) {
    while (from < text.size() && isDigit(text[from]))
        ++from;
    return from;
}

template<typename T>
int compareOrdered(const T& a, const T& b) {
    return a < b ? -1 : b < a ? 1 : 0;
}

int kindRank(const Value& value) {
    return value.isNumber() ? 0 : value.isString() ? 1 : value.isBool() ? 2 : value.isArray() ? 3 : 4;
}

} // namespace

int compareNaturally(std::string_view a, std::string_view b) {
    size_t i = 0;
    size_t j = 0;
    while (i < a.size() && j < b.size()) {
        if (!isDigit(a[i]) || !isDigit(b[j])) {
            if (a[i] != b[j])
                return compareOrdered(static_cast<unsigned char>(a[i]), static_cast<unsigned char>(b[j]));
            ++i;
            ++j;
            continue;
        }
        const size_t endA = endOfDigits(a, i);
        const size_t endB = endOfDigits(b, j);
        std::string_view digitsA = a.substr(i, endA - i);
        std::string_view digitsB = b.substr(j, endB - j);
        digitsA.remove_prefix(std::min(digitsA.find_first_not_of('0'), digitsA.size()));
        digitsB.remove_prefix(std::min(digitsB.find_first_not_of('0'), digitsB.size()));
        if (digitsA.size() != digitsB.size())
            return compareOrdered(digitsA.size(), digitsB.size());
        if (const int order = digitsA.compare(digitsB); order != 0)
            return order;
        i = endA;
        j = endB;
    }
    return compareOrdered(a.size() - i, b.size() - j);
}

int compareValues(const Value& a, const Value& b) {
    if (kindRank(a) != kindRank(b))
        return compareOrdered(kindRank(a), kindRank(b));
    if (a.isNumber())
        return compareOrdered(a.toDouble().value_or(0), b.toDouble().value_or(0));
    if (a.isString())
        return compareNaturally(*a.asString(), *b.asString());
    if (a.isArray()) {
        const Array& left = *a.asArray();
        const Array& right = *b.asArray();
        for (size_t i = 0; i < std::min(left.size(), right.size()); ++i) {
            if (const int order = compareValues(left[i], right[i]); order != 0)
                return order;
        }
        return compareOrdered(left.size(), right.size());
    }
    return compareOrdered(base::toJson(a), base::toJson(b));
}

void CellColumn::resize(size_t rows) {
    m_kinds.resize(rows, Storage::missing);
    m_bits.resize(rows, 0);
}

uint64_t CellColumn::intern(const Value& value) {
    const auto [entry, isNew] = m_distinctIndex.try_emplace(base::toJson(value), m_distinct.size());
    if (isNew)
        m_distinct.push_back(value);
    return entry->second;
}

bool CellColumn::set(size_t row, const Value& value) {
    if (row >= size())
        resize(row + 1);
    Storage kind = Storage::distinct;
    uint64_t bits = 0;
    if (value.isNull()) {
        kind = Storage::missing;
    } else if (const auto* real = std::get_if<double>(&value.storage())) {
        kind = Storage::real;
        bits = std::bit_cast<uint64_t>(*real);
        m_isWhole = false;
        m_hasNumbers = true;
    } else if (const auto* integer = std::get_if<int64_t>(&value.storage())) {
        kind = Storage::integer;
        bits = std::bit_cast<uint64_t>(*integer);
        m_hasNumbers = true;
    } else if (const auto* large = std::get_if<uint64_t>(&value.storage())) {
        kind = Storage::unsignedInteger;
        bits = *large;
        m_hasNumbers = true;
    } else {
        bits = intern(value);
    }
    if (m_kinds[row] == kind && m_bits[row] == bits)
        return false;
    m_kinds[row] = kind;
    m_bits[row] = bits;
    return true;
}

CellKind CellColumn::kind(size_t row) const {
    if (row >= size())
        return CellKind::missing;
    switch (m_kinds[row]) {
    case Storage::missing:
        return CellKind::missing;
    case Storage::real:
        return std::isnan(std::bit_cast<double>(m_bits[row])) ? CellKind::notANumber : CellKind::number;
    case Storage::integer:
    case Storage::unsignedInteger:
        return CellKind::number;
    case Storage::distinct:
        break;
    }
    return m_distinct[m_bits[row]].isString() ? CellKind::text : CellKind::other;
}

Value CellColumn::value(size_t row) const {
    if (row >= size())
        return {};
    switch (m_kinds[row]) {
    case Storage::missing:
        return {};
    case Storage::real:
        return std::bit_cast<double>(m_bits[row]);
    case Storage::integer:
        return std::bit_cast<int64_t>(m_bits[row]);
    case Storage::unsignedInteger:
        return m_bits[row];
    case Storage::distinct:
        break;
    }
    return m_distinct[m_bits[row]];
}

double CellColumn::number(size_t row) const {
    if (row >= size())
        return std::numeric_limits<double>::quiet_NaN();
    switch (m_kinds[row]) {
    case Storage::real:
        return std::bit_cast<double>(m_bits[row]);
    case Storage::integer:
        return static_cast<double>(std::bit_cast<int64_t>(m_bits[row]));
    case Storage::unsignedInteger:
        return static_cast<double>(m_bits[row]);
    case Storage::missing:
    case Storage::distinct:
        break;
    }
    return std::numeric_limits<double>::quiet_NaN();
}

std::vector<CellSortKey> CellColumn::sortKeys() const {
    std::vector<size_t> order(m_distinct.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::sort(order.begin(), order.end(),
              [this](size_t a, size_t b) { return compareValues(m_distinct[a], m_distinct[b]) < 0; });
    std::vector<double> ranks(m_distinct.size());
    for (size_t i = 0; i < order.size(); ++i)
        ranks[order[i]] = static_cast<double>(i);
    std::vector<CellSortKey> keys(size());
    for (size_t row = 0; row < size(); ++row) {
        keys[row].kind = kind(row);
        if (keys[row].kind == CellKind::number)
            keys[row].number = number(row);
        else if (m_kinds[row] == Storage::distinct)
            keys[row].number = ranks[m_bits[row]];
    }
    return keys;
}

} // namespace trialdeck::app::models
