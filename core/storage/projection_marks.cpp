// SPDX-License-Identifier: Apache-2.0
#include "core/storage/projection_marks.h"

#include "core/base/json.h"

#include <algorithm>

namespace trialdeck::storage {

namespace {

/// Rewritten when it has become so much longer than it need be.
constexpr uint64_t kRewriteFactor = 8;
constexpr uint64_t kRewriteBytes = uint64_t{256} << 10;
constexpr uint64_t kMaxBytes = uint64_t{1} << 30;

Value toValue(const FileMark& mark) {
    return Array{Value(mark.bytes), Value(static_cast<int64_t>(mark.crc))};
}

bool read(const Value* value, FileMark& mark) {
    const Array* pair = value ? value->asArray() : nullptr;
    if (!pair || pair->size() != 2)
        return false;
    const auto bytes = (*pair)[0].toInteger();
    const auto crc = (*pair)[1].toInteger();
    if (!bytes || *bytes < 0 || !crc || *crc < 0 || *crc > int64_t{UINT32_MAX})
        return false;
    mark = {static_cast<uint64_t>(*bytes), static_cast<uint32_t>(*crc)};
    return true;
}

void appendLine(std::string& out, TrialId trial, const TrialMark& mark) {
    base::appendJson(out, Object{{"trial", static_cast<int64_t>(trial.raw())},
                                 {"record", Value(mark.record.raw())},
                                 {"result", toValue(mark.result)},
                                 {"progress", toValue(mark.progress)},
                                 {"events", toValue(mark.events)},
                                 {"event_file", mark.eventFile}});
    out += '\n';
}

std::optional<std::pair<TrialId, TrialMark>> readLine(std::string_view line) {
    const auto value = base::parseJson(line);
    const Object* object = value ? value->asObject() : nullptr;
    if (!object)
        return std::nullopt;
    const Value* trial = object->find("trial");
    const Value* record = object->find("record");
    const Value* eventFile = object->find("event_file");
    const auto trialNumber = trial ? trial->toInteger() : std::nullopt;
    const auto recordNumber = record ? record->toInteger() : std::nullopt;
    TrialMark mark;
    if (!trialNumber || *trialNumber < 0 || *trialNumber > int64_t{UINT32_MAX} || !recordNumber ||
        *recordNumber < 0 || !eventFile || !eventFile->asString() ||
        !read(object->find("result"), mark.result) || !read(object->find("progress"), mark.progress) ||
        !read(object->find("events"), mark.events))
        return std::nullopt;
    mark.record = RecordNumber(static_cast<uint64_t>(*recordNumber));
    mark.eventFile = *eventFile->asString();
    return std::pair(TrialId(static_cast<uint32_t>(*trialNumber)), std::move(mark));
}

} // namespace

ProjectionMarks::ProjectionMarks(base::FileSystem& files, const base::Path& experimentFolder)
    : m_files(files), m_path(experimentFolder / ".projections.jsonl") {}

Expected<void> ProjectionMarks::load() {
    auto text = base::readWholeFile(m_files, m_path, kMaxBytes);
    if (!text && text.error().code == ErrorCode::file_not_found)
        return {};
    if (!text)
        return tl::make_unexpected(std::move(text).error());
    m_bytes = text->size();
    for (std::string_view rest = *text; !rest.empty();) {
        const size_t end = std::min(rest.find('\n'), rest.size());
        if (auto line = readLine(rest.substr(0, end)))
            m_marks.insert_or_assign(line->first, std::move(line->second));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    m_torn = !text->empty() && text->back() != '\n';
    return {};
}

const TrialMark* ProjectionMarks::find(TrialId trial) const {
    const auto found = m_marks.find(trial);
    return found == m_marks.end() ? nullptr : &found->second;
}

void ProjectionMarks::set(TrialId trial, TrialMark mark) {
    appendLine(m_unsaved, trial, mark);
    m_marks.insert_or_assign(trial, std::move(mark));
}

Expected<void> ProjectionMarks::save() {
    if (m_unsaved.empty())
        return {};
    const bool rewriteDue = m_bytes + m_unsaved.size() > kRewriteBytes &&
                            m_bytes + m_unsaved.size() > kRewriteFactor * m_bytesAfterRewrite;
    auto saved = rewriteDue ? rewrite() : append();
    // A mark that did not get there is missed by nobody but the next daemon, which makes the files again.
    m_unsaved.clear();
    return saved;
}

Expected<void> ProjectionMarks::append() {
    auto file = m_files.open(m_path, base::OpenMode::appendOrCreate);
    if (!file)
        return tl::make_unexpected(std::move(file).error());
    if (m_torn)
        m_unsaved.insert(0, 1, '\n');
    m_torn = true;
    TRIALDECK_TRY((*file)->append(m_unsaved));
    TRIALDECK_TRY((*file)->close());
    m_torn = false;
    m_bytes += m_unsaved.size();
    return {};
}

Expected<void> ProjectionMarks::rewrite() {
    std::string text;
    for (const auto& [trial, mark] : m_marks)
        appendLine(text, trial, mark);
    TRIALDECK_TRY(base::replaceFile(m_files, m_path, text));
    m_bytes = m_bytesAfterRewrite = text.size();
    m_torn = false;
    return {};
}

} // namespace trialdeck::storage
