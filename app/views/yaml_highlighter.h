// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/views/theme.h"

#include <QSyntaxHighlighter>

#include <map>

namespace trialdeck::app::views {

/// Colours keys, texts and comments of a YAML text. Knows no rules of experiments.
class YamlHighlighter : public QSyntaxHighlighter {
    Q_OBJECT

public:
    explicit YamlHighlighter(QTextDocument* document);
    void setTheme(const Theme& theme);
    /// Underlines lines that have findings: number from 1, and whether it is an error.
    void setMarkedLines(std::map<int, bool> lines);

protected:
    void highlightBlock(const QString& text) override;

private:
    void underline(const QString& text);

    const Theme* m_theme;
    std::map<int, bool> m_marked;
};

} // namespace trialdeck::app::views
