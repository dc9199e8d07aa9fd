// SPDX-License-Identifier: Apache-2.0
#include "app/views/files_tab.h"

#include "app/text/durations.h"
#include "app/text/times.h"
#include "app/views/elided_label.h"
#include "app/views/icons.h"
#include "app/views/state_mark.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QFrame>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QIdentityProxyModel>
#include <QLabel>
#include <QToolButton>
#include <QTreeView>

namespace trialdeck::app::views {

using models::FileTreeModel;

namespace {

/// Between a column that ends at its right edge and the next one.
const QString kColumnGap = QStringLiteral("\u2003\u2003");

/// Adds the texts and icons of the columns to the file model.
class FileTexts : public QIdentityProxyModel {
public:
    FileTexts(FileTreeModel& files, const base::Clock& clock, const QWidget& widget, QObject* parent)
        : QIdentityProxyModel(parent), m_clock(clock), m_widget(widget) {
        setSourceModel(&files);
    }

    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override {
        const bool isDirectory = QIdentityProxyModel::data(index, FileTreeModel::DirectoryRole).toBool();
        if (role == Qt::DecorationRole && index.column() == 0)
            return icon(isDirectory ? QStringLiteral("folder") : QStringLiteral("file"),
                        themeOf(m_widget).muted);
        if (role == Qt::TextAlignmentRole && index.column() == 1)
            return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
        if (role == Qt::DisplayRole && index.column() == 1)
            return isDirectory
                       ? QString()
                       : text::byteSize(
                             QIdentityProxyModel::data(index, FileTreeModel::BytesRole).toULongLong());
        const QVariant modified = QIdentityProxyModel::data(index, FileTreeModel::ModifiedRole);
        if (index.column() == 2 && modified.isValid() &&
            (role == Qt::DisplayRole || role == Qt::ToolTipRole)) {
            const base::WallTime time{std::chrono::milliseconds(modified.toLongLong())};
            return role == Qt::DisplayRole ? kColumnGap + text::shortTime(time, m_clock.wallNow())
                                           : text::exactTime(time);
        }
        return QIdentityProxyModel::data(index, role);
    }

    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
        if (role == Qt::TextAlignmentRole && section == 1)
            return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
        if (role != Qt::DisplayRole || orientation != Qt::Horizontal)
            return QIdentityProxyModel::headerData(section, orientation, role);
        switch (section) {
        case 0:
            //: Column of the file list
            return FilesTab::tr("Name");
        case 1:
            //: Column of the file list
            return FilesTab::tr("Size");
        default:
            //: Column of the file list
            return kColumnGap + FilesTab::tr("Changed");
        }
    }

    void retranslate() { emit headerDataChanged(Qt::Horizontal, 0, 2); }

private:
    const base::Clock& m_clock;
    const QWidget& m_widget;
};

} // namespace

FilesTab::FilesTab(presenters::ExperimentPresenter& experiment, QWidget* parent)
    : QWidget(parent), m_experiment(experiment), m_model(experiment.head(), experiment.id()),
      m_folder(new ElidedLabel), m_copy(new QToolButton), m_refresh(new QToolButton), m_tree(new QTreeView) {
    m_folder->setTextFormat(Qt::PlainText);
    m_tree->setObjectName(QStringLiteral("fileTree"));
    m_tree->setModel(new FileTexts(m_model, experiment.clock(), *this, this));
    m_tree->setUniformRowHeights(true);
    m_tree->setColumnWidth(0, 360);
    m_tree->setColumnWidth(1, 120);
    m_tree->header()->setStretchLastSection(true);
    m_copy->setProperty("kind", QStringLiteral("link"));
    for (QToolButton* button : {m_copy, m_refresh})
        button->setFocusPolicy(Qt::TabFocus);
    auto* panel = new QFrame;
    panel->setProperty("role", QStringLiteral("panel"));
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(12, 4, 4, 4);
    bar->addWidget(m_folder);
    bar->addWidget(m_copy);
    bar->addStretch();
    bar->addWidget(m_refresh);
    auto* inside = new QVBoxLayout(panel);
    inside->setContentsMargins(1, 1, 1, 1);
    inside->setSpacing(0);
    inside->addLayout(bar);
    inside->addWidget(m_tree, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->addWidget(panel);
    connect(m_copy, &QToolButton::clicked, this, [this] {
        QApplication::clipboard()->setText(QString::fromStdString(m_experiment.summary().folder));
    });
    connect(m_refresh, &QToolButton::clicked, &m_model, &FileTreeModel::refresh);
    connect(&experiment, &presenters::ExperimentPresenter::staleChanged, this, &FilesTab::listAgain);
    connect(&m_model, &FileTreeModel::failed, &experiment, &presenters::ExperimentPresenter::commandFailed);
    retranslate();
}

void FilesTab::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    listAgain();
}

/// Where the head can answer; else what was listed stays, greyed.
void FilesTab::listAgain() {
    const bool isStale = m_experiment.isStale();
    m_refresh->setEnabled(!isStale);
    m_tree->setEnabled(!isStale);
    if (isVisible() && !isStale)
        m_model.refresh();
}

void FilesTab::retranslate() {
    m_folder->setText(QString::fromStdString(m_experiment.summary().folder));
    m_folder->setToolTip(m_folder->text().toHtmlEscaped());
    //: Button that copies the folder's path
    m_copy->setText(tr("Copy path"));
    m_refresh->setIcon(icon(QStringLiteral("refresh"), themeOf(*this).muted));
    m_refresh->setToolTip(tr("List the files again"));
    m_refresh->setAccessibleName(m_refresh->toolTip());
    m_tree->setAccessibleName(tr("Files of the experiment"));
    static_cast<FileTexts*>(m_tree->model())->retranslate();
}

void FilesTab::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange)
        retranslate();
    QWidget::changeEvent(event);
}

} // namespace trialdeck::app::views
