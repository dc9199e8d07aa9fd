// SPDX-License-Identifier: Apache-2.0
#include "core/tuner/report_intake.h"

#include "core/model/metric.h"
#include "core/tuner/attempt_outcome.h"

namespace trialdeck::tuner {

ReportIntake::ReportIntake(Parts parts, std::optional<model::OutputPattern> pattern)
    : m_parts(parts), m_pattern(std::move(pattern)) {}

void ReportIntake::onReportLine(const engine::AttemptKey& key, uint32_t rank, std::string_view line,
                                uint64_t endOffset) {
    const Origin origin{TrialId(key.trial), AttemptNumber(key.attempt), rank, protocol::ReportSource::file,
                        endOffset};
    if (!m_parts.ledger.knows(origin.trial) || line.find_first_not_of(" \t\r") == std::string_view::npos)
        return;
    if (line.find_first_not_of('\0') == std::string_view::npos) {
        const std::string bytes = std::to_string(line.size());
        raise(origin,
              Error{ErrorCode::report_not_json, {{"bytes", bytes}}, bytes + " unreadable bytes (zeros)"});
        return;
    }
    auto report = model::parseReportLine(line);
    if (report)
        accept(origin, std::move(*report));
    else
        raise(origin, std::move(report).error());
}

void ReportIntake::onOutputLine(const engine::AttemptKey& key, uint32_t rank, std::string_view line,
                                uint64_t endOffset) {
    const Origin origin{TrialId(key.trial), AttemptNumber(key.attempt), rank, protocol::ReportSource::output,
                        endOffset};
    if (!m_pattern || !m_parts.ledger.knows(origin.trial))
        return;
    if (auto report = m_pattern->match(line))
        accept(origin, std::move(*report));
}

void ReportIntake::place(const Origin& origin, const model::Report& report,
                         protocol::ReportReceived& record) const {
    const model::Trial& trial = m_parts.ledger.trial(origin.trial);
    const OpenAttempt* open = m_parts.ledger.openAttempt(origin.trial);
    record.flags.superseded = !open || open->number != origin.attempt || origin.rank >= open->ranks.size();
    if (record.flags.superseded) {
        record.iteration = report.iteration.value_or(trial.nextIteration());
        return;
    }
    // Rank 0's newest report is the trial's; both count from the attempt's first iteration.
    const int64_t last = open->ranks[origin.rank].iteration;
    record.iteration = report.iteration.value_or(model::iterationAfter(last));
    record.flags.repeated = record.iteration <= last;
}

void ReportIntake::readNumberWords(TrialId trial, model::Report& report) const {
    const auto& metric = m_parts.ledger.spec().search.metric;
    const Object& before = m_parts.ledger.trial(trial).lastMetrics();
    std::vector<Object::Entry> numbers;
    for (const auto& [name, value] : report.metrics) {
        const std::string* word = value.asString();
        if (!word)
            continue;
        const Value* last = before.find(name);
        const bool isColumnOfNumbers = (metric && metric->name == name) || (last && last->isNumber());
        auto number = isColumnOfNumbers ? model::numberFromText(*word) : std::nullopt;
        if (!number)
            continue;
        report.notes.push_back({ErrorCode::report_odd_number, {{"word", '"' + *word + '"'}}, {}});
        numbers.emplace_back(name, std::move(*number));
    }
    for (auto& [name, number] : numbers)
        report.metrics.set(std::move(name), std::move(number));
}

void ReportIntake::accept(const Origin& origin, model::Report report) {
    protocol::ReportReceived record;
    record.trial = origin.trial;
    record.attempt = origin.attempt;
    record.rank = origin.rank;
    record.source = origin.source;
    record.endOffset = origin.endOffset;
    place(origin, report, record);
    const bool counts = origin.rank == 0 && !record.flags.repeated && !record.flags.superseded;
    const protocol::ReportFlags flags = record.flags;
    const int64_t iteration = record.iteration;
    std::optional<Error> badName;
    if (report.checkpoint && !record.flags.superseded) {
        if (auto named = model::checkCheckpointName(*report.checkpoint); named)
            record.checkpoint = std::move(*report.checkpoint);
        else
            badName = std::move(named).error();
    }
    const bool hasCheckpoint = !record.checkpoint.empty();
    readNumberWords(origin.trial, report);
    record.metrics = std::move(report.metrics);
    m_parts.records.add(std::move(record));
    m_parts.runner.noteSign(origin.trial);
    if (counts)
        m_parts.judge.judgeNewest();
    if (counts && m_parts.ledger.trial(origin.trial).reportCount() == 1)
        tellMissingMetric(origin);
    if (badName)
        raise(origin, std::move(*badName));
    tellOddities(origin, report.notes, flags, iteration);
    if (hasCheckpoint || m_parts.checkpoints.busy(origin.trial))
        m_parts.checkpoints.advance(origin.trial);
}

void ReportIntake::tellOddities(const Origin& origin, const std::vector<Error>& notes,
                                protocol::ReportFlags flags, int64_t iteration) {
    if (flags.superseded)
        raise(origin, Error{ErrorCode::report_superseded, {{"iteration", std::to_string(iteration)}}, {}});
    else if (flags.repeated)
        raise(origin,
              Error{ErrorCode::report_repeated_iteration, {{"iteration", std::to_string(iteration)}}, {}});
    for (const Error& note : notes)
        raise(origin, note);
}

void ReportIntake::raise(const Origin& origin, Error error) {
    const OpenAttempt* open = m_parts.ledger.openAttempt(origin.trial);
    error.arguments["attempt"] = std::to_string(origin.attempt.raw());
    error.arguments["rank"] = std::to_string(origin.rank);
    if (open && open->number == origin.attempt) {
        // A restarted daemon reads on from here, so that the line is counted once.
        error.arguments["offset"] = std::to_string(origin.endOffset);
        if (origin.source == protocol::ReportSource::output)
            error.arguments["stdout"] = "yes";
    }
    m_parts.warnings.raise(origin.trial, std::move(error));
}

void ReportIntake::tellMissingMetric(const Origin& origin) {
    const auto& metric = m_parts.ledger.spec().search.metric;
    const model::Trial& trial = m_parts.ledger.trial(origin.trial);
    if (metric && trial.curve().empty())
        raise(origin, Error{ErrorCode::report_metric_missing,
                            {{"metric", metric->name}, {"found", namesOf(trial.lastMetrics())}},
                            {}});
}

} // namespace trialdeck::tuner
