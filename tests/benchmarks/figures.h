// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <sys/types.h>
#include <vector>

namespace trialdeck::benchmarks {

/// @param fraction  0.5 for the median, 0.99 for p99; 0 of no values
[[nodiscard]] double quantile(std::vector<double> values, double fraction);

/// What a process has used until now, as the kernel counts it in /proc.
struct ProcessUsage {
    double userSeconds = 0;
    double systemSeconds = 0;
    /// Of children that it has waited for, with theirs.
    double childrenSeconds = 0;
    double residentMiB = 0;
    double peakResidentMiB = 0;

    [[nodiscard]] double seconds() const { return userSeconds + systemSeconds; }
};
[[nodiscard]] ProcessUsage usageOf(pid_t pid);

/// Seconds of one core that everything on this machine has used since it started, and how many cores it has.
[[nodiscard]] double busySeconds();
[[nodiscard]] long cores();

/// Milliseconds of the median of 101 fdatasyncs of one appended line in this folder.
[[nodiscard]] double medianSyncMs(const std::string& folder);

/// One row of the table of reaches: what was measured, what was seen, what is wanted.
/// @param holds  whether the reach was met
void printRow(const std::string& what, const std::string& seen, const std::string& reach, bool holds);
/// The load average now, before the first figure.
void printMachine();

} // namespace trialdeck::benchmarks
