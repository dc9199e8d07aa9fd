// SPDX-License-Identifier: Apache-2.0
#include "app/views/chart_panel.h"

#include "app/models/number_format.h"
#include "app/views/curve_chart.h"
#include "app/views/icons.h"
#include "app/views/state_mark.h"

#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>

#include <array>

namespace trialdeck::app::views {

using models::AxisScale;

namespace {
constexpr std::array<double, 6> kSmoothings = {0, 0.3, 0.6, 0.8, 0.9, 0.99};
} // namespace

ChartPanel::ChartPanel(presenters::ChartPresenter& chart, QWidget* parent)
    : QFrame(parent), m_presenter(chart), m_head(new QWidget), m_title(new QLabel), m_note(new QLabel),
      m_expand(new QToolButton), m_menuButton(new QToolButton), m_chart(new CurveChart(chart)) {
    setProperty("role", QStringLiteral("panel"));
    setObjectName(QStringLiteral("chartPanel:") + chart.metricName());
    m_title->setProperty("role", QStringLiteral("section"));
    m_title->setTextFormat(Qt::PlainText);
    m_title->setText(chart.metricName());
    m_note->setProperty("role", QStringLiteral("muted"));
    m_menuButton->setPopupMode(QToolButton::InstantPopup);
    m_menuButton->setMenu(new QMenu(m_menuButton));
    m_menuButton->setObjectName(QStringLiteral("chartMenu"));
    m_expand->setObjectName(QStringLiteral("chartExpand"));
    for (QToolButton* button : {m_expand, m_menuButton}) {
        button->setFocusPolicy(Qt::TabFocus);
        button->setAutoRaise(true);
    }
    auto* head = new QHBoxLayout(m_head);
    head->setContentsMargins(12, 4, 4, 0);
    head->setSpacing(4);
    head->addWidget(m_title);
    head->addStretch();
    head->addWidget(m_note);
    head->addWidget(m_expand);
    head->addWidget(m_menuButton);
    m_head->installEventFilter(this);
    m_head->setCursor(Qt::OpenHandCursor);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(1, 1, 1, 1);
    layout->setSpacing(0);
    layout->addWidget(m_head);
    layout->addWidget(m_chart, 1);
    connect(m_menuButton->menu(), &QMenu::aboutToShow, this, [this] {
        m_menuButton->menu()->clear();
        fillMenu(*m_menuButton->menu());
    });
    connect(m_expand, &QToolButton::clicked, this, &ChartPanel::expandToggled);
    connect(&chart, &presenters::ChartPresenter::planChanged, this, &ChartPanel::updateNote);
    retranslate();
}

void ChartPanel::retranslate() {
    const Theme& theme = themeOf(*this);
    m_menuButton->setIcon(icon(QStringLiteral("menu"), theme.muted));
    m_expand->setIcon(icon(m_expanded ? QStringLiteral("shrink") : QStringLiteral("expand"), theme.muted));
    //: Tooltip of a button on a chart
    m_expand->setToolTip(m_expanded ? tr("Show all charts") : tr("Show this chart alone"));
    m_expand->setAccessibleName(m_expand->toolTip());
    //: Tooltip of a button on a chart
    m_menuButton->setToolTip(tr("Chart options"));
    m_menuButton->setAccessibleName(m_menuButton->toolTip());
    m_head->setToolTip(tr("Drag to rearrange the charts"));
    m_chart->setTheme(theme);
    updateNote();
}

void ChartPanel::updateNote() {
    QStringList parts;
    if (m_presenter.smoothing() > 0)
        //: %1 is a number from 0 to 0.99
        parts << tr("smoothing %1").arg(m_presenter.smoothing());
    if (m_presenter.scale() == AxisScale::logarithmic)
        //: Scale of a chart's axis
        parts << tr("logarithmic");
    if (m_presenter.isZoomed())
        //: The chart shows a part; double click shows everything
        parts << tr("zoomed");
    m_note->setText(parts.join(QStringLiteral(" · ")));
}

void ChartPanel::setExpanded(bool expanded) {
    m_expanded = expanded;
    retranslate();
}

void ChartPanel::addScaleActions(QMenu& menu) {
    auto* group = new QActionGroup(&menu);
    const auto add = [&](const QString& text, AxisScale scale) {
        QAction* action = menu.addAction(text);
        action->setCheckable(true);
        action->setChecked(m_presenter.scale() == scale);
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, scale] {
            m_presenter.setScale(scale);
            emit choicesEdited();
        });
    };
    //: Scale of a chart's axis
    add(tr("Linear"), AxisScale::linear);
    //: Scale of a chart's axis
    add(tr("Logarithmic"), AxisScale::logarithmic);
}

void ChartPanel::addSmoothingMenu(QMenu& menu) {
    QMenu* smoothing = menu.addMenu(tr("Smoothing"));
    auto* group = new QActionGroup(smoothing);
    for (const double value : kSmoothings) {
        //: No smoothing of the curves
        QAction* action = smoothing->addAction(value == 0 ? tr("None") : QString::number(value));
        action->setCheckable(true);
        action->setChecked(m_presenter.smoothing() == value);
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, value] {
            m_presenter.setSmoothing(value);
            emit choicesEdited();
        });
    }
}

void ChartPanel::fillMenu(QMenu& menu) {
    addScaleActions(menu);
    menu.addSeparator();
    addSmoothingMenu(menu);
    QAction* outliers = menu.addAction(tr("Ignore outliers"));
    outliers->setCheckable(true);
    outliers->setChecked(m_presenter.ignoresOutliers());
    connect(outliers, &QAction::toggled, this, [this](bool on) {
        m_presenter.setIgnoresOutliers(on);
        emit choicesEdited();
    });
    QAction* reset = menu.addAction(tr("Show everything"));
    reset->setEnabled(m_presenter.isZoomed());
    connect(reset, &QAction::triggered, &m_presenter, &presenters::ChartPresenter::resetZoom);
    connect(menu.addAction(tr("Hide this chart")), &QAction::triggered, this, [this] {
        m_presenter.setShown(false);
        emit choicesEdited();
    });
    menu.addSeparator();
    connect(menu.addAction(tr("Copy picture")), &QAction::triggered, this, &ChartPanel::copyPicture);
    connect(menu.addAction(tr("Copy values")), &QAction::triggered, this,
            [this] { QApplication::clipboard()->setText(valuesAsText()); });
}

void ChartPanel::copyPicture() {
    QApplication::clipboard()->setPixmap(m_chart->grab());
}

QString ChartPanel::valuesAsText() const {
    QString text = QStringLiteral("trial\ttraining_iteration\t%1\n").arg(m_presenter.metricName());
    for (uint32_t trial = 0; trial < m_presenter.trialCount(); ++trial) {
        const models::Series* series = m_presenter.series(TrialId(trial));
        for (size_t i = 0; series && i < series->size(); ++i) {
            const double value = series->values[i];
            text += QStringLiteral("%1\t%2\t%3\n")
                        .arg(QString::number(trial), QString::number(series->steps[i], 'g', 17),
                             models::isMissing(value) ? QString()
                                                      : QString::fromStdString(models::exactText(value)));
        }
    }
    return text;
}

QString ChartPanel::saveChoices() const {
    return QStringLiteral("%1|%2|%3|%4")
        .arg(m_presenter.scale() == AxisScale::logarithmic ? QStringLiteral("log") : QStringLiteral("linear"),
             QString::number(m_presenter.smoothing()),
             m_presenter.ignoresOutliers() ? QStringLiteral("outliers") : QString(),
             m_presenter.isShown() ? QStringLiteral("shown") : QStringLiteral("hidden"));
}

void ChartPanel::restoreChoices(const QString& choices) {
    const QStringList parts = choices.split(QLatin1Char('|'));
    if (parts.size() != 4)
        return;
    m_presenter.setScale(parts[0] == QLatin1String("log") ? AxisScale::logarithmic : AxisScale::linear);
    m_presenter.setSmoothing(parts[1].toDouble());
    m_presenter.setIgnoresOutliers(!parts[2].isEmpty());
    m_presenter.setShown(parts[3] == QLatin1String("shown"));
}

void ChartPanel::contextMenuEvent(QContextMenuEvent* event) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    fillMenu(*menu);
    menu->popup(event->globalPos());
}

bool ChartPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_head)
        return QFrame::eventFilter(watched, event);
    const auto* mouse =
        event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseButtonRelease
            ? static_cast<QMouseEvent*>(event)
            : nullptr;
    if (mouse && event->type() == QEvent::MouseButtonPress)
        m_pressedAt = mouse->pos();
    if (mouse && event->type() == QEvent::MouseButtonRelease &&
        (mouse->pos() - m_pressedAt).manhattanLength() >= QApplication::startDragDistance())
        emit droppedAt(mapToParent(mouse->pos()));
    if (event->type() == QEvent::MouseButtonDblClick) {
        emit expandToggled();
        return true;
    }
    return QFrame::eventFilter(watched, event);
}

void ChartPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange)
        retranslate();
    QFrame::changeEvent(event);
}

} // namespace trialdeck::app::views
