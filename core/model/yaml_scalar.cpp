// SPDX-License-Identifier: Apache-2.0
#include "core/model/yaml_scalar.h"

#include "core/base/utf8.h"
#include "core/base/words.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace trialdeck::model {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

bool isAny(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), text) != words.end();
}

std::string_view takeSign(std::string_view text, bool& negative) {
    negative = text.starts_with('-');
    return negative || text.starts_with('+') ? text.substr(1) : text;
}

/// The parts of digits.digits e±digits, none of them checked for being there.
struct DecimalParts {
    std::string_view whole;
    bool point = false;
    std::string_view fraction;
    bool exponent = false;
    bool exponentSign = false;
    std::string_view power;
    std::string_view rest;
};

std::string_view takeDigits(std::string_view& text) {
    const auto end = std::find_if_not(text.begin(), text.end(), isDigit);
    const auto count = static_cast<size_t>(end - text.begin());
    const std::string_view digits = text.substr(0, count);
    text.remove_prefix(count);
    return digits;
}

DecimalParts split(std::string_view unsignedText) {
    DecimalParts parts;
    std::string_view text = unsignedText;
    parts.whole = takeDigits(text);
    if (text.starts_with('.')) {
        parts.point = true;
        text.remove_prefix(1);
        parts.fraction = takeDigits(text);
    }
    if (text.starts_with('e') || text.starts_with('E')) {
        parts.exponent = true;
        text.remove_prefix(1);
        parts.exponentSign = text.starts_with('+') || text.starts_with('-');
        if (parts.exponentSign)
            text.remove_prefix(1);
        parts.power = takeDigits(text);
    }
    parts.rest = text;
    return parts;
}

template<typename Number>
std::optional<Number> parseWhole(std::string_view text, int base = 10) {
    Number number{};
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
    if (error != std::errc{} || stop != text.data() + text.size())
        return std::nullopt;
    return number;
}

/// from_chars takes no plus sign and reports what is too large or too small instead of giving the nearest.
double parseReal(std::string_view unsignedText, bool negative) {
    double number = 0;
    const auto error =
        std::from_chars(unsignedText.data(), unsignedText.data() + unsignedText.size(), number).ec;
    if (error == std::errc::result_out_of_range)
        number = unsignedText.find("e-") == std::string_view::npos &&
                         unsignedText.find("E-") == std::string_view::npos
                     ? kInfinity
                     : 0;
    return negative ? -number : number;
}

std::optional<ResolvedScalar> resolveWhole(std::string_view text) {
    bool negative = false;
    const std::string_view digits = takeSign(text, negative);
    if (!digits.empty() && std::all_of(digits.begin(), digits.end(), isDigit)) {
        if (const auto whole = parseWhole<int64_t>(text.front() == '+' ? digits : text))
            return ResolvedScalar{Value(*whole)};
        if (const auto large = negative ? std::nullopt : parseWhole<uint64_t>(digits))
            return ResolvedScalar{Value(*large)};
        return ResolvedScalar{Value(parseReal(digits, negative)), NumberWriting::tooLarge};
    }
    const int base = digits.starts_with("0x") ? 16 : digits.starts_with("0o") ? 8 : 0;
    if (base == 0)
        return std::nullopt;
    const auto whole = parseWhole<uint64_t>(digits.substr(2), base);
    if (!whole || *whole > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
        return std::nullopt;
    return ResolvedScalar{Value(negative ? -static_cast<int64_t>(*whole) : static_cast<int64_t>(*whole))};
}

std::optional<ResolvedScalar> resolveReal(std::string_view text) {
    bool negative = false;
    const std::string_view bare = takeSign(text, negative);
    if (isAny(bare, {".inf", ".Inf", ".INF"}))
        return ResolvedScalar{Value(negative ? -kInfinity : kInfinity)};
    if (isAny(text, {".nan", ".NaN", ".NAN"}))
        return ResolvedScalar{Value(std::numeric_limits<double>::quiet_NaN())};
    const DecimalParts parts = split(bare);
    const bool digits = !parts.whole.empty() || !parts.fraction.empty();
    if (!digits || !parts.rest.empty() || (parts.exponent && parts.power.empty()) ||
        (!parts.point && !parts.exponent))
        return std::nullopt;
    const bool alsoYaml11 = parts.point && (!parts.exponent || parts.exponentSign);
    return ResolvedScalar{Value(parseReal(bare, negative)),
                          alsoYaml11 ? NumberWriting::usual : NumberWriting::textInYaml11};
}

/// Words that some YAML reader takes for a truth value, a null, a number, a date or a merge key.
bool meansSomethingElse(std::string_view text) {
    if (!resolvePlain(text).value.isString() ||
        isAny(base::lowerCase(text),
              {"yes", "no", "on", "off", "y", "n", "true", "false", "null", "=", "<<"}))
        return true;
    const char first = text.front();
    return (isDigit(first) || first == '+' || first == '-' || first == '.') &&
           std::any_of(text.begin(), text.end(), isDigit) &&
           text.find_first_not_of("0123456789abcdefABCDEFxXoO_:.+-") == std::string_view::npos;
}

/// A character that YAML may not hold bare: control characters, line separators, the byte order mark.
bool isUnprintable(std::string_view text, size_t at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte < 0x20 || byte == 0x7F)
        return true;
    const std::string_view rest = text.substr(at);
    return (byte == 0xC2 && rest.size() > 1 && static_cast<unsigned char>(rest[1]) < 0xA0) ||
           rest.starts_with("\xE2\x80\xA8") || rest.starts_with("\xE2\x80\xA9") ||
           rest.starts_with("\xEF\xBB\xBF");
}

bool hasUnprintable(std::string_view text) {
    for (size_t i = 0; i < text.size(); ++i) {
        if (isUnprintable(text, i))
            return true;
    }
    return false;
}

bool mayStandBare(std::string_view text) {
    static constexpr std::string_view kIndicators = "?:,[]{}#&*!|>'\"%@`";
    if (text.empty() || meansSomethingElse(text) || hasUnprintable(text))
        return false;
    if (kIndicators.find(text.front()) != std::string_view::npos || text.front() == ' ' ||
        text.back() == ' ' || text.back() == ':')
        return false;
    if (text == "-" || text.starts_with("- ") || text.starts_with("---") || text.starts_with("..."))
        return false;
    return text.find_first_of(",[]{}?") == std::string_view::npos &&
           text.find(": ") == std::string_view::npos && text.find(" #") == std::string_view::npos;
}

void appendHex(std::string& out, char kind, unsigned value, int digits) {
    static constexpr char kHex[] = "0123456789abcdef";
    out += '\\';
    out += kind;
    for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4)
        out += kHex[(value >> static_cast<unsigned>(shift)) & 0xFU];
}

std::string inDoubleQuotes(std::string_view text) {
    std::string out = "\"";
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (c == '\n') {
            out += "\\n";
        } else if (c == '\t') {
            out += "\\t";
        } else if (!isUnprintable(text, i)) {
            out += c;
        } else if (byte < 0x80) {
            appendHex(out, 'x', byte, 2);
        } else if (byte == 0xC2) {
            appendHex(out, 'x', static_cast<unsigned char>(text[++i]), 2);
        } else {
            appendHex(out, 'u',
                      byte == 0xEF ? 0xFEFFU : 0x2000U + (static_cast<unsigned char>(text[i + 2]) - 0x80U),
                      4);
            i += 2;
        }
    }
    out += '"';
    return out;
}

} // namespace

ResolvedScalar resolvePlain(std::string_view text) {
    if (isAny(text, {"", "~", "null", "Null", "NULL"}))
        return {};
    if (isAny(text, {"true", "True", "TRUE"}))
        return {Value(true)};
    if (isAny(text, {"false", "False", "FALSE"}))
        return {Value(false)};
    if (auto whole = resolveWhole(text))
        return std::move(*whole);
    if (auto real = resolveReal(text))
        return std::move(*real);
    return {Value(text)};
}

std::string yamlNumber(double number) {
    if (std::isnan(number))
        return ".nan";
    if (std::isinf(number))
        return number > 0 ? ".inf" : "-.inf";
    char buffer[32];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, number).ptr;
    const std::string_view shortest(buffer, static_cast<size_t>(end - buffer));
    const size_t e = shortest.find('e');
    std::string text(shortest.substr(0, e));
    if (text.find('.') == std::string::npos)
        text += ".0";
    if (e == std::string_view::npos)
        return text;
    // to_chars writes the exponent with its sign and at least two digits.
    std::string_view power = shortest.substr(e + 2);
    power.remove_prefix(std::min(power.find_first_not_of('0'), power.size() - 1));
    return text + 'e' + shortest[e + 1] + std::string(power);
}

std::string yamlText(std::string_view raw) {
    std::string clean = base::cleanUtf8(raw);
    if (mayStandBare(clean))
        return clean;
    if (clean.find_first_of("\\\"") == std::string::npos || hasUnprintable(clean))
        return inDoubleQuotes(clean);
    std::string out = "'";
    for (const char c : clean)
        out += c == '\'' ? std::string("''") : std::string(1, c);
    return out + '\'';
}

} // namespace trialdeck::model
