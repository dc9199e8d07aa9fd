// SPDX-License-Identifier: Apache-2.0
// The journal on the disk of TMPDIR: a report appended, followed by a reader; opening and reading 100,000.
#include "core/storage/journal.h"

#include <benchmark/benchmark.h>
#include <filesystem>

using namespace trialdeck;
using namespace trialdeck::storage;

namespace {

protocol::RecordBody report(int64_t i) {
    protocol::ReportReceived body;
    body.trial = TrialId(static_cast<uint32_t>(i % 100));
    body.iteration = i / 100;
    body.endOffset = static_cast<uint64_t>(i * 80);
    body.metrics = {{"training_iteration", i / 100},
                    {"loss", 0.35477214},
                    {"accuracy", 0.8748},
                    {"train_loss", 0.29811112},
                    {"time_this_iter_s", 1.28731}};
    return body;
}

/// A folder that goes with its owner.
class Folder {
public:
    Folder() : m_path(std::filesystem::temp_directory_path() / "trialdeck_journal_bench") {
        std::filesystem::remove_all(m_path);
        std::filesystem::create_directories(m_path);
    }
    ~Folder() { std::filesystem::remove_all(m_path); }
    [[nodiscard]] const base::Path& path() const { return m_path; }

private:
    base::Path m_path;
};

struct Journal {
    Folder folder;
    base::PosixFileSystem files;
    base::SystemClock clock;
    std::unique_ptr<JournalWriter> writer =
        std::move(*JournalWriter::create(files, clock, folder.path(), ExperimentId("bench"), {}, {}));

    void fill(int64_t records) {
        for (int64_t i = 0; i < records; ++i)
            (void)writer->append(report(i));
    }
};

void append(benchmark::State& state) {
    Journal journal;
    int64_t i = 0;
    for (auto _ : state) {
        auto body = report(i++);
        if (!journal.writer->append(std::move(body)))
            state.SkipWithError("append failed");
    }
    state.SetItemsProcessed(i);
}
BENCHMARK(append)->UseRealTime()->MinTime(3);

/// Each report appended and read by a client that follows.
void appendAndFollow(benchmark::State& state) {
    Journal journal;
    const JournalReader reader = journal.writer->reader();
    int64_t i = 0;
    for (auto _ : state) {
        (void)journal.writer->append(report(i));
        benchmark::DoNotOptimize(reader.readAfter(RecordNumber(static_cast<uint64_t>(i)), 65536));
        ++i;
    }
    state.SetItemsProcessed(i);
}
BENCHMARK(appendAndFollow)->UseRealTime();

void open100k(benchmark::State& state) {
    Journal journal;
    journal.fill(100'000);
    for (auto _ : state)
        benchmark::DoNotOptimize(JournalReader::open(journal.files, journal.folder.path()));
}
BENCHMARK(open100k)->UseRealTime()->Unit(benchmark::kMillisecond);

void replay100k(benchmark::State& state) {
    Journal journal;
    journal.fill(100'000);
    for (auto _ : state)
        (void)journal.writer->reader().forEach(
            [](const protocol::Record&, std::string_view) { return Expected<void>(); });
}
BENCHMARK(replay100k)->UseRealTime()->Unit(benchmark::kMillisecond);

void catchUp100k(benchmark::State& state) {
    Journal journal;
    journal.fill(100'000);
    const JournalReader reader = journal.writer->reader();
    for (auto _ : state) {
        RecordNumber after;
        while (auto lines = *reader.readAfter(after, 128 * 1024))
            after = lines->last;
    }
}
BENCHMARK(catchUp100k)->UseRealTime()->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
