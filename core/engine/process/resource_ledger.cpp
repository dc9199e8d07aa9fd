// SPDX-License-Identifier: Apache-2.0
#include "core/engine/process/resource_ledger.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace trialdeck::engine::process {

namespace {

/// Sums of fractions such as 0.1 do not meet whole numbers exactly.
constexpr double kTolerance = 1e-6;

std::string amount(double number) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.4g", number);
    return text.data();
}

std::string gibibytes(uint64_t bytes) {
    return amount(static_cast<double>(bytes) / (uint64_t{1} << 30)) + " GiB memory";
}

void add(std::string& list, const std::string& item) {
    list += (list.empty() ? "" : ", ") + item;
}

} // namespace

void ResourceLedger::setSupply(double cpus, uint64_t memoryBytes) {
    m_supply.cpus = cpus;
    m_supply.memoryBytes = memoryBytes;
}

double ResourceLedger::cpusUsed() const {
    double used = 0;
    for (const auto& [key, holding] : m_holdings)
        used += holding.perWorker.cpu * holding.workers;
    return used;
}

uint64_t ResourceLedger::memoryReserved() const {
    uint64_t reserved = 0;
    for (const auto& [key, holding] : m_holdings)
        reserved += holding.perWorker.memoryBytes * holding.workers;
    return reserved;
}

double ResourceLedger::customUsed(const std::string& name) const {
    double used = 0;
    for (const auto& [key, holding] : m_holdings) {
        const auto share = holding.perWorker.custom.find(name);
        if (share != holding.perWorker.custom.end())
            used += share->second * holding.workers;
    }
    return used;
}

double ResourceLedger::deviceFree(const Device& device) const {
    if (m_busy.count(device.uuid) > 0)
        return 0;
    double free = 1;
    for (const auto& [key, holding] : m_holdings) {
        const auto share = holding.devices.find(device.uuid);
        if (share != holding.devices.end())
            free -= share->second;
    }
    return free;
}

std::optional<ResourceLedger::DevicesByRank> ResourceLedger::findDevices(uint32_t workers, double perWorker,
                                                                         bool takeWhatIsThere) const {
    DevicesByRank devices(workers);
    if (perWorker <= kTolerance)
        return devices;
    std::vector<double> free;
    for (const Device& device : m_supply.devices)
        free.push_back(deviceFree(device));
    const double share = std::min(perWorker, 1.0);
    const auto wanted = static_cast<size_t>(std::ceil(perWorker - kTolerance));
    for (std::vector<std::string>& ofRank : devices) {
        for (size_t i = 0; i < free.size() && ofRank.size() < wanted; ++i) {
            // One process sees one instance of a cut GPU and no second.
            if (free[i] + kTolerance < share || (m_supply.devices[i].instance && wanted > 1))
                continue;
            free[i] -= share;
            ofRank.push_back(m_supply.devices[i].uuid);
        }
        if (ofRank.size() < wanted && !takeWhatIsThere)
            return std::nullopt;
    }
    return devices;
}

Engine::Placement ResourceLedger::place(uint32_t workers, const WorkerResources& perWorker) const {
    Engine::Placement placement;
    const ResourceLedger empty(m_supply);
    const double cpus = perWorker.cpu * workers;
    const uint64_t memory = perWorker.memoryBytes * workers;
    const auto fitsCustom = [&](const ResourceLedger& ledger, const std::string& name, double each) {
        const auto supply = m_supply.custom.find(name);
        const double total = supply == m_supply.custom.end() ? 0 : supply->second;
        return ledger.customUsed(name) + each * workers <= total + kTolerance;
    };
    const auto missing = [&](const ResourceLedger& ledger) {
        std::string list;
        if (cpus > 0 && ledger.cpusUsed() + cpus > m_supply.cpus + kTolerance)
            add(list, amount(cpus) + " CPU");
        if (!ledger.findDevices(workers, perWorker.gpu, false))
            add(list, amount(perWorker.gpu * workers) + " GPU");
        if (memory > 0 && ledger.memoryReserved() + memory > m_supply.memoryBytes)
            add(list, gibibytes(memory));
        for (const auto& [name, each] : perWorker.custom) {
            if (each > 0 && !fitsCustom(ledger, name, each))
                add(list, amount(each * workers) + " " + name);
        }
        return list;
    };
    placement.aboveNode = !missing(empty).empty();
    if (placement.aboveNode) {
        placement.fitsNow = m_holdings.empty();
        placement.waitsFor = placement.fitsNow ? "" : "the whole node";
        return placement;
    }
    placement.waitsFor = missing(*this);
    // Who asked for more than the node has runs alone.
    for (const auto& [key, holding] : m_holdings) {
        if (placement.waitsFor.empty() && empty.place(holding.workers, holding.perWorker).aboveNode)
            placement.waitsFor = "the end of a trial that needs the whole node";
    }
    placement.fitsNow = placement.waitsFor.empty();
    return placement;
}

ResourceLedger::DevicesByRank ResourceLedger::reserve(const AttemptKey& key, uint32_t workers,
                                                      const WorkerResources& perWorker) {
    DevicesByRank devices = *findDevices(workers, perWorker.gpu, true);
    reserveGiven(key, workers, perWorker, devices);
    return devices;
}

void ResourceLedger::reserveGiven(const AttemptKey& key, uint32_t workers, const WorkerResources& perWorker,
                                  const DevicesByRank& devices) {
    Holding holding{workers, perWorker, {}};
    for (const std::vector<std::string>& ofRank : devices) {
        for (const std::string& uuid : ofRank)
            holding.devices[uuid] += std::min(perWorker.gpu, 1.0);
    }
    m_holdings[key] = std::move(holding);
}

void ResourceLedger::release(const AttemptKey& key) {
    m_holdings.erase(key);
}

std::vector<Gpu> ResourceLedger::gpus() const {
    std::vector<Gpu> gpus;
    for (const Device& device : m_supply.devices) {
        Gpu gpu{device.uuid, device.name, m_busy.count(device.uuid) > 0, std::nullopt};
        for (const auto& [key, holding] : m_holdings) {
            if (holding.devices.count(device.uuid) > 0)
                gpu.user = key;
        }
        gpus.push_back(std::move(gpu));
    }
    return gpus;
}

} // namespace trialdeck::engine::process
