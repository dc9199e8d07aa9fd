// SPDX-License-Identifier: Apache-2.0
// Findings of a check as lines of text, for comparison.
#pragma once

#include "core/model/spec_check.h"
#include "tests/unit/model/texts.h"

namespace trialdeck::model {

/// "5:22 error bounds_not_positive param_space.zero.loguniform -> suggestion"
inline QString textOf(const protocol::Problem& problem) {
    const auto text = [](std::string_view view) {
        return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size()));
    };
    QString line = QString("%1:%2 ").arg(problem.line).arg(problem.column) +
                   text(protocol::nameOf(problem.severity)) + ' ' + text(nameOf(problem.code)) + ' ' +
                   text(problem.path);
    if (!problem.suggestion.empty())
        line += " -> " + text(problem.suggestion);
    return line;
}

inline QStringList linesOf(const SpecCheck& check) {
    QStringList lines;
    for (const protocol::Problem& problem : check.result.problems)
        lines << textOf(problem);
    return lines;
}

/// Only those of one severity or worse; without the note that no metric is named.
inline QStringList errorsOf(const SpecCheck& check, protocol::Severity least = protocol::Severity::error) {
    QStringList lines;
    for (const protocol::Problem& problem : check.result.problems) {
        if (problem.severity >= least)
            lines << textOf(problem);
    }
    return lines;
}

} // namespace trialdeck::model
