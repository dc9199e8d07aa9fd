// SPDX-License-Identifier: Apache-2.0
#include "app/text/times.h"

#include "app/text/durations.h"

#include <QCoreApplication>
#include <QDateTime>

namespace trialdeck::app::text {

namespace {
struct Times {
    Q_DECLARE_TR_FUNCTIONS(Times)
};

QDateTime local(base::WallTime time) {
    return QDateTime::fromMSecsSinceEpoch(time.time_since_epoch().count());
}
} // namespace

QString shortTime(base::WallTime time, base::WallTime now) {
    const QDateTime when = local(time);
    if (when.date() == local(now).date())
        return when.toString(QStringLiteral("HH:mm:ss"));
    return when.toString(QStringLiteral("yyyy-MM-dd HH:mm"));
}

QString exactTime(base::WallTime time) {
    const QDateTime when = local(time);
    const int minutes = when.offsetFromUtc() / 60;
    QString zone = QStringLiteral("UTC");
    if (minutes != 0) {
        zone += QStringLiteral("%1%2").arg(minutes < 0 ? QLatin1String("-") : QLatin1String("+"),
                                           QString::number(qAbs(minutes) / 60));
        if (minutes % 60 != 0)
            zone += QStringLiteral(":%1").arg(qAbs(minutes) % 60, 2, 10, QLatin1Char('0'));
    }
    return when.toString(QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz ")) + zone;
}

QString ago(base::WallTime time, base::WallTime now) {
    const double seconds = std::chrono::duration<double>(now - time).count();
    if (seconds < 1)
        return Times::tr("just now");
    //: %1 is a time span such as "4 m"
    return Times::tr("%1 ago").arg(roughDuration(seconds));
}

} // namespace trialdeck::app::text
