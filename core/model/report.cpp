// SPDX-License-Identifier: Apache-2.0
#include "core/model/report.h"

#include "core/base/json.h"
#include "core/base/utf8.h"
#include "core/model/configuration.h"
#include "core/model/metric.h"

#include <algorithm>

namespace trialdeck::model {

namespace {

constexpr size_t kShownBytes = 200;
constexpr std::string_view kIteration = "training_iteration";
constexpr std::string_view kCheckpoint = "checkpoint";

base::Unexpected refuse(ErrorCode code, std::string_view line, base::ErrorArguments arguments,
                        std::string detail = {}) {
    // Cleaning may make a byte three; only the beginning is looked at, a line may be large.
    arguments["line"] = base::truncateUtf8(base::cleanUtf8(line.substr(0, kShownBytes)), kShownBytes);
    return base::fail(code, std::move(arguments), std::move(detail));
}

ErrorCode codeOfReport(ErrorCode jsonCode) {
    switch (jsonCode) {
    case ErrorCode::too_large:
        return ErrorCode::report_too_large;
    case ErrorCode::too_deep:
        return ErrorCode::report_too_deep;
    case ErrorCode::bad_utf8:
        return ErrorCode::report_bad_utf8;
    default:
        return ErrorCode::report_not_json;
    }
}

bool isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Offset behind the string that begins at `start`.
size_t skipString(std::string_view line, size_t start) {
    for (size_t i = start + 1; i < line.size(); ++i) {
        if (line[i] == '\\')
            ++i;
        else if (line[i] == '"')
            return i + 1;
    }
    return line.size();
}

/// Rewrites bare words for numbers that JSON readers do not agree on (nan, -NaN, Inf, +Infinity) as NaN and
/// Infinity, and names each in `words`.
std::string usualNumberWords(std::string_view line, std::vector<std::string>& words) {
    std::string text;
    size_t copied = 0;
    for (size_t i = 0; i < line.size();) {
        if (line[i] == '"') {
            i = skipString(line, i);
            continue;
        }
        if (!isLetter(line[i])) {
            ++i;
            continue;
        }
        const size_t wordStart = i;
        while (i < line.size() && isLetter(line[i]))
            ++i;
        size_t start = wordStart;
        if (start > 0 && (line[start - 1] == '-' || line[start - 1] == '+'))
            --start;
        const std::string_view word = line.substr(start, i - start);
        const auto number = numberFromText(word);
        // "1e5" has a letter too; the number before it ends the word's claim to be one.
        const bool insideNumber =
            wordStart > 0 &&
            (line[wordStart - 1] == '.' || (line[wordStart - 1] >= '0' && line[wordStart - 1] <= '9'));
        if (!number || insideNumber)
            continue;
        const std::string usual = base::toJson(*number);
        if (usual == word)
            continue;
        text.append(line.substr(copied, start - copied));
        text += usual;
        copied = i;
        words.emplace_back(word);
    }
    text.append(line.substr(copied));
    return text;
}

std::optional<int64_t> wholeNumber(const Value& value) {
    if (const std::string* text = value.asString()) {
        const auto number = numberFromText(*text);
        return number ? number->toInteger() : std::nullopt;
    }
    return value.toInteger();
}

} // namespace

Expected<Report> parseReportLine(std::string_view line) {
    if (line.size() > kMaxReportBytes)
        return refuse(ErrorCode::report_too_large, line,
                      {{"bytes", std::to_string(line.size())}, {"limit", std::to_string(kMaxReportBytes)}});
    std::vector<std::string> oddWords;
    auto parsed = base::parseJson(usualNumberWords(line, oddWords));
    if (!parsed)
        return refuse(codeOfReport(parsed.error().code), line, std::move(parsed.error().arguments),
                      std::move(parsed.error().detail));
    const Object* fields = parsed->asObject();
    if (!fields)
        return refuse(ErrorCode::report_not_object, line, {{"kind", std::string(base::kindName(*parsed))}});

    Report report;
    for (std::string& word : oddWords)
        report.notes.push_back({ErrorCode::report_odd_number, {{"word", std::move(word)}}, {}});
    Object metrics;
    for (const auto& [key, value] : *fields) {
        if (key == kIteration) {
            report.iteration = wholeNumber(value);
            if (report.iteration)
                continue;
            report.notes.push_back({ErrorCode::report_odd_iteration, {{"value", base::toJson(value)}}, {}});
        } else if (key == kCheckpoint && value.isString()) {
            report.checkpoint = *value.asString();
            continue;
        }
        metrics.append(key, value);
    }
    report.metrics = flatten(metrics);
    return report;
}

Expected<void> checkCheckpointName(std::string_view name) {
    const auto refused = [name](std::string_view reason) {
        return base::fail(
            ErrorCode::checkpoint_bad_name,
            {{"name", base::cleanUtf8(name.substr(0, kShownBytes))}, {"reason", std::string(reason)}});
    };
    constexpr size_t kLongestName = 1024;
    if (name.empty())
        return refused("empty");
    if (name.size() > kLongestName)
        return refused("too long");
    if (name.front() == '/')
        return refused("absolute");
    if (std::any_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }))
        return refused("control character");
    for (size_t start = 0; start <= name.size();) {
        const size_t end = std::min(name.find('/', start), name.size());
        const std::string_view part = name.substr(start, end - start);
        if (part == "..")
            return refused("leads out of the folder");
        if (part == "." || (part.empty() && end < name.size()))
            return refused("empty part");
        start = end + 1;
    }
    const std::string_view first = name.substr(0, name.find('/'));
    if (first == "report.jsonl" || first == "supervisor.json" || first == "exit.json" ||
        first.starts_with("stdout.") || first.starts_with("stderr."))
        return refused("a file of the attempt");
    return {};
}

} // namespace trialdeck::model
