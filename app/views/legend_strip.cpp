// SPDX-License-Identifier: Apache-2.0
#include "app/views/legend_strip.h"

#include "app/views/state_mark.h"

#include <QEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace trialdeck::app::views {

namespace {

constexpr int kHeight = 24;
constexpr int kLine = 16;
constexpr int kGap = 6;
constexpr int kPadding = 6;
/// Looking for room ends here: nobody tells more lines apart.
constexpr size_t kMostEntries = 64;

} // namespace

LegendStrip::LegendStrip(presenters::ExperimentPresenter& experiment, QWidget* parent)
    : QWidget(parent), m_experiment(experiment) {
    setObjectName(QStringLiteral("legend"));
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&experiment.data(), &models::ExperimentData::changed, this,
            [this](const models::ExperimentChange& change) {
                if (change.restarted || change.newTrials > 0 || change.bestTrial)
                    update();
            });
    connect(&experiment.selection(), &presenters::TrialSelection::changed, this,
            qOverload<>(&QWidget::update));
    retranslate();
}

void LegendStrip::retranslate() {
    //: Accessible name: which line of the charts is which trial
    setAccessibleName(tr("Legend"));
    setToolTip(tr("Click: select the trial. Ctrl and click: one more."));
    update();
}

QSize LegendStrip::sizeHint() const {
    return {400, kHeight};
}

QSize LegendStrip::minimumSizeHint() const {
    return {80, kHeight};
}

QString LegendStrip::textOf(TrialId trial) const {
    const QString number = QString::number(trial.raw());
    return m_experiment.data().bestTrial() == trial ? number + QStringLiteral(" ★") : number;
}

int LegendStrip::widthOf(TrialId trial) const {
    return kPadding + kLine + kGap + fontMetrics().horizontalAdvance(textOf(trial)) + kPadding;
}

/// The best trial, then the selected ones, then the others.
bool LegendStrip::isBefore(TrialId a, TrialId b) const {
    const auto rank = [this](TrialId trial) {
        if (m_experiment.data().bestTrial() == trial)
            return 0;
        return m_experiment.selection().contains(trial) ? 1 : 2;
    };
    return std::pair(rank(a), a) < std::pair(rank(b), b);
}

std::vector<LegendStrip::Entry> LegendStrip::entries() const {
    const size_t count = m_experiment.data().trials().size();
    std::vector<TrialId> trials;
    for (uint32_t trial = 0; trial < std::min(count, kMostEntries); ++trial)
        trials.emplace_back(trial);
    if (count > kMostEntries) {
        for (const TrialId trial : m_experiment.selection().selected()) {
            if (trial.raw() >= kMostEntries && trials.size() < 2 * kMostEntries)
                trials.push_back(trial);
        }
        const auto best = m_experiment.data().bestTrial();
        if (best && best->raw() >= kMostEntries && !m_experiment.selection().contains(*best))
            trials.push_back(*best);
    }
    std::sort(trials.begin(), trials.end(), [this](TrialId a, TrialId b) { return isBefore(a, b); });
    //: Before the numbers of the trials in a legend
    const int label = fontMetrics().horizontalAdvance(tr("Trial")) + kGap;
    const int more = fontMetrics().horizontalAdvance(QStringLiteral("+999999")) + kPadding;
    int room = width() - label;
    size_t fitting = 0;
    while (fitting < trials.size()) {
        const bool isLast = fitting + 1 == count;
        if (widthOf(trials[fitting]) > room - (isLast ? 0 : more))
            break;
        room -= widthOf(trials[fitting]);
        ++fitting;
    }
    trials.resize(fitting);
    std::sort(trials.begin(), trials.end());
    std::vector<Entry> entries;
    int left = label;
    for (const TrialId trial : trials) {
        const int width = widthOf(trial);
        entries.push_back({trial, textOf(trial), QRect(left, 0, width, height())});
        left += width;
    }
    return entries;
}

std::vector<TrialId> LegendStrip::shownTrials() const {
    std::vector<TrialId> trials;
    for (const Entry& entry : entries())
        trials.push_back(entry.trial);
    return trials;
}

void LegendStrip::paintEvent(QPaintEvent*) {
    if (m_experiment.data().trials().empty())
        return;
    const Theme& theme = themeOf(*this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme.muted);
    painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, tr("Trial"));
    const std::vector<Entry> shown = entries();
    int end = fontMetrics().horizontalAdvance(tr("Trial")) + kGap;
    for (const Entry& entry : shown) {
        if (m_experiment.selection().contains(entry.trial)) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme.selection);
            painter.drawRoundedRect(entry.box.adjusted(0, 1, 0, -1), 4, 4);
        }
        const qreal middle = entry.box.center().y() + 0.5;
        const int left = entry.box.left() + kPadding;
        painter.setPen(QPen(theme.curve(entry.trial.raw()), 3, Theme::dash(entry.trial.raw()), Qt::FlatCap));
        painter.drawLine(QPointF(left, middle), QPointF(left + kLine, middle));
        painter.setPen(theme.text);
        painter.drawText(entry.box.adjusted(kPadding + kLine + kGap, 0, 0, 0),
                         Qt::AlignLeft | Qt::AlignVCenter, entry.text);
        end = entry.box.right();
    }
    const size_t hidden = m_experiment.data().trials().size() - shown.size();
    if (hidden > 0) {
        painter.setPen(theme.muted);
        painter.drawText(rect().adjusted(end + kPadding, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         QStringLiteral("+%1").arg(hidden));
    }
    if (hasFocus()) {
        painter.setPen(QPen(theme.accent, 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    }
}

void LegendStrip::mousePressEvent(QMouseEvent* event) {
    presenters::TrialSelection& selection = m_experiment.selection();
    for (const Entry& entry : entries()) {
        if (!entry.box.contains(event->pos()))
            continue;
        if (!(event->modifiers() & Qt::ControlModifier)) {
            selection.setOnly(entry.trial);
            return;
        }
        std::set<TrialId> selected = selection.selected();
        if (!selected.erase(entry.trial))
            selected.insert(entry.trial);
        const std::optional<TrialId> current =
            selected.empty()
                ? std::nullopt
                : std::optional(selected.contains(entry.trial) ? entry.trial : *selected.begin());
        selection.set(selected, current);
        return;
    }
    selection.clear();
}

void LegendStrip::keyPressEvent(QKeyEvent* event) {
    const size_t count = m_experiment.data().trials().size();
    const auto current = m_experiment.selection().current();
    const bool isLeft = event->key() == Qt::Key_Left;
    if (event->key() == Qt::Key_Escape && current) {
        m_experiment.selection().clear();
    } else if ((isLeft || event->key() == Qt::Key_Right) && count > 0) {
        const auto last = static_cast<int64_t>(count) - 1;
        const int64_t next = current ? int64_t{current->raw()} + (isLeft ? -1 : 1) : isLeft ? last : 0;
        const TrialId trial(static_cast<uint32_t>(std::clamp<int64_t>(next, 0, last)));
        m_experiment.selection().setOnly(trial);
        //: Name of a trial in a chart; %1 is its number
        setAccessibleDescription(tr("Trial %1").arg(trial.raw()));
    } else {
        QWidget::keyPressEvent(event);
        return;
    }
    event->accept();
}

void LegendStrip::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

} // namespace trialdeck::app::views
