// SPDX-License-Identifier: Apache-2.0
#include "core/base/json.h"
#include "core/protocol/record.h"
#include "core/protocol/record_kinds.h"
#include "core/protocol/report_line.h"
#include "core/protocol/type_traits.h"

#include <type_traits>
#include <utility>

namespace trialdeck::protocol {

namespace {

template<typename Integer>
bool readInteger(const Value& value, Integer& out) {
    if constexpr (std::is_same_v<Integer, uint64_t>) {
        if (const auto* large = std::get_if<uint64_t>(&value.storage())) {
            out = *large;
            return true;
        }
    }
    const auto whole = value.toInteger();
    if (!whole || !std::in_range<Integer>(*whole))
        return false;
    out = static_cast<Integer>(*whole);
    return true;
}

class Fields;
bool readStruct(const Value& value, Error& out);
bool readStruct(const Value& value, Writer& out);
bool readStruct(const Value& value, Predecessor& out);
bool readStruct(const Value& value, ManifestEntry& out);

/// The value as T, or false where it is of another kind or out of T's range.
template<typename T>
bool read(const Value& value, T& out) {
    if constexpr (IsStrongId<T>::value) {
        typename T::RawType raw{};
        if (!read(value, raw))
            return false;
        out = T(std::move(raw));
        return true;
    } else if constexpr (IsVector<T>::value) {
        const Array* array = value.asArray();
        if (!array)
            return false;
        for (const Value& element : *array) {
            if (!read(element, out.emplace_back()))
                return false;
        }
        return true;
    } else if constexpr (std::is_same_v<T, bool>) {
        const bool* flag = value.asBool();
        if (flag)
            out = *flag;
        return flag != nullptr;
    } else if constexpr (std::is_integral_v<T>) {
        return readInteger(value, out);
    } else if constexpr (std::is_same_v<T, double>) {
        const auto real = value.toDouble();
        out = real.value_or(0);
        return real.has_value();
    } else if constexpr (std::is_same_v<T, std::string>) {
        const std::string* text = value.asString();
        if (text)
            out = *text;
        return text != nullptr;
    } else if constexpr (std::is_same_v<T, base::WallTime>) {
        const std::string* text = value.asString();
        if (!text)
            return false;
        const auto time = base::parseIso8601(*text);
        if (time)
            out = *time;
        return time.has_value();
    } else if constexpr (std::is_same_v<T, Object>) {
        const Object* object = value.asObject();
        if (object)
            out = *object;
        return object != nullptr;
    } else if constexpr (std::is_enum_v<T>) {
        const std::string* text = value.asString();
        const auto named = text ? fromName<T>(*text) : std::nullopt;
        out = named.value_or(T{});
        return named.has_value();
    } else {
        return readStruct(value, out);
    }
}

/// Reads fields of one map and keeps the first mistake, so that a kind's fields are one list. Fields that
/// nobody asks for are passed over.
class Fields {
public:
    explicit Fields(const Object& object) : m_object(object) {}

    template<typename T>
    void required(std::string_view key, T& out) {
        const Value* value = m_object.find(key);
        if (!value)
            note(ErrorCode::missing_field, key);
        else if (!read(*value, out))
            note(ErrorCode::wrong_type, key);
    }
    /// Keeps the default where the field is missing or null.
    template<typename T>
    void optional(std::string_view key, T& out) {
        const Value* value = m_object.find(key);
        if (!value || value->isNull())
            return;
        bool fits = false;
        if constexpr (IsOptional<T>::value)
            fits = read(*value, out.emplace());
        else
            fits = read(*value, out);
        if (!fits)
            note(ErrorCode::wrong_type, key);
    }
    /// A name of a later version falls back to the default: it says why, and the rest of the record counts.
    template<typename Enum>
    void reason(std::string_view key, Enum& out) {
        std::string text;
        optional(key, text);
        out = fromName<Enum>(text).value_or(Enum::none);
    }

    [[nodiscard]] bool good() const { return !m_error; }
    [[nodiscard]] const std::optional<Error>& error() const { return m_error; }

private:
    void note(ErrorCode code, std::string_view key) {
        if (!m_error)
            m_error = Error{code, {{"field", std::string(key)}}};
    }

    const Object& m_object;
    std::optional<Error> m_error;
};

template<typename T, typename Read>
bool readMap(const Value& value, T& out, Read readFields) {
    const Object* object = value.asObject();
    if (!object)
        return false;
    Fields fields(*object);
    readFields(fields, out);
    return fields.good();
}

bool readStruct(const Value& value, Error& out) {
    return readMap(value, out, [](Fields& fields, Error& error) {
        std::string code;
        Object arguments;
        fields.required("code", code);
        fields.optional("arguments", arguments);
        fields.optional("detail", error.detail);
        for (const auto& [name, argument] : arguments) {
            const std::string* text = argument.asString();
            error.arguments[name] = text ? *text : base::toJson(argument);
        }
        const auto known = base::errorCodeFromString(code);
        error.code = known.value_or(ErrorCode::internal);
        if (!known)
            error = std::move(error).during(code);
    });
}

bool readStruct(const Value& value, Writer& out) {
    return readMap(value, out, [](Fields& fields, Writer& writer) {
        fields.optional("host", writer.host);
        fields.optional("boot", writer.boot);
        fields.optional("pid", writer.pid);
        fields.optional("start_ticks", writer.startTicks);
    });
}

bool readStruct(const Value& value, Predecessor& out) {
    return readMap(value, out, [](Fields& fields, Predecessor& predecessor) {
        fields.required("segment", predecessor.segment);
        fields.required("length", predecessor.length);
        fields.required("sha256", predecessor.sha256);
    });
}

bool readStruct(const Value& value, ManifestEntry& out) {
    return readMap(value, out, [](Fields& fields, ManifestEntry& entry) {
        fields.required("path", entry.path);
        fields.required("bytes", entry.bytes);
        fields.required("sha256", entry.sha256);
    });
}

void readBody(Fields& fields, SegmentHeader& header) {
    fields.required("version", header.version);
    fields.required("experiment", header.experiment);
    fields.optional("writer", header.writer);
    fields.required("epoch", header.epoch);
    fields.required("segment", header.segment);
    fields.optional("predecessor", header.predecessor);
}

void readBody(Fields& fields, ExperimentCreated& created) {
    fields.required("experiment", created.experiment);
    fields.required("name", created.name);
    fields.optional("seed", created.seed);
    fields.optional("base_directory", created.baseDirectory);
    fields.optional("folder", created.folder);
    fields.optional("planned_trials", created.plannedTrials);
    fields.optional("head_version", created.headVersion);
    fields.optional("single", created.single);
}

void readBody(Fields& fields, Amended& amended) {
    fields.required("changes", amended.changes);
}

void readBody(Fields& fields, ExperimentStateChanged& changed) {
    fields.required("state", changed.state);
    fields.reason("reason", changed.reason);
    fields.optional("error", changed.error);
}

void readBody(Fields& fields, TrialCreated& created) {
    fields.required("trial", created.trial);
    fields.required("configuration", created.configuration);
    fields.optional("seed", created.seed);
    fields.optional("known", created.known);
}

void readBody(Fields& fields, AttemptStarted& started) {
    fields.required("trial", started.trial);
    fields.required("attempt", started.attempt);
    fields.optional("workers", started.workers);
    fields.optional("node", started.node);
    fields.optional("resume_from", started.resumeFrom);
    fields.optional("first_iteration", started.firstIteration);
    fields.optional("master_port", started.masterPort);
}

void readBody(Fields& fields, TrialStateChanged& changed) {
    fields.required("trial", changed.trial);
    fields.required("state", changed.state);
    fields.reason("reason", changed.reason);
    fields.optional("error", changed.error);
    fields.optional("not_before", changed.notBefore);
    fields.optional("resume_from", changed.resumeFrom);
    fields.optional("waits_for", changed.waitsFor);
}

void readBody(Fields& fields, ReportReceived& report) {
    fields.required("trial", report.trial);
    fields.required("attempt", report.attempt);
    fields.optional("rank", report.rank);
    fields.required("iteration", report.iteration);
    fields.optional("source", report.source);
    fields.optional("end_offset", report.endOffset);
    fields.optional("repeated", report.flags.repeated);
    fields.optional("superseded", report.flags.superseded);
    fields.optional("checkpoint", report.checkpoint);
    fields.required("metrics", report.metrics);
}

void readBody(Fields& fields, DecisionMade& decision) {
    fields.required("trial", decision.trial);
    fields.required("iteration", decision.iteration);
    fields.required("action", decision.action);
    fields.optional("by", decision.by);
}

void readBody(Fields& fields, CheckpointCommitted& checkpoint) {
    fields.required("trial", checkpoint.trial);
    fields.required("attempt", checkpoint.attempt);
    fields.required("index", checkpoint.index);
    fields.required("iteration", checkpoint.iteration);
    fields.optional("files", checkpoint.files);
}

void readBody(Fields& fields, CheckpointRemoved& removed) {
    fields.required("trial", removed.trial);
    fields.required("index", removed.index);
}

void readBody(Fields& fields, CheckpointUnusable& unusable) {
    fields.required("trial", unusable.trial);
    fields.required("index", unusable.index);
    fields.required("error", unusable.error);
}

void readBody(Fields& fields, WorkerEnded& ended) {
    fields.required("trial", ended.trial);
    fields.required("attempt", ended.attempt);
    fields.optional("rank", ended.rank);
    fields.optional("exit_code", ended.exitCode);
    fields.optional("signal", ended.signal);
    fields.optional("cause", ended.cause);
    fields.optional("stopped_by_us", ended.stoppedByUs);
    fields.optional("peak_memory_bytes", ended.peakMemoryBytes);
    fields.optional("seconds", ended.seconds);
    fields.optional("log_tail", ended.logTail);
}

void readBody(Fields& fields, WarningRaised& warning) {
    fields.optional("trial", warning.trial);
    fields.required("error", warning.error);
}

void readBody(Fields&, Heartbeat&) {}

void readBody(Fields& fields, Snapshot& snapshot) {
    fields.required("state", snapshot.state);
}

/// The body of RecordBody that has the name, tried from index I on; an UnknownRecord where none has.
template<size_t I = 0>
RecordBody readKind(std::string_view kind, Fields& fields) {
    if constexpr (I == kRecordKinds.size()) {
        return UnknownRecord{std::string(kind)};
    } else {
        if (kRecordKinds[I] != kind)
            return readKind<I + 1>(kind, fields);
        std::variant_alternative_t<I, RecordBody> body;
        readBody(fields, body);
        return body;
    }
}

} // namespace

Expected<Record> parseRecordLine(std::string_view line) {
    if (auto report = parseReportLine(line))
        return std::move(*report);
    base::JsonLimits limits;
    limits.maxBytes = kMaxRecordBytes;
    auto value = base::parseJson(line, limits);
    if (!value)
        return tl::make_unexpected(std::move(value).error());
    const Object* object = value->asObject();
    if (!object)
        return base::fail(ErrorCode::wrong_type, {{"field", ""}}, "a record is a map");
    Fields fields(*object);
    Record record;
    std::string time;
    std::string kind;
    fields.required("n", record.number);
    fields.required("t", time);
    fields.required("kind", kind);
    if (!fields.good())
        return tl::make_unexpected(*fields.error());
    const auto parsedTime = base::parseIso8601(time);
    if (!parsedTime)
        return base::fail(ErrorCode::wrong_type, {{"field", "t"}});
    record.time = *parsedTime;
    record.body = readKind(kind, fields);
    if (!fields.good())
        return tl::make_unexpected(Error(*fields.error()).during("read a record of kind " + kind));
    return record;
}

} // namespace trialdeck::protocol
