// SPDX-License-Identifier: Apache-2.0
#include "app/models/visible_text.h"

#include <algorithm>

namespace trialdeck::app::models {

namespace {

bool isDisturbing(QChar letter) {
    const char16_t code = letter.unicode();
    const bool isControl = code < 0x20 || (code >= 0x7f && code < 0xa0);
    // Marks, embeddings, overrides and isolates of the writing direction.
    const bool turnsDirection = code == 0x061c || code == 0x200e || code == 0x200f ||
                                (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
    const bool isBreak = code == 0x2028 || code == 0x2029;
    return isControl || turnsDirection || isBreak || code == 0xfeff;
}

} // namespace

QString visibleText(const QString& text) {
    if (std::none_of(text.begin(), text.end(), isDisturbing))
        return text;
    QString visible;
    for (const QChar letter : text) {
        if (letter == QLatin1Char('\n'))
            visible += QLatin1String("\\n");
        else if (letter == QLatin1Char('\t'))
            visible += QLatin1String("\\t");
        else if (isDisturbing(letter))
            visible += QStringLiteral("\\u%1").arg(letter.unicode(), 4, 16, QLatin1Char('0'));
        else
            visible += letter;
    }
    return visible;
}

} // namespace trialdeck::app::models
