// SPDX-License-Identifier: Apache-2.0
#include "app/views/trial_table_panel.h"

#include "app/views/appearance.h"
#include "app/views/icons.h"
#include "app/views/line_input.h"
#include "app/views/state_mark.h"
#include "app/views/styled.h"
#include "app/views/trial_table_view.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSaveFile>
#include <QToolButton>

namespace trialdeck::app::views {

using models::FilterError;

TrialTablePanel::TrialTablePanel(presenters::ExperimentPresenter& experiment, QWidget* parent)
    : QFrame(parent), m_experiment(experiment), m_filter(new LineInput), m_filterLabel(new QLabel),
      m_note(new QLabel), m_columns(new QToolButton), m_export(new QToolButton),
      m_table(new TrialTableView(experiment)) {
    setProperty("role", QStringLiteral("panel"));
    m_filter->setObjectName(QStringLiteral("trialFilter"));
    m_filter->setProperty("flat", true);
    m_filter->setFont(Appearance::fixedFont());
    m_filter->setClearButtonEnabled(true);
    m_filterLabel->setProperty("role", QStringLiteral("muted"));
    m_filterLabel->setBuddy(m_filter);
    m_note->setObjectName(QStringLiteral("trialFilterNote"));
    m_note->setTextFormat(Qt::PlainText);
    for (QToolButton* button : {m_columns, m_export}) {
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setPopupMode(QToolButton::InstantPopup);
        button->setMenu(new QMenu(button));
        button->setFocusPolicy(Qt::TabFocus);
    }
    m_columns->setObjectName(QStringLiteral("columnsButton"));
    m_export->setObjectName(QStringLiteral("exportButton"));
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 4, 4, 4);
    bar->setSpacing(8);
    bar->addWidget(m_filterLabel);
    bar->addWidget(m_filter, 1);
    bar->addWidget(m_note);
    bar->addWidget(m_columns);
    bar->addWidget(m_export);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(1, 1, 1, 1);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_table, 1);
    connect(m_filter, &LineInput::committed, this, [this](const QString& text) {
        applyFilter(text);
        emit filterEdited();
    });
    connect(m_filter, &LineInput::escaped, m_filter, &QLineEdit::clear);
    connect(m_filter, &LineInput::accepted, m_table, [this] { m_table->setFocus(); });
    connect(m_filter, &LineInput::moved, m_table, [this] { m_table->setFocus(); });
    connect(m_columns->menu(), &QMenu::aboutToShow, this, [this] {
        m_columns->menu()->clear();
        m_table->fillColumnsMenu(*m_columns->menu());
    });
    connect(&experiment.order(), &QAbstractItemModel::rowsInserted, this, &TrialTablePanel::updateNote);
    connect(&experiment.order(), &QAbstractItemModel::rowsRemoved, this, &TrialTablePanel::updateNote);
    connect(&experiment.order(), &QAbstractItemModel::columnsInserted, this,
            [this] { applyFilter(m_filter->text()); });
    retranslate();
}

void TrialTablePanel::focusFilter() {
    m_filter->setFocus();
    m_filter->selectAll();
}

void TrialTablePanel::setFilter(const QString& text) {
    m_filter->setText(text);
}

QString TrialTablePanel::filter() const {
    return m_filter->text();
}

void TrialTablePanel::applyFilter(const QString& text) {
    m_error = m_experiment.order().setFilter(text);
    setStyled(*m_filter, "invalid", m_error.has_value());
    updateNote();
}

QString TrialTablePanel::errorText(const FilterError& error) const {
    const QString word = QString::fromStdString(error.word);
    switch (error.kind) {
    case FilterError::Kind::unknownName:
        if (!error.nearest.empty())
            //: Error of the filter field
            return tr("There is no column \"%1\". Did you mean \"%2\"?")
                .arg(word, QString::fromStdString(error.nearest));
        return tr("There is no column \"%1\".").arg(word);
    case FilterError::Kind::expectedValue:
        return tr("A value is missing, as in lr < 0.1");
    case FilterError::Kind::expectedOperator:
        return tr("A comparison is missing: < <= > >= = != ~");
    case FilterError::Kind::expectedName:
        return tr("A column is missing, as in lr < 0.1");
    case FilterError::Kind::unclosedQuote:
        return tr("A quote is not closed.");
    case FilterError::Kind::unclosedParenthesis:
        return tr("A parenthesis is not closed.");
    case FilterError::Kind::leftover:
        return tr("\"%1\" does not belong here; join conditions with and, or.").arg(word);
    }
    return {};
}

void TrialTablePanel::retranslate() {
    const Theme& theme = themeOf(*this);
    //: Label of the filter field of the trial table
    m_filterLabel->setText(tr("&Filter"));
    m_filter->setPlaceholderText(QStringLiteral("lr < 0.1 and accuracy > 0.5"));
    m_filter->setToolTip(tr("Words that each must occur in a row, or a condition on columns."));
    m_filter->setAccessibleName(tr("Filter of the trial table"));
    m_columns->setText(tr("Columns"));
    m_columns->setIcon(icon(QStringLiteral("columns"), theme.muted));
    m_export->setText(tr("Export"));
    m_export->setIcon(icon(QStringLiteral("download"), theme.muted));
    m_export->menu()->clear();
    connect(m_export->menu()->addAction(tr("Save as CSV…")), &QAction::triggered, this,
            &TrialTablePanel::exportCsv);
    connect(m_export->menu()->addAction(tr("Copy rows for a spreadsheet")), &QAction::triggered, this,
            [this] { QApplication::clipboard()->setText(m_table->selectionAsText()); });
    connect(m_export->menu()->addAction(tr("Copy as trialdeckctl command")), &QAction::triggered, this,
            [this] {
                QApplication::clipboard()->setText(m_experiment.asCommand(QStringLiteral("export")) +
                                                   QStringLiteral(" --csv"));
            });
    updateNote();
}

void TrialTablePanel::updateNote() {
    if (m_error) {
        setStyled(*m_note, "role", QStringLiteral("bad"));
        m_note->setText(errorText(*m_error));
    } else {
        setStyled(*m_note, "role", QStringLiteral("muted"));
        const int shown = m_experiment.order().rowCount();
        const int all = m_experiment.table().rowCount();
        //: How many rows the filter shows, such as "3 of 8"
        m_note->setText(shown == all ? QString() : tr("%1 of %2").arg(shown).arg(all));
    }
}

void TrialTablePanel::exportCsv() {
    const QString name = QString::fromStdString(m_experiment.summary().name) + QStringLiteral(".csv");
    const QString path =
        QFileDialog::getSaveFileName(this, tr("Save the trial table"), name, tr("CSV files (*.csv)"));
    if (path.isEmpty())
        return;
    QSaveFile file(path);
    const QByteArray bytes = m_table->tableAsCsv();
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        emit m_experiment.commandFailed(
            Error{ErrorCode::file_io,
                  {{"path", path.toStdString()}, {"reason", file.errorString().toStdString()}},
                  "write the trial table"});
}

void TrialTablePanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange)
        retranslate();
    QFrame::changeEvent(event);
}

} // namespace trialdeck::app::views
