// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/files.h"
#include "core/base/sha256.h"
#include "core/protocol/ids.h"

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace trialdeck::storage {

/// Makes what a writer appends durable in a thread of its own: one sync covers all that came during the one
/// before. Keeps the bytes until they are known to be on the disk, so that after a failed sync (which may
/// have dropped them) they can be written again elsewhere. Owned by one SegmentWriter and called on its
/// thread. Also looks whether another writer has begun the segment that would be the next one here.
class GroupCommit {
public:
    /// @return unavailable where no thread can be started.
    [[nodiscard]] static Expected<std::unique_ptr<GroupCommit>> start(base::FileSystem& files);
    /// Waits until everything is on the disk, unless the disk refuses.
    ~GroupCommit();
    GroupCommit(const GroupCommit&) = delete;
    GroupCommit& operator=(const GroupCommit&) = delete;

    /// Turns to a new file, of which nothing is durable yet. Everything before must have settled.
    /// @param file       a handle of its own, used by the thread only
    /// @param path       of that file; its directory is synced, too
    /// @param successor  the file of the next segment
    void begin(std::unique_ptr<base::File> file, const base::Path& path, base::Path successor);
    /// The file has another path now, and so has its successor. Everything before must have settled.
    void moved(const base::Path& path, base::Path successor);
    /// @param last  newest record in the bytes; nothing for a header
    void appended(std::string_view bytes, std::optional<RecordNumber> last);

    /// What is known of the file once it needs no more waiting.
    struct Settled {
        /// Bytes known to be on the disk and their hash.
        uint64_t length = 0;
        std::string sha256;
        /// Bytes appended behind them, of which the sync failed.
        std::string unsynced;
        std::optional<Error> error;
    };
    /// Waits until everything is on the disk or a sync has failed.
    [[nodiscard]] Settled settle();

    [[nodiscard]] RecordNumber durable() const;
    /// A sync has failed and nothing has become durable since.
    [[nodiscard]] bool failed() const { return m_failed.load(std::memory_order_acquire); }
    [[nodiscard]] bool superseded() const { return m_superseded.load(std::memory_order_acquire); }

private:
    explicit GroupCommit(base::FileSystem& files) : m_files(files) {}
    void run();
    [[nodiscard]] bool hasWork() const { return !m_waiting.empty() && !m_error; }
    [[nodiscard]] Expected<void> syncFile();

    base::FileSystem& m_files;
    mutable std::mutex m_mutex;
    std::condition_variable m_wake;
    std::condition_variable m_settled;
    bool m_stop = false;
    bool m_busy = false;
    /// Not yet given to a sync, and under way in one.
    std::string m_waiting;
    std::string m_underWay;
    RecordNumber m_waitingLast;
    RecordNumber m_durable;
    std::optional<Error> m_error;
    std::atomic<bool> m_failed = false;
    std::atomic<bool> m_superseded = false;

    // Of the file; the thread's own while m_busy.
    std::unique_ptr<base::File> m_file;
    base::Path m_directory;
    base::Path m_successor;
    bool m_directorySynced = false;
    base::Sha256 m_hash;
    uint64_t m_length = 0;

    std::thread m_thread;
};

} // namespace trialdeck::storage
