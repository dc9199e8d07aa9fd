// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/presenters/window_presenter.h"

#include <QFrame>
#include <QPointer>

#include <functional>

QT_BEGIN_NAMESPACE
class QListWidget;
QT_END_NAMESPACE

namespace trialdeck::app::views {

class LineInput;

/// Everything that can be done or opened, found by typing. Over the window; Escape or a click beside closes.
class CommandPalette : public QFrame {
    Q_OBJECT

public:
    using Source = std::function<std::vector<presenters::PaletteEntry>(const QString& words)>;
    CommandPalette(Source source, QWidget* parent);

    void open();

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refresh(const QString& words);
    void runCurrent();
    /// Hides, with the focus where it was before.
    void leave();
    void retranslate();

    Source m_source;
    std::vector<presenters::PaletteEntry> m_entries;
    QPointer<QWidget> m_before;
    LineInput* m_input;
    QListWidget* m_list;
};

} // namespace trialdeck::app::views
