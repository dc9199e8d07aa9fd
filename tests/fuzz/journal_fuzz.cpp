// SPDX-License-Identifier: Apache-2.0
// A journal of any bytes: segments one after the other, parted by 0x1E. Reading it must not crash, both ways
// of reading must agree, and a writer must be able to go on behind it without losing what could be read.
#include "core/storage/journal.h"
#include "core/storage/segment_file.h"
#include "tests/support/memory_file_system.h"

#include <cstdlib>

using namespace trialdeck;
using namespace trialdeck::storage;

namespace {

const base::Path kFolder = "/exp";

void require(bool holds) {
    if (!holds)
        std::abort();
}

/// Numbers of all records, as forEach gives them.
std::vector<uint64_t> numbersOf(const JournalReader& reader) {
    std::vector<uint64_t> numbers;
    const auto read = reader.forEach([&numbers](const protocol::Record& record, std::string_view) {
        require(numbers.empty() || numbers.back() < record.number.raw());
        numbers.push_back(record.number.raw());
        return Expected<void>();
    });
    require(read.has_value());
    return numbers;
}

void readInPieces(const JournalReader& reader, const std::vector<uint64_t>& numbers) {
    size_t lines = 0;
    RecordNumber after;
    while (const auto piece = *reader.readAfter(after, 100)) {
        require(piece->first > after && piece->last >= piece->first);
        lines += static_cast<size_t>(std::count(piece->bytes.begin(), piece->bytes.end(), '\n'));
        after = piece->last;
    }
    // Lines that only look like records are found by those who parse them.
    require(lines >= numbers.size());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    tests::MemoryFileSystem files;
    std::string_view rest(reinterpret_cast<const char*>(data), size);
    for (uint32_t segment = 1; !rest.empty(); ++segment) {
        const size_t end = std::min(rest.find('\x1e'), rest.size());
        files.put(kFolder / segmentPath(segment), std::string(rest.substr(0, end)));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    auto reader = JournalReader::open(files, kFolder);
    if (!reader)
        return 0;
    std::vector<uint64_t> numbers = numbersOf(*reader);
    readInPieces(*reader, numbers);
    (void)reader->validate(reader->last());

    base::ManualClock clock;
    auto writer = JournalWriter::resume(clock, *reader, ExperimentId("fuzz"), {}, {});
    if (!writer)
        return 0;
    require((*writer)->append(protocol::Heartbeat{}).has_value());
    numbers.push_back((*writer)->last().number.raw());
    writer->reset();
    const auto again = JournalReader::open(files, kFolder);
    require(again.has_value());
    require(numbersOf(*again) == numbers);
    return 0;
}
