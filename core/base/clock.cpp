// SPDX-License-Identifier: Apache-2.0
#include "core/base/clock.h"

#include <charconv>
#include <cstdio>

namespace trialdeck::base {

SteadyTime SystemClock::steadyNow() const {
    return std::chrono::steady_clock::now();
}

WallTime SystemClock::wallNow() const {
    return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

std::string formatIso8601(WallTime time) {
    const auto day = std::chrono::floor<std::chrono::days>(time);
    const std::chrono::year_month_day date(day);
    const std::chrono::hh_mm_ss clock(time - day);
    char buffer[64];
    const int length = std::snprintf(
        buffer, sizeof buffer, "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ", static_cast<int>(date.year()),
        static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
        static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
        static_cast<int>(clock.seconds().count()), static_cast<int>(clock.subseconds().count()));
    return {buffer, static_cast<size_t>(length)};
}

Expected<WallTime> parseIso8601(std::string_view text) {
    const auto refuse = [text] {
        return fail(ErrorCode::wrong_value_type,
                    {{"value", std::string(text)}, {"expected", "ISO 8601 UTC"}});
    };
    if (text.size() < 20 || text.back() != 'Z' || text[4] != '-' || text[7] != '-' || text[10] != 'T' ||
        text[13] != ':' || text[16] != ':')
        return refuse();
    const auto number = [text](size_t at, size_t length) {
        int value = -1;
        const char* begin = text.data() + at;
        const auto result = std::from_chars(begin, begin + length, value);
        return result.ec == std::errc() && result.ptr == begin + length ? value : -1;
    };
    const std::chrono::year_month_day date{std::chrono::year(number(0, 4)),
                                           std::chrono::month(static_cast<unsigned>(number(5, 2))),
                                           std::chrono::day(static_cast<unsigned>(number(8, 2)))};
    const int hours = number(11, 2);
    const int minutes = number(14, 2);
    const int seconds = number(17, 2);
    int milliseconds = 0;
    if (text[19] == '.') {
        milliseconds = text.size() == 24 ? number(20, 3) : -1;
    } else if (text.size() != 20) {
        milliseconds = -1;
    }
    if (!date.ok() || hours < 0 || hours > 23 || minutes < 0 || minutes > 59 || seconds < 0 || seconds > 60 ||
        milliseconds < 0)
        return refuse();
    return WallTime(std::chrono::sys_days(date)) + std::chrono::hours(hours) + std::chrono::minutes(minutes) +
           std::chrono::seconds(seconds) + std::chrono::milliseconds(milliseconds);
}

} // namespace trialdeck::base
