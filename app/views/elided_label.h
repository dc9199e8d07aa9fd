// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLabel>
#include <QPainter>

#include <algorithm>

namespace trialdeck::app::views {

/// A line of plain text that ends with an ellipsis where there is no room for all of it.
class ElidedLabel : public QLabel {
public:
    using QLabel::QLabel;

    [[nodiscard]] QSize minimumSizeHint() const override {
        constexpr int kFewLetters = 4;
        const QSize whole = QLabel::sizeHint();
        return {std::min(fontMetrics().averageCharWidth() * kFewLetters, whole.width()), whole.height()};
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        const QRect box = contentsRect();
        const QString shown = fontMetrics().elidedText(text(), Qt::ElideRight, box.width());
        painter.setPen(palette().color(foregroundRole()));
        painter.drawText(box, static_cast<int>(alignment() | Qt::TextSingleLine), shown);
    }
};

} // namespace trialdeck::app::views
