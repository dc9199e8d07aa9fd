// SPDX-License-Identifier: Apache-2.0
#include "core/base/log.h"

#include "core/base/utf8.h"

#include <spdlog/sinks/rotating_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

namespace trialdeck::base {

namespace {

spdlog::level::level_enum spdlogLevel(LogLevel level) {
    switch (level) {
    case LogLevel::debug:
        return spdlog::level::debug;
    case LogLevel::info:
        return spdlog::level::info;
    case LogLevel::warning:
        return spdlog::level::warn;
    case LogLevel::error:
        return spdlog::level::err;
    }
    return spdlog::level::info;
}

/// Text from outside must not be able to write lines or terminal commands of its own into the log.
std::string oneLine(std::string_view text) {
    static constexpr char kHex[] = "0123456789abcdef";
    std::string line;
    for (const char c : cleanUtf8(text)) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 && byte != 0x7F) {
            line += c;
            continue;
        }
        line += "\\x";
        line += kHex[byte >> 4U];
        line += kHex[byte & 0xFU];
    }
    return line;
}

class SpdLog final : public Log {
public:
    SpdLog(spdlog::sink_ptr sink, LogLevel level) : m_logger("trialdeck", std::move(sink)) {
        m_logger.set_pattern("%Y-%m-%dT%H:%M:%S.%eZ %L %v", spdlog::pattern_time_type::utc);
        m_logger.set_level(spdlogLevel(level));
        m_logger.flush_on(spdlog::level::info);
    }

    void write(LogLevel level, std::string_view area, std::string_view text) override {
        m_logger.log(spdlogLevel(level), "{}: {}", area, oneLine(text));
    }

private:
    spdlog::logger m_logger;
};

} // namespace

Expected<std::unique_ptr<Log>> openFileLog(const Path& path, LogLevel level) {
    constexpr size_t kMaxBytes = size_t{4} << 20;
    constexpr size_t kOlderFiles = 3;
    try {
        return std::make_unique<SpdLog>(
            std::make_shared<spdlog::sinks::rotating_file_sink_mt>(path.native(), kMaxBytes, kOlderFiles),
            level);
    } catch (const spdlog::spdlog_ex& error) {
        return fail(ErrorCode::file_io, {{"path", path.native()}, {"reason", error.what()}}, "open log");
    }
}

std::unique_ptr<Log> makeStderrLog(LogLevel level) {
    return std::make_unique<SpdLog>(std::make_shared<spdlog::sinks::stderr_sink_mt>(), level);
}

} // namespace trialdeck::base
