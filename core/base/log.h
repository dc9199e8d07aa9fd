// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/files.h"

#include <string_view>

namespace trialdeck::base {

enum class LogLevel { debug, info, warning, error };

/// One program's log, handed down by constructor from its composition root. English, one line an entry,
/// control characters shown as escapes. Callable from every thread.
class Log {
public:
    virtual ~Log() = default;
    /// @param area  the layer that speaks: "engine", "journal"
    virtual void write(LogLevel level, std::string_view area, std::string_view text) = 0;

    void debug(std::string_view area, std::string_view text) { write(LogLevel::debug, area, text); }
    void info(std::string_view area, std::string_view text) { write(LogLevel::info, area, text); }
    void warning(std::string_view area, std::string_view text) { write(LogLevel::warning, area, text); }
    void error(std::string_view area, std::string_view text) { write(LogLevel::error, area, text); }
    void error(std::string_view area, const Error& failure) {
        write(LogLevel::error, area, describe(failure));
    }
};

/// Throws everything away: tests and short-lived programs.
class NullLog final : public Log {
public:
    void write(LogLevel, std::string_view, std::string_view) override {}
};

/// A file of at most 4 MiB, with three older ones beside it.
[[nodiscard]] Expected<std::unique_ptr<Log>> openFileLog(const Path& path, LogLevel level);

/// Lines on standard error.
[[nodiscard]] std::unique_ptr<Log> makeStderrLog(LogLevel level);

} // namespace trialdeck::base
