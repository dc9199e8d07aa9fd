// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/storage/journal.h"
#include "core/tuner/experiment_files.h"
#include "core/tuner/ledger.h"
#include "core/tuner/services.h"

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace trialdeck::tuner {

/// The one way by which something becomes true: a record is taken into the ledger, noted for the projections,
/// appended to the journal, and handed to whoever follows the experiment.
///
/// Where the journal cannot be written (a full disk), records wait in memory in their order: the ledger goes
/// on, followers do not see them. A daemon that dies then reads the same reports again, since their offsets
/// are not in the journal either. Owned by one Tuner, on its loop.
class RecordLog {
public:
    RecordLog(Ledger& ledger, ExperimentFiles& files, const Services& services);

    /// Records were appended; merged, never from inside add().
    void setOnAppended(std::function<void()> action) { m_onAppended = std::move(action); }
    /// A record was taken into the ledger, whether it could be appended or not.
    void setOnTaken(std::function<void(const protocol::RecordBody&)> action) {
        m_onTaken = std::move(action);
    }
    /// The journal refused a record, or took over again; from inside add() or retry().
    void setOnRefused(std::function<void(const Error&)> action) { m_onRefused = std::move(action); }

    void open(std::unique_ptr<storage::JournalWriter> writer) {
        m_writer = std::move(writer);
        m_files.followJournal(m_writer->reader());
    }
    [[nodiscard]] bool isOpen() const { return m_writer != nullptr; }
    [[nodiscard]] const storage::JournalWriter* writer() const { return m_writer.get(); }

    /// For the Tuner's own parts only: the record must fit the ledger.
    void add(protocol::RecordBody body);

    /// Why records wait; nothing where none do.
    [[nodiscard]] const std::optional<Error>& refusal() const { return m_refusal; }
    /// Appends what waits. @return what the journal says now, with everything that does not fit still waiting
    [[nodiscard]] Expected<void> retry();

    /// Nothing is written any more: the journal is another daemon's or gone.
    void abandon(const Error& error);
    [[nodiscard]] bool abandoned() const { return m_abandoned; }

    /// Brings the files that Ray Tune's tools read up to what has been appended.
    void flushProjections();
    /// Writes projections and what waits, and waits for the disk. @return why records are lost, with their
    /// number
    [[nodiscard]] Expected<void> close();

private:
    [[nodiscard]] Expected<void> append(protocol::RecordBody& body);
    void keep(protocol::RecordBody body);
    void noteAppended();
    void tellAppended();

    Ledger& m_ledger;
    ExperimentFiles& m_files;
    const base::Clock& m_clock;
    base::Log& m_log;
    std::unique_ptr<storage::JournalWriter> m_writer;
    std::function<void()> m_onAppended;
    std::function<void(const protocol::RecordBody&)> m_onTaken;
    std::function<void(const Error&)> m_onRefused;

    /// Runs while something was appended and not told yet.
    Timer m_appendedTimer;
    Timer m_projectionTimer;

    std::optional<Error> m_refusal;
    bool m_abandoned = false;
    /// What was logged last of the projections: said once while it stays the same.
    std::string m_projectionFailure;
    std::deque<protocol::RecordBody> m_waiting;
    /// Reports that were let go because too many waited.
    uint64_t m_dropped = 0;
};

} // namespace trialdeck::tuner
