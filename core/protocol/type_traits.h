// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/strong_id.h"

#include <optional>
#include <type_traits>
#include <vector>

namespace trialdeck::protocol {

template<typename T>
struct IsOptional : std::false_type {};
template<typename T>
struct IsOptional<std::optional<T>> : std::true_type {};
template<typename T>
struct IsVector : std::false_type {};
template<typename T>
struct IsVector<std::vector<T>> : std::true_type {};
template<typename T>
struct IsStrongId : std::false_type {};
template<typename Tag, typename Raw>
struct IsStrongId<base::StrongId<Tag, Raw>> : std::true_type {};

} // namespace trialdeck::protocol
