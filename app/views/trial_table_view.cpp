// SPDX-License-Identifier: Apache-2.0
#include "app/views/trial_table_view.h"

#include "app/text/states.h"
#include "app/views/trial_delegate.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenu>

#include <algorithm>
#include <array>
#include <cmath>

namespace trialdeck::app::views {

using models::TrialField;
using models::TrialTableModel;

namespace {

constexpr int kRowHeight = 28;
constexpr int kMostWidth = 320;
constexpr std::chrono::milliseconds kRefit{500};
constexpr int kSampleRows = 200;
/// Room beside what a column holds; it can do without.
constexpr int kSlack = 8;

/// What a narrow table does without until somebody asks for it, the least missed first.
constexpr std::array kDispensable = {TrialField::node, TrialField::curve, TrialField::time};

bool isDispensable(TrialField field) {
    return std::find(kDispensable.begin(), kDispensable.end(), field) != kDispensable.end();
}

/// Bookkeeping is there, but not on the first look.
bool isHiddenAtFirst(const QString& key) {
    const QString kind = QStringLiteral("metric:");
    return key.startsWith(kind) && models::isBookkeeping(key.mid(kind.size()).toStdString());
}

QString csvField(const QString& text) {
    if (!text.contains(QLatin1Char(',')) && !text.contains(QLatin1Char('"')) &&
        !text.contains(QLatin1Char('\n')) && !text.contains(QLatin1Char('\r')))
        return text;
    return QLatin1Char('"') + QString(text).replace(QLatin1Char('"'), QStringLiteral("\"\"")) +
           QLatin1Char('"');
}

QString tsvField(QString text) {
    return text.replace(QLatin1Char('\t'), QLatin1Char(' ')).replace(QLatin1Char('\n'), QLatin1Char(' '));
}

} // namespace

TrialTableView::TrialTableView(presenters::ExperimentPresenter& experiment, QWidget* parent)
    : QTableView(parent), m_experiment(experiment), m_order(experiment.order()) {
    setObjectName(QStringLiteral("trialTable"));
    setModel(&m_order);
    setItemDelegate(new TrialDelegate(m_order, this));
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(kRowHeight);
    QHeaderView* header = horizontalHeader();
    header->setSectionsMovable(true);
    header->setSectionsClickable(true);
    header->setHighlightSections(false);
    header->setSortIndicatorShown(true);
    header->setSortIndicator(m_order.sortColumn(), m_order.sortOrder());
    header->setStretchLastSection(true);
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(header, &QHeaderView::sectionClicked, this, &TrialTableView::onHeaderClicked);
    connect(header, &QHeaderView::sectionMoved, this, &TrialTableView::tellEdited);
    // Sections also change their size by themselves, when the last one stretches or another becomes the last.
    header->viewport()->installEventFilter(this);
    connect(header, &QHeaderView::sectionResized, this, [this] {
        if (m_headerPressed && !m_restoring)
            tellEdited();
    });
    connect(header, &QHeaderView::sectionHandleDoubleClicked, this, &TrialTableView::tellEdited);
    m_refit.setSingleShot(true);
    m_refit.setInterval(kRefit);
    connect(&m_refit, &QTimer::timeout, this, &TrialTableView::fitColumns);
    connect(&m_order, &QAbstractItemModel::dataChanged, this, [this] {
        if (!m_edited && !m_refit.isActive())
            m_refit.start();
    });
    // Words of another language: nothing to wait for.
    connect(&m_order, &QAbstractItemModel::headerDataChanged, this, &TrialTableView::fitColumns);
    connect(header, &QHeaderView::customContextMenuRequested, this, [this](QPoint place) {
        auto* menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        fillColumnsMenu(*menu);
        menu->popup(horizontalHeader()->mapToGlobal(place));
    });
    connect(&m_order, &QAbstractItemModel::columnsInserted, this, &TrialTableView::applyToNewColumns);
    connect(&m_order, &QAbstractItemModel::layoutChanged, this,
            [this] { horizontalHeader()->setSortIndicator(m_order.sortColumn(), m_order.sortOrder()); });
    connect(&m_order, &QAbstractItemModel::rowsInserted, this, [this](const QModelIndex&, int first) {
        if (first == 0 || !m_edited)
            fitColumns();
        pullSelection();
    });
    connect(&experiment.selection(), &presenters::TrialSelection::changed, this,
            &TrialTableView::pullSelection);
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, &TrialTableView::pushSelection);
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, &TrialTableView::pushSelection);
    connect(this, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
        emit trialActivated(TrialId(index.data(TrialTableModel::TrialRole).toUInt()));
    });
    //: Accessible name of the table
    setAccessibleName(tr("Trials"));
    applyToNewColumns();
    pullSelection();
}

void TrialTableView::tellEdited() {
    m_edited = true;
    emit layoutEdited();
}

bool TrialTableView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == horizontalHeader()->viewport()) {
        if (event->type() == QEvent::MouseButtonPress)
            m_headerPressed = true;
        else if (event->type() == QEvent::MouseButtonRelease)
            m_headerPressed = false;
    }
    return QTableView::eventFilter(watched, event);
}

void TrialTableView::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    if (!m_edited)
        fitColumns();
}

int TrialTableView::sizeHintForColumn(int column) const {
    int width = 0;
    if (m_order.table().column(column).field == TrialField::state) {
        // Room for every state, so that nothing jumps when one comes.
        for (const TrialState state : {TrialState::pending, TrialState::running, TrialState::paused,
                                       TrialState::terminated, TrialState::error})
            width = std::max(width, TrialDelegate::stateWidth(fontMetrics(), text::stateWord(state)));
    }
    const int rows = std::min(m_order.rowCount(), kSampleRows);
    QStyleOptionViewItem option;
    initViewItemOption(&option);
    for (int row = 0; row < rows; ++row)
        width = std::max(width, itemDelegate()->sizeHint(option, m_order.index(row, column)).width());
    return std::min(width + kSlack, kMostWidth);
}

void TrialTableView::fitColumns() {
    if (!m_wantedLayout.isEmpty()) {
        restoreLayout(m_wantedLayout);
        return;
    }
    if (m_edited)
        return;
    m_restoring = true;
    struct Room {
        int section = 0;
        int wanted = 0;
        /// What it needs without its slack and the place of the arrow of sorting.
        int least = 0;
    };
    std::vector<Room> shown;
    int wanted = 0;
    int least = 0;
    for (int section = 0; section < m_order.columnCount(); ++section) {
        if (isColumnHidden(section) && !isDispensable(m_order.table().column(section).field))
            continue;
        const int cells = sizeHintForColumn(section);
        const int header = horizontalHeader()->sectionSizeHint(section);
        shown.push_back(
            {section, std::max(cells, header),
             std::max(cells - kSlack, section == m_order.sortColumn() ? header : leastHeaderWidth(section))});
        wanted += shown.back().wanted;
        least += shown.back().least;
    }
    // Too wide by far: rather without what says the least than with a scroll bar.
    const int room = viewport()->width();
    for (const TrialField field : kDispensable) {
        const int section = m_order.table().findColumn({field, 0});
        const bool isTooMuch = least > room;
        setColumnHidden(section, isTooMuch);
        const auto at = std::find_if(shown.begin(), shown.end(),
                                     [section](const Room& each) { return each.section == section; });
        if (!isTooMuch || at == shown.end())
            continue;
        wanted -= at->wanted;
        least -= at->least;
        shown.erase(at);
    }
    // A little too wide: rather closer columns.
    const double part =
        wanted > room && wanted > least ? std::min(1.0, double(wanted - room) / (wanted - least)) : 0;
    for (const Room& each : shown)
        setColumnWidth(each.section,
                       each.wanted - static_cast<int>(std::ceil(part * (each.wanted - each.least))));
    m_restoring = false;
}

int TrialTableView::leastHeaderWidth(int section) const {
    constexpr int kHeaderPadding = 8;
    const QString title = m_order.headerData(section, Qt::Horizontal).toString();
    return horizontalHeader()->fontMetrics().horizontalAdvance(title) + 2 * kHeaderPadding + 2;
}

void TrialTableView::applyToNewColumns() {
    for (int section = 0; section < m_order.columnCount(); ++section) {
        if (m_wantedLayout.isEmpty() && isHiddenAtFirst(m_order.table().columnKey(section)))
            setColumnHidden(section, true);
    }
    fitColumns();
}

void TrialTableView::onHeaderClicked(int section) {
    // Up, down, then the trials' own order again.
    const bool isSame = m_order.sortColumn() == section;
    if (isSame && m_order.sortOrder() == Qt::DescendingOrder)
        m_order.sort(-1);
    else
        m_order.sort(section, isSame ? Qt::DescendingOrder : Qt::AscendingOrder);
    horizontalHeader()->setSortIndicator(m_order.sortColumn(), m_order.sortOrder());
    if (currentIndex().isValid())
        scrollTo(currentIndex());
    tellEdited();
}

void TrialTableView::pushSelection() {
    if (m_pulling)
        return;
    m_pushing = true;
    std::set<TrialId> selected;
    for (const QModelIndex& index : selectionModel()->selectedRows())
        selected.insert(TrialId(index.data(TrialTableModel::TrialRole).toUInt()));
    std::optional<TrialId> current;
    if (selectionModel()->currentIndex().isValid())
        current = TrialId(selectionModel()->currentIndex().data(TrialTableModel::TrialRole).toUInt());
    if (current && !selected.contains(*current))
        current = selected.empty() ? std::nullopt : std::optional(*selected.begin());
    m_experiment.selection().set(selected, current);
    m_pushing = false;
}

void TrialTableView::pullSelection() {
    if (m_pushing)
        return;
    m_pulling = true;
    QItemSelection selection;
    for (const TrialId trial : m_experiment.selection().selected()) {
        const int row = m_order.rowOf(trial);
        if (row >= 0)
            selection.select(m_order.index(row, 0), m_order.index(row, m_order.columnCount() - 1));
    }
    const auto current = m_experiment.selection().current();
    const int row = current ? m_order.rowOf(*current) : -1;
    if (row >= 0) {
        selectionModel()->setCurrentIndex(m_order.index(row, std::max(0, currentIndex().column())),
                                          QItemSelectionModel::NoUpdate);
        scrollTo(m_order.index(row, 0));
    }
    selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
    m_pulling = false;
}

void TrialTableView::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) {
        QApplication::clipboard()->setText(selectionAsText());
        event->accept();
        return;
    }
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        if (const auto trial = m_experiment.selection().current())
            emit trialActivated(*trial);
        event->accept();
        return;
    }
    if (event->key() == Qt::Key_Escape && !m_experiment.selection().selected().empty()) {
        m_experiment.selection().clear();
        event->accept();
        return;
    }
    if (event->key() == Qt::Key_Delete) {
        const auto trial = m_experiment.selection().current();
        if (trial && m_experiment.canStop(trial))
            m_experiment.stop(trial);
        event->accept();
        return;
    }
    QTableView::keyPressEvent(event);
}

void TrialTableView::contextMenuEvent(QContextMenuEvent* event) {
    const QModelIndex index =
        event->reason() == QContextMenuEvent::Keyboard ? currentIndex() : indexAt(event->pos());
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("trialMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (index.isValid())
        fillTrialMenu(*menu, TrialId(index.data(TrialTableModel::TrialRole).toUInt()));
    fillColumnsMenu(*menu->addMenu(tr("Columns")));
    menu->popup(event->reason() == QContextMenuEvent::Keyboard
                    ? viewport()->mapToGlobal(visualRect(index).bottomLeft())
                    : event->globalPos());
}

void TrialTableView::fillTrialMenu(QMenu& menu, TrialId trial) {
    auto& experiment = m_experiment;
    const auto add = [&](const QString& text, bool enabled, auto deed) {
        QAction* action = menu.addAction(text);
        action->setEnabled(enabled);
        connect(action, &QAction::triggered, this, deed);
    };
    add(tr("Show log"), true, [this, trial] { emit trialActivated(trial); });
    menu.addSeparator();
    if (experiment.head().can("pause")) {
        add(tr("Pause trial"), experiment.canPause(trial), [&experiment, trial] { experiment.pause(trial); });
        add(tr("Resume trial"), experiment.canResume(trial),
            [&experiment, trial] { experiment.resume(trial); });
    }
    add(tr("Stop trial…"), experiment.canStop(trial), [&experiment, trial] { experiment.stop(trial); });
    menu.addSeparator();
    add(tr("Copy rows"), true, [this] { QApplication::clipboard()->setText(selectionAsText()); });
    add(tr("Copy as trialdeckctl command"), true, [&experiment, trial] {
        QApplication::clipboard()->setText(experiment.asCommand(QStringLiteral("show"), trial));
    });
    menu.addSeparator();
}

void TrialTableView::fillColumnsMenu(QMenu& menu) {
    for (int visual = 0; visual < horizontalHeader()->count(); ++visual) {
        const int section = horizontalHeader()->logicalIndex(visual);
        if (m_order.table().column(section).field == TrialField::trial)
            continue;
        QAction* action =
            menu.addAction(m_order.table().columnKey(section) == QLatin1String("curve")
                               ? m_order.headerData(section, Qt::Horizontal, Qt::ToolTipRole).toString()
                               : m_order.headerData(section, Qt::Horizontal).toString());
        action->setCheckable(true);
        action->setChecked(!isColumnHidden(section));
        connect(action, &QAction::toggled, this, [this, section](bool visible) {
            setColumnHidden(section, !visible);
            if (visible)
                resizeColumnToContents(section);
            tellEdited();
        });
    }
}

void TrialTableView::enterEvent(QEnterEvent* event) {
    m_order.setHeld(true);
    QTableView::enterEvent(event);
}

void TrialTableView::leaveEvent(QEvent* event) {
    m_order.setHeld(false);
    QTableView::leaveEvent(event);
}

std::vector<int> TrialTableView::visibleSections() const {
    std::vector<int> sections;
    for (int visual = 0; visual < horizontalHeader()->count(); ++visual) {
        const int section = horizontalHeader()->logicalIndex(visual);
        if (!isColumnHidden(section) && m_order.table().column(section).field != TrialField::curve)
            sections.push_back(section);
    }
    return sections;
}

std::vector<int> TrialTableView::rowsToCopy() const {
    std::vector<int> rows;
    for (const QModelIndex& index : selectionModel()->selectedRows())
        rows.push_back(index.row());
    std::sort(rows.begin(), rows.end());
    if (rows.empty()) {
        for (int row = 0; row < m_order.rowCount(); ++row)
            rows.push_back(row);
    }
    return rows;
}

QString TrialTableView::selectionAsText() const {
    const std::vector<int> sections = visibleSections();
    QStringList header;
    for (const int section : sections)
        header << tsvField(m_order.table().fieldName(section));
    QStringList lines{header.join(QLatin1Char('\t'))};
    for (const int row : rowsToCopy()) {
        QStringList fields;
        for (const int section : sections)
            fields << tsvField(m_order.index(row, section).data(TrialTableModel::ExactRole).toString());
        lines << fields.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

QByteArray TrialTableView::tableAsCsv() const {
    QString text;
    QStringList header;
    for (int section = 0; section < m_order.columnCount(); ++section) {
        if (m_order.table().column(section).field != TrialField::curve)
            header << csvField(m_order.table().fieldName(section));
    }
    text += header.join(QLatin1Char(',')) + QLatin1Char('\n');
    for (int row = 0; row < m_order.rowCount(); ++row) {
        QStringList fields;
        for (int section = 0; section < m_order.columnCount(); ++section) {
            if (m_order.table().column(section).field != TrialField::curve)
                fields << csvField(m_order.index(row, section).data(TrialTableModel::ExactRole).toString());
        }
        text += fields.join(QLatin1Char(',')) + QLatin1Char('\n');
    }
    return text.toUtf8();
}

QByteArray TrialTableView::saveLayout() const {
    // What nobody has arranged arranges itself again next time.
    if (!m_edited)
        return {};
    QJsonArray columns;
    for (int visual = 0; visual < horizontalHeader()->count(); ++visual) {
        const int section = horizontalHeader()->logicalIndex(visual);
        columns.append(QJsonObject{{QStringLiteral("column"), m_order.table().columnKey(section)},
                                   {QStringLiteral("width"), columnWidth(section)},
                                   {QStringLiteral("hidden"), isColumnHidden(section)}});
    }
    QJsonObject layout{{QStringLiteral("columns"), columns}};
    if (m_order.sortColumn() >= 0) {
        layout.insert(QStringLiteral("sort"), m_order.table().columnKey(m_order.sortColumn()));
        layout.insert(QStringLiteral("descending"), m_order.sortOrder() == Qt::DescendingOrder);
    }
    return QJsonDocument(layout).toJson(QJsonDocument::Compact);
}

void TrialTableView::restoreLayout(const QByteArray& layout) {
    m_wantedLayout = layout;
    m_edited = true;
    m_restoring = true;
    const QJsonObject object = QJsonDocument::fromJson(layout).object();
    const QString sort = object.value(QStringLiteral("sort")).toString();
    int visual = 0;
    for (const QJsonValue value : object.value(QStringLiteral("columns")).toArray()) {
        const QString key = value[QStringLiteral("column")].toString();
        for (int section = 0; section < m_order.columnCount(); ++section) {
            if (m_order.table().columnKey(section) != key)
                continue;
            const bool isHidden = value[QStringLiteral("hidden")].toBool();
            setColumnHidden(section, isHidden);
            if (!isHidden)
                setColumnWidth(section, std::max(24, value[QStringLiteral("width")].toInt()));
            horizontalHeader()->moveSection(horizontalHeader()->visualIndex(section), visual++);
            if (key == sort && m_order.sortColumn() != section)
                m_order.sort(section, object.value(QStringLiteral("descending")).toBool()
                                          ? Qt::DescendingOrder
                                          : Qt::AscendingOrder);
        }
    }
    horizontalHeader()->setSortIndicator(m_order.sortColumn(), m_order.sortOrder());
    m_restoring = false;
}

} // namespace trialdeck::app::views
