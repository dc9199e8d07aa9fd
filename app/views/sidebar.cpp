// SPDX-License-Identifier: Apache-2.0
#include "app/views/sidebar.h"

#include "app/views/state_mark.h"

#include <QContextMenuEvent>
#include <QEvent>
#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>

namespace trialdeck::app::views {

using models::ConnectionTreeModel;

namespace {

constexpr int kRowHeight = 32;
constexpr int kMark = 14;
constexpr int kPadding = 12;

/// Paints a connection as a heading and an experiment as state, name, counts and a bar of progress.
class SidebarDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
        return {200, kRowHeight};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const auto* view = qobject_cast<const QTreeView*>(option.widget);
        const Theme& theme = themeOf(*option.widget);
        const bool isConnection = index.data(ConnectionTreeModel::LinkRole).isValid();
        QRect row = option.rect;
        row.setLeft(0);
        row.setRight(view->viewport()->width() - 1);
        painter->save();
        painter->setFont(option.font);
        if (option.state & QStyle::State_Selected)
            painter->fillRect(row, theme.selection);
        else if (option.state & QStyle::State_MouseOver)
            painter->fillRect(row, theme.background);
        const QRect box = row.adjusted(kPadding, 0, -kPadding, 0);
        if (isConnection)
            paintConnection(*painter, box, index, *view, theme);
        else
            paintExperiment(*painter, box, index, option, theme);
        if ((option.state & QStyle::State_HasFocus) && (option.state & QStyle::State_Active)) {
            painter->setPen(theme.accent);
            painter->setBrush(Qt::NoBrush);
            painter->drawRect(row.adjusted(1, 1, -1, -1));
        }
        painter->restore();
    }

private:
    static int paintNote(QPainter& painter, const QRect& box, const QModelIndex& index,
                         const QColor& colour) {
        const QString note = index.data(ConnectionTreeModel::NoteRole).toString();
        painter.setPen(colour);
        painter.drawText(box, Qt::AlignRight | Qt::AlignVCenter, note);
        return painter.fontMetrics().horizontalAdvance(note);
    }

    static void paintConnection(QPainter& painter, const QRect& box, const QModelIndex& index,
                                const QTreeView& view, const Theme& theme) {
        const auto state =
            static_cast<client::LinkStatus::State>(index.data(ConnectionTreeModel::LinkRole).toInt());
        const bool isQuiet =
            state == client::LinkStatus::State::connected || state == client::LinkStatus::State::connecting;
        const bool asks = index.data(ConnectionTreeModel::AsksRole).toBool();
        const QColor noteColour = asks ? theme.accent : isQuiet ? theme.muted : markOf(state, theme).colour;
        const int note = paintNote(painter, box, index, noteColour);
        // The arrow that folds the connection.
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(theme.muted, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        const QPointF c(box.left() + 4, box.center().y() + 1);
        if (view.isExpanded(index))
            painter.drawPolyline(QPolygonF({c + QPointF(-3.5, -2), c + QPointF(0, 2), c + QPointF(3.5, -2)}));
        else
            painter.drawPolyline(QPolygonF({c + QPointF(-2, -3.5), c + QPointF(2, 0), c + QPointF(-2, 3.5)}));
        painter.setPen(theme.muted);
        QFont bold = painter.font();
        bold.setWeight(QFont::DemiBold);
        painter.setFont(bold);
        const QRect name = box.adjusted(kMark, 0, -note - 8, 0);
        painter.drawText(
            name, Qt::AlignLeft | Qt::AlignVCenter,
            painter.fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, name.width()));
    }

    static void paintExperiment(QPainter& painter, const QRect& given, const QModelIndex& index,
                                const QStyleOptionViewItem& option, const Theme& theme) {
        const bool isStale = index.data(ConnectionTreeModel::StaleRole).toBool();
        const auto state = static_cast<ExperimentState>(index.data(ConnectionTreeModel::StateRole).toInt());
        const QVariant progress = index.data(ConnectionTreeModel::ProgressRole);
        const bool isRunning = state == ExperimentState::running && progress.isValid();
        QRect box = given.adjusted(4, 0, 0, 0);
        const QRect line = isRunning ? box.adjusted(0, -2, 0, -4) : box;
        paintMark(painter, QRectF(box.left(), line.center().y() - kMark / 2.0 + 1, kMark, kMark),
                  isStale ? unknownMark(theme) : markOf(state, theme));
        const int note = paintNote(painter, line, index, theme.muted);
        const QRect name = line.adjusted(kMark + 8, 0, -note - 8, 0);
        painter.setPen(isStale ? theme.muted : theme.text);
        painter.drawText(
            name, Qt::AlignLeft | Qt::AlignVCenter,
            option.fontMetrics.elidedText(index.data().toString(), Qt::ElideMiddle, name.width()));
        if (!isRunning)
            return;
        const QRectF bar(box.left() + kMark + 8, box.bottom() - 5, box.width() - kMark - 8, 3);
        painter.setPen(Qt::NoPen);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setBrush(theme.line);
        painter.drawRoundedRect(bar, 1.5, 1.5);
        painter.setBrush(isStale ? theme.muted : theme.accent);
        QRectF done = bar;
        done.setWidth(bar.width() * progress.toDouble());
        painter.drawRoundedRect(done, 1.5, 1.5);
    }
};

} // namespace

Sidebar::Sidebar(ConnectionTreeModel& model, QWidget* parent) : QTreeView(parent), m_model(model) {
    setObjectName(QStringLiteral("sidebar"));
    setProperty("role", QStringLiteral("sidebar"));
    setModel(&model);
    setItemDelegate(new SidebarDelegate(this));
    setHeaderHidden(true);
    setIndentation(0);
    setRootIsDecorated(false);
    setUniformRowHeights(true);
    setMouseTracking(true);
    setFrameShape(QFrame::NoFrame);
    setMinimumWidth(180);
    setExpandsOnDoubleClick(true);
    connect(&model, &QAbstractItemModel::rowsInserted, this,
            [this](const QModelIndex& above, int first, int last) {
                for (int row = first; row <= last; ++row)
                    expand(m_model.index(row, 0, above));
                if (above.isValid())
                    expand(above);
            });
    // A view that gets the focus by Tab has a current row, but nothing that was chosen.
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        const QModelIndexList selected = selectionModel()->selectedIndexes();
        if (!selected.isEmpty() && !m_isMarking)
            choose(selected.front());
    });
    connect(this, &QTreeView::activated, this, &Sidebar::choose);
    expandAll();
    retranslate();
}

void Sidebar::retranslate() {
    //: Accessible name of the list at the left
    setAccessibleName(tr("Connections and experiments"));
}

void Sidebar::choose(const QModelIndex& index) {
    if (const protocol::ExperimentSummary* summary = m_model.summaryOf(index))
        emit experimentChosen(*m_model.headOf(index), ExperimentId(summary->experiment));
    else if (const client::HeadClient* head = m_model.headOf(index))
        emit connectionChosen(*head);
}

void Sidebar::mousePressEvent(QMouseEvent* event) {
    const QModelIndex index = indexAt(event->pos());
    const bool isOnArrow =
        event->pos().x() < kPadding + kMark && m_model.rowCount(index) > 0 && index.isValid();
    if (event->button() == Qt::LeftButton && isOnArrow)
        setExpanded(index, !isExpanded(index));
    else
        QTreeView::mousePressEvent(event);
}

void Sidebar::contextMenuEvent(QContextMenuEvent* event) {
    const bool isByKey = event->reason() == QContextMenuEvent::Keyboard;
    const QModelIndex index = isByKey ? currentIndex() : indexAt(event->pos());
    if (!index.data(ConnectionTreeModel::LinkRole).isValid())
        return;
    choose(index);
    emit menuWanted(isByKey ? viewport()->mapToGlobal(visualRect(index).bottomLeft()) : event->globalPos());
}

void Sidebar::mark(const QModelIndex& index) {
    if (!index.isValid())
        return;
    m_isMarking = true;
    setCurrentIndex(index);
    selectionModel()->select(index, QItemSelectionModel::ClearAndSelect);
    m_isMarking = false;
}

void Sidebar::showCurrent(const client::HeadClient& head, const ExperimentId& experiment) {
    mark(m_model.indexOf(experiment, &head));
}

void Sidebar::showCurrent(const client::HeadClient& connection) {
    mark(m_model.indexOf(connection));
}

void Sidebar::showNone() {
    selectionModel()->clear();
}

void Sidebar::drawBranches(QPainter*, const QRect&, const QModelIndex&) const {}

void Sidebar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QTreeView::changeEvent(event);
}

} // namespace trialdeck::app::views
