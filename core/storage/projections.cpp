// SPDX-License-Identifier: Apache-2.0
#include "core/storage/projections.h"

#include "core/storage/folder_names.h"
#include "core/storage/projection_marks.h"
#include "core/storage/trial_files.h"
#include "core/storage/trial_rows.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace trialdeck::storage {

namespace {

/// Catching up writes whenever so much has come together.
constexpr size_t kCatchUpBytes = size_t{16} << 20;
/// What may wait for a disk that refuses; beyond it files are made from the journal later.
constexpr size_t kMaxWaitingBytes = size_t{64} << 20;
/// After a failed attempt so many calls of flush() pass at most before files are made from the journal again.
constexpr uint32_t kMaxPause = 256;

std::optional<TrialId> trialOf(const protocol::RecordBody& body) {
    return std::visit(
        [](const auto& record) -> std::optional<TrialId> {
            if constexpr (requires { record.trial; })
                return record.trial;
            else
                return std::nullopt;
        },
        body);
}

} // namespace

/// The one implementation; see Projections.
class JournalProjections final : public Projections {
public:
    JournalProjections(base::FileSystem& files, base::Path folder, const JournalReader& reader)
        : m_files(files), m_folder(std::move(folder)), m_reader(reader), m_marks(files, m_folder) {}

    [[nodiscard]] Expected<void> catchUp();

    void note(const protocol::Record& record) override;
    [[nodiscard]] Expected<void> flush() override;

private:
    struct Trial {
        TrialId id;
        Object configuration;
        TrialRows rows;
        TrialFiles files;
        /// Newest record that the files had when they were opened; nothing of it is made again.
        RecordNumber resumedAt = {};
        bool paramsWritten = false;
        bool dirty = false;
        /// Text was given up: the files must be made from the journal.
        bool lost = false;
    };

    Trial* trialFor(const protocol::Record& record);
    static void feed(TrialRows& rows, const protocol::Record& record, Emit emit);
    void touch(Trial& trial);
    [[nodiscard]] Expected<void> writeParams(Trial& trial);
    [[nodiscard]] Expected<void> write(Trial& trial);
    [[nodiscard]] Expected<void> remake(const std::set<TrialId>& trials);
    void boundWaiting();

    base::FileSystem& m_files;
    base::Path m_folder;
    JournalReader m_reader;
    ProjectionMarks m_marks;
    ResultLayouts m_layouts;
    std::unordered_map<TrialId, std::unique_ptr<Trial>> m_trials;
    std::vector<Trial*> m_dirty;
    RecordNumber m_last;
    /// Text made since the last write.
    size_t m_bytes = 0;
    uint32_t m_pause = 0;
    uint32_t m_nextPause = 1;
};

JournalProjections::Trial* JournalProjections::trialFor(const protocol::Record& record) {
    const auto id = trialOf(record.body);
    if (!id)
        return nullptr;
    if (const auto known = m_trials.find(*id); known != m_trials.end())
        return known->second.get();
    const auto* created = std::get_if<protocol::TrialCreated>(&record.body);
    if (!created)
        return nullptr;
    const std::string name = trialFolderName(*id);
    auto trial = std::make_unique<Trial>(Trial{*id, created->configuration,
                                               TrialRows(m_layouts, name, created->configuration),
                                               TrialFiles(m_files, m_folder / name)});
    if (const TrialMark* mark = m_marks.find(*id)) {
        if (trial->files.resume(*mark))
            trial->resumedAt = mark->record;
        else
            trial->files.restart();
    }
    touch(*trial);
    return m_trials.emplace(*id, std::move(trial)).first->second.get();
}

void JournalProjections::feed(TrialRows& rows, const protocol::Record& record, Emit emit) {
    if (const auto* report = std::get_if<protocol::ReportReceived>(&record.body))
        rows.take(*report, record.time, emit);
    else if (const auto* attempt = std::get_if<protocol::AttemptStarted>(&record.body))
        rows.take(*attempt, record.time);
    else if (const auto* checkpoint = std::get_if<protocol::CheckpointCommitted>(&record.body))
        rows.take(*checkpoint);
    else if (const auto* warning = std::get_if<protocol::WarningRaised>(&record.body))
        rows.take(*warning);
}

void JournalProjections::touch(Trial& trial) {
    if (trial.dirty)
        return;
    trial.dirty = true;
    m_dirty.push_back(&trial);
}

void JournalProjections::note(const protocol::Record& record) {
    if (record.number <= m_last)
        return;
    m_last = record.number;
    Trial* trial = trialFor(record);
    if (!trial)
        return;
    const bool inFiles = record.number <= trial->resumedAt;
    const size_t before = trial->rows.text().bytes();
    feed(trial->rows, record, inFiles || trial->lost ? Emit::no : Emit::yes);
    if (inFiles) {
        // The files are as these records left them.
        trial->rows.clearStale();
        if (trial->rows.hasRows())
            trial->files.setColumns(trial->rows.layout().columns().size());
        return;
    }
    const size_t after = trial->rows.text().bytes();
    m_bytes += after - std::min(before, after);
    if (after > 0 || trial->rows.stale())
        touch(*trial);
}

Expected<void> JournalProjections::catchUp() {
    if (auto loaded = m_marks.load(); !loaded)
        return tl::make_unexpected(std::move(loaded).error().during("read the marks of the projections"));
    return m_reader.forEach([this](const protocol::Record& record, std::string_view) -> Expected<void> {
        note(record);
        // What the disk refuses now waits for the owner's flush().
        if (m_bytes > kCatchUpBytes)
            (void)flush();
        return {};
    });
}

Expected<void> JournalProjections::writeParams(Trial& trial) {
    if (!trial.paramsWritten)
        TRIALDECK_TRY(trial.files.writeParams(trial.configuration));
    trial.paramsWritten = true;
    return {};
}

Expected<void> JournalProjections::write(Trial& trial) {
    if (!trial.rows.hasRows())
        return {};
    TRIALDECK_TRY(trial.files.append(trial.rows.takeText(), trial.rows.layout(), trial.rows.eventFileName()));
    m_marks.set(trial.id, trial.files.mark(m_last));
    return {};
}

Expected<void> JournalProjections::flush() {
    Expected<void> result;
    const auto keepFirst = [&result](Expected<void> next) {
        if (result && !next)
            result = std::move(next);
    };
    std::set<TrialId> toRemake;
    for (Trial* trial : std::exchange(m_dirty, {})) {
        trial->dirty = false;
        if (auto params = writeParams(*trial); !params) {
            touch(*trial);
            keepFirst(std::move(params));
            continue;
        }
        if (trial->lost || trial->rows.stale()) {
            toRemake.insert(trial->id);
            continue;
        }
        auto written = write(*trial);
        if (!written)
            touch(*trial);
        keepFirst(std::move(written));
    }
    m_bytes = 0;
    boundWaiting();
    if (m_pause > 0)
        --m_pause;
    if (!toRemake.empty() && m_pause == 0)
        keepFirst(remake(toRemake));
    for (const TrialId id : toRemake) {
        if (m_trials.at(id)->lost || m_trials.at(id)->rows.stale())
            touch(*m_trials.at(id));
    }
    keepFirst(m_marks.save());
    return result;
}

void JournalProjections::boundWaiting() {
    size_t waiting = 0;
    for (const Trial* trial : m_dirty)
        waiting += trial->files.waitingBytes();
    if (waiting <= kMaxWaitingBytes)
        return;
    for (Trial* trial : m_dirty) {
        trial->files.restart();
        trial->lost = true;
    }
}

Expected<void> JournalProjections::remake(const std::set<TrialId>& trials) {
    std::unordered_map<TrialId, TrialRows> made;
    for (const TrialId id : trials) {
        Trial& trial = *m_trials.at(id);
        trial.files.restart();
        trial.lost = true;
        TrialRows rows(m_layouts, trialFolderName(id), trial.configuration);
        rows.presetCheckpoints(trial.rows.checkpointNames());
        made.emplace(id, std::move(rows));
    }
    const auto writeText = [](Trial& trial, TrialRows& rows) -> Expected<void> {
        return rows.hasRows() ? trial.files.append(rows.takeText(), rows.layout(), rows.eventFileName())
                              : Expected<void>();
    };
    const auto visit = [&](const protocol::Record& record, std::string_view) -> Expected<void> {
        const auto id = trialOf(record.body);
        const auto rows = id && record.number <= m_last ? made.find(*id) : made.end();
        if (rows == made.end())
            return {};
        feed(rows->second, record, Emit::yes);
        return rows->second.text().bytes() > kCatchUpBytes / trials.size()
                   ? writeText(*m_trials.at(*id), rows->second)
                   : Expected<void>();
    };
    auto done = m_reader.forEach(visit);
    for (auto rows = made.begin(); done && rows != made.end(); ++rows)
        done = writeText(*m_trials.at(rows->first), rows->second);
    if (!done) {
        m_pause = m_nextPause;
        m_nextPause = std::min(2 * m_nextPause, kMaxPause);
        return done;
    }
    m_nextPause = 1;
    for (auto& [id, rows] : made) {
        Trial& trial = *m_trials.at(id);
        rows.clearStale();
        trial.rows = std::move(rows);
        trial.lost = false;
        m_marks.set(id, trial.files.mark(m_last));
    }
    return {};
}

void Projections::noteLine(std::string_view line) {
    if (line.ends_with('\n'))
        line.remove_suffix(1);
    if (const auto record = protocol::parseRecordLine(line))
        note(*record);
}

Expected<std::unique_ptr<Projections>> Projections::open(base::FileSystem& files, base::Path folder,
                                                         const JournalReader& reader) {
    auto projections = std::make_unique<JournalProjections>(files, std::move(folder), reader);
    if (auto caughtUp = projections->catchUp(); !caughtUp)
        return tl::make_unexpected(std::move(caughtUp).error());
    return projections;
}

} // namespace trialdeck::storage
