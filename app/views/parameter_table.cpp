// SPDX-License-Identifier: Apache-2.0
#include "app/views/parameter_table.h"

#include "app/views/draft_field.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>

namespace trialdeck::app::views {

namespace {
/// Of a distribution's title; all of it is in the list.
constexpr int kShownLetters = 14;
constexpr int kListWidth = 320;
constexpr int kLeastField = 56;
} // namespace

struct ParameterTable::Fields : RowList::Row {
    QLineEdit* name = nullptr;
    QComboBox* distribution = nullptr;
    QHBoxLayout* argumentLayout = nullptr;
    std::vector<QLineEdit*> arguments;
    QLabel* problem = nullptr;

    [[nodiscard]] presenters::ParameterRow content() const {
        presenters::ParameterRow row{name->text().trimmed(), distribution->currentData().toString(), {}};
        for (const QLineEdit* argument : arguments)
            row.arguments << argument->text();
        return row;
    }
};

ParameterTable::ParameterTable(QWidget* parent) : RowList(QStringLiteral("addParameter"), parent) {
    retranslate();
}

void ParameterTable::addEmptyRow() {
    addRow({QString(), QStringLiteral("uniform"), {QString(), QString()}}).name->setFocus();
}

void ParameterTable::setRows(const std::vector<presenters::ParameterRow>& rows) {
    // What stands there already is left alone, so that the cursor stays in its field.
    if (rows == this->rows())
        return;
    clear();
    for (const presenters::ParameterRow& row : rows)
        addRow(row);
}

std::vector<presenters::ParameterRow> ParameterTable::rows() const {
    std::vector<presenters::ParameterRow> rows;
    for (const auto& row : all())
        rows.push_back(static_cast<const Fields&>(*row).content());
    return rows;
}

ParameterTable::Fields& ParameterTable::addRow(const presenters::ParameterRow& content) {
    auto made = std::make_unique<Fields>();
    Fields& row = *made;
    append(std::move(made));
    row.name = new QLineEdit(content.name, row.box);
    row.distribution = new QComboBox(row.box);
    for (const QString& distribution : presenters::distributionNames()) {
        row.distribution->addItem(distributionTitle(distribution), distribution);
        // Whoever knows Ray looks for its name.
        row.distribution->setItemData(row.distribution->count() - 1, distribution, Qt::ToolTipRole);
    }
    row.distribution->setCurrentIndex(row.distribution->findData(content.distribution));
    row.distribution->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    row.distribution->setMinimumContentsLength(kShownLetters);
    row.distribution->view()->setMinimumWidth(kListWidth);
    row.argumentLayout = new QHBoxLayout;
    row.argumentLayout->setSpacing(8);
    row.line->insertWidget(0, row.name, 3);
    row.line->insertWidget(1, row.distribution);
    row.line->insertLayout(2, row.argumentLayout, 4);
    row.problem = new QLabel(row.box);
    row.problem->setWordWrap(true);
    row.problem->setTextFormat(Qt::PlainText);
    row.problem->hide();
    row.box->layout()->addWidget(row.problem);
    connect(row.name, &QLineEdit::textEdited, this, &ParameterTable::edited);
    connect(row.distribution, &QComboBox::activated, this, [this, &row] {
        fillArguments(row, row.content().arguments);
        emit edited();
    });
    fillArguments(row, content.arguments);
    retranslate();
    return row;
}

void ParameterTable::fillArguments(Fields& row, const QStringList& texts) {
    for (QLineEdit* argument : row.arguments)
        delete argument;
    row.arguments.clear();
    const QStringList names = presenters::argumentNames(row.distribution->currentData().toString());
    for (qsizetype i = 0; i < names.size(); ++i) {
        auto* argument = new QLineEdit(texts.value(i), row.box);
        argument->setPlaceholderText(argumentTitle(names[i]));
        argument->setAccessibleName(argumentTitle(names[i]));
        argument->setMinimumWidth(kLeastField);
        connect(argument, &QLineEdit::textEdited, this, &ParameterTable::edited);
        row.argumentLayout->addWidget(argument);
        row.arguments.push_back(argument);
    }
    std::vector<QWidget*> fields = {row.name, row.distribution};
    fields.insert(fields.end(), row.arguments.begin(), row.arguments.end());
    orderFields(row, fields);
}

void ParameterTable::showProblems(const presenters::NewExperimentPresenter& presenter) {
    for (const auto& each : all()) {
        const auto* row = static_cast<const Fields*>(each.get());
        const presenters::ParameterRow content = row->content();
        if (content.name.isEmpty()) {
            views::showProblems(*row->problem, *row->name, {});
            continue;
        }
        const QString path = QStringLiteral("param_space.") + QString(content.name).replace(u'/', u'.');
        views::showProblems(*row->problem, *row->name, presenter.problems(path));
    }
}

void ParameterTable::retranslate() {
    //: Button below the search space
    setTexts(tr("＋ Add parameter"), tr("Remove this parameter"));
    for (const auto& each : all()) {
        const auto* row = static_cast<const Fields*>(each.get());
        //: Column of the search space: a hyper-parameter's name
        row->name->setPlaceholderText(tr("Parameter"));
        row->name->setAccessibleName(tr("Parameter"));
        row->distribution->setAccessibleName(tr("Distribution"));
        for (int i = 0; i < row->distribution->count(); ++i)
            row->distribution->setItemText(i, distributionTitle(row->distribution->itemData(i).toString()));
        const QStringList names = presenters::argumentNames(row->distribution->currentData().toString());
        for (size_t i = 0; i < row->arguments.size(); ++i)
            row->arguments[i]->setPlaceholderText(argumentTitle(names.value(static_cast<qsizetype>(i))));
    }
}

QString ParameterTable::distributionTitle(const QString& distribution) {
    const std::pair<const char*, QString> titles[] = {
        //: Distribution of a parameter
        {"uniform", tr("uniform")},
        //: Distribution of a parameter: its logarithm is uniform
        {"loguniform", tr("log-uniform")},
        //: Distribution of a parameter: one of some values
        {"choice", tr("choice")},
        //: Distribution of a parameter: every value in turn
        {"grid_search", tr("grid")},
        {"int", tr("whole number (both ends)")},
        {"randint", tr("whole number (without the upper end)")},
        {"lograndint", tr("log-uniform whole number")},
        {"quniform", tr("uniform in steps")},
        {"qloguniform", tr("log-uniform in steps")},
        {"qrandint", tr("whole number in steps")},
        {"qlograndint", tr("log-uniform whole number in steps")},
        {"randn", tr("normal")},
        {"qrandn", tr("normal in steps")},
        {"constant", tr("constant")},
    };
    for (const auto& [name, title] : titles) {
        if (distribution == QLatin1String(name))
            return title;
    }
    return distribution;
}

QString ParameterTable::argumentTitle(const QString& argument) {
    if (argument == QLatin1String("lower"))
        //: Argument of a distribution: smallest value
        return tr("from");
    if (argument == QLatin1String("upper"))
        //: Argument of a distribution: largest value
        return tr("to");
    if (argument == QLatin1String("q"))
        //: Argument of a distribution: values are multiples of it
        return tr("step");
    if (argument == QLatin1String("mean"))
        return tr("mean");
    if (argument == QLatin1String("sd"))
        return tr("standard deviation");
    if (argument == QLatin1String("values"))
        return tr("values, parted by commas");
    return tr("value");
}

} // namespace trialdeck::app::views
