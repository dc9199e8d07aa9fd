// SPDX-License-Identifier: Apache-2.0
#include "app/models/filter_expression.h"

#include "app/models/cell_column.h"
#include "app/models/number_format.h"
#include "core/base/nearest_word.h"

#include <QString>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace trialdeck::app::models {

struct FilterExpression::Node {
    enum class Kind { all, any, none, comparison };
    Kind kind = Kind::comparison;
    std::vector<std::shared_ptr<const Node>> parts;
    size_t column = 0;
    Comparison comparison = Comparison::equal;
    std::optional<double> number;
    std::string text;
};

namespace {

using Node = FilterExpression::Node;
using NodePointer = std::shared_ptr<const Node>;
using Comparison = FilterExpression::Comparison;

struct Token {
    enum class Kind { word, quoted, comparison, open, close, end };
    Kind kind = Kind::end;
    std::string text;
    size_t offset = 0;
};

std::string lowered(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())).toCaseFolded().toStdString();
}

bool isBlank(char c) {
    return c == ' ' || c == '\t' || c == '\n';
}

std::variant<std::vector<Token>, FilterError> tokenize(std::string_view text) {
    std::vector<Token> tokens;
    size_t i = 0;
    while (i < text.size()) {
        const char c = text[i];
        if (isBlank(c)) {
            ++i;
        } else if (c == '(' || c == ')') {
            tokens.push_back({c == '(' ? Token::Kind::open : Token::Kind::close, std::string(1, c), i});
            ++i;
        } else if (std::string_view("<>=!~").find(c) != std::string_view::npos) {
            size_t length = i + 1 < text.size() && text[i + 1] == '=' && c != '~' ? 2 : 1;
            tokens.push_back({Token::Kind::comparison, std::string(text.substr(i, length)), i});
            i += length;
        } else if (c == '"' || c == '\'' || c == '`') {
            const size_t close = text.find(c, i + 1);
            if (close == std::string_view::npos)
                return FilterError{FilterError::Kind::unclosedQuote, i, std::string(text.substr(i)), {}};
            tokens.push_back({Token::Kind::quoted, std::string(text.substr(i + 1, close - i - 1)), i});
            i = close + 1;
        } else {
            const size_t start = i;
            while (i < text.size() && !isBlank(text[i]) &&
                   std::string_view("()<>=!~").find(text[i]) == std::string_view::npos)
                ++i;
            tokens.push_back({Token::Kind::word, std::string(text.substr(start, i - start)), start});
        }
    }
    tokens.push_back({Token::Kind::end, {}, text.size()});
    return tokens;
}

std::optional<double> numberIn(const std::string& text) {
    const std::string low = lowered(text);
    if (low == "nan")
        return std::nan("");
    double number = 0;
    const char* begin = low.data() + (low.starts_with('+') ? 1 : 0);
    const auto [end, error] = std::from_chars(begin, low.data() + low.size(), number);
    if (error != std::errc() || end != low.data() + low.size())
        return std::nullopt;
    return number;
}

/// Recursive descent: or ← and ← not ← comparison. Nesting is bounded.
class Parser {
public:
    Parser(std::vector<Token> tokens, const std::vector<std::string>& names)
        : m_tokens(std::move(tokens)), m_names(names) {}

    NodePointer parseAll() {
        NodePointer node = parseAny(0);
        if (node && peek().kind != Token::Kind::end)
            return failed(FilterError::Kind::leftover, peek());
        return node;
    }
    [[nodiscard]] const FilterError& error() const { return m_error; }

private:
    const Token& peek() const { return m_tokens[m_next]; }
    bool takeWord(std::string_view word) {
        if (peek().kind != Token::Kind::word || lowered(peek().text) != word)
            return false;
        ++m_next;
        return true;
    }
    NodePointer failed(FilterError::Kind kind, const Token& at) {
        m_error = {kind, at.offset, at.text, {}};
        return nullptr;
    }

    NodePointer parseAny(int depth) { return parseChain("or", Node::Kind::any, depth); }

    NodePointer parseChain(std::string_view word, Node::Kind kind, int depth) {
        const bool isAny = kind == Node::Kind::any;
        auto node = std::make_shared<Node>();
        node->kind = kind;
        do {
            NodePointer part = isAny ? parseChain("and", Node::Kind::all, depth) : parseOne(depth);
            if (!part)
                return nullptr;
            node->parts.push_back(std::move(part));
        } while (takeWord(word));
        return node->parts.size() == 1 ? node->parts.front() : node;
    }

    NodePointer parseOne(int depth) {
        constexpr int kDeepest = 50;
        if (depth > kDeepest)
            return failed(FilterError::Kind::leftover, peek());
        if (takeWord("not")) {
            auto node = std::make_shared<Node>();
            node->kind = Node::Kind::none;
            NodePointer part = parseOne(depth + 1);
            if (!part)
                return nullptr;
            node->parts.push_back(std::move(part));
            return node;
        }
        if (peek().kind == Token::Kind::open) {
            const Token open = peek();
            ++m_next;
            NodePointer inner = parseAny(depth + 1);
            if (!inner)
                return nullptr;
            if (peek().kind != Token::Kind::close)
                return failed(FilterError::Kind::unclosedParenthesis, open);
            ++m_next;
            return inner;
        }
        return parseComparison();
    }

    NodePointer parseComparison() {
        const Token name = peek();
        if (name.kind != Token::Kind::word && name.kind != Token::Kind::quoted)
            return failed(FilterError::Kind::expectedName, name);
        const auto column = std::find(m_names.begin(), m_names.end(), name.text);
        if (column == m_names.end()) {
            failed(FilterError::Kind::unknownName, name);
            m_error.nearest = base::nearestWord(name.text, m_names).value_or(std::string());
            return nullptr;
        }
        ++m_next;
        const Token sign = peek();
        if (sign.kind != Token::Kind::comparison)
            return failed(FilterError::Kind::expectedOperator, sign);
        const auto comparison = comparisonOf(sign.text);
        if (!comparison)
            return failed(FilterError::Kind::expectedOperator, sign);
        ++m_next;
        const Token value = peek();
        if (value.kind != Token::Kind::word && value.kind != Token::Kind::quoted)
            return failed(FilterError::Kind::expectedValue, value);
        ++m_next;
        auto node = std::make_shared<Node>();
        node->column = static_cast<size_t>(column - m_names.begin());
        node->comparison = *comparison;
        node->text = lowered(value.text);
        if (value.kind == Token::Kind::word)
            node->number = numberIn(value.text);
        return node;
    }

    static std::optional<Comparison> comparisonOf(std::string_view sign) {
        if (sign == "<")
            return Comparison::less;
        if (sign == "<=")
            return Comparison::lessOrEqual;
        if (sign == ">")
            return Comparison::greater;
        if (sign == ">=")
            return Comparison::greaterOrEqual;
        if (sign == "=" || sign == "==")
            return Comparison::equal;
        if (sign == "!=")
            return Comparison::notEqual;
        if (sign == "~")
            return Comparison::contains;
        return std::nullopt;
    }

    std::vector<Token> m_tokens;
    const std::vector<std::string>& m_names;
    size_t m_next = 0;
    FilterError m_error;
};

bool holds(Comparison comparison, int order) {
    switch (comparison) {
    case Comparison::less:
        return order < 0;
    case Comparison::lessOrEqual:
        return order <= 0;
    case Comparison::greater:
        return order > 0;
    case Comparison::greaterOrEqual:
        return order >= 0;
    case Comparison::equal:
        return order == 0;
    case Comparison::notEqual:
        return order != 0;
    case Comparison::contains:
        break;
    }
    return false;
}

/// A missing cell fulfils nothing but "!="; NaN equals NaN and is neither more nor less than anything.
bool compares(const Node& node, const Value& cell) {
    if (cell.isNull())
        return node.comparison == Comparison::notEqual;
    if (node.comparison == Comparison::contains)
        return lowered(exactText(cell)).find(node.text) != std::string::npos;
    if (const auto number = cell.toDouble(); number && cell.isNumber()) {
        if (!node.number)
            return node.comparison == Comparison::notEqual;
        if (std::isnan(*number) || std::isnan(*node.number)) {
            const bool same = std::isnan(*number) && std::isnan(*node.number);
            return node.comparison == Comparison::notEqual ? !same : same && holds(node.comparison, 0);
        }
        return holds(node.comparison, *number < *node.number ? -1 : *number > *node.number ? 1 : 0);
    }
    return holds(node.comparison, compareNaturally(lowered(exactText(cell)), node.text));
}

bool evaluate(const Node& node, const std::function<Value(size_t)>& cell) {
    const auto holdsHere = [&](const NodePointer& part) { return evaluate(*part, cell); };
    switch (node.kind) {
    case Node::Kind::all:
        return std::all_of(node.parts.begin(), node.parts.end(), holdsHere);
    case Node::Kind::any:
        return std::any_of(node.parts.begin(), node.parts.end(), holdsHere);
    case Node::Kind::none:
        return std::none_of(node.parts.begin(), node.parts.end(), holdsHere);
    case Node::Kind::comparison:
        break;
    }
    return compares(node, cell(node.column));
}

} // namespace

std::variant<FilterExpression, FilterError> FilterExpression::parse(std::string_view text,
                                                                    const std::vector<std::string>& names) {
    FilterExpression expression;
    const bool isCondition = text.find_first_of("<>=~") != std::string_view::npos;
    if (!isCondition) {
        size_t i = 0;
        while (i < text.size()) {
            const size_t start = i;
            while (i < text.size() && !isBlank(text[i]))
                ++i;
            if (i > start)
                expression.m_words.push_back(lowered(text.substr(start, i - start)));
            ++i;
        }
        return expression;
    }
    auto tokens = tokenize(text);
    if (const auto* error = std::get_if<FilterError>(&tokens))
        return *error;
    Parser parser(std::get<std::vector<Token>>(std::move(tokens)), names);
    expression.m_root = parser.parseAll();
    if (!expression.m_root)
        return parser.error();
    return expression;
}

bool FilterExpression::isEmpty() const {
    return m_words.empty() && !m_root;
}

bool FilterExpression::matches(const std::function<Value(size_t)>& cell,
                               const std::function<std::string()>& textOf) const {
    if (m_root)
        return evaluate(*m_root, cell);
    if (m_words.empty())
        return true;
    const std::string text = lowered(textOf());
    return std::all_of(m_words.begin(), m_words.end(),
                       [&](const std::string& word) { return text.find(word) != std::string::npos; });
}

} // namespace trialdeck::app::models
