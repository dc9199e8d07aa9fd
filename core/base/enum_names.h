// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace trialdeck::base {

/// Names in the order of an enum's enumerators, looked up both ways.
template<typename Enum, size_t N>
class EnumNames {
public:
    constexpr explicit EnumNames(const std::array<std::string_view, N>& names) : m_names(names) {}

    [[nodiscard]] constexpr std::string_view name(Enum value) const {
        return m_names.at(static_cast<size_t>(value));
    }
    [[nodiscard]] constexpr std::optional<Enum> find(std::string_view name) const {
        for (size_t i = 0; i < N; ++i) {
            if (m_names[i] == name)
                return static_cast<Enum>(i);
        }
        return std::nullopt;
    }

private:
    std::array<std::string_view, N> m_names;
};

} // namespace trialdeck::base
