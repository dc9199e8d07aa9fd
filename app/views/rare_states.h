// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QSize>
#include <QTemporaryDir>
#include <QTimer>

#include "core/base/clock.h"
#include "core/protocol/ids.h"

#include <functional>
#include <memory>
#include <vector>

namespace trialdeck::app::client {
class HeadClient;
}
namespace trialdeck::app::presenters {
class WindowPresenter;
}

namespace trialdeck::app::views {

class Appearance;
class MainWindow;
class Memory;

/// Photographs what a window is seldom in: no experiments, a page that is loading, an experiment whose folder
/// is gone or whose journal is damaged, a head that was shut down or cannot be started. Brought about for
/// real, with a head of its own in a home that goes afterwards. Owned by the photographer.
class RareStates : public QObject {
    Q_OBJECT

public:
    enum class Program { real, absent };
    /// A client of a head whose home is that folder; not started.
    using MakeHead = std::function<std::unique_ptr<client::HeadClient>(const QString& home, Program program)>;

    /// @param clock, appearance  outlive this
    RareStates(MakeHead makeHead, const base::Clock& clock, Appearance& appearance, QSize size,
               QString folder, QObject* parent = nullptr);
    ~RareStates() override;

    /// Takes its pictures in both languages and themes, ends its head, then done().
    void photograph();

signals:
    /// @param failure  a sentence; empty when all pictures are there
    void done(const QString& failure);

private:
    /// Waited for, then done; what does not come in time is a failure that names it.
    struct Step {
        QString awaited;
        std::function<bool()> isReady;
        std::function<void()> act;
    };

    void plan();
    void look();
    void openWindow(Program program);
    void createExperiment(const QString& name);
    void shutDown();
    /// One picture for each language and theme, of the window as it is at this moment.
    void take(const QString& name);
    [[nodiscard]] bool isLinked() const;
    [[nodiscard]] ExperimentId idOf(const QString& name) const;
    [[nodiscard]] bool isFinished(const QString& name) const;
    [[nodiscard]] bool isMissing(const QString& name) const;
    [[nodiscard]] QString path(const QString& name) const;

    MakeHead m_makeHead;
    const base::Clock& m_clock;
    Appearance& m_appearance;
    QSize m_size;
    QString m_folder;
    QString m_failure;
    QTemporaryDir m_scratch;
    std::unique_ptr<Memory> m_memory;
    std::unique_ptr<client::HeadClient> m_head;
    std::unique_ptr<presenters::WindowPresenter> m_presenter;
    std::unique_ptr<MainWindow> m_window;
    std::vector<Step> m_steps;
    size_t m_at = 0;
    int m_looks = 0;
    QTimer m_look;
};

} // namespace trialdeck::app::views
