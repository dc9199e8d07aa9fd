// SPDX-License-Identifier: Apache-2.0
#include "app/views/parameter_table.h"

#include "app/views/draft_field.h"

#include <QAbstractItemView>
#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace trialdeck::app::views {

namespace {
/// Of a distribution's title; all of it is in the list.
constexpr int kShownLetters = 14;
constexpr int kListWidth = 320;
constexpr int kLeastField = 56;
} // namespace

/// The widgets of one parameter; all are children of `box`.
struct ParameterTable::Row {
    QWidget* box = nullptr;
    QLineEdit* name = nullptr;
    QComboBox* distribution = nullptr;
    QHBoxLayout* argumentLayout = nullptr;
    std::vector<QLineEdit*> arguments;
    QToolButton* remove = nullptr;
    QLabel* problem = nullptr;

    [[nodiscard]] presenters::ParameterRow content() const {
        presenters::ParameterRow row{name->text().trimmed(), distribution->currentData().toString(), {}};
        for (const QLineEdit* argument : arguments)
            row.arguments << argument->text();
        return row;
    }
};

ParameterTable::ParameterTable(QWidget* parent)
    : QWidget(parent), m_grid(new QGridLayout), m_add(new QToolButton(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    m_grid->setSpacing(8);
    layout->addLayout(m_grid);
    layout->addWidget(m_add, 0, Qt::AlignLeft);
    m_add->setObjectName(QStringLiteral("addParameter"));
    m_add->setAutoRaise(true);
    connect(m_add, &QToolButton::clicked, this, [this] {
        Row& row = addRow({QString(), QStringLiteral("uniform"), {QString(), QString()}});
        row.name->setFocus();
        emit edited();
    });
    retranslate();
}

ParameterTable::~ParameterTable() = default;

void ParameterTable::setRows(const std::vector<presenters::ParameterRow>& rows) {
    // What stands there already is left alone, so that the cursor stays in its field.
    if (rows == this->rows())
        return;
    for (const auto& row : m_rows)
        row->box->deleteLater();
    m_rows.clear();
    for (const presenters::ParameterRow& row : rows)
        addRow(row);
}

std::vector<presenters::ParameterRow> ParameterTable::rows() const {
    std::vector<presenters::ParameterRow> rows;
    for (const auto& row : m_rows)
        rows.push_back(row->content());
    return rows;
}

ParameterTable::Row& ParameterTable::addRow(const presenters::ParameterRow& content) {
    auto row = std::make_unique<Row>();
    row->box = new QWidget(this);
    auto* outer = new QVBoxLayout(row->box);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(2);
    auto* line = new QHBoxLayout;
    line->setSpacing(8);
    row->name = new QLineEdit(content.name, row->box);
    row->distribution = new QComboBox(row->box);
    for (const QString& distribution : presenters::distributionNames()) {
        row->distribution->addItem(distributionTitle(distribution), distribution);
        // Whoever knows Ray looks for its name.
        row->distribution->setItemData(row->distribution->count() - 1, distribution, Qt::ToolTipRole);
    }
    row->distribution->setCurrentIndex(row->distribution->findData(content.distribution));
    row->distribution->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    row->distribution->setMinimumContentsLength(kShownLetters);
    row->distribution->view()->setMinimumWidth(kListWidth);
    row->argumentLayout = new QHBoxLayout;
    row->argumentLayout->setSpacing(8);
    row->remove = new QToolButton(row->box);
    row->remove->setAutoRaise(true);
    row->remove->setText(QStringLiteral("✕"));
    line->addWidget(row->name, 3);
    line->addWidget(row->distribution, 0);
    line->addLayout(row->argumentLayout, 4);
    line->addWidget(row->remove);
    row->problem = new QLabel(row->box);
    row->problem->setWordWrap(true);
    row->problem->setTextFormat(Qt::PlainText);
    row->problem->hide();
    outer->addLayout(line);
    outer->addWidget(row->problem);
    Row* added = row.get();
    connect(row->name, &QLineEdit::textEdited, this, &ParameterTable::edited);
    connect(row->distribution, &QComboBox::activated, this, [this, added] {
        fillArguments(*added, added->content().arguments);
        emit edited();
    });
    connect(row->remove, &QToolButton::clicked, this, [this, added] { removeRow(added); });
    m_grid->addWidget(row->box, m_grid->rowCount(), 0);
    m_rows.push_back(std::move(row));
    fillArguments(*added, content.arguments);
    retranslate();
    return *added;
}

void ParameterTable::fillArguments(Row& row, const QStringList& texts) {
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
    QWidget* before = row.distribution;
    for (QLineEdit* argument : row.arguments) {
        setTabOrder(before, argument);
        before = argument;
    }
    setTabOrder(before, row.remove);
}

void ParameterTable::removeRow(const Row* row) {
    const auto found =
        std::find_if(m_rows.begin(), m_rows.end(), [row](const auto& one) { return one.get() == row; });
    if (found == m_rows.end())
        return;
    (*found)->box->deleteLater();
    m_rows.erase(found);
    m_add->setFocus();
    emit edited();
}

void ParameterTable::showProblems(const presenters::NewExperimentPresenter& presenter) {
    for (const auto& row : m_rows) {
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
    m_add->setText(tr("＋ Add parameter"));
    for (const auto& row : m_rows) {
        //: Column of the search space: a hyper-parameter's name
        row->name->setPlaceholderText(tr("Parameter"));
        row->name->setAccessibleName(tr("Parameter"));
        row->distribution->setAccessibleName(tr("Distribution"));
        row->remove->setToolTip(tr("Remove this parameter"));
        row->remove->setAccessibleName(tr("Remove this parameter"));
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
