// SPDX-License-Identifier: Apache-2.0
#include "core/engine/visible_devices.h"

#include <algorithm>
#include <charconv>

namespace trialdeck::engine {

namespace {

std::string_view trimmed(std::string_view text) {
    const size_t begin = text.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos)
        return {};
    return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

bool isCut(const std::vector<Device>& all, const Device& gpu) {
    return !gpu.instance && std::any_of(all.begin(), all.end(), [&gpu](const Device& other) {
        return other.instance && other.index == gpu.index;
    });
}

std::vector<Device> usable(const std::vector<Device>& all) {
    std::vector<Device> result;
    for (const Device& device : all) {
        if (!isCut(all, device))
            result.push_back(device);
    }
    return result;
}

std::optional<uint32_t> asDeviceNumber(std::string_view entry) {
    uint32_t number = 0;
    const auto result = std::from_chars(entry.data(), entry.data() + entry.size(), number);
    if (result.ec != std::errc() || result.ptr != entry.data() + entry.size())
        return std::nullopt;
    return number;
}

/// Old drivers name an instance by its GPU's UUID, its GPU instance and compute instance:
/// MIG-GPU-<uuid>/<gi>/<ci>. New ones count an instance of the GPU, so gi n is the n-th one listed where the
/// list has new names.
const Device* byOldInstanceName(const std::vector<Device>& all, std::string_view entry) {
    constexpr std::string_view kPrefix = "MIG-GPU-";
    if (!entry.starts_with(kPrefix))
        return nullptr;
    const size_t slash = entry.find('/');
    const size_t second = slash == std::string_view::npos ? slash : entry.find('/', slash + 1);
    if (second == std::string_view::npos)
        return nullptr;
    const std::string gpuUuid = "GPU-" + std::string(entry.substr(kPrefix.size(), slash - kPrefix.size()));
    const auto wanted = asDeviceNumber(entry.substr(slash + 1, second - slash - 1));
    const auto gpu =
        std::find_if(all.begin(), all.end(), [&](const Device& device) { return device.uuid == gpuUuid; });
    if (gpu == all.end() || !wanted)
        return nullptr;
    uint32_t count = 0;
    for (const Device& device : all) {
        if (device.instance && device.index == gpu->index && count++ == *wanted)
            return &device;
    }
    return nullptr;
}

struct Found {
    const Device* device = nullptr;
    bool ambiguous = false;
};

Found byUuid(const std::vector<Device>& all, std::string_view entry) {
    Found found;
    for (const Device& device : all) {
        if (device.uuid == entry)
            return {&device, false};
        if (!device.uuid.starts_with(entry))
            continue;
        found.ambiguous = found.device != nullptr;
        if (found.ambiguous)
            break;
        found.device = &device;
    }
    if (!found.device)
        found.device = byOldInstanceName(all, entry);
    return found;
}

VisibleDevices none(std::string note, bool wrong) {
    return {{}, std::move(note), wrong};
}

bool isUuidLike(std::string_view entry) {
    return entry.starts_with("GPU-") || entry.starts_with("MIG-");
}

/// Walks the entries by CUDA's rules; the first that does not exist ends the list.
VisibleDevices walk(const std::vector<Device>& all, std::string_view variable) {
    VisibleDevices result;
    std::optional<bool> uuids;
    bool first = true;
    for (std::string_view rest = variable; first || !rest.empty(); first = false) {
        const size_t comma = std::min(rest.find(','), rest.size());
        const std::string_view entry = trimmed(rest.substr(0, comma));
        rest.remove_prefix(std::min(comma + 1, rest.size()));
        const std::string quoted = "\"" + std::string(entry) + "\"";
        const bool isUuid = isUuidLike(entry);
        if (uuids && *uuids != isUuid) {
            result.note = "CUDA_VISIBLE_DEVICES mixes numbers and UUIDs: the list ends before " + quoted;
            return result;
        }
        uuids = isUuid;
        Found found;
        if (isUuid) {
            found = byUuid(all, entry);
        } else if (const auto number = asDeviceNumber(entry)) {
            const auto gpu = std::find_if(all.begin(), all.end(), [&number](const Device& device) {
                return !device.instance && device.index == *number;
            });
            found.device = gpu == all.end() ? nullptr : &*gpu;
        }
        if (found.ambiguous)
            return none("CUDA_VISIBLE_DEVICES: " + quoted + " fits more than one GPU", true);
        if (!found.device) {
            if (first)
                return none("CUDA_VISIBLE_DEVICES: there is no device " + quoted, true);
            result.note = "CUDA_VISIBLE_DEVICES: the list ends at " + quoted + ", which does not exist";
            return result;
        }
        if (isCut(all, *found.device)) {
            std::string offer;
            for (const Device& device : all) {
                if (device.instance && device.index == found.device->index)
                    offer += (offer.empty() ? "" : ", ") + device.uuid;
            }
            return none("GPU " + std::to_string(found.device->index) +
                            " is cut into instances; name one of " + offer,
                        true);
        }
        if (std::find(result.devices.begin(), result.devices.end(), *found.device) != result.devices.end())
            return none("CUDA_VISIBLE_DEVICES names " + quoted + " twice: CUDA shows no device then", true);
        result.devices.push_back(*found.device);
    }
    return result;
}

} // namespace

std::vector<Device> parseDeviceList(std::string_view text) {
    std::vector<Device> devices;
    uint32_t gpuIndex = 0;
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        constexpr std::string_view kUuid = "(UUID: ";
        const size_t uuid = line.find(kUuid);
        const size_t close = line.rfind(')');
        if (uuid == std::string_view::npos || close == std::string_view::npos || close < uuid + kUuid.size())
            continue;
        Device device;
        device.uuid = line.substr(uuid + kUuid.size(), close - uuid - kUuid.size());
        const std::string_view before = trimmed(line.substr(0, uuid));
        if (before.starts_with("GPU ")) {
            const size_t colon = before.find(':');
            const auto number =
                asDeviceNumber(before.substr(4, colon == std::string_view::npos ? 0 : colon - 4));
            if (!number)
                continue;
            gpuIndex = *number;
            device.name = trimmed(before.substr(colon + 1));
        } else if (before.starts_with("MIG ")) {
            device.instance = true;
            const size_t word = before.find(" Device ");
            device.name = trimmed(before.substr(0, word));
        } else {
            continue;
        }
        device.index = gpuIndex;
        devices.push_back(std::move(device));
    }
    return devices;
}

VisibleDevices visibleDevices(const std::vector<Device>& all, std::optional<std::string_view> variable) {
    if (!variable)
        return {usable(all), {}, false};
    const std::string_view value = trimmed(*variable);
    if (value == "all")
        return {usable(all),
                "CUDA_VISIBLE_DEVICES=all is a value of another variable and is taken as not set", false};
    if (value.empty() || value == "-1" || value == "NoDevFiles")
        return none("CUDA_VISIBLE_DEVICES hides all GPUs", false);
    return walk(all, value);
}

} // namespace trialdeck::engine
