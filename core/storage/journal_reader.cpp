// SPDX-License-Identifier: Apache-2.0
#include "core/storage/journal.h"
#include "core/storage/segment_chain.h"

#include <array>

namespace trialdeck::storage {

std::string_view nameOf(DamageKind kind) {
    static constexpr std::array<std::string_view, 8> kNames = {
        "torn_tail",     "ignored_bytes",   "bad_line",   "hash_differs",
        "short_segment", "missing_segment", "bad_header", "unchained_segment"};
    return kNames.at(static_cast<size_t>(kind));
}

Error JournalDamage::error() const {
    return Error{ErrorCode::journal_damaged,
                 {{"path", file},
                  {"offset", std::to_string(offset)},
                  {"bytes", std::to_string(bytes)},
                  {"reason", std::string(nameOf(kind))}}};
}

Expected<JournalReader> JournalReader::open(base::FileSystem& files, base::Path folder) {
    auto chain = openSegmentChain(files, std::move(folder));
    if (!chain)
        return tl::make_unexpected(std::move(chain).error());
    return JournalReader(std::move(*chain));
}

JournalReader::JournalReader(std::shared_ptr<SegmentChain> chain) : m_chain(std::move(chain)) {}

const protocol::SegmentHeader& JournalReader::firstHeader() const {
    return m_chain->segments().front().header;
}

const protocol::SegmentHeader& JournalReader::lastHeader() const {
    return m_chain->segments().back().header;
}

protocol::Cursor JournalReader::last() const {
    return {m_chain->segments().back().header.epoch, m_chain->last()};
}

protocol::Cursor JournalReader::validate(protocol::Cursor cursor) const {
    return m_chain->validate(cursor);
}

Expected<std::optional<JournalReader::Lines>> JournalReader::readAfter(RecordNumber after,
                                                                       size_t maxBytes) const {
    return m_chain->readAfter(after, maxBytes);
}

Expected<void> JournalReader::forEach(const Visitor& visit) const {
    return m_chain->forEach(visit);
}

const std::vector<JournalDamage>& JournalReader::damage() const {
    return m_chain->damage();
}

} // namespace trialdeck::storage
