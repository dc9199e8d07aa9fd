// SPDX-License-Identifier: Apache-2.0
#include "app/views/yaml_highlighter.h"

#include <QRegularExpression>

namespace trialdeck::app::views {

YamlHighlighter::YamlHighlighter(QTextDocument* document)
    : QSyntaxHighlighter(document), m_theme(&Theme::of(ThemeKind::light)) {}

void YamlHighlighter::setTheme(const Theme& theme) {
    m_theme = &theme;
    rehighlight();
}

void YamlHighlighter::setMarkedLines(std::map<int, bool> lines) {
    if (lines == m_marked)
        return;
    m_marked = std::move(lines);
    rehighlight();
}

void YamlHighlighter::underline(const QString& text) {
    const auto marked = m_marked.find(currentBlock().blockNumber() + 1);
    if (marked == m_marked.end())
        return;
    for (int i = 0; i < text.size(); ++i) {
        if (text[i].isSpace())
            continue;
        QTextCharFormat with = format(i);
        with.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        with.setUnderlineColor(marked->second ? m_theme->bad : m_theme->warning);
        setFormat(i, 1, with);
    }
}

void YamlHighlighter::highlightBlock(const QString& text) {
    static const QRegularExpression key(QStringLiteral(R"((?:^|[\s{,\-])([\w./-]+)(?=\s*:(?:\s|$)))"));
    static const QRegularExpression quoted(QStringLiteral(R"("(?:[^"\\]|\\.)*"|'[^']*')"));
    static const QRegularExpression comment(QStringLiteral(R"((?:^|\s)#.*$)"));
    const auto colour = [&](const QRegularExpression& pattern, int group, const QColor& with) {
        for (auto match = pattern.globalMatch(text); match.hasNext();) {
            const QRegularExpressionMatch found = match.next();
            setFormat(static_cast<int>(found.capturedStart(group)),
                      static_cast<int>(found.capturedLength(group)), with);
        }
    };
    colour(key, 1, m_theme->accent);
    colour(quoted, 0, m_theme->good);
    colour(comment, 0, m_theme->muted);
    underline(text);
}

} // namespace trialdeck::app::views
