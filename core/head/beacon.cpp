// SPDX-License-Identifier: Apache-2.0
#include "core/head/beacon.h"

#include "core/base/file_lock.h"
#include "core/base/host.h"
#include "core/base/json.h"

namespace trialdeck::head {

namespace {

base::Path beaconIn(const base::Path& folder) {
    return folder / "beacon.json";
}

std::string textIn(const Value& value, std::string_view key) {
    const Value* found = value.find(key);
    const std::string* text = found ? found->asString() : nullptr;
    return text ? *text : std::string();
}

/// What the clock of the home's file system says now, as its files show it.
std::optional<int64_t> nowOf(base::FileSystem& files, const HeadHome& home) {
    const base::Path probe = home.folder() / ("now." + base::newUuid());
    if (!base::replaceFile(files, probe, ""))
        return std::nullopt;
    const auto status = files.status(probe);
    (void)files.remove(probe);
    return status ? std::optional(status->modifiedNanoseconds) : std::nullopt;
}

bool burns(base::FileSystem& files, const base::Path& beacon, std::optional<int64_t>& now,
           const HeadHome& home) {
    const auto status = files.status(beacon);
    if (!status)
        return false;
    if (!now)
        now = nowOf(files, home);
    // Where that clock cannot be asked, two daemons are worse than one that is not found.
    return !now || std::chrono::nanoseconds(*now - status->modifiedNanoseconds) < kBeaconLasts;
}

/// What a daemon says of itself; of one that says nothing, the host by whose name its folder is called.
Beacon beaconOf(base::FileSystem& files, const base::Path& folder) {
    constexpr uint64_t kMaxBytes = 4096;
    Beacon beacon;
    const auto text = base::readWholeFile(files, beaconIn(folder), kMaxBytes);
    if (const auto value = text ? base::parseJson(*text) : tl::make_unexpected(Error{})) {
        beacon.host = textIn(*value, "host");
        beacon.boot = textIn(*value, "boot");
        const Value* pid = value->find("pid");
        beacon.pid = pid ? pid->toInteger().value_or(0) : 0;
    }
    if (beacon.host.empty()) {
        const std::string name = folder.filename().native();
        beacon.host = name.substr(0, name.rfind('-'));
    }
    return beacon;
}

} // namespace

Expected<void> lightBeacon(base::FileSystem& files, const HeadHome& home, const Beacon& beacon) {
    const Value text(
        Object{{"host", Value(beacon.host)}, {"boot", Value(beacon.boot)}, {"pid", Value(beacon.pid)}});
    return base::replaceFile(files, beaconIn(home.folder()), base::toJson(text) + "\n");
}

void quenchBeacon(base::FileSystem& files, const HeadHome& home) {
    (void)files.remove(beaconIn(home.folder()));
}

std::optional<Beacon> findElsewhere(base::FileSystem& files, const HeadHome& home) {
    const base::Path hosts = home.folder().parent_path();
    const auto names = files.list(hosts);
    if (!names)
        return std::nullopt;
    std::optional<int64_t> now;
    for (const std::string& name : *names) {
        const base::Path folder = hosts / name;
        if (folder == home.folder())
            continue;
        const bool isHeld = base::FileLock::isHeld(folder / "head.lock").value_or(false);
        if (isHeld || burns(files, beaconIn(folder), now, home))
            return beaconOf(files, folder);
    }
    return std::nullopt;
}

} // namespace trialdeck::head
