// SPDX-License-Identifier: Apache-2.0
#include "core/storage/trial_files.h"

#include "core/base/json.h"
#include "core/storage/crc32c.h"
#include "core/storage/csv_text.h"
#include "core/storage/folder_names.h"

#include <algorithm>
#include <array>

namespace trialdeck::storage {

namespace {

constexpr size_t kPieceBytes = size_t{256} << 10;

/// Of the first bytes of a file; nothing where it has not so many.
std::optional<uint32_t> crcOf(base::File& file, uint64_t bytes) {
    std::string buffer(static_cast<size_t>(std::min<uint64_t>(bytes, kPieceBytes)), '\0');
    uint32_t crc = 0;
    for (uint64_t offset = 0; offset < bytes;) {
        const auto wanted = static_cast<size_t>(std::min<uint64_t>(buffer.size(), bytes - offset));
        const auto count = file.readAt(offset, std::span(buffer).first(wanted));
        if (!count || *count == 0)
            return std::nullopt;
        crc = crc32c(std::string_view(buffer).substr(0, *count), crc);
        offset += *count;
    }
    return crc;
}

} // namespace

bool TrialFiles::check(Growing& file, const std::string& name, const FileMark& mark) const {
    if (mark.bytes == 0 || name.empty() || name.find('/') != std::string::npos)
        return false;
    auto handle = m_files.open(m_folder / name, base::OpenMode::append);
    if (!handle || crcOf(**handle, mark.bytes) != mark.crc)
        return false;
    const auto status = (*handle)->status();
    if (!status || (status->bytes > mark.bytes && !(*handle)->truncate(mark.bytes)))
        return false;
    file = {name, mark, false};
    return true;
}

void TrialFiles::restart() {
    m_result = m_progress = m_events = {};
    m_waiting = {};
    m_columns = m_waitingColumns = 0;
}

bool TrialFiles::resume(const TrialMark& mark) {
    return check(m_result, std::string(kResultFile), mark.result) &&
           check(m_progress, std::string(kProgressFile), mark.progress) &&
           check(m_events, mark.eventFile, mark.events);
}

Expected<void> TrialFiles::writeParams(const Object& configuration) {
    const base::Path path = m_folder / kParamsFile;
    if (base::exists(m_files, path))
        return {};
    TRIALDECK_TRY(m_files.createDirectories(m_folder));
    return base::replaceFile(m_files, path, base::toPrettyJson(Value(configuration)));
}

Expected<void> TrialFiles::appendTo(Growing& file, std::string& text) {
    if (text.empty())
        return {};
    const bool fresh = file.good.bytes == 0;
    if (fresh)
        TRIALDECK_TRY(m_files.createDirectories(m_folder));
    auto handle =
        m_files.open(m_folder / file.name, fresh ? base::OpenMode::replace : base::OpenMode::appendOrCreate);
    if (!handle)
        return tl::make_unexpected(std::move(handle).error());
    if (file.torn && !fresh)
        TRIALDECK_TRY((*handle)->truncate(file.good.bytes));
    file.torn = true;
    TRIALDECK_TRY((*handle)->append(text));
    TRIALDECK_TRY((*handle)->close());
    file.torn = false;
    file.good = {file.good.bytes + text.size(), crc32c(text, file.good.crc)};
    text.clear();
    return {};
}

Expected<void> TrialFiles::replaceFile(Growing& file, std::string_view text) {
    TRIALDECK_TRY(base::replaceFile(m_files, m_folder / file.name, text));
    file.good = {text.size(), crc32c(text)};
    file.torn = false;
    return {};
}

Expected<void> TrialFiles::appendProgress(const ResultLayout& layout) {
    std::string& rows = m_waiting.progress;
    const size_t columns = layout.columns().size();
    if (m_progress.good.bytes == 0) {
        m_columns = columns;
        std::string whole = layout.csvHeader() + rows;
        TRIALDECK_TRY(appendTo(m_progress, whole));
        rows.clear();
        return {};
    }
    if (columns == m_columns)
        return appendTo(m_progress, rows);
    auto old = base::readWholeFile(m_files, m_folder / m_progress.name, UINT64_MAX);
    if (!old)
        return tl::make_unexpected(std::move(old).error());
    std::string_view oldRows(*old);
    oldRows = oldRows.substr(0, static_cast<size_t>(m_progress.good.bytes));
    oldRows.remove_prefix(std::min(layout.csvHeaderBytes(m_columns), oldRows.size()));
    TRIALDECK_TRY(
        replaceFile(m_progress, layout.csvHeader() + widenCsv(oldRows, columns - m_columns) + rows));
    m_columns = columns;
    rows.clear();
    return {};
}

Expected<void> TrialFiles::append(const TrialRows::Text& text, const ResultLayout& layout,
                                  const std::string& eventFile) {
    const size_t columns = layout.columns().size();
    if (!m_waiting.progress.empty() && m_waitingColumns < columns)
        m_waiting.progress = widenCsv(m_waiting.progress, columns - m_waitingColumns);
    m_waitingColumns = columns;
    m_waiting.result += text.result;
    m_waiting.progress += text.progress;
    m_waiting.events += text.events;
    m_result.name = kResultFile;
    m_progress.name = kProgressFile;
    m_events.name = eventFile;
    const std::array<Expected<void>, 3> written = {
        appendTo(m_result, m_waiting.result), appendProgress(layout), appendTo(m_events, m_waiting.events)};
    for (const auto& one : written)
        TRIALDECK_TRY(one);
    return {};
}

TrialMark TrialFiles::mark(RecordNumber record) const {
    return {record, m_result.good, m_progress.good, m_events.good, m_events.name};
}

} // namespace trialdeck::storage
