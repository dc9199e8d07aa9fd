// SPDX-License-Identifier: Apache-2.0
#include "app/views/forward_panel.h"

#include "app/views/elided_label.h"
#include "app/views/icons.h"
#include "app/views/state_mark.h"
#include "app/views/styled.h"
#include "app/views/theme.h"

#include <QDesktopServices>
#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>

namespace trialdeck::app::views {

using client::ForwardStatus;
using client::ForwardWish;
using presenters::ForwardRow;

namespace {
constexpr int kWhatWidth = 160;
constexpr int kHereWidth = 128;
} // namespace

ForwardPanel::ForwardPanel(presenters::HostWorkPresenter& work, QWidget* parent)
    : QFrame(parent), m_work(work), m_title(new QLabel), m_empty(new QLabel), m_rows(new QVBoxLayout),
      m_port(new QLineEdit), m_forward(new QPushButton), m_jupyter(new QPushButton), m_ray(new QPushButton),
      m_problem(new QLabel) {
    setObjectName(QStringLiteral("forwardPanel"));
    setProperty("role", QStringLiteral("panel"));
    m_title->setProperty("role", QStringLiteral("section"));
    m_empty->setProperty("role", QStringLiteral("muted"));
    m_empty->setWordWrap(true);
    m_rows->setSpacing(6);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(8);
    layout->addWidget(m_title);
    layout->addWidget(m_empty);
    layout->addLayout(m_rows);
    makeFooter();
    connect(&work, &presenters::HostWorkPresenter::forwardsChanged, this, &ForwardPanel::refresh);
    connect(&work, &presenters::HostWorkPresenter::canWorkChanged, this, &ForwardPanel::refresh);
    refresh();
}

void ForwardPanel::makeFooter() {
    m_port->setObjectName(QStringLiteral("forwardPort"));
    m_forward->setObjectName(QStringLiteral("forwardOpen"));
    m_jupyter->setObjectName(QStringLiteral("forwardJupyter"));
    m_ray->setObjectName(QStringLiteral("forwardRay"));
    m_problem->setObjectName(QStringLiteral("forwardProblem"));
    m_problem->setProperty("role", QStringLiteral("bad"));
    m_problem->setWordWrap(true);
    m_problem->hide();
    auto* footer = new QHBoxLayout;
    footer->setSpacing(8);
    m_port->setMinimumWidth(kHereWidth);
    footer->addWidget(m_port, 1);
    for (QPushButton* button : {m_forward, m_jupyter, m_ray}) {
        button->setAutoDefault(false);
        footer->addWidget(button);
    }
    auto* layout = static_cast<QVBoxLayout*>(this->layout());
    layout->addLayout(footer);
    layout->addWidget(m_problem);
    connect(m_port, &QLineEdit::returnPressed, this, &ForwardPanel::forward);
    connect(m_port, &QLineEdit::textEdited, m_problem, &QWidget::hide);
    connect(m_forward, &QPushButton::clicked, this, &ForwardPanel::forward);
    const auto openAs = [this](ForwardWish::What what) {
        ForwardWish wish;
        wish.what = what;
        m_work.open(wish);
    };
    connect(m_jupyter, &QPushButton::clicked, this, [openAs] { openAs(ForwardWish::What::jupyter); });
    connect(m_ray, &QPushButton::clicked, this, [openAs] { openAs(ForwardWish::What::ray_dashboard); });
}

void ForwardPanel::forward() {
    if (!m_forward->isEnabled() || m_port->text().trimmed().isEmpty())
        return;
    const auto wish = presenters::HostWorkPresenter::forwardFrom(m_port->text());
    m_problem->setVisible(!wish);
    m_port->setAccessibleDescription(wish ? QString() : m_problem->text());
    if (!wish)
        return;
    m_port->clear();
    m_work.open(*wish);
}

size_t ForwardPanel::makeLine() {
    Line line{new QWidget,     new ElidedLabel, new QLabel, new ElidedLabel,
              new QToolButton, new QToolButton, new QLabel};
    line.row->setObjectName(QStringLiteral("forward"));
    line.what->setFixedWidth(kWhatWidth);
    line.here->setFixedWidth(kHereWidth);
    line.here->setTextInteractionFlags(Qt::TextSelectableByMouse);
    line.note->setProperty("role", QStringLiteral("muted"));
    line.error->setObjectName(QStringLiteral("forwardError"));
    line.error->setProperty("role", QStringLiteral("bad"));
    line.error->setWordWrap(true);
    line.error->setTextInteractionFlags(Qt::TextSelectableByMouse);
    for (QLabel* label : {line.what, line.here, line.note, line.error})
        label->setTextFormat(Qt::PlainText);
    line.open->setProperty("kind", QStringLiteral("link"));
    for (QToolButton* button : {line.open, line.close})
        button->setFocusPolicy(Qt::TabFocus);
    auto* layout = new QGridLayout(line.row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setHorizontalSpacing(8);
    layout->setVerticalSpacing(4);
    layout->addWidget(line.what, 0, 0);
    layout->addWidget(line.here, 0, 1);
    layout->addWidget(line.note, 0, 2);
    layout->addWidget(line.open, 0, 3);
    layout->addWidget(line.close, 0, 4);
    layout->addWidget(line.error, 1, 0, 1, 5);
    layout->setColumnStretch(2, 1);
    m_rows->addWidget(line.row);
    const size_t place = m_lines.size();
    connect(line.open, &QToolButton::clicked, this,
            [this, place] { QDesktopServices::openUrl(QUrl(m_work.address(m_lines[place].number))); });
    connect(line.close, &QToolButton::clicked, this, [this, place] { m_work.close(m_lines[place].number); });
    m_lines.push_back(line);
    return place;
}

void ForwardPanel::refresh() {
    //: Title of the list of ports that are brought here
    m_title->setText(tr("Port forwarding"));
    m_empty->setText(tr("Brings a page or any other port of the host to 127.0.0.1 here."));
    //: In an empty field: what can be typed
    m_port->setPlaceholderText(tr("8080, db:5432 or 9000:8080"));
    m_port->setAccessibleName(tr("Port of the host"));
    //: Button: begins to forward the port that was typed
    m_forward->setText(tr("Forward"));
    m_jupyter->setText(QStringLiteral("Jupyter"));
    m_jupyter->setToolTip(tr("Starts Jupyter on the host and opens it in the browser"));
    //: Button: opens Ray's own page
    m_ray->setText(tr("Ray dashboard"));
    m_ray->setToolTip(tr("Opens port 8265 of the host in the browser"));
    m_problem->setText(
        tr("Write a port from 1 to 65535, or HOST:PORT, or the port here in front: 9000:8080."));
    const std::vector<ForwardRow> rows = m_work.forwards();
    m_empty->setVisible(rows.empty());
    while (m_lines.size() < rows.size())
        std::ignore = makeLine();
    for (size_t i = 0; i < m_lines.size(); ++i) {
        m_lines[i].row->setVisible(i < rows.size());
        if (i < rows.size())
            showLine(m_lines[i], rows[i]);
    }
    for (QPushButton* button : {m_forward, m_jupyter, m_ray})
        button->setEnabled(m_work.canWork());
    m_port->setEnabled(m_work.canWork());
}

void ForwardPanel::showLine(Line& line, const ForwardRow& row) {
    line.number = row.number;
    line.what->setText(row.what);
    line.here->setText(row.here);
    line.note->setText(row.note);
    line.open->setVisible(row.state == ForwardStatus::State::open);
    //: Opens an address in the browser
    line.open->setText(tr("Open"));
    //: %1 is what is forwarded, such as "TensorBoard"
    line.open->setAccessibleName(tr("Open %1 in the browser").arg(row.what));
    line.close->setIcon(icon(QStringLiteral("close"), themeOf(*this).text));
    //: %1 is what is forwarded, such as "TensorBoard"
    line.close->setAccessibleName(tr("Stop forwarding %1").arg(row.what));
    line.close->setToolTip(line.close->accessibleName());
    line.error->setText(row.error);
    line.error->setVisible(!row.error.isEmpty());
    setStyled(*line.here, "role", m_work.canWork() ? QString() : QStringLiteral("muted"));
}

void ForwardPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange)
        refresh();
    QFrame::changeEvent(event);
}

} // namespace trialdeck::app::views
