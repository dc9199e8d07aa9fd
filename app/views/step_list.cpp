// SPDX-License-Identifier: Apache-2.0
#include "app/views/step_list.h"

#include "app/views/elided_label.h"
#include "app/views/state_mark.h"
#include "app/views/styled.h"

#include <QEvent>
#include <QGridLayout>
#include <QProgressBar>
#include <QVBoxLayout>

namespace trialdeck::app::views {

using presenters::StepRow;

namespace {

constexpr int kMark = 14;
constexpr int kNameWidth = 136;
constexpr int kTimeWidth = 72;
constexpr int kBarSteps = 1000;

StateMark markOf(StepRow::Mark mark, const Theme& theme) {
    switch (mark) {
    case StepRow::Mark::done:
        return {MarkShape::tick, theme.good};
    case StepRow::Mark::failed:
        return {MarkShape::cross, theme.bad};
    case StepRow::Mark::running:
        return {MarkShape::half, theme.accent};
    case StepRow::Mark::kept:
        return {MarkShape::tick, theme.muted};
    case StepRow::Mark::waiting:
        break;
    }
    return {MarkShape::ring, theme.line};
}

} // namespace

StepList::StepList(presenters::ConnectionPresenter& connection, QWidget* parent)
    : QFrame(parent), m_connection(connection), m_title(new QLabel), m_layout(new QVBoxLayout(this)),
      m_upload(new QWidget), m_bar(new QProgressBar), m_uploadText(new QLabel) {
    setObjectName(QStringLiteral("stepList"));
    setProperty("role", QStringLiteral("panel"));
    m_title->setProperty("role", QStringLiteral("section"));
    m_layout->setContentsMargins(16, 12, 16, 12);
    m_layout->setSpacing(6);
    m_layout->addWidget(m_title);
    for (size_t i = 0; i < connection.steps().size(); ++i)
        m_lines.push_back(makeLine());
    m_bar->setObjectName(QStringLiteral("uploadBar"));
    m_bar->setRange(0, kBarSteps);
    m_bar->setTextVisible(false);
    m_uploadText->setObjectName(QStringLiteral("uploadText"));
    m_uploadText->setProperty("role", QStringLiteral("muted"));
    auto* upload = new QHBoxLayout(m_upload);
    upload->setContentsMargins(kMark + 8, 0, 0, 0);
    upload->addWidget(m_bar, 1);
    upload->addWidget(m_uploadText);
    m_layout->addWidget(m_upload);
    m_layout->addStretch();
    connect(&connection, &presenters::ConnectionPresenter::changed, this, &StepList::refresh);
    refresh();
}

StepList::Line StepList::makeLine() {
    Line line{new QWidget, new QLabel, new QLabel, new QLabel, new ElidedLabel, new QLabel};
    line.row->setObjectName(QStringLiteral("step"));
    line.name->setFixedWidth(kNameWidth);
    line.time->setFixedWidth(kTimeWidth);
    line.time->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    line.time->setProperty("role", QStringLiteral("muted"));
    line.detail->setProperty("role", QStringLiteral("muted"));
    line.error->setObjectName(QStringLiteral("stepError"));
    line.error->setProperty("role", QStringLiteral("bad"));
    line.error->setWordWrap(true);
    line.error->setTextFormat(Qt::PlainText);
    line.error->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* layout = new QGridLayout(line.row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setHorizontalSpacing(8);
    layout->setVerticalSpacing(4);
    layout->addWidget(line.mark, 0, 0);
    layout->addWidget(line.name, 0, 1);
    layout->addWidget(line.time, 0, 2);
    layout->addWidget(line.detail, 0, 3);
    layout->addWidget(line.error, 1, 1, 1, 3);
    layout->setColumnStretch(3, 1);
    m_layout->addWidget(line.row);
    return line;
}

void StepList::refresh() {
    //: Title of the list of steps of connecting
    m_title->setText(tr("Way to the head"));
    const std::vector<StepRow> steps = m_connection.steps();
    for (size_t i = 0; i < m_lines.size(); ++i) {
        m_lines[i].row->setVisible(i < steps.size());
        if (i < steps.size())
            showLine(m_lines[i], steps[i]);
    }
    const auto upload = m_connection.upload();
    m_upload->setVisible(upload.has_value());
    if (!upload)
        return;
    m_bar->setValue(
        static_cast<int>(static_cast<double>(upload->done) / static_cast<double>(upload->total) * kBarSteps));
    m_bar->setAccessibleName(upload->text);
    m_uploadText->setText(upload->text);
}

void StepList::showLine(const Line& line, const StepRow& step) {
    const Theme& theme = themeOf(*this);
    line.mark->setPixmap(markPixmap(*this, kMark, markOf(step.mark, theme)));
    line.mark->setAccessibleName(step.markWord);
    line.mark->setToolTip(step.markWord);
    line.name->setText(step.name);
    setStyled(*line.name, "role",
              step.mark == StepRow::Mark::waiting || step.mark == StepRow::Mark::kept
                  ? QStringLiteral("muted")
                  : QString());
    line.time->setText(step.time);
    line.detail->setText(step.detail.isEmpty() && step.mark == StepRow::Mark::kept ? step.markWord
                                                                                   : step.detail);
    line.detail->setToolTip(step.detail.toHtmlEscaped());
    line.error->setText(step.error);
    line.error->setVisible(!step.error.isEmpty());
    QStringList said = {step.name, step.markWord};
    for (const QString& more : {step.time, step.detail, step.error}) {
        if (!more.isEmpty())
            said << more;
    }
    line.row->setAccessibleName(said.join(QStringLiteral(", ")));
}

void StepList::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange)
        refresh();
    QFrame::changeEvent(event);
}

} // namespace trialdeck::app::views
