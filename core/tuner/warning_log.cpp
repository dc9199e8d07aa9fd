// SPDX-License-Identifier: Apache-2.0
#include "core/tuner/warning_log.h"

#include <algorithm>

namespace trialdeck::tuner {

void WarningLog::raise(TrialId trial, Error error) {
    std::vector<WarningCount>& warnings = m_ledger.entry(trial).warnings;
    const ErrorCode code = error.code;
    auto known = std::find_if(warnings.begin(), warnings.end(),
                              [code](const WarningCount& warning) { return warning.code == code; });
    if (known == warnings.end())
        known = warnings.insert(known, WarningCount{code, 0, 0, {}});
    ++known->count;
    if (known->recorded == 0 || known->count >= known->recorded * 10)
        record(trial, *known, std::move(error));
    else
        known->newest = std::move(error);
}

void WarningLog::settle(TrialId trial) {
    // By index: recording may not move them, but what it calls is not ours to know.
    std::vector<WarningCount>& warnings = m_ledger.entry(trial).warnings;
    for (size_t i = 0; i < warnings.size(); ++i) {
        if (warnings[i].count > warnings[i].recorded)
            record(trial, warnings[i], std::move(warnings[i].newest));
    }
}

void WarningLog::record(TrialId trial, WarningCount& warning, Error error) {
    error.arguments["count"] = std::to_string(warning.count);
    warning.newest = Error();
    m_records.add(protocol::WarningRaised{trial, std::move(error)});
}

void WarningLog::raiseOnce(Error error) {
    if (!m_ledger.warned(error.code))
        m_records.add(protocol::WarningRaised{std::nullopt, std::move(error)});
}

} // namespace trialdeck::tuner
