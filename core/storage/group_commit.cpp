// SPDX-License-Identifier: Apache-2.0
#include "core/storage/group_commit.h"

#include <cassert>
#include <system_error>
#include <utility>

namespace trialdeck::storage {

Expected<std::unique_ptr<GroupCommit>> GroupCommit::start(base::FileSystem& files) {
    std::unique_ptr<GroupCommit> commit(new GroupCommit(files));
    try {
        commit->m_thread = std::thread([raw = commit.get()] { raw->run(); });
    } catch (const std::system_error& error) {
        return base::fail(ErrorCode::unavailable, {{"reason", error.what()}},
                          "start the thread that syncs the journal");
    }
    return commit;
}

GroupCommit::~GroupCommit() {
    {
        const std::lock_guard lock(m_mutex);
        m_stop = true;
    }
    m_wake.notify_one();
    if (m_thread.joinable())
        m_thread.join();
}

void GroupCommit::begin(std::unique_ptr<base::File> file, const base::Path& path, base::Path successor) {
    const std::lock_guard lock(m_mutex);
    assert(!m_busy);
    m_file = std::move(file);
    m_directory = path.parent_path();
    m_successor = std::move(successor);
    m_directorySynced = false;
    m_hash = base::Sha256();
    m_length = 0;
    m_waiting.clear();
    m_underWay.clear();
    m_error.reset();
    m_failed.store(false, std::memory_order_release);
}

void GroupCommit::moved(const base::Path& path, base::Path successor) {
    const std::lock_guard lock(m_mutex);
    assert(!m_busy);
    m_directory = path.parent_path();
    m_successor = std::move(successor);
}

void GroupCommit::appended(std::string_view bytes, std::optional<RecordNumber> last) {
    bool idle = false;
    {
        const std::lock_guard lock(m_mutex);
        m_waiting += bytes;
        if (last)
            m_waitingLast = *last;
        idle = !m_busy;
    }
    if (idle)
        m_wake.notify_one();
}

GroupCommit::Settled GroupCommit::settle() {
    std::unique_lock lock(m_mutex);
    m_settled.wait(lock, [this] { return !m_busy && !hasWork(); });
    return {m_length, m_hash.hexDigest(), m_underWay + m_waiting, m_error};
}

RecordNumber GroupCommit::durable() const {
    const std::lock_guard lock(m_mutex);
    return m_durable;
}

Expected<void> GroupCommit::syncFile() {
    TRIALDECK_TRY(m_file->sync());
    if (!m_directorySynced)
        TRIALDECK_TRY(m_files.syncDirectory(m_directory));
    m_directorySynced = true;
    return {};
}

void GroupCommit::run() {
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_wake.wait(lock, [this] { return m_stop || hasWork(); });
        if (!hasWork())
            return;
        m_busy = true;
        m_underWay.swap(m_waiting);
        const RecordNumber last = m_waitingLast;
        lock.unlock();
        auto synced = syncFile();
        if (synced) {
            m_hash.update(m_underWay);
            m_length += m_underWay.size();
        }
        if (m_files.status(m_successor))
            m_superseded.store(true, std::memory_order_release);
        lock.lock();
        m_busy = false;
        if (synced) {
            m_underWay.clear();
            m_durable = last;
        } else {
            m_error = std::move(synced).error();
            m_failed.store(true, std::memory_order_release);
        }
        if (!hasWork())
            m_settled.notify_all();
    }
}

} // namespace trialdeck::storage
