// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/sync/sync_report.h"

#include <functional>

namespace trialdeck::transport {

/// What an rsync can do.
struct RsyncHere {
    bool isUsable = false;
    bool hasZstd = false;
};
/// Reads what `rsync --version` prints. Usable is 3.1 and newer, which tells its progress; openrsync, which
/// calls itself otherwise, is not.
[[nodiscard]] RsyncHere rsyncHereFrom(std::string_view printed);

/// The options that make rsync print what RsyncOutput reads.
[[nodiscard]] std::vector<std::string> rsyncOutputOptions();

/// Reads what one rsync prints while it runs. Pure.
class RsyncOutput {
public:
    /// @param roots  the two folders, as rsync may name them; cut off the names of failures
    explicit RsyncOutput(std::vector<std::string> roots) : m_roots(std::move(roots)) {}

    /// Pieces of standard output, cut anywhere. @return whether progress() has changed
    bool readOutput(std::string_view bytes);
    /// Pieces of standard error, cut anywhere.
    void readErrors(std::string_view bytes);

    [[nodiscard]] const SyncProgress& progress() const { return m_progress; }
    [[nodiscard]] const SyncReport& report() const { return m_report; }
    /// The lines that name no file, joined: why rsync as a whole ended.
    [[nodiscard]] const std::string& complaint() const { return m_complaint; }

private:
    bool readLine(std::string_view line);
    bool readChange(std::string_view line);
    bool readProgress(std::string_view line);
    void readStatistics(std::string_view line);
    void readErrorLine(std::string_view line);
    void addFailure(std::string name, std::string_view reason);

    std::vector<std::string> m_roots;
    std::string m_output;
    std::string m_errors;
    SyncProgress m_progress;
    SyncReport m_report;
    std::string m_complaint;
    uint64_t m_files = 0;
};

/// A name as rsync prints it: bytes that it took for unprintable are "\#ooo".
[[nodiscard]] std::string unescapedRsyncName(std::string_view printed);

} // namespace trialdeck::transport
