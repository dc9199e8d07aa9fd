// SPDX-License-Identifier: Apache-2.0
// What the tests of the journal share: writers with a standing clock, and journals as lists of short texts.
#pragma once

#include "core/storage/journal.h"
#include "tests/support/compare.h"
#include "tests/support/faulty_file_system.h"
#include "tests/support/memory_file_system.h"

namespace trialdeck::tests {

inline const base::Path kFolder = "/exp";
inline const ExperimentId kExperiment{"4f1c"};

struct JournalFixture {
    MemoryFileSystem disk;
    FaultyFileSystem files{disk};
    base::ManualClock clock;

    JournalFixture() { disk.put(kFolder / "experiment.yaml", "name: a\n"); }

    [[nodiscard]] Expected<std::unique_ptr<storage::JournalWriter>>
    create(storage::JournalWriter::Options options = {}) {
        return storage::JournalWriter::create(files, clock, kFolder, kExperiment, {"node-a", "boot", 1, 10},
                                              options);
    }
    [[nodiscard]] Expected<std::unique_ptr<storage::JournalWriter>>
    resume(storage::JournalWriter::Options options = {}) {
        auto reader = storage::JournalReader::open(files, kFolder);
        if (!reader)
            return tl::make_unexpected(reader.error());
        return storage::JournalWriter::resume(clock, *reader, kExperiment, {"node-b", "boot", 2, 20},
                                              options);
    }
};

/// A record whose text tells it from others.
inline protocol::RecordBody record(int i) {
    return protocol::DecisionMade{TrialId(static_cast<uint32_t>(i)), i, protocol::DecisionAction::stop,
                                  "test"};
}

/// "3:17" is record 3 with record(17) in it; other kinds are named.
inline std::string shortText(const protocol::Record& entry) {
    std::string text = std::to_string(entry.number.raw()) + ":";
    const auto* decision = std::get_if<protocol::DecisionMade>(&entry.body);
    return text + (decision ? std::to_string(decision->iteration) : std::string(kindOf(entry.body)));
}

/// "1:0 2:1 …", or the error in words.
inline std::string contentOf(const storage::JournalReader& reader) {
    std::string text;
    const auto read = reader.forEach([&text](const protocol::Record& entry, std::string_view) {
        text += (text.empty() ? "" : " ") + shortText(entry);
        return Expected<void>();
    });
    return read ? text : base::describe(read.error());
}

inline std::string contentOf(base::FileSystem& files, const base::Path& folder = kFolder) {
    const auto reader = storage::JournalReader::open(files, folder);
    return reader ? contentOf(*reader) : base::describe(reader.error());
}

/// The same through readAfter, from the beginning and in pieces of maxBytes.
inline std::string contentInPieces(const storage::JournalReader& reader, size_t maxBytes,
                                   RecordNumber after = RecordNumber()) {
    std::string text;
    for (;;) {
        const auto lines = reader.readAfter(after, maxBytes);
        if (!lines)
            return base::describe(lines.error());
        if (!*lines)
            return text;
        std::string_view rest = (*lines)->bytes;
        while (!rest.empty()) {
            const size_t newline = rest.find('\n');
            const auto entry = protocol::parseRecordLine(rest.substr(0, newline));
            text += (text.empty() ? "" : " ") + (entry ? shortText(*entry) : std::string("?"));
            rest.remove_prefix(newline + 1);
        }
        after = (*lines)->last;
    }
}

/// "journal/000001.jsonl torn_tail 100+7", one line each.
inline std::string damageOf(const storage::JournalReader& reader) {
    std::string text;
    for (const auto& damage : reader.damage())
        text += damage.file + " " + std::string(nameOf(damage.kind)) + " " + std::to_string(damage.offset) +
                "+" + std::to_string(damage.bytes) + "\n";
    return text;
}

inline std::string damageOf(base::FileSystem& files) {
    const auto reader = storage::JournalReader::open(files, kFolder);
    return reader ? damageOf(*reader) : base::describe(reader.error());
}

} // namespace trialdeck::tests
