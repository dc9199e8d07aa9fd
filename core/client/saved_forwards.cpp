// SPDX-License-Identifier: Apache-2.0
#include "core/client/saved_forwards.h"

#include "core/base/enum_names.h"
#include "core/transport/remote/port_forward.h"

#include <algorithm>

namespace trialdeck::client {

namespace {

constexpr base::EnumNames<ForwardKind, 4> kKinds({"port", "tensorboard", "jupyter", "dashboard"});

uint16_t portAt(const Value& entry, std::string_view key) {
    const Value* value = entry.find(key);
    const auto number = value ? value->toInteger() : std::nullopt;
    return number && *number > 0 && *number <= UINT16_MAX ? static_cast<uint16_t>(*number) : uint16_t{0};
}

std::optional<SavedForward> forwardFrom(const Value& entry) {
    const Value* kind = entry.find("kind");
    const std::string* name = kind ? kind->asString() : nullptr;
    const auto known = name ? forwardKindFromString(*name) : std::nullopt;
    if (!known)
        return std::nullopt;
    SavedForward forward;
    forward.kind = *known;
    const Value* host = entry.find("host");
    if (const std::string* text = host ? host->asString() : nullptr)
        forward.host = *text;
    forward.port = portAt(entry, "port");
    forward.localPort = portAt(entry, "local_port");
    return forward;
}

Value valueOf(const SavedForward& forward) {
    Object entry{{"kind", nameOf(forward.kind)}, {"local_port", int64_t{forward.localPort}}};
    if (forward.kind == ForwardKind::port) {
        entry.set("host", forward.host);
        entry.set("port", int64_t{forward.port});
    }
    return entry;
}

bool isSame(const SavedForward& one, const SavedForward& other) {
    return one.kind == other.kind &&
           (one.kind != ForwardKind::port || (one.host == other.host && one.port == other.port));
}

uint16_t customaryPort(const SavedForward& forward) {
    switch (forward.kind) {
    case ForwardKind::port:
        return forward.port;
    case ForwardKind::tensorboard:
        return transport::kTensorBoardPort;
    case ForwardKind::jupyter:
        return transport::kJupyterPort;
    case ForwardKind::dashboard:
        return transport::kRayDashboardPort;
    }
    return forward.port;
}

} // namespace

std::string_view nameOf(ForwardKind kind) {
    return kKinds.name(kind);
}

std::optional<ForwardKind> forwardKindFromString(std::string_view name) {
    return kKinds.find(name);
}

std::vector<SavedForward> savedForwards(const SavedConnection& connection) {
    std::vector<SavedForward> forwards;
    for (const Value& entry : connection.forwards) {
        if (auto forward = forwardFrom(entry))
            forwards.push_back(std::move(*forward));
    }
    return forwards;
}

uint16_t localPortFor(const SavedConnection& connection, const SavedForward& wanted) {
    for (const SavedForward& forward : savedForwards(connection)) {
        if (isSame(forward, wanted) && forward.localPort != 0)
            return forward.localPort;
    }
    return customaryPort(wanted);
}

bool rememberForward(SavedConnection& connection, const SavedForward& forward) {
    for (Value& entry : connection.forwards) {
        const auto known = forwardFrom(entry);
        if (!known || !isSame(*known, forward))
            continue;
        if (known->localPort == forward.localPort)
            return false;
        entry = valueOf(forward);
        return true;
    }
    connection.forwards.push_back(valueOf(forward));
    return true;
}

bool forgetForward(SavedConnection& connection, const SavedForward& forward) {
    return std::erase_if(connection.forwards, [&](const Value& entry) {
               const auto known = forwardFrom(entry);
               return known && isSame(*known, forward);
           }) > 0;
}

} // namespace trialdeck::client
