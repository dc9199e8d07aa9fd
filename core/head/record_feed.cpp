// SPDX-License-Identifier: Apache-2.0
#include "core/head/record_feed.h"

namespace trialdeck::head {

RecordFeed::RecordFeed(ExperimentId experiment, storage::JournalReader journal, protocol::Cursor cursor)
    : m_experiment(std::move(experiment)), m_journal(std::move(journal)), m_from(m_journal.validate(cursor)),
      m_sent(m_from.number) {}

protocol::RecordsSubscribeResult RecordFeed::answer() const {
    const protocol::Cursor last = m_journal.last();
    return {last.epoch, m_from, last.number};
}

Expected<std::optional<protocol::RecordsEvent>> RecordFeed::next(size_t maxBytes) {
    if (caughtUp())
        return std::nullopt;
    auto lines = m_journal.readAfter(m_sent, maxBytes);
    if (!lines)
        return tl::make_unexpected(std::move(lines).error().during("read records for a client"));
    if (!*lines)
        return std::nullopt;
    m_sent = (*lines)->last;
    return protocol::RecordsEvent{m_experiment, (*lines)->epoch, (*lines)->first, (*lines)->last,
                                  base::Bytes{std::move((*lines)->bytes)}};
}

} // namespace trialdeck::head
