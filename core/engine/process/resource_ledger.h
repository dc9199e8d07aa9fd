// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/engine.h"
#include "core/engine/visible_devices.h"

#include <set>

namespace trialdeck::engine::process {

/// What the node can give away.
struct Supply {
    double cpus = 1;
    uint64_t memoryBytes = 0;
    std::vector<Device> devices;
    std::map<std::string, double> custom;
};

/// Who has which part of the node. Pure book-keeping: nothing is enforced. Owned by the process engine.
class ResourceLedger {
public:
    explicit ResourceLedger(Supply supply) : m_supply(std::move(supply)) {}

    /// Limits change while we run; what is given away stays given.
    void setSupply(double cpus, uint64_t memoryBytes);
    /// GPUs (by UUID) on which others' processes run: shown and not given away.
    void setBusyDevices(std::set<std::string> uuids) { m_busy = std::move(uuids); }

    [[nodiscard]] Engine::Placement place(uint32_t workers, const WorkerResources& perWorker) const;

    /// GPUs of each rank, by UUID, in the order in which the program shall see them.
    using DevicesByRank = std::vector<std::vector<std::string>>;
    /// Gives the resources away, also beyond the node. A rank gets fewer GPUs where there are no more.
    DevicesByRank reserve(const AttemptKey& key, uint32_t workers, const WorkerResources& perWorker);
    /// Takes up what an earlier daemon gave.
    void reserveGiven(const AttemptKey& key, uint32_t workers, const WorkerResources& perWorker,
                      const DevicesByRank& devices);
    void release(const AttemptKey& key);

    [[nodiscard]] const Supply& supply() const { return m_supply; }
    [[nodiscard]] double cpusUsed() const;
    [[nodiscard]] uint64_t memoryReserved() const;
    [[nodiscard]] std::vector<Gpu> gpus() const;

private:
    struct Holding {
        uint32_t workers = 0;
        WorkerResources perWorker;
        /// Share of each GPU, by UUID.
        std::map<std::string, double> devices;
    };

    [[nodiscard]] double deviceFree(const Device& device) const;
    [[nodiscard]] double customUsed(const std::string& name) const;
    /// @return nothing where the GPUs do not suffice
    [[nodiscard]] std::optional<DevicesByRank> findDevices(uint32_t workers, double perWorker,
                                                           bool takeWhatIsThere) const;

    Supply m_supply;
    std::set<std::string> m_busy;
    std::map<AttemptKey, Holding> m_holdings;
};

} // namespace trialdeck::engine::process
