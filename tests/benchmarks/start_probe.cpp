// SPDX-License-Identifier: Apache-2.0
// A plugin that Qt loads into the unchanged program `trialdeck` for window_start_bench: it writes the time at
// which the window had painted what was waited for to a descriptor and ends the program.
#include <QApplication>
#include <QGenericPlugin>
#include <QTimer>
#include <QTreeView>

#include <ctime>
#include <unistd.h>

namespace trialdeck::benchmarks {

/// Watches all events of the application. TRIALDECK_BENCH_FD is the descriptor; TRIALDECK_BENCH_WAITS_FOR is
/// "chart", or the number of experiments in the sidebar.
class StartProbe final : public QObject {
    Q_OBJECT

public:
    StartProbe() { qApp->installEventFilter(this); }

    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Paint && !m_done && isWaitedFor(watched)) {
            m_done = true;
            // The event comes before the painting; this comes after it.
            QTimer::singleShot(0, this, [] { tellAndEnd(); });
        }
        return false;
    }

private:
    static bool isWaitedFor(const QObject* painted) {
        const auto* view = qobject_cast<const QAbstractScrollArea*>(painted->parent());
        if (!view || view->viewport() != painted)
            return false;
        const QByteArray wanted = qgetenv("TRIALDECK_BENCH_WAITS_FOR");
        if (wanted == "chart")
            return view->inherits("trialdeck::app::views::CurveChart");
        const auto* tree = qobject_cast<const QTreeView*>(view);
        if (!tree || !view->inherits("trialdeck::app::views::Sidebar") || !tree->model())
            return false;
        return tree->model()->rowCount(tree->model()->index(0, 0)) >= wanted.toInt();
    }

    static void tellAndEnd() {
        timespec now{};
        clock_gettime(CLOCK_MONOTONIC, &now);
        const QByteArray text =
            QByteArray::number(static_cast<qint64>(now.tv_sec) * 1'000'000'000 + now.tv_nsec);
        if (write(qEnvironmentVariableIntValue("TRIALDECK_BENCH_FD"), text.constData(),
                  static_cast<size_t>(text.size())) < 0)
            QCoreApplication::exit(1);
        QCoreApplication::quit();
    }

    bool m_done = false;
};

class StartProbePlugin final : public QGenericPlugin {
    Q_OBJECT
    Q_PLUGIN_METADATA(IID QGenericPluginFactoryInterface_iid FILE "start_probe.json")

public:
    QObject* create(const QString&, const QString&) override { return new StartProbe; }
};

} // namespace trialdeck::benchmarks

#include "start_probe.moc"
