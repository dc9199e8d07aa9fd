// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/report_line.h"

#include <charconv>
#include <limits>

namespace trialdeck::protocol {

namespace {

/// Walks over a line from left to right; each step says whether the line had it.
class Scanner {
public:
    explicit Scanner(std::string_view line) : m_at(line.data()), m_end(line.data() + line.size()) {}

    bool literal(std::string_view text) {
        if (static_cast<size_t>(m_end - m_at) < text.size() || std::string_view(m_at, text.size()) != text)
            return false;
        m_at += text.size();
        return true;
    }

    /// A whole number in canonical form that fits.
    template<typename Integer>
    bool integer(Integer& out) {
        const char* begin = m_at;
        const auto result = std::from_chars(m_at, m_end, out);
        if (result.ec != std::errc() || hasLeadingZero(begin, result.ptr))
            return false;
        m_at = result.ptr;
        return true;
    }

    /// A quoted text of printable ASCII without escapes.
    bool plainText(std::string_view& out) {
        if (m_at == m_end || *m_at != '"')
            return false;
        const char* begin = ++m_at;
        while (m_at != m_end && *m_at != '"') {
            const auto byte = static_cast<unsigned char>(*m_at);
            if (byte < 0x20 || byte > 0x7E || byte == '\\')
                return false;
            ++m_at;
        }
        if (m_at == m_end)
            return false;
        out = {begin, static_cast<size_t>(m_at - begin)};
        ++m_at;
        return true;
    }

    bool value(Value& out) {
        if (m_at == m_end)
            return false;
        switch (*m_at) {
        case '"': {
            std::string_view text;
            if (!plainText(text))
                return false;
            out = Value(text);
            return true;
        }
        case 't':
            out = Value(true);
            return literal("true");
        case 'f':
            out = Value(false);
            return literal("false");
        case 'n':
            out = Value();
            return literal("null");
        case 'N':
            out = Value(std::numeric_limits<double>::quiet_NaN());
            return literal("NaN");
        case 'I':
            out = Value(std::numeric_limits<double>::infinity());
            return literal("Infinity");
        default:
            return number(out);
        }
    }

    [[nodiscard]] bool atEnd() const { return m_at == m_end; }

private:
    static bool hasLeadingZero(const char* begin, const char* end) {
        if (begin != end && *begin == '-')
            ++begin;
        return end - begin > 1 && *begin == '0';
    }

    [[nodiscard]] const char* skipDigits(const char* from) const {
        while (from != m_end && *from >= '0' && *from <= '9')
            ++from;
        return from;
    }

    /// JSON's grammar, which is narrower than that of from_chars.
    bool number(Value& out) {
        const char* begin = m_at;
        const char* digits = begin != m_end && *begin == '-' ? begin + 1 : begin;
        const char* at = skipDigits(digits);
        if (at == digits) {
            out = Value(-std::numeric_limits<double>::infinity());
            return literal("-Infinity");
        }
        if (hasLeadingZero(begin, at))
            return false;
        bool whole = true;
        if (at != m_end && *at == '.') {
            whole = false;
            const char* fraction = at + 1;
            at = skipDigits(fraction);
            if (at == fraction)
                return false;
        }
        if (at != m_end && (*at == 'e' || *at == 'E')) {
            whole = false;
            const char* exponent = at + 1;
            if (exponent != m_end && (*exponent == '-' || *exponent == '+'))
                ++exponent;
            at = skipDigits(exponent);
            if (at == exponent)
                return false;
        }
        m_at = at;
        return whole ? wholeNumber(begin, at, out) : realNumber(begin, at, out);
    }

    static bool wholeNumber(const char* begin, const char* end, Value& out) {
        int64_t small = 0;
        if (std::from_chars(begin, end, small).ec == std::errc()) {
            // -0 is a double to the general reader.
            out = Value(small);
            return !(small == 0 && *begin == '-');
        }
        uint64_t large = 0;
        if (*begin == '-' || std::from_chars(begin, end, large).ec != std::errc())
            return false;
        out = Value(large);
        return true;
    }

    static bool realNumber(const char* begin, const char* end, Value& out) {
        double real = 0;
        if (std::from_chars(begin, end, real).ec != std::errc())
            return false;
        out = Value(real);
        return true;
    }

    const char* m_at;
    const char* m_end;
};

/// More entries than this could hide equal keys, which are slow to look for here.
constexpr size_t kMaxMetrics = 64;

bool readMetrics(Scanner& scan, Object& metrics) {
    if (!scan.literal("{"))
        return false;
    if (scan.literal("}"))
        return true;
    do {
        std::string_view key;
        Value value;
        if (metrics.size() == kMaxMetrics || !scan.plainText(key) || !scan.literal(":") ||
            !scan.value(value) || metrics.find(key))
            return false;
        metrics.append(std::string(key), std::move(value));
    } while (scan.literal(","));
    return scan.literal("}");
}

template<typename Id>
bool readId(Scanner& scan, std::string_view before, Id& out) {
    typename Id::RawType raw{};
    if (!scan.literal(before) || !scan.integer(raw))
        return false;
    out = Id(raw);
    return true;
}

} // namespace

std::optional<Record> parseReportLine(std::string_view line) {
    Scanner scan(line);
    Record record;
    std::string_view time;
    if (!readId(scan, R"({"n":)", record.number) || !scan.literal(R"(,"t":)") || !scan.plainText(time) ||
        !scan.literal(R"(,"kind":"report")"))
        return std::nullopt;
    const auto parsedTime = base::parseIso8601(time);
    if (!parsedTime)
        return std::nullopt;
    record.time = *parsedTime;
    auto& report = record.body.emplace<ReportReceived>();
    std::string_view source;
    if (!readId(scan, R"(,"trial":)", report.trial) || !readId(scan, R"(,"attempt":)", report.attempt) ||
        !scan.literal(R"(,"rank":)") || !scan.integer(report.rank) || !scan.literal(R"(,"iteration":)") ||
        !scan.integer(report.iteration) || !scan.literal(R"(,"source":)") || !scan.plainText(source) ||
        !scan.literal(R"(,"end_offset":)") || !scan.integer(report.endOffset))
        return std::nullopt;
    const auto namedSource = fromName<ReportSource>(source);
    if (!namedSource)
        return std::nullopt;
    report.source = *namedSource;
    report.flags.repeated = scan.literal(R"(,"repeated":true)");
    report.flags.superseded = scan.literal(R"(,"superseded":true)");
    if (!scan.literal(R"(,"metrics":)") || !readMetrics(scan, report.metrics) || !scan.literal("}") ||
        !scan.atEnd())
        return std::nullopt;
    return record;
}

} // namespace trialdeck::protocol
