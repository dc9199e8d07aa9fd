// SPDX-License-Identifier: Apache-2.0
#include "trainer/collective/world.h"

#include <charconv>

namespace trialdeck::trainer::collective {

namespace {

/// Far above any gang of CPU workers; keeps products of sizes small.
constexpr int kMaxSize = 4096;

std::string valueOf(const base::Environment& environment, std::string_view name) {
    const auto found = environment.find(name);
    return found == environment.end() ? std::string() : found->second;
}

Expected<int> numberIn(const base::Environment& environment, const std::string& name, int low, int high,
                       int whenMissing) {
    const std::string text = valueOf(environment, name);
    if (text.empty())
        return whenMissing;
    int value = 0;
    const char* end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value);
    if (result.ec == std::errc() && result.ptr == end && value >= low && value <= high)
        return value;
    return base::fail(ErrorCode::value_out_of_range, {{"name", name}, {"value", text}},
                      name + " is \"" + text + "\", not a whole number from " + std::to_string(low) + " to " +
                          std::to_string(high));
}

} // namespace

Expected<World> worldFromEnvironment(const base::Environment& environment) {
    const auto size = numberIn(environment, "WORLD_SIZE", 1, kMaxSize, 1);
    if (!size)
        return tl::make_unexpected(size.error());
    const auto rank = numberIn(environment, "RANK", 0, *size - 1, 0);
    if (!rank)
        return tl::make_unexpected(rank.error());
    const auto port = numberIn(environment, "MASTER_PORT", 1, 65535, 0);
    if (!port)
        return tl::make_unexpected(port.error());
    if (*size > 1) {
        for (const char* name : {"RANK", "MASTER_ADDR", "MASTER_PORT"}) {
            if (valueOf(environment, name).empty())
                return base::fail(ErrorCode::missing_field, {{"name", name}},
                                  std::string(name) + " is not set, but WORLD_SIZE says that there are " +
                                      std::to_string(*size) + " workers");
        }
    }
    return World{*rank, *size, valueOf(environment, "MASTER_ADDR"), static_cast<uint16_t>(*port)};
}

} // namespace trialdeck::trainer::collective
