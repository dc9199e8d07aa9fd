// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/record.h"
#include "core/storage/result_layout.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace trialdeck::storage {

/// Whether a report becomes text, or only counts for those to come because it lies in the files already.
enum class Emit { no, yes };

/// Turns the records of one trial into rows of result.json, progress.csv and its event file. Pure: the same
/// records give the same bytes, whenever they are taken away. Owned by one Projections.
class TrialRows {
public:
    /// By (attempt, training_iteration) of the row: the checkpoint it names; nothing where it came to none.
    using CheckpointNames = std::map<std::pair<uint32_t, int64_t>, std::optional<uint32_t>>;

    TrialRows(ResultLayouts& layouts, std::string trialId, const Object& configuration);

    /// For rows that are made again: what they must say of checkpoints, because it is known by now.
    void presetCheckpoints(CheckpointNames names);

    void take(const protocol::AttemptStarted& started, base::WallTime time);
    /// Rows come from rank 0's reports of attempts that are not superseded.
    void take(const protocol::ReportReceived& report, base::WallTime time, Emit emit);
    void take(const protocol::CheckpointCommitted& checkpoint);
    void take(const protocol::WarningRaised& warning);

    /// A row that was emitted says something of a checkpoint that is not so: all rows must be made again.
    [[nodiscard]] bool stale() const { return m_stale; }
    void clearStale() { m_stale = false; }
    [[nodiscard]] const CheckpointNames& checkpointNames() const { return m_names; }

    [[nodiscard]] bool hasRows() const { return m_layout != nullptr; }
    [[nodiscard]] const ResultLayout& layout() const { return *m_layout; }
    /// Of the first row's time and node.
    [[nodiscard]] const std::string& eventFileName() const { return m_eventFileName; }

    /// Text made since the last time.
    struct Text {
        std::string result;
        /// Rows without header, each with as many fields as layout() has columns.
        std::string progress;
        std::string events;
        [[nodiscard]] size_t bytes() const { return result.size() + progress.size() + events.size(); }
    };
    [[nodiscard]] const Text& text() const { return m_text; }
    [[nodiscard]] Text takeText();

private:
    struct Row;

    /// Fills m_slots; makes a new layout where a metric is new.
    void place(const Object& metrics);
    [[nodiscard]] Row rowOf(const protocol::ReportReceived& report, base::WallTime time);
    [[nodiscard]] std::optional<uint32_t> checkpointOf(const protocol::ReportReceived& report);
    void resolve(std::pair<uint32_t, int64_t> key, std::optional<uint32_t> index);
    void predict();
    void appendResult(const Row& row);
    void appendProgress(const Row& row);
    void appendEvents(const Row& row);
    void widenPending(size_t fields);

    ResultLayouts* m_layouts;
    std::string m_trialId;
    /// `"config":{…}`.
    std::string m_config;
    std::shared_ptr<const ResultLayout> m_layout;
    /// The report's values by column; null where it has none.
    std::vector<const Value*> m_slots;
    Text m_text;

    std::string m_host;
    std::string m_eventFileName;
    base::WallTime m_lastTime;
    double m_secondsBefore = 0;
    double m_seconds = 0;
    int64_t m_rowsSinceRestore = 0;
    /// The next row begins an attempt that goes on behind this iteration.
    std::optional<int64_t> m_restart;

    CheckpointNames m_names;
    CheckpointNames m_preset;
    /// Named by a row and not yet committed, in order.
    std::vector<std::pair<uint32_t, int64_t>> m_pending;
    uint32_t m_nextCheckpoint = 0;
    bool m_stale = false;
};

} // namespace trialdeck::storage
