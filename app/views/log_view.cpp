// SPDX-License-Identifier: Apache-2.0
#include "app/views/log_view.h"

#include "app/views/appearance.h"
#include "app/views/state_mark.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <array>

namespace trialdeck::app::views {

using models::LogLine;
using models::LogSpan;
using models::LogStyle;

namespace {

constexpr int kPadding = 8;
/// Scrolling by pixels beyond this would leave what an int can count; lines are the unit anyway.
constexpr int kLongestLinePixels = 1 << 24;
constexpr size_t kMostCopiedLines = 100'000;

QColor colourOf(const LogStyle& style, const Theme& theme) {
    switch (style.colour) {
    case LogStyle::red:
        return theme.bad;
    case LogStyle::green:
        return theme.good;
    case LogStyle::yellow:
        return theme.warning;
    case LogStyle::blue:
        return theme.curves[0];
    case LogStyle::magenta:
        return theme.curves[3];
    case LogStyle::cyan:
        return theme.curves[5];
    case LogStyle::black:
    case LogStyle::mark:
        return theme.muted;
    default:
        return theme.text;
    }
}

} // namespace

LogView::LogView(presenters::LogPresenter& log, QWidget* parent) : QAbstractScrollArea(parent), m_log(log) {
    setObjectName(QStringLiteral("logView"));
    setFont(Appearance::fixedFont());
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    viewport()->setCursor(Qt::IBeamCursor);
    connect(&log, &presenters::LogPresenter::textChanged, this, &LogView::updateScrollBars);
    connect(&log, &presenters::LogPresenter::addressChanged, this, [this] {
        m_current = m_anchor = 0;
        m_following = true;
        updateScrollBars();
        emit followingChanged(true);
    });
    connect(&log, &presenters::LogPresenter::hitsChanged, viewport(), QOverload<>::of(&QWidget::update));
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &LogView::onScrolled);
    //: Accessible name
    setAccessibleName(tr("Log"));
}

int LogView::lineHeight() const {
    return fontMetrics().lineSpacing() + 2;
}

int LogView::visibleLines() const {
    return std::max(1, viewport()->height() / lineHeight());
}

int LogView::numberWidth() const {
    const auto digits = std::max<qsizetype>(3, QString::number(m_log.text().lineCount()).size());
    return fontMetrics().horizontalAdvance(QLatin1Char('0')) * static_cast<int>(digits) + 2 * kPadding;
}

void LogView::updateScrollBars() {
    m_scrollingOurselves = true;
    const int lines = static_cast<int>(std::min<size_t>(m_log.text().lineCount(), INT_MAX));
    verticalScrollBar()->setPageStep(visibleLines());
    verticalScrollBar()->setSingleStep(1);
    verticalScrollBar()->setRange(0, std::max(0, lines - visibleLines()));
    if (m_following)
        verticalScrollBar()->setValue(verticalScrollBar()->maximum());
    m_scrollingOurselves = false;
    viewport()->update();
}

void LogView::onScrolled() {
    viewport()->update();
    if (m_scrollingOurselves)
        return;
    setFollowing(verticalScrollBar()->value() == verticalScrollBar()->maximum());
}

void LogView::setFollowing(bool following) {
    if (following == m_following)
        return;
    m_following = following;
    if (following)
        updateScrollBars();
    emit followingChanged(following);
}

size_t LogView::lineAt(int y) const {
    const auto line = static_cast<size_t>(std::max(0, verticalScrollBar()->value() + y / lineHeight()));
    return std::min(line, std::max<size_t>(1, m_log.text().lineCount()) - 1);
}

void LogView::paintEvent(QPaintEvent*) {
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), themeOf(*this).panel);
    painter.setFont(font());
    const int numbers = numberWidth();
    const auto first = static_cast<size_t>(verticalScrollBar()->value());
    for (int i = 0; i <= visibleLines() && first + static_cast<size_t>(i) < m_log.text().lineCount(); ++i)
        paintLine(painter, first + static_cast<size_t>(i), i * lineHeight(), numbers);
}

void LogView::paintLine(QPainter& painter, size_t number, int top, int numbers) {
    const Theme& theme = themeOf(*this);
    const auto [from, to] = std::minmax(m_anchor, m_current);
    const QRect box(0, top, viewport()->width(), lineHeight());
    if (hasFocus() ? number >= from && number <= to : from != to && number >= from && number <= to)
        painter.fillRect(box, theme.selection);
    painter.setPen(theme.muted);
    painter.drawText(QRect(0, top, numbers - kPadding, lineHeight()), Qt::AlignRight | Qt::AlignVCenter,
                     QString::number(number + 1));
    painter.setClipRect(QRect(numbers, top, viewport()->width() - numbers, lineHeight()));
    int left = numbers - horizontalScrollBar()->value();
    const auto kept = m_log.text().line(number);
    if (!kept) {
        painter.drawText(QRect(left, top, viewport()->width(), lineHeight()), Qt::AlignVCenter,
                         QStringLiteral("…"));
        m_log.fetch(number);
        painter.setClipping(false);
        return;
    }
    const LogLine line = models::decodeLogLine(*kept);
    if (!m_log.needle().isEmpty())
        paintHits(painter, QString::fromStdString(line.text), left, top);
    const int baseline = top + 1 + fontMetrics().ascent();
    int width = 0;
    for (const LogSpan& span : line.spans) {
        const QString text =
            QString::fromUtf8(line.text.data() + span.first, static_cast<qsizetype>(span.count));
        QFont styled = font();
        styled.setBold(span.style.bold);
        painter.setFont(styled);
        painter.setPen(colourOf(span.style, theme));
        painter.drawText(left + width, baseline, text);
        width += QFontMetrics(styled).horizontalAdvance(text);
    }
    painter.setFont(font());
    painter.setClipping(false);
    const int needed = std::min(kLongestLinePixels, width + numbers + kPadding - viewport()->width());
    if (needed > horizontalScrollBar()->maximum())
        horizontalScrollBar()->setRange(0, needed);
    horizontalScrollBar()->setPageStep(viewport()->width());
}

void LogView::paintHits(QPainter& painter, const QString& text, int left, int top) const {
    QColor colour = themeOf(*this).warning;
    colour.setAlphaF(0.3F);
    const QString& needle = m_log.needle();
    for (qsizetype at = text.indexOf(needle, 0, Qt::CaseInsensitive); at >= 0;
         at = text.indexOf(needle, at + needle.size(), Qt::CaseInsensitive)) {
        const int x = left + fontMetrics().horizontalAdvance(text.left(at));
        painter.fillRect(x, top, fontMetrics().horizontalAdvance(text.mid(at, needle.size())), lineHeight(),
                         colour);
    }
}

void LogView::ensureVisible(size_t line) {
    const int number = static_cast<int>(line);
    if (number < verticalScrollBar()->value())
        verticalScrollBar()->setValue(number);
    else if (number >= verticalScrollBar()->value() + visibleLines())
        verticalScrollBar()->setValue(number - visibleLines() + 1);
}

void LogView::setCurrent(size_t line, bool extend) {
    m_current = line;
    if (!extend)
        m_anchor = line;
    viewport()->update();
}

void LogView::moveCurrent(qint64 by, bool extend) {
    const auto last = static_cast<qint64>(std::max<size_t>(1, m_log.text().lineCount())) - 1;
    setCurrent(static_cast<size_t>(std::clamp<qint64>(static_cast<qint64>(m_current) + by, 0, last)), extend);
    ensureVisible(m_current);
}

void LogView::goToHit(int direction) {
    const std::vector<size_t>& hits = m_log.hits();
    if (hits.empty())
        return;
    const auto next = direction > 0 ? std::upper_bound(hits.begin(), hits.end(), m_current)
                                    : std::lower_bound(hits.begin(), hits.end(), m_current);
    size_t line = 0;
    if (direction > 0)
        line = next == hits.end() ? hits.front() : *next;
    else
        line = next == hits.begin() ? hits.back() : *std::prev(next);
    setFollowing(false);
    setCurrent(line, false);
    ensureVisible(line);
}

QString LogView::selectedText() const {
    const auto [from, to] = std::minmax(m_anchor, m_current);
    QString text;
    const size_t end = std::min({m_log.text().lineCount(), to + 1, from + kMostCopiedLines});
    for (size_t line = from; line < end; ++line) {
        if (const auto kept = m_log.text().line(line))
            text += QString::fromStdString(models::plainLogText(*kept)) + QLatin1Char('\n');
    }
    return text;
}

void LogView::copySelection() const {
    QApplication::clipboard()->setText(selectedText());
}

void LogView::keyPressEvent(QKeyEvent* event) {
    const bool extend = event->modifiers() & Qt::ShiftModifier;
    const auto last = static_cast<qint64>(m_log.text().lineCount());
    if (event->matches(QKeySequence::Copy)) {
        copySelection();
    } else if (event->matches(QKeySequence::SelectAll)) {
        m_anchor = 0;
        m_current = static_cast<size_t>(std::max<qint64>(1, last) - 1);
        viewport()->update();
    } else if (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down) {
        moveCurrent(event->key() == Qt::Key_Up ? -1 : 1, extend);
    } else if (event->key() == Qt::Key_PageUp || event->key() == Qt::Key_PageDown) {
        moveCurrent(event->key() == Qt::Key_PageUp ? -visibleLines() : visibleLines(), extend);
    } else if (event->key() == Qt::Key_Home) {
        moveCurrent(-last, extend);
    } else if (event->key() == Qt::Key_End) {
        moveCurrent(last, extend);
        setFollowing(true);
    } else if (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right) {
        horizontalScrollBar()->setValue(horizontalScrollBar()->value() +
                                        (event->key() == Qt::Key_Left ? -40 : 40));
    } else {
        QAbstractScrollArea::keyPressEvent(event);
        return;
    }
    event->accept();
}

void LogView::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton)
        setCurrent(lineAt(event->pos().y()), event->modifiers() & Qt::ShiftModifier);
}

void LogView::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton) {
        setCurrent(lineAt(event->pos().y()), true);
        ensureVisible(m_current);
    }
}

void LogView::wheelEvent(QWheelEvent* event) {
    QAbstractScrollArea::wheelEvent(event);
}

void LogView::contextMenuEvent(QContextMenuEvent* event) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    connect(menu->addAction(tr("Copy lines")), &QAction::triggered, this, [this] { copySelection(); });
    QAction* follow = menu->addAction(tr("Follow"));
    follow->setCheckable(true);
    follow->setChecked(m_following);
    connect(follow, &QAction::toggled, this, &LogView::setFollowing);
    menu->popup(event->globalPos());
}

void LogView::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    horizontalScrollBar()->setRange(0, 0);
    updateScrollBars();
}

void LogView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        setAccessibleName(tr("Log"));
    QAbstractScrollArea::changeEvent(event);
    viewport()->update();
}

} // namespace trialdeck::app::views
