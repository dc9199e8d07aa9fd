// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/value.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trialdeck::model {

/// A longer line is refused as report_too_large.
constexpr size_t kMaxReportBytes = size_t{1} << 20U;

/// One row of metrics as a worker wrote it.
struct Report {
    /// `training_iteration` where it is a whole number or a text that spells one; then it is not among the
    /// metrics.
    std::optional<int64_t> iteration;
    /// `checkpoint`, where it is a text: a folder in TRIALDECK_CHECKPOINT_DIR. Not among the metrics.
    std::optional<std::string> checkpoint;
    /// Flat (see flatten()), in the order reported; numbers exact, null where the worker wrote null.
    Object metrics;
    /// What was accepted though it is not as it should be (report_odd_number, …): told to the user once a
    /// trial.
    std::vector<Error> notes;
};

/// Reads one line of a report file, without its newline. NaN, Infinity and their other spellings are numbers.
/// Safe for any bytes.
/// @return report_too_large, report_bad_utf8, report_too_deep, report_not_json or report_not_object, with
/// the argument `line`: its beginning, cleaned and cut.
[[nodiscard]] Expected<Report> parseReportLine(std::string_view line);

/// Whether a name from a report may be joined to the attempt's folder: relative, not empty, no "..", not
/// one of the contract's own files. @return checkpoint_bad_name.
[[nodiscard]] Expected<void> checkCheckpointName(std::string_view name);

/// Finds reports in lines of standard output: `loss: (?<loss>\S+)`. Each named group is a metric. Matching is
/// linear in the line's length for every pattern (RE2). Cheap to copy.
class OutputPattern {
public:
    /// Named groups may be written (?<name>…) or (?P<name>…). @return bad_pattern: syntax, or no named group;
    /// arguments pattern, reason.
    [[nodiscard]] static Expected<OutputPattern> compile(const std::string& pattern);

    /// Names of the groups, in the order written.
    [[nodiscard]] std::vector<std::string> names() const;

    /// The first match anywhere in the line; nothing where there is none. A group that matched no number
    /// stays text; punctuation behind a number ("0.5,") is cut off.
    [[nodiscard]] std::optional<Report> match(std::string_view line) const;

private:
    struct Compiled;
    explicit OutputPattern(std::shared_ptr<const Compiled> compiled);
    std::shared_ptr<const Compiled> m_compiled;
};

} // namespace trialdeck::model
