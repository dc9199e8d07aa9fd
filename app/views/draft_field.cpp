// SPDX-License-Identifier: Apache-2.0
#include "app/views/draft_field.h"

#include "app/views/styled.h"

#include <QGridLayout>

#include <algorithm>

namespace trialdeck::app::views {

namespace {

constexpr int kNameWidth = 120;
/// Of a field of one line: beside a taller editor the name stands at its first line.
constexpr int kLineHeight = 30;

/// The role that the style sheet has for the worst of the findings.
QString roleOf(const std::vector<presenters::FieldProblem>& problems) {
    const auto worst =
        std::max_element(problems.begin(), problems.end(),
                         [](const auto& left, const auto& right) { return left.severity < right.severity; });
    if (worst == problems.end() || worst->severity == protocol::Severity::note)
        return QStringLiteral("muted");
    return worst->severity == protocol::Severity::error ? QStringLiteral("bad") : QStringLiteral("warning");
}

} // namespace

void showProblems(QLabel& label, QWidget& editor, const std::vector<presenters::FieldProblem>& problems) {
    QStringList lines;
    for (const presenters::FieldProblem& problem : problems) {
        lines << problem.sentence;
        if (!problem.suggestion.isEmpty())
            //: Under a field: what could be written instead; %1 is in the language of experiment.yaml
            lines << DraftField::tr("Suggestion: %1").arg(problem.suggestion);
    }
    label.setText(lines.join(QLatin1Char('\n')));
    label.setVisible(!lines.isEmpty());
    const QString role = roleOf(problems);
    setStyled(label, "role", role);
    setStyled(editor, "invalid", role == QLatin1String("bad"));
    editor.setAccessibleDescription(lines.join(QLatin1Char(' ')));
}

DraftField::DraftField(const QString& path, QWidget* editor, QWidget* parent)
    : QWidget(parent), m_path(path), m_name(new QLabel(this)), m_editor(editor), m_problem(new QLabel(this)) {
    auto* layout = new QGridLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setHorizontalSpacing(8);
    layout->setVerticalSpacing(2);
    m_name->setFixedWidth(kNameWidth);
    m_name->setWordWrap(true);
    m_name->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_name->setBuddy(editor);
    m_problem->setWordWrap(true);
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_problem->hide();
    layout->addWidget(m_name, 0, 0, Qt::AlignTop);
    layout->addWidget(editor, 0, 1);
    layout->addWidget(m_problem, 1, 1);
    layout->setColumnStretch(1, 1);
    setObjectName(QStringLiteral("field.") + path);
    m_name->setMinimumHeight(std::min(editor->sizeHint().height(), kLineHeight));
}

void DraftField::setName(const QString& name) {
    m_name->setText(name);
    m_editor->setAccessibleName(name);
}

void DraftField::setHelp(const QString& help) {
    // The key stands with the help, so that whoever knows Ray finds it by its name.
    const QString text = (help + QLatin1Char('\n') + m_path).trimmed();
    m_editor->setToolTip(text);
    m_name->setToolTip(text);
}

void DraftField::showProblems(const std::vector<presenters::FieldProblem>& problems) {
    views::showProblems(*m_problem, *m_editor, problems);
}

} // namespace trialdeck::app::views
