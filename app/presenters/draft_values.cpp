// SPDX-License-Identifier: Apache-2.0
#include "app/presenters/draft_values.h"

#include "core/base/json.h"

#include <QRegularExpression>

namespace trialdeck::app::presenters {

namespace {

/// Chinese input methods write digits, points and minus in full width.
QString halfWidth(const QString& text) {
    QString plain = text;
    for (QChar& c : plain) {
        constexpr char16_t kFirst = u'！';
        constexpr char16_t kLast = u'～';
        if (c >= QChar(kFirst) && c <= QChar(kLast))
            c = QChar(static_cast<char16_t>(c.unicode() - kFirst + u'!'));
        else if (c == QChar(u'\u3000'))
            c = QLatin1Char(' ');
    }
    return plain;
}

/// Splits at a separator that stands outside quotes and brackets.
QStringList splitOutside(const QString& text, QChar separator) {
    QStringList pieces;
    QString piece;
    QChar quote;
    int depth = 0;
    for (const QChar c : text) {
        if (!quote.isNull()) {
            if (c == quote)
                quote = QChar();
        } else if (c == QLatin1Char('"') || c == QLatin1Char('\'')) {
            quote = c;
        } else if (c == QLatin1Char('[') || c == QLatin1Char('{')) {
            ++depth;
        } else if (c == QLatin1Char(']') || c == QLatin1Char('}')) {
            --depth;
        } else if (c == separator && depth <= 0) {
            pieces << piece;
            piece.clear();
            continue;
        }
        piece += c;
    }
    pieces << piece;
    return pieces;
}

Value valueFromPiece(const QString& piece) {
    const QString text = piece.trimmed();
    const bool structured = text.startsWith(QLatin1Char('[')) || text.startsWith(QLatin1Char('{')) ||
                            text.startsWith(QLatin1Char('"'));
    if (structured) {
        if (auto parsed = base::parseJson(text.toStdString()))
            return std::move(*parsed);
    }
    if (text == QLatin1String("null"))
        return Value();
    if (text.size() >= 2 && text.startsWith(QLatin1Char('\'')) && text.endsWith(QLatin1Char('\'')))
        return Value(text.mid(1, text.size() - 2).toStdString());
    return scalarFromText(text);
}

bool isDistribution(const QString& name) {
    return name != QLatin1String("constant") && distributionNames().contains(name);
}

bool takesList(const QString& distribution) {
    return distribution == QLatin1String("choice") || distribution == QLatin1String("grid_search");
}

void addRows(std::vector<ParameterRow>& rows, const QString& prefix, const Object& space) {
    for (const auto& [key, value] : space) {
        const QString name = prefix + QString::fromStdString(key);
        const Object* map = value.asObject();
        const QString only =
            map && map->size() == 1 ? QString::fromStdString(map->begin()->first) : QString();
        if (map && isDistribution(only)) {
            ParameterRow row{name, only, {}};
            const Array* arguments = map->begin()->second.asArray();
            if (arguments && takesList(only))
                row.arguments << textFromList(*arguments);
            else if (arguments)
                for (const Value& argument : *arguments)
                    row.arguments << textFromScalar(argument);
            else
                row.arguments << textFromScalar(map->begin()->second);
            rows.push_back(std::move(row));
        } else if (map && !map->empty()) {
            addRows(rows, name + QLatin1Char('/'), *map);
        } else {
            rows.push_back({name, QStringLiteral("constant"), {textFromScalar(value)}});
        }
    }
}

Value valueOfRow(const ParameterRow& row) {
    if (row.distribution == QLatin1String("constant"))
        return valueFromPiece(row.arguments.value(0));
    Array arguments;
    if (takesList(row.distribution)) {
        arguments = listFromText(row.arguments.value(0));
    } else {
        for (const QString& argument : row.arguments)
            arguments.push_back(scalarFromText(argument));
    }
    return Object{{row.distribution.toStdString(), std::move(arguments)}};
}

} // namespace

Value scalarFromText(const QString& text, const QLocale& locale) {
    QString plain = halfWidth(text).trimmed();
    plain.replace(QChar(u'\u2212'), QLatin1Char('-'));
    const QLatin1Char comma(',');
    if (locale.decimalPoint() == comma && plain.count(comma) == 1 && !plain.contains(QLatin1Char('.')))
        plain.replace(comma, QLatin1Char('.'));
    if (plain == QLatin1String("true") || plain == QLatin1String("false"))
        return Value(plain == QLatin1String("true"));
    static const QRegularExpression whole(QStringLiteral("^[+-]?[0-9]+$"));
    static const QRegularExpression real(
        QStringLiteral("^[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?$"));
    bool ok = false;
    if (whole.match(plain).hasMatch()) {
        const qlonglong number = plain.toLongLong(&ok);
        if (ok)
            return Value(static_cast<int64_t>(number));
    }
    if (real.match(plain).hasMatch()) {
        const double number = QLocale::c().toDouble(plain, &ok);
        if (ok)
            return Value(number);
    }
    return Value(text.trimmed().toStdString());
}

QString textFromScalar(const Value& value) {
    if (const std::string* text = value.asString())
        return QString::fromStdString(*text);
    return QString::fromStdString(base::toJson(value));
}

Array listFromText(const QString& text) {
    Array list;
    if (text.trimmed().isEmpty())
        return list;
    for (const QString& piece : splitOutside(text, QLatin1Char(',')))
        list.push_back(valueFromPiece(piece));
    return list;
}

QString textFromList(const Array& list) {
    QStringList pieces;
    for (const Value& value : list) {
        const QString text = textFromScalar(value);
        // What would be read as something else is written with quotes.
        pieces << (valueFromPiece(text) == value && splitOutside(text, QLatin1Char(',')).size() == 1
                       ? text
                       : QString::fromStdString(base::toJson(value)));
    }
    return pieces.join(QLatin1String(", "));
}

QStringList wordsFromText(const QString& text) {
    QStringList words;
    QString word;
    bool inWord = false;
    QChar quote;
    for (const QChar c : text) {
        if (!quote.isNull() && c == quote) {
            quote = QChar();
        } else if (!quote.isNull()) {
            word += c;
        } else if (c == QLatin1Char('"') || c == QLatin1Char('\'')) {
            quote = c;
            inWord = true;
        } else if (c.isSpace()) {
            if (inWord)
                words << word;
            word.clear();
            inWord = false;
        } else {
            word += c;
            inWord = true;
        }
    }
    if (inWord)
        words << word;
    return words;
}

QString textFromWords(const QStringList& words) {
    QStringList quoted;
    for (const QString& word : words) {
        const bool plain = !word.isEmpty() && !word.contains(QRegularExpression(QStringLiteral("[\\s\"']")));
        if (plain) {
            quoted << word;
            continue;
        }
        // Both kinds of quotes in one word: pieces in different quotes stand side by side.
        QString text;
        for (const QString& piece : word.split(QLatin1Char('\'')))
            text += (text.isEmpty() ? QString() : QStringLiteral("\"'\"")) + QLatin1Char('\'') + piece +
                    QLatin1Char('\'');
        quoted << text;
    }
    return quoted.join(QLatin1Char(' '));
}

const Value* valueAt(const Object& draft, const QString& path) {
    const QStringList keys = path.split(QLatin1Char('.'));
    const Value* value = draft.find(keys.first().toStdString());
    for (qsizetype i = 1; value && i < keys.size(); ++i)
        value = value->find(keys[i].toStdString());
    return value;
}

void setValueAt(Object& draft, const QString& path, Value value) {
    Object* map = &draft;
    const QStringList keys = path.split(QLatin1Char('.'));
    for (qsizetype i = 0; i + 1 < keys.size(); ++i) {
        const std::string key = keys[i].toStdString();
        if (!map->find(key) || !map->find(key)->asObject())
            map->set(key, Object());
        map = map->find(key)->asObject();
    }
    map->set(keys.last().toStdString(), std::move(value));
}

void clearValueAt(Object& draft, const QString& path) {
    const qsizetype dot = path.indexOf(QLatin1Char('.'));
    if (dot < 0) {
        draft.erase(path.toStdString());
        return;
    }
    const std::string key = path.left(dot).toStdString();
    Value* inner = draft.find(key);
    Object* map = inner ? inner->asObject() : nullptr;
    if (!map)
        return;
    clearValueAt(*map, path.mid(dot + 1));
    if (map->empty())
        draft.erase(key);
}

QStringList argumentNames(const QString& distribution) {
    if (takesList(distribution))
        return {QStringLiteral("values")};
    if (distribution == QLatin1String("constant"))
        return {QStringLiteral("value")};
    QStringList names = distribution.contains(QLatin1String("randn"))
                            ? QStringList{QStringLiteral("mean"), QStringLiteral("sd")}
                            : QStringList{QStringLiteral("lower"), QStringLiteral("upper")};
    if (distribution.startsWith(QLatin1Char('q')))
        names << QStringLiteral("q");
    return names;
}

QStringList distributionNames() {
    static const QStringList names = {
        QStringLiteral("uniform"),     QStringLiteral("loguniform"),  QStringLiteral("choice"),
        QStringLiteral("grid_search"), QStringLiteral("int"),         QStringLiteral("randint"),
        QStringLiteral("lograndint"),  QStringLiteral("quniform"),    QStringLiteral("qloguniform"),
        QStringLiteral("qrandint"),    QStringLiteral("qlograndint"), QStringLiteral("randn"),
        QStringLiteral("qrandn"),      QStringLiteral("constant")};
    return names;
}

std::vector<ParameterRow> parametersFromSpace(const Object& space) {
    std::vector<ParameterRow> rows;
    addRows(rows, {}, space);
    return rows;
}

Object spaceFromParameters(const std::vector<ParameterRow>& rows) {
    Object space;
    for (const ParameterRow& row : rows) {
        Object* map = &space;
        const QStringList keys = row.name.split(QLatin1Char('/'));
        for (qsizetype i = 0; i + 1 < keys.size(); ++i) {
            const std::string key = keys[i].toStdString();
            if (!map->find(key) || !map->find(key)->asObject())
                map->set(key, Object());
            map = map->find(key)->asObject();
        }
        map->set(keys.last().toStdString(), valueOfRow(row));
    }
    return space;
}

QString pathOfParameter(const ParameterRow& row) {
    QString path =
        QStringLiteral("param_space.") + QString(row.name).replace(QLatin1Char('/'), QLatin1Char('.'));
    if (row.distribution != QLatin1String("constant"))
        path += QLatin1Char('.') + row.distribution;
    return path;
}

std::vector<StopRow> stopRowsFrom(const Object& stop) {
    std::vector<StopRow> rows;
    for (const auto& [metric, value] : stop) {
        const QString name = QString::fromStdString(metric);
        const Object* rule = value.asObject();
        if (!rule) {
            rows.push_back({name, QStringLiteral("ge"), textFromScalar(value)});
            continue;
        }
        for (const auto& [comparison, bound] : *rule)
            rows.push_back({name, QString::fromStdString(comparison), textFromScalar(bound)});
    }
    return rows;
}

Object stopFromRows(const std::vector<StopRow>& rows) {
    Object stop;
    for (const StopRow& row : rows) {
        Value bound = scalarFromText(row.value);
        if (row.comparison == QLatin1String("ge"))
            stop.set(row.metric.toStdString(), std::move(bound));
        else
            stop.set(row.metric.toStdString(), Object{{row.comparison.toStdString(), std::move(bound)}});
    }
    return stop;
}

} // namespace trialdeck::app::presenters
