// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/presenters/log_presenter.h"

#include <QAbstractScrollArea>

namespace trialdeck::app::views {

/// A log of any length: paints the visible lines and nothing else. Follows the end while it is there.
/// Lines are selected with the mouse or Shift and the arrows, and copied as plain text.
class LogView : public QAbstractScrollArea {
    Q_OBJECT

public:
    explicit LogView(presenters::LogPresenter& log, QWidget* parent = nullptr);

    [[nodiscard]] bool isFollowing() const { return m_following; }
    void setFollowing(bool following);
    /// To the next hit of the search below (1) or above (-1) the current line.
    void goToHit(int direction);
    [[nodiscard]] QString selectedText() const;

signals:
    void followingChanged(bool following);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void updateScrollBars();
    void paintLine(QPainter& painter, size_t number, int top, int numberWidth);
    void paintHits(QPainter& painter, const QString& text, int left, int top) const;
    void moveCurrent(qint64 by, bool extend);
    void setCurrent(size_t line, bool extend);
    void ensureVisible(size_t line);
    void copySelection() const;
    [[nodiscard]] int lineHeight() const;
    [[nodiscard]] int visibleLines() const;
    [[nodiscard]] size_t lineAt(int y) const;
    [[nodiscard]] int numberWidth() const;
    void onScrolled();

    presenters::LogPresenter& m_log;
    bool m_following = true;
    size_t m_current = 0;
    size_t m_anchor = 0;
    bool m_scrollingOurselves = false;
};

} // namespace trialdeck::app::views
