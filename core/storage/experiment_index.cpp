// SPDX-License-Identifier: Apache-2.0
#include "core/storage/experiment_index.h"

#include "core/base/json.h"

#include <algorithm>

namespace trialdeck::storage {

namespace {

constexpr uint64_t kMaxBytes = uint64_t{1} << 30;
/// Rewritten when there are this many times more lines than entries, and more than a few.
constexpr size_t kMaxLinesPerEntry = 8;
constexpr size_t kFewLines = 256;

std::string lineOf(const std::string& id, const Object& entry) {
    std::string line = "{\"id\":";
    base::appendJsonString(line, id);
    line += ",\"experiment\":";
    base::appendJson(line, entry);
    return line + "}\n";
}

} // namespace

Expected<ExperimentIndex> ExperimentIndex::open(base::FileSystem& files, base::Path path) {
    ExperimentIndex index(files, std::move(path));
    auto text = base::readWholeFile(files, index.m_path, kMaxBytes);
    if (!text && text.error().code == ErrorCode::file_not_found)
        return index;
    if (!text)
        return tl::make_unexpected(std::move(text).error().during("read the list of experiments"));
    for (std::string_view rest = *text; !rest.empty();) {
        const size_t end = std::min(rest.find('\n'), rest.size());
        index.takeLine(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    index.m_torn = !text->empty() && text->back() != '\n';
    return index;
}

void ExperimentIndex::takeLine(std::string_view line) {
    ++m_lines;
    const auto value = base::parseJson(line);
    const Value* id = value ? value->find("id") : nullptr;
    const Value* entry = value ? value->find("experiment") : nullptr;
    if (!id || !id->asString() || !entry || !entry->asObject()) {
        ++m_unreadable;
        return;
    }
    m_entries.insert_or_assign(*id->asString(), *entry->asObject());
}

Expected<void> ExperimentIndex::put(const std::string& id, Object entry) {
    const std::string line = (m_torn ? "\n" : "") + lineOf(id, entry);
    m_entries.insert_or_assign(id, std::move(entry));
    if (m_lines > kFewLines && m_lines > kMaxLinesPerEntry * m_entries.size())
        return rewrite();
    auto file = m_files->open(m_path, base::OpenMode::appendOrCreate);
    if (!file)
        return tl::make_unexpected(std::move(file).error());
    // Until this has succeeded nobody knows what the end of the file looks like.
    m_torn = true;
    TRIALDECK_TRY((*file)->append(line));
    TRIALDECK_TRY((*file)->close());
    m_torn = false;
    ++m_lines;
    return {};
}

Expected<void> ExperimentIndex::rewrite() {
    std::string text;
    for (const auto& [id, entry] : m_entries)
        text += lineOf(id, entry);
    TRIALDECK_TRY(base::writeFileAtomically(*m_files, m_path, text));
    m_lines = m_entries.size();
    m_torn = false;
    return {};
}

} // namespace trialdeck::storage
