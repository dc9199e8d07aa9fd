// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <functional>
#include <utility>

namespace trialdeck::base {

/// A value that names one kind of thing: a TrialId cannot be passed where an attempt number is wanted.
/// Tag is an empty struct; Raw is the stored type, an integer or a string.
template<typename Tag, typename Raw>
class StrongId {
public:
    using RawType = Raw;

    constexpr StrongId() = default;
    constexpr explicit StrongId(Raw raw) : m_raw(std::move(raw)) {}

    [[nodiscard]] constexpr const Raw& raw() const { return m_raw; }

    friend constexpr auto operator<=>(const StrongId&, const StrongId&) = default;
    friend constexpr bool operator==(const StrongId&, const StrongId&) = default;

private:
    Raw m_raw{};
};

} // namespace trialdeck::base

template<typename Tag, typename Raw>
struct std::hash<trialdeck::base::StrongId<Tag, Raw>> {
    size_t operator()(const trialdeck::base::StrongId<Tag, Raw>& id) const {
        return std::hash<Raw>{}(id.raw());
    }
};
