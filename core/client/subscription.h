// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/messages.h"

#include <functional>
#include <utility>

namespace trialdeck::client {

/// Ends a subscription when it is destroyed; must not outlive its Client by use, but may by destruction.
class Subscription {
public:
    Subscription() = default;
    explicit Subscription(std::function<void()> end) : m_end(std::move(end)) {}
    Subscription(Subscription&& other) noexcept : m_end(std::exchange(other.m_end, nullptr)) {}
    Subscription& operator=(Subscription&& other) noexcept {
        if (this != &other) {
            reset();
            m_end = std::exchange(other.m_end, nullptr);
        }
        return *this;
    }
    Subscription(const Subscription&) = delete;
    Subscription& operator=(const Subscription&) = delete;
    ~Subscription() { reset(); }

    void reset() {
        if (auto end = std::exchange(m_end, nullptr))
            end();
    }

private:
    std::function<void()> m_end;
};

/// Follows an experiment's records. All calls come on the client's loop and outlive every loss of the line:
/// each record once and in order, from the cursor that was asked for.
class RecordsListener {
public:
    virtual ~RecordsListener() = default;
    /// Following began, or began again on a new connection: `started.last` tells how far there is to catch
    /// up.
    virtual void onSubscribed(const protocol::RecordsSubscribeResult& started) = 0;
    virtual void onRecords(const protocol::RecordsEvent& records) = 0;
    /// A crash of the head's machine took records that had been handed over already: what lies behind `from`
    /// never was. Called before onSubscribed().
    /// @return where the listener wants to go on: `from` when it has dropped what lies behind, or an earlier
    ///         place, (0, 0) for everything.
    virtual protocol::Cursor onRollback(protocol::Cursor from) = 0;
    /// The head refused (experiment_not_found, experiment_missing, …). Asked again on the next connection.
    virtual void onRefused(const Error& error) = 0;
};

/// Follows what is true now: all experiments and nodes.
class StateListener {
public:
    virtual ~StateListener() = default;
    /// Everything, at the start and on each new connection.
    virtual void onState(const protocol::StateSubscribeResult& state) = 0;
    virtual void onExperimentChanged(const protocol::ExperimentSummary& summary) = 0;
    virtual void onNodeChanged(const protocol::NodeState& node) = 0;
    virtual void onRefused(const Error& error) = 0;
};

/// Follows one stream of one worker, each byte once and in order.
class LogListener {
public:
    virtual ~LogListener() = default;
    /// `event.offset` is above the last end where old bytes are gone.
    virtual void onLog(const protocol::LogEvent& event) = 0;
    virtual void onRefused(const Error& error) = 0;
};

} // namespace trialdeck::client
