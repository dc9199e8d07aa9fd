// SPDX-License-Identifier: Apache-2.0
#include "app/text/durations.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>

namespace trialdeck::app::text {

namespace {
struct Durations {
    Q_DECLARE_TR_FUNCTIONS(Durations)
};

QString twoDigits(int64_t number) {
    return QStringLiteral("%1").arg(number, 2, 10, QLatin1Char('0'));
}
} // namespace

QString duration(double seconds) {
    if (!(seconds >= 0))
        seconds = 0;
    if (seconds < 9.95)
        //: A time span in seconds, such as "0.8 s"
        return Durations::tr("%1 s").arg(QString::number(seconds, 'f', 1));
    const auto whole = static_cast<int64_t>(std::llround(std::min(seconds, 1e15)));
    if (whole < 60)
        return Durations::tr("%1 s").arg(whole);
    if (whole < 3600)
        //: A time span in minutes and seconds, such as "4 m 12 s"
        return Durations::tr("%1 m %2 s").arg(QString::number(whole / 60), twoDigits(whole % 60));
    if (whole < 86400)
        //: A time span in hours and minutes, such as "2 h 05 m"
        return Durations::tr("%1 h %2 m").arg(QString::number(whole / 3600), twoDigits(whole / 60 % 60));
    //: A time span in days and hours, such as "3 d 4 h"
    return Durations::tr("%1 d %2 h").arg(QString::number(whole / 86400), QString::number(whole / 3600 % 24));
}

QString roughDuration(double seconds) {
    if (!(seconds >= 0))
        seconds = 0;
    if (seconds < 59.5)
        return Durations::tr("%1 s").arg(std::max<int64_t>(1, std::llround(seconds)));
    if (seconds < 3600)
        //: A time span in minutes, such as "4 m"
        return Durations::tr("%1 m").arg(std::llround(seconds / 60));
    if (seconds < 48 * 3600.0)
        //: A time span in hours, such as "2 h"
        return Durations::tr("%1 h").arg(QString::number(seconds / 3600, 'f', seconds < 36000 ? 1 : 0));
    //: A time span in days, such as "3 d"
    return Durations::tr("%1 d").arg(std::llround(seconds / 86400));
}

QString byteSize(uint64_t bytes) {
    constexpr std::array<const char*, 6> kUnits = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    auto size = static_cast<double>(bytes);
    size_t unit = 0;
    while (size >= 1024 && unit + 1 < kUnits.size()) {
        size /= 1024;
        ++unit;
    }
    return QStringLiteral("%1 %2").arg(QString::number(size, 'f', unit == 0 || size >= 100 ? 0 : 1),
                                       QLatin1String(kUnits[unit]));
}

} // namespace trialdeck::app::text
