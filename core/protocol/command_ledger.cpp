// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/command_ledger.h"

#include <cassert>

namespace trialdeck::protocol {

CommandLedger::Answer CommandLedger::begin(const Key& key, base::SteadyTime now) {
    forgetOld(now);
    const auto [entry, isNew] = m_entries.try_emplace(key);
    if (isNew)
        return Fresh{};
    if (!entry->second)
        return Running{};
    return *entry->second;
}

void CommandLedger::finish(const Key& key, Outcome outcome, base::SteadyTime now) {
    const auto entry = m_entries.find(key);
    assert(entry != m_entries.end() && !entry->second);
    entry->second = std::move(outcome);
    m_done.push_back({key, now});
    forgetOld(now);
}

void CommandLedger::forgetOld(base::SteadyTime now) {
    while (!m_done.empty() && (now - m_done.front().at > kKept || m_done.size() > kMaxEntries)) {
        m_entries.erase(m_done.front().key);
        m_done.pop_front();
    }
}

} // namespace trialdeck::protocol
