// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/views/theme.h"

#include <QSyntaxHighlighter>

namespace trialdeck::app::views {

/// Colours keys, texts and comments of a YAML text. Knows no rules of experiments.
class YamlHighlighter : public QSyntaxHighlighter {
    Q_OBJECT

public:
    explicit YamlHighlighter(QTextDocument* document);
    void setTheme(const Theme& theme);

protected:
    void highlightBlock(const QString& text) override;

private:
    const Theme* m_theme;
};

} // namespace trialdeck::app::views
