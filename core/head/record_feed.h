// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/messages.h"
#include "core/storage/journal.h"

#include <deque>
#include <optional>

namespace trialdeck::head {

/// One session's subscription to the records of one experiment: reads on from its cursor whenever the line
/// has room, so it holds no records itself, but for the rest of one that is larger than a frame. On the loop.
class RecordFeed {
public:
    enum class Lines { plain, packed };
    /// @param journal  reads what the experiment's writer appends meanwhile, too
    RecordFeed(ExperimentId experiment, storage::JournalReader journal, protocol::Cursor cursor,
               Lines lines = Lines::plain);

    /// What the subscription is answered with: where records will go on.
    [[nodiscard]] protocol::RecordsSubscribeResult answer() const;

    /// The next lines, at most maxBytes; of a single record that is larger, the next piece that fits into a
    /// frame. Nothing when the client has all. An error (a file cannot be read) is told once by the session
    /// and tried again at the next change.
    [[nodiscard]] Expected<std::optional<protocol::RecordsEvent>> next(size_t maxBytes);
    [[nodiscard]] bool caughtUp() const { return m_pieces.empty() && m_read >= m_journal.last().number; }

private:
    [[nodiscard]] Expected<void> read(size_t maxBytes);

    ExperimentId m_experiment;
    storage::JournalReader m_journal;
    protocol::Cursor m_from;
    Lines m_lines;
    RecordNumber m_read;
    std::deque<protocol::RecordsEvent> m_pieces;
};

} // namespace trialdeck::head
