// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trialdeck::engine {

/// One line of `nvidia-smi -L`: a GPU, or an instance cut out of one (MIG).
struct Device {
    std::string uuid;
    std::string name;
    /// Number of the GPU in the order of the bus; that of the whole one for an instance.
    uint32_t index = 0;
    bool instance = false;
    friend bool operator==(const Device&, const Device&) = default;
};

/// Reads `nvidia-smi -L`; lines of another form are passed over.
[[nodiscard]] std::vector<Device> parseDeviceList(std::string_view text);

/// What may be handed out, in the order in which ranks get it.
struct VisibleDevices {
    std::vector<Device> devices;
    /// For the node view, English: why devices are left out or none is there; empty where nothing is odd.
    std::string note;
    /// The note is an error: the variable names what cannot be.
    bool wrong = false;
};

/// CUDA's rules for CUDA_VISIBLE_DEVICES, with numbers in the order of the bus: the list ends at the first
/// entry that does not exist, a device named twice leaves none, prefixes of UUIDs must be unique, numbers and
/// UUIDs do not mix, a GPU that is cut into instances is not usable as a whole.
/// @param variable  its value in the head's environment; nothing where it is not set
/// Source: CUDA C++ Programming Guide, "CUDA Environment Variables"; NVIDIA MIG User Guide, "Device Names".
[[nodiscard]] VisibleDevices visibleDevices(const std::vector<Device>& all,
                                            std::optional<std::string_view> variable);

} // namespace trialdeck::engine
