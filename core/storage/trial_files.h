// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/files.h"
#include "core/storage/projection_marks.h"
#include "core/storage/trial_rows.h"

#include <string>

namespace trialdeck::storage {

/// The three growing files of one trial, and how much of each is good. Owned by one Projections.
class TrialFiles {
public:
    TrialFiles(base::FileSystem& files, base::Path folder) : m_files(files), m_folder(std::move(folder)) {}

    /// Cuts the files to a mark. @return false where they are not what it says: all must be made again
    [[nodiscard]] bool resume(const TrialMark& mark);
    /// How many columns progress.csv has at the mark.
    void setColumns(size_t columns) { m_columns = columns; }
    /// Nothing of what is there counts, nor what waits: the next text is the first one.
    void restart();

    /// Writes text behind what is there; what fails is kept for the next time.
    [[nodiscard]] Expected<void> append(const TrialRows::Text& text, const ResultLayout& layout,
                                        const std::string& eventFile);
    /// params.json where there is none.
    [[nodiscard]] Expected<void> writeParams(const Object& configuration);

    /// Bytes that could not be written yet.
    [[nodiscard]] size_t waitingBytes() const { return m_waiting.bytes(); }
    /// What is good now, with everything up to the record in it.
    [[nodiscard]] TrialMark mark(RecordNumber record) const;

private:
    struct Growing {
        std::string name;
        FileMark good = {};
        /// A write failed: bytes behind the good ones are nobody's.
        bool torn = false;
    };

    [[nodiscard]] bool check(Growing& file, const std::string& name, const FileMark& mark) const;
    [[nodiscard]] Expected<void> appendTo(Growing& file, std::string& text);
    [[nodiscard]] Expected<void> appendProgress(const ResultLayout& layout);
    [[nodiscard]] Expected<void> replaceFile(Growing& file, std::string_view text);

    base::FileSystem& m_files;
    base::Path m_folder;
    Growing m_result;
    Growing m_progress;
    Growing m_events;
    /// In the header that progress.csv has.
    size_t m_columns = 0;
    /// In the rows that wait.
    size_t m_waitingColumns = 0;
    TrialRows::Text m_waiting;
};

} // namespace trialdeck::storage
