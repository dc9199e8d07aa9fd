// SPDX-License-Identifier: Apache-2.0
#include "core/head/record_feed.h"

namespace trialdeck::head {

RecordFeed::RecordFeed(ExperimentId experiment, storage::JournalReader journal, protocol::Cursor cursor,
                       Lines lines)
    : m_experiment(std::move(experiment)), m_journal(std::move(journal)), m_from(m_journal.validate(cursor)),
      m_lines(lines), m_read(m_from.number) {}

protocol::RecordsSubscribeResult RecordFeed::answer() const {
    const protocol::Cursor last = m_journal.last();
    return {last.epoch, m_from, last.number};
}

Expected<std::optional<protocol::RecordsEvent>> RecordFeed::next(size_t maxBytes) {
    if (m_pieces.empty())
        TRIALDECK_TRY(read(maxBytes));
    if (m_pieces.empty())
        return std::nullopt;
    protocol::RecordsEvent piece = std::move(m_pieces.front());
    m_pieces.pop_front();
    if (m_lines == Lines::packed)
        protocol::packRecords(piece);
    return piece;
}

Expected<void> RecordFeed::read(size_t maxBytes) {
    auto lines = m_journal.readAfter(m_read, maxBytes);
    if (!lines)
        return tl::make_unexpected(std::move(lines).error().during("read records for a client"));
    if (!*lines)
        return {};
    m_read = (*lines)->last;
    auto pieces = protocol::splitRecords({m_experiment, (*lines)->epoch, (*lines)->first, (*lines)->last,
                                          base::Bytes{std::move((*lines)->bytes)}});
    m_pieces.assign(std::make_move_iterator(pieces.begin()), std::make_move_iterator(pieces.end()));
    return {};
}

} // namespace trialdeck::head
