// SPDX-License-Identifier: Apache-2.0
#include "core/storage/trial_rows.h"

#include "core/base/csv.h"
#include "core/base/json.h"
#include "core/storage/csv_text.h"
#include "core/storage/event_file.h"
#include "core/storage/folder_names.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

namespace trialdeck::storage {

namespace {

template<typename Integer>
void appendDigits(std::string& out, Integer value) {
    char buffer[24];
    out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

double secondsOf(base::WallTime time) {
    return static_cast<double>(time.time_since_epoch().count()) / 1000.0;
}

float toFloat(double value) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    if (std::abs(value) > static_cast<double>(std::numeric_limits<float>::max()))
        return value > 0 ? kInfinity : -kInfinity;
    return static_cast<float>(value);
}

/// Ray's form, in UTC: "2026-11-30_14-05-09".
std::string dateOf(base::WallTime time) {
    std::string date = base::formatIso8601(time).substr(0, 19);
    date[10] = '_';
    date[13] = date[16] = '-';
    return date;
}

} // namespace

/// What the head adds to one report.
struct TrialRows::Row {
    const protocol::ReportReceived& report;
    base::WallTime time;
    double seconds = 0;
    std::optional<uint32_t> checkpoint;
    std::string date;

    void appendJson(std::string& out, RowField field, const TrialRows& rows) const;
    void appendCsv(std::string& out, RowField field, const TrialRows& rows) const;
};

TrialRows::TrialRows(ResultLayouts& layouts, std::string trialId, const Object& configuration)
    : m_layouts(&layouts), m_trialId(std::move(trialId)), m_config("\"config\":") {
    base::appendJson(m_config, Value(configuration));
}

void TrialRows::presetCheckpoints(CheckpointNames names) {
    m_preset = std::move(names);
}

void TrialRows::take(const protocol::AttemptStarted& started, base::WallTime time) {
    m_host = started.node;
    m_lastTime = time;
    m_secondsBefore += m_seconds;
    m_seconds = 0;
    m_rowsSinceRestore = 0;
    if (m_layout)
        m_restart = started.firstIteration;
    // What the attempt before had named and not got is not coming any more.
    for (const auto& key : std::exchange(m_pending, {}))
        resolve(key, std::nullopt);
}

void TrialRows::take(const protocol::ReportReceived& report, base::WallTime time, Emit emit) {
    if (report.rank != 0 || report.flags.superseded)
        return;
    if (!m_layout)
        m_eventFileName = storage::eventFileName(time.time_since_epoch().count() / 1000, m_host);
    const bool first = !m_layout;
    place(report.metrics);
    const Row row = rowOf(report, time);
    if (emit == Emit::yes) {
        appendResult(row);
        appendProgress(row);
        if (first)
            appendEventVersion(m_text.events, secondsOf(time));
        if (m_restart)
            appendSessionStart(m_text.events, secondsOf(time), *m_restart + 1);
        appendEvents(row);
    }
    m_restart.reset();
}

void TrialRows::place(const Object& metrics) {
    if (!m_layout) {
        std::vector<std::string_view> names;
        names.reserve(metrics.size());
        for (const auto& [name, value] : metrics)
            names.push_back(name);
        m_layout = m_layouts->first(names);
    }
    m_slots.assign(m_layout->columns().size(), nullptr);
    size_t hint = 0;
    for (const auto& [name, value] : metrics) {
        auto index = m_layout->find(name, hint);
        if (!index) {
            m_layout = m_layouts->extended(*m_layout, name);
            m_slots.push_back(nullptr);
            widenPending(1);
            index = m_slots.size() - 1;
        }
        hint = *index + 1;
        const auto& field = m_layout->columns()[*index].field;
        if (!field || !beatsMetric(*field))
            m_slots[*index] = &value;
    }
}

TrialRows::Row TrialRows::rowOf(const protocol::ReportReceived& report, base::WallTime time) {
    Row row{report, time, std::max(0.0, secondsOf(time) - secondsOf(m_lastTime)), {}, dateOf(time)};
    const Value* reported = m_slots[m_layout->indexOf(RowField::time_this_iter_s)];
    const auto seconds = reported ? reported->toDouble() : std::nullopt;
    if (seconds && std::isfinite(*seconds) && *seconds >= 0)
        row.seconds = *seconds;
    m_lastTime = time;
    m_seconds += row.seconds;
    ++m_rowsSinceRestore;
    row.checkpoint = checkpointOf(report);
    return row;
}

std::optional<uint32_t> TrialRows::checkpointOf(const protocol::ReportReceived& report) {
    if (report.checkpoint.empty())
        return std::nullopt;
    const std::pair key(report.attempt.raw(), report.iteration);
    if (const auto known = m_names.find(key); known != m_names.end())
        return known->second;
    const auto preset = m_preset.find(key);
    m_pending.push_back(key);
    const uint32_t predicted = m_nextCheckpoint + static_cast<uint32_t>(m_pending.size()) - 1;
    return m_names[key] = preset == m_preset.end() ? std::optional(predicted) : preset->second;
}

void TrialRows::resolve(std::pair<uint32_t, int64_t> key, std::optional<uint32_t> index) {
    auto& name = m_names[key];
    if (name == index)
        return;
    name = index;
    m_stale = true;
}

/// The head commits in the order named, so the rows still waiting will get the next numbers.
void TrialRows::predict() {
    for (size_t i = 0; i < m_pending.size(); ++i)
        resolve(m_pending[i], m_nextCheckpoint + static_cast<uint32_t>(i));
}

void TrialRows::take(const protocol::CheckpointCommitted& checkpoint) {
    const std::pair key(checkpoint.attempt.raw(), checkpoint.iteration);
    m_nextCheckpoint = std::max(m_nextCheckpoint, checkpoint.index.raw() + 1);
    const auto pending = std::find(m_pending.begin(), m_pending.end(), key);
    if (pending == m_pending.end()) {
        // Given up too early, or it has only grown.
        if (m_names.contains(key))
            resolve(key, checkpoint.index.raw());
        predict();
        return;
    }
    for (auto earlier = m_pending.begin(); earlier != pending; ++earlier)
        resolve(*earlier, std::nullopt);
    resolve(key, checkpoint.index.raw());
    m_pending.erase(m_pending.begin(), pending + 1);
    predict();
}

void TrialRows::take(const protocol::WarningRaised& warning) {
    const auto iteration = warning.error.arguments.find("checkpoint_iteration");
    const auto rank = warning.error.arguments.find("rank");
    if (iteration == warning.error.arguments.end() ||
        (rank != warning.error.arguments.end() && rank->second != "0"))
        return;
    const auto refused = std::find_if(m_pending.begin(), m_pending.end(), [&](const auto& key) {
        return std::to_string(key.second) == iteration->second;
    });
    if (refused == m_pending.end())
        return;
    resolve(*refused, std::nullopt);
    m_pending.erase(refused);
    predict();
}

TrialRows::Text TrialRows::takeText() {
    return std::exchange(m_text, {});
}

void TrialRows::Row::appendJson(std::string& out, RowField field, const TrialRows& rows) const {
    switch (field) {
    case RowField::timestamp:
        appendDigits(out, time.time_since_epoch().count() / 1000);
        break;
    case RowField::checkpoint_dir_name:
        if (checkpoint)
            out += '"' + checkpointFolderName(CheckpointIndex(*checkpoint)) + '"';
        else
            out += "null";
        break;
    case RowField::done:
        out += "false";
        break;
    case RowField::training_iteration:
        appendDigits(out, report.iteration);
        break;
    case RowField::trial_id:
        base::appendJsonString(out, rows.m_trialId);
        break;
    case RowField::date:
        out += '"' + date + '"';
        break;
    case RowField::time_this_iter_s:
        base::appendJsonNumber(out, seconds);
        break;
    case RowField::time_total_s:
        base::appendJsonNumber(out, rows.m_secondsBefore + rows.m_seconds);
        break;
    case RowField::hostname:
        base::appendJsonString(out, rows.m_host);
        break;
    case RowField::time_since_restore:
        base::appendJsonNumber(out, rows.m_seconds);
        break;
    case RowField::iterations_since_restore:
        appendDigits(out, rows.m_rowsSinceRestore);
        break;
    }
}

void TrialRows::Row::appendCsv(std::string& out, RowField field, const TrialRows& rows) const {
    switch (field) {
    case RowField::checkpoint_dir_name:
        if (checkpoint)
            out += checkpointFolderName(CheckpointIndex(*checkpoint));
        break;
    case RowField::done:
        out += "False";
        break;
    case RowField::trial_id:
        base::appendCsvField(out, rows.m_trialId);
        break;
    case RowField::date:
        out += date;
        break;
    case RowField::hostname:
        base::appendCsvField(out, rows.m_host);
        break;
    default:
        appendJson(out, field, rows);
    }
}

void TrialRows::appendResult(const Row& row) {
    std::string& out = m_text.result;
    char separator = '{';
    for (size_t i = 0; i < m_slots.size(); ++i) {
        const ResultColumn& column = m_layout->columns()[i];
        // `config` is the configuration's name in a row; the metric of that name is in progress.csv.
        if ((!m_slots[i] && !column.field) || column.name == "config")
            continue;
        out += separator;
        separator = ',';
        out += column.jsonKey;
        if (m_slots[i])
            base::appendJson(out, *m_slots[i]);
        else
            row.appendJson(out, *column.field, *this);
    }
    out += separator;
    out += m_config;
    out += "}\n";
}

void TrialRows::appendProgress(const Row& row) {
    std::string& out = m_text.progress;
    for (size_t i = 0; i < m_slots.size(); ++i) {
        const ResultColumn& column = m_layout->columns()[i];
        if (i > 0)
            out += ',';
        if (m_slots[i])
            appendCsvValue(out, *m_slots[i]);
        else if (column.field)
            row.appendCsv(out, *column.field, *this);
    }
    out += base::kCsvLineEnd;
}

void TrialRows::appendEvents(const Row& row) {
    std::string summary;
    const auto add = [this, &summary](size_t column, double value) {
        if (!std::isnan(value))
            appendScalar(summary, m_layout->columns()[column].scalarPrefix, toFloat(value));
    };
    for (size_t i = 0; i < m_slots.size(); ++i) {
        if (!m_slots[i])
            continue;
        if (const bool* flag = m_slots[i]->asBool())
            add(i, *flag ? 1 : 0);
        else if (const auto number = m_slots[i]->toDouble())
            add(i, *number);
    }
    const size_t seconds = m_layout->indexOf(RowField::time_this_iter_s);
    if (!m_slots[seconds])
        add(seconds, row.seconds);
    if (!summary.empty())
        appendSummary(m_text.events, secondsOf(row.time), row.report.iteration, summary);
}

void TrialRows::widenPending(size_t fields) {
    if (!m_text.progress.empty())
        m_text.progress = widenCsv(m_text.progress, fields);
}

} // namespace trialdeck::storage
