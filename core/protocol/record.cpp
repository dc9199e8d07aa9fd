// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/record.h"

#include "core/base/json.h"
#include "core/protocol/record_kinds.h"

#include <charconv>

namespace trialdeck::protocol {

namespace {

/// Writes fields straight into the line: a report is written tens of thousands of times a second, and
/// building Values first would cost more than the writing.
class LineWriter {
public:
    explicit LineWriter(std::string& out) : m_out(out) {}

    template<typename Integer>
    void number(std::string_view key, Integer value) {
        begin(key);
        digits(value);
    }
    template<typename Tag, typename Raw>
    void number(std::string_view key, const base::StrongId<Tag, Raw>& id) {
        number(key, id.raw());
    }
    void real(std::string_view key, double value) {
        begin(key);
        base::appendJsonNumber(m_out, value);
    }
    void text(std::string_view key, std::string_view value) {
        begin(key);
        base::appendJsonString(m_out, value);
    }
    /// For values that need no escapes: names of enumerators, times.
    void word(std::string_view key, std::string_view value) {
        begin(key);
        m_out += '"';
        m_out += value;
        m_out += '"';
    }
    void flag(std::string_view key, bool value) {
        begin(key);
        m_out += value ? "true" : "false";
    }
    void object(std::string_view key, const Object& value) {
        begin(key);
        members(value);
    }
    void error(std::string_view key, const Error& error) {
        open(key);
        word("code", base::nameOf(error.code));
        open("arguments");
        for (const auto& [name, value] : error.arguments)
            text(name, value);
        close();
        text("detail", error.detail);
        close();
    }

    void open(std::string_view key) {
        begin(key);
        m_out += '{';
        m_separate = false;
    }
    void close() {
        m_out += '}';
        m_separate = true;
    }
    /// A list of maps or numbers, each written by `each` after beginElement().
    template<typename Elements, typename Each>
    void list(std::string_view key, const Elements& elements, Each each) {
        begin(key);
        m_out += '[';
        const char* separator = "";
        for (const auto& element : elements) {
            m_out += separator;
            m_separate = false;
            each(element);
            separator = ",";
        }
        m_out += ']';
        m_separate = true;
    }
    template<typename Integer>
    void digits(Integer value) {
        char buffer[24];
        m_out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
    }
    void raw(std::string_view text) { m_out += text; }

private:
    void begin(std::string_view key) {
        if (m_separate)
            m_out += ',';
        m_separate = true;
        base::appendJsonString(m_out, key);
        m_out += ':';
    }
    void members(const Object& value) {
        m_out += '{';
        const char* separator = "";
        for (const auto& [key, element] : value) {
            m_out += separator;
            base::appendJsonString(m_out, key);
            m_out += ':';
            base::appendJson(m_out, element);
            separator = ",";
        }
        m_out += '}';
    }

    std::string& m_out;
    bool m_separate = false;
};

void write(LineWriter& line, const SegmentHeader& header) {
    line.number("version", header.version);
    line.text("experiment", header.experiment.raw());
    line.open("writer");
    line.text("host", header.writer.host);
    line.text("boot", header.writer.boot);
    line.number("pid", header.writer.pid);
    line.number("start_ticks", header.writer.startTicks);
    line.close();
    line.number("epoch", header.epoch);
    line.number("segment", header.segment);
    if (!header.predecessor)
        return;
    line.open("predecessor");
    line.number("segment", header.predecessor->segment);
    line.number("length", header.predecessor->length);
    line.text("sha256", header.predecessor->sha256);
    line.close();
}

void write(LineWriter& line, const ExperimentCreated& created) {
    line.text("experiment", created.experiment.raw());
    line.text("name", created.name);
    line.number("seed", created.seed);
    line.text("base_directory", created.baseDirectory);
    line.text("folder", created.folder);
    if (created.plannedTrials)
        line.number("planned_trials", *created.plannedTrials);
    line.text("head_version", created.headVersion);
    line.flag("single", created.single);
}

void write(LineWriter& line, const Amended& amended) {
    line.object("changes", amended.changes);
}

void write(LineWriter& line, const ExperimentStateChanged& changed) {
    line.word("state", nameOf(changed.state));
    line.word("reason", nameOf(changed.reason));
    if (changed.error)
        line.error("error", *changed.error);
}

void write(LineWriter& line, const TrialCreated& created) {
    line.number("trial", created.trial);
    line.object("configuration", created.configuration);
    line.number("seed", created.seed);
    line.list("known", created.known, [&line](TrialId trial) { line.digits(trial.raw()); });
}

void write(LineWriter& line, const AttemptStarted& started) {
    line.number("trial", started.trial);
    line.number("attempt", started.attempt);
    line.number("workers", started.workers);
    line.text("node", started.node);
    if (started.resumeFrom)
        line.number("resume_from", *started.resumeFrom);
    line.number("first_iteration", started.firstIteration);
    if (started.masterPort)
        line.number("master_port", *started.masterPort);
}

void write(LineWriter& line, const TrialStateChanged& changed) {
    line.number("trial", changed.trial);
    line.word("state", nameOf(changed.state));
    line.word("reason", nameOf(changed.reason));
    if (changed.error)
        line.error("error", *changed.error);
    if (changed.notBefore)
        line.word("not_before", base::formatIso8601(*changed.notBefore));
    if (changed.resumeFrom)
        line.number("resume_from", *changed.resumeFrom);
    if (!changed.waitsFor.empty())
        line.text("waits_for", changed.waitsFor);
}

void write(LineWriter& line, const ReportReceived& report) {
    line.number("trial", report.trial);
    line.number("attempt", report.attempt);
    line.number("rank", report.rank);
    line.number("iteration", report.iteration);
    line.word("source", nameOf(report.source));
    line.number("end_offset", report.endOffset);
    if (report.flags.repeated)
        line.flag("repeated", true);
    if (report.flags.superseded)
        line.flag("superseded", true);
    if (!report.checkpoint.empty())
        line.text("checkpoint", report.checkpoint);
    line.object("metrics", report.metrics);
}

void write(LineWriter& line, const DecisionMade& decision) {
    line.number("trial", decision.trial);
    line.number("iteration", decision.iteration);
    line.word("action", nameOf(decision.action));
    line.text("by", decision.by);
}

void write(LineWriter& line, const CheckpointCommitted& checkpoint) {
    line.number("trial", checkpoint.trial);
    line.number("attempt", checkpoint.attempt);
    line.number("index", checkpoint.index);
    line.number("iteration", checkpoint.iteration);
    line.list("files", checkpoint.files, [&line](const ManifestEntry& entry) {
        line.raw("{");
        line.text("path", entry.path);
        line.number("bytes", entry.bytes);
        line.text("sha256", entry.sha256);
        line.raw("}");
    });
}

void write(LineWriter& line, const CheckpointRemoved& removed) {
    line.number("trial", removed.trial);
    line.number("index", removed.index);
}

void write(LineWriter& line, const CheckpointUnusable& unusable) {
    line.number("trial", unusable.trial);
    line.number("index", unusable.index);
    line.error("error", unusable.error);
}

void write(LineWriter& line, const WorkerEnded& ended) {
    line.number("trial", ended.trial);
    line.number("attempt", ended.attempt);
    line.number("rank", ended.rank);
    if (ended.exitCode)
        line.number("exit_code", *ended.exitCode);
    if (ended.signal)
        line.number("signal", *ended.signal);
    if (ended.cause)
        line.error("cause", *ended.cause);
    line.flag("stopped_by_us", ended.stoppedByUs);
    line.number("peak_memory_bytes", ended.peakMemoryBytes);
    line.real("seconds", ended.seconds);
    line.text("log_tail", ended.logTail);
}

void write(LineWriter& line, const WarningRaised& warning) {
    if (warning.trial)
        line.number("trial", *warning.trial);
    line.error("error", warning.error);
}

void write(LineWriter&, const Heartbeat&) {}

void write(LineWriter& line, const Snapshot& snapshot) {
    line.object("state", snapshot.state);
}

void write(LineWriter&, const UnknownRecord&) {}

} // namespace

std::string_view kindOf(const RecordBody& body) {
    if (const auto* unknown = std::get_if<UnknownRecord>(&body))
        return unknown->kind;
    return kRecordKinds.at(body.index());
}

void appendRecordLine(std::string& out, const Record& record) {
    out += '{';
    LineWriter line(out);
    line.number("n", record.number);
    line.word("t", base::formatIso8601(record.time));
    line.text("kind", kindOf(record.body));
    std::visit([&line](const auto& body) { write(line, body); }, record.body);
    out += "}\n";
}

} // namespace trialdeck::protocol
