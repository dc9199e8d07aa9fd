// SPDX-License-Identifier: Apache-2.0
#include "core/supervise/records.h"

#include "core/base/json.h"

#include <array>

namespace trialdeck::supervise {

namespace {

constexpr int kVersion = 1;
constexpr uint64_t kMaxRecordBytes = uint64_t{1} << 20;

Value optionalValue(const std::optional<uint64_t>& number) {
    return number ? Value(*number) : Value();
}

Value optionalValue(const std::optional<int>& number) {
    return number ? Value(*number) : Value();
}

constexpr std::array kKernelLogNames{std::pair{KernelLog::unreadable, std::string_view("unreadable")},
                                     std::pair{KernelLog::silent, std::string_view("silent")},
                                     std::pair{KernelLog::groupVictim, std::string_view("group_victim")},
                                     std::pair{KernelLog::machineVictim, std::string_view("machine_victim")}};

std::string_view nameOf(KernelLog log) {
    for (const auto& [value, name] : kKernelLogNames) {
        if (value == log)
            return name;
    }
    return "unreadable";
}

KernelLog kernelLogFromString(std::string_view text) {
    for (const auto& [value, name] : kKernelLogNames) {
        if (name == text)
            return value;
    }
    return KernelLog::unreadable;
}

Object toObject(const MemoryEvidence& memory) {
    return {{"group_kills_before", optionalValue(memory.groupKillsBefore)},
            {"group_kills_after", optionalValue(memory.groupKillsAfter)},
            {"machine_kills_before", optionalValue(memory.machineKillsBefore)},
            {"machine_kills_after", optionalValue(memory.machineKillsAfter)},
            {"group_is_ours", Value(memory.groupIsOurs)},
            {"peak_bytes", optionalValue(memory.peakBytes)},
            {"limit_bytes", optionalValue(memory.limitBytes)},
            {"kernel_log", Value(nameOf(memory.kernelLog))},
            {"machine_bytes", optionalValue(memory.machineBytes)},
            {"lowest_available_bytes", optionalValue(memory.lowestAvailableBytes)}};
}

Object toObject(const Error& error) {
    Object arguments;
    for (const auto& [name, value] : error.arguments)
        arguments.append(name, Value(value));
    return {{"code", Value(base::nameOf(error.code))},
            {"arguments", Value(std::move(arguments))},
            {"detail", Value(error.detail)}};
}

/// Reads fields of one map; the first that is missing or of another kind is remembered.
class FieldReader {
public:
    explicit FieldReader(const Value& value) : m_value(value) {}

    std::string text(std::string_view name) {
        const Value* field = find(name);
        const std::string* text = field ? field->asString() : nullptr;
        return text ? *text : wrong<std::string>(name, field);
    }
    template<typename Number>
    Number number(std::string_view name) {
        const Value* field = find(name);
        const auto whole = field ? field->toInteger() : std::nullopt;
        return whole ? static_cast<Number>(*whole) : wrong<Number>(name, field);
    }
    base::WallTime time(std::string_view name) {
        const auto time = base::parseIso8601(text(name));
        return time ? *time : wrong<base::WallTime>(name, &m_value);
    }
    std::chrono::milliseconds seconds(std::string_view name) {
        const Value* field = find(name);
        const auto seconds = field ? field->toDouble() : std::nullopt;
        return seconds
                   ? std::chrono::round<std::chrono::milliseconds>(std::chrono::duration<double>(*seconds))
                   : wrong<std::chrono::milliseconds>(name, field);
    }
    /// Missing, null and what is no number count as not known.
    template<typename Number>
    std::optional<Number> optionalNumber(std::string_view name) const {
        const Value* field = m_value.find(name);
        const auto whole = field ? field->toInteger() : std::nullopt;
        return whole ? std::optional(static_cast<Number>(*whole)) : std::nullopt;
    }
    std::string optionalText(std::string_view name) const {
        const Value* field = m_value.find(name);
        return field && field->asString() ? *field->asString() : std::string();
    }

    [[nodiscard]] const std::optional<Error>& problem() const { return m_problem; }

private:
    const Value* find(std::string_view name) const { return m_value.find(name); }

    template<typename T>
    T wrong(std::string_view name, const Value* found) {
        if (!m_problem)
            m_problem = Error{
                found ? ErrorCode::wrong_type : ErrorCode::missing_field, {{"field", std::string(name)}}, {}};
        return T{};
    }

    const Value& m_value;
    std::optional<Error> m_problem;
};

MemoryEvidence memoryFrom(const Value& value) {
    const FieldReader field(value);
    MemoryEvidence memory;
    memory.groupKillsBefore = field.optionalNumber<uint64_t>("group_kills_before");
    memory.groupKillsAfter = field.optionalNumber<uint64_t>("group_kills_after");
    memory.machineKillsBefore = field.optionalNumber<uint64_t>("machine_kills_before");
    memory.machineKillsAfter = field.optionalNumber<uint64_t>("machine_kills_after");
    const Value* ours = value.find("group_is_ours");
    memory.groupIsOurs = ours && ours->asBool() && *ours->asBool();
    memory.peakBytes = field.optionalNumber<uint64_t>("peak_bytes");
    memory.limitBytes = field.optionalNumber<uint64_t>("limit_bytes");
    memory.kernelLog = kernelLogFromString(field.optionalText("kernel_log"));
    memory.machineBytes = field.optionalNumber<uint64_t>("machine_bytes");
    memory.lowestAvailableBytes = field.optionalNumber<uint64_t>("lowest_available_bytes");
    return memory;
}

Error errorFrom(const Value& value) {
    const FieldReader field(value);
    Error error;
    error.code = base::errorCodeFromString(field.optionalText("code")).value_or(ErrorCode::spawn_failed);
    error.detail = field.optionalText("detail");
    const Value* arguments = value.find("arguments");
    if (arguments && arguments->asObject()) {
        for (const auto& [name, argument] : *arguments->asObject()) {
            if (argument.asString())
                error.arguments[name] = *argument.asString();
        }
    }
    return error;
}

template<typename Record>
Expected<Record> readRecord(base::FileSystem& files, const base::Path& path,
                            Expected<Record> (*from)(const Value&)) {
    const auto text = base::readWholeFile(files, path, kMaxRecordBytes);
    if (!text)
        return tl::make_unexpected(text.error());
    const auto value = base::parseJson(*text);
    if (!value)
        return tl::make_unexpected(Error(value.error()).during("read " + path.native()));
    return from(*value);
}

} // namespace

Object toObject(const SupervisorRecord& record) {
    Object notes;
    for (const auto& [name, value] : record.notes)
        notes.append(name, Value(value));
    return {{"version", Value(kVersion)},
            {"attempt", Value(record.attempt)},
            {"rank", Value(int64_t{record.rank})},
            {"supervisor_pid", Value(record.supervisorPid)},
            {"worker_pid", Value(record.workerPid)},
            {"worker_start_ticks", Value(record.workerStartTicks)},
            {"host", Value(record.host)},
            {"boot_id", Value(record.bootId)},
            {"socket", Value(record.socket.native())},
            {"lock", Value(record.lock.native())},
            {"started_at", Value(base::formatIso8601(record.startedAt))},
            {"notes", Value(std::move(notes))}};
}

Object toObject(const ExitRecord& record) {
    const EndEvidence& end = record.evidence;
    Object object{{"version", Value(kVersion)},
                  {"attempt", Value(record.attempt)},
                  {"rank", Value(int64_t{record.rank})},
                  {"exit_code", optionalValue(end.exit.code)},
                  {"signal", optionalValue(end.exit.signal)},
                  {"stopped_by", end.stoppedByUs ? Value("trialdeck") : Value()}};
    if (record.startFailure)
        object.append("start_failure", Value(toObject(*record.startFailure)));
    object.append("started_at", Value(base::formatIso8601(record.startedAt)));
    object.append("ended_at", Value(base::formatIso8601(record.endedAt)));
    object.append("duration_s", Value(std::chrono::duration<double>(record.duration).count()));
    object.append("memory", Value(toObject(end.memory)));
    object.append("stdout_bytes", Value(record.outputBytes));
    object.append("stderr_bytes", Value(record.errorBytes));
    object.append("lost_log_bytes", Value(record.lostLogBytes));
    object.append("log_tail", Value(end.logTail));
    return object;
}

Expected<SupervisorRecord> supervisorRecordFrom(const Value& value) {
    FieldReader field(value);
    SupervisorRecord record;
    record.attempt = field.text("attempt");
    record.rank = field.number<uint32_t>("rank");
    record.supervisorPid = field.number<int64_t>("supervisor_pid");
    record.workerPid = field.number<int64_t>("worker_pid");
    record.workerStartTicks = field.number<uint64_t>("worker_start_ticks");
    record.host = field.text("host");
    record.bootId = field.text("boot_id");
    record.socket = field.text("socket");
    record.lock = field.text("lock");
    record.startedAt = field.time("started_at");
    const Value* notes = value.find("notes");
    if (notes && notes->asObject()) {
        for (const auto& [name, note] : *notes->asObject()) {
            if (note.asString())
                record.notes[name] = *note.asString();
        }
    }
    if (field.problem())
        return tl::make_unexpected(*field.problem());
    return record;
}

Expected<ExitRecord> exitRecordFrom(const Value& value) {
    FieldReader field(value);
    ExitRecord record;
    record.attempt = field.text("attempt");
    record.rank = field.number<uint32_t>("rank");
    record.evidence.exit.code = field.optionalNumber<int>("exit_code");
    record.evidence.exit.signal = field.optionalNumber<int>("signal");
    record.evidence.stoppedByUs = !field.optionalText("stopped_by").empty();
    record.evidence.logTail = field.optionalText("log_tail");
    if (const Value* memory = value.find("memory"))
        record.evidence.memory = memoryFrom(*memory);
    if (const Value* failure = value.find("start_failure"))
        record.startFailure = errorFrom(*failure);
    record.startedAt = field.time("started_at");
    record.endedAt = field.time("ended_at");
    record.duration = field.seconds("duration_s");
    record.outputBytes = field.number<uint64_t>("stdout_bytes");
    record.errorBytes = field.number<uint64_t>("stderr_bytes");
    record.lostLogBytes = field.optionalNumber<uint64_t>("lost_log_bytes").value_or(0);
    if (field.problem())
        return tl::make_unexpected(*field.problem());
    return record;
}

Expected<ExitRecord> readExitRecord(base::FileSystem& files, const base::Path& folder) {
    return readRecord<ExitRecord>(files, folder / kExitFile, exitRecordFrom);
}

Expected<SupervisorRecord> readSupervisorRecord(base::FileSystem& files, const base::Path& folder) {
    return readRecord<SupervisorRecord>(files, folder / kSupervisorFile, supervisorRecordFrom);
}

} // namespace trialdeck::supervise
