// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/value.h"

#include <QLocale>
#include <QString>
#include <QStringList>

#include <vector>

/// Between the text of a form's fields and the values of a draft. A point is the decimal point in every
/// locale, a comma only where the locale has it as such, and nothing parts groups of digits; text that is no
/// number stays text, and the head says what is wrong with it: nothing is changed silently.
namespace trialdeck::app::presenters {

/// What a field's text stands for: a whole number, a number, true or false, or text as it is. Full-width
/// digits count as digits.
[[nodiscard]] Value scalarFromText(const QString& text, const QLocale& locale = QLocale());
/// Shortest text that reads back as the same value; lists and maps as JSON.
[[nodiscard]] QString textFromScalar(const Value& value);

/// "0.1, 0.2, adam, "a, b"": values between commas, quotes and brackets kept together.
[[nodiscard]] Array listFromText(const QString& text);
[[nodiscard]] QString textFromList(const Array& list);

/// A command line to its words: blanks part them, single and double quotes keep them together.
[[nodiscard]] QStringList wordsFromText(const QString& text);
[[nodiscard]] QString textFromWords(const QStringList& words);

/// The value at a path such as "trial.runtime_env.working_dir"; null where there is none.
[[nodiscard]] const Value* valueAt(const Object& draft, const QString& path);
/// Makes the maps on the way.
void setValueAt(Object& draft, const QString& path, Value value);
/// Takes it away, and the maps on the way that are empty then.
void clearValueAt(Object& draft, const QString& path);

/// One line of the search space: a parameter with its distribution as the form shows it.
struct ParameterRow {
    /// Nested ones with "/".
    QString name;
    /// "uniform", "choice", …; "constant" for a plain value.
    QString distribution;
    /// One text for each argument; choice, grid_search and constant have one.
    QStringList arguments;
    friend bool operator==(const ParameterRow&, const ParameterRow&) = default;
};

/// Names of a distribution's arguments, in Ray's order: {"lower", "upper", "q"}.
[[nodiscard]] QStringList argumentNames(const QString& distribution);
/// In the order in which the form offers them.
[[nodiscard]] QStringList distributionNames();

[[nodiscard]] std::vector<ParameterRow> parametersFromSpace(const Object& space);
[[nodiscard]] Object spaceFromParameters(const std::vector<ParameterRow>& rows);
/// Where the row's values stand: "param_space.lr.loguniform".
[[nodiscard]] QString pathOfParameter(const ParameterRow& row);

/// One condition that ends a trial.
struct StopRow {
    QString metric;
    /// "ge", or "le" for a metric that falls.
    QString comparison = QStringLiteral("ge");
    QString value;
    friend bool operator==(const StopRow&, const StopRow&) = default;
};

[[nodiscard]] std::vector<StopRow> stopRowsFrom(const Object& stop);
[[nodiscard]] Object stopFromRows(const std::vector<StopRow>& rows);

} // namespace trialdeck::app::presenters
