// SPDX-License-Identifier: Apache-2.0
// Stands between storage and a file system and lets things go wrong: the n-th operation fails, a write is
// torn, the disk fills up, a sync or close says EIO, a handle goes stale, reads come in pieces. What chance
// decides is drawn from a seed that is printed; TRIALDECK_TEST_SEED repeats a run.
#pragma once

#include "core/base/files.h"
#include "core/base/rng.h"

#include <QtTest>
#include <algorithm>
#include <cerrno>
#include <deque>
#include <mutex>

namespace trialdeck::tests {

/// The seed from the environment, else a new one; printed so that a failure can be repeated.
inline uint64_t printedSeed() {
    bool given = false;
    const uint64_t fromOutside = qEnvironmentVariable("TRIALDECK_TEST_SEED").toULongLong(&given);
    const uint64_t seed = given ? fromOutside : base::drawSeed();
    qInfo("seed %llu (TRIALDECK_TEST_SEED)", static_cast<unsigned long long>(seed));
    return seed;
}

enum class Operation {
    any,
    open,
    read,
    append,
    sync,
    truncate,
    close,
    status,
    list,
    create,
    rename,
    remove,
    syncDirectory
};

struct Fault {
    Operation operation = Operation::any;
    /// Part of the path; empty for every path.
    std::string path = {};
    /// How many operations that fit go well before.
    size_t after = 0;
    /// How many fail then.
    size_t times = 1;
    int error = EIO;
    /// Bytes that an append writes before it fails.
    size_t tornAt = 0;
};

class FaultyFileSystem final : public base::FileSystem {
public:
    explicit FaultyFileSystem(base::FileSystem& inner) : m_inner(inner) {}

    void inject(Fault fault) {
        const std::lock_guard lock(m_mutex);
        m_faults.push_back(std::move(fault));
    }
    void heal() {
        const std::lock_guard lock(m_mutex);
        m_faults.clear();
        m_roomBytes = UINT64_MAX;
    }
    /// ENOSPC once so many bytes more have been appended: the last write is cut where the room ends.
    void setRoom(uint64_t bytes) {
        const std::lock_guard lock(m_mutex);
        m_roomBytes = bytes;
    }
    /// Reads return between one and all of the bytes asked for.
    void shortenReads(uint64_t seed) {
        const std::lock_guard lock(m_mutex);
        m_shortReads.emplace(seed, 0, "short reads");
    }
    /// How many operations there were: what a test that fails each of them in turn counts to.
    [[nodiscard]] size_t operations() const {
        const std::lock_guard lock(m_mutex);
        return m_operations;
    }

    Expected<std::unique_ptr<base::File>> open(const base::Path& path, base::OpenMode mode) override {
        TRIALDECK_TRY(step(Operation::open, path));
        auto file = m_inner.open(path, mode);
        if (!file)
            return file;
        return std::make_unique<FaultyFile>(*this, std::move(*file), path);
    }
    Expected<base::FileStatus> status(const base::Path& path) override {
        TRIALDECK_TRY(step(Operation::status, path));
        return m_inner.status(path);
    }
    Expected<std::vector<std::string>> list(const base::Path& directory) override {
        TRIALDECK_TRY(step(Operation::list, directory));
        return m_inner.list(directory);
    }
    Expected<void> createDirectories(const base::Path& directory) override {
        TRIALDECK_TRY(step(Operation::create, directory));
        return m_inner.createDirectories(directory);
    }
    Expected<void> rename(const base::Path& from, const base::Path& to) override {
        TRIALDECK_TRY(step(Operation::rename, to));
        return m_inner.rename(from, to);
    }
    Expected<void> remove(const base::Path& file) override {
        TRIALDECK_TRY(step(Operation::remove, file));
        return m_inner.remove(file);
    }
    Expected<void> removeAll(const base::Path& directory) override {
        TRIALDECK_TRY(step(Operation::remove, directory));
        return m_inner.removeAll(directory);
    }
    Expected<void> syncDirectory(const base::Path& directory) override {
        TRIALDECK_TRY(step(Operation::syncDirectory, directory));
        return m_inner.syncDirectory(directory);
    }
    Expected<uint64_t> freeBytes(const base::Path& directory) override {
        auto free = m_inner.freeBytes(directory);
        const std::lock_guard lock(m_mutex);
        return free ? std::min(*free, m_roomBytes) : free;
    }

private:
    class FaultyFile final : public base::File {
    public:
        FaultyFile(FaultyFileSystem& files, std::unique_ptr<base::File> inner, base::Path path)
            : m_files(files), m_inner(std::move(inner)), m_path(std::move(path)) {}

        Expected<size_t> readAt(uint64_t offset, std::span<char> buffer) override {
            TRIALDECK_TRY(m_files.step(Operation::read, m_path));
            return m_inner->readAt(offset, buffer.first(m_files.readable(buffer.size())));
        }
        Expected<void> append(std::string_view bytes) override {
            size_t tornAt = 0;
            auto allowed = m_files.step(Operation::append, m_path, &tornAt);
            if (allowed)
                allowed = m_files.takeRoom(bytes.size(), m_path, tornAt);
            if (allowed)
                return m_inner->append(bytes);
            TRIALDECK_TRY(m_inner->append(bytes.substr(0, tornAt)));
            return allowed;
        }
        Expected<void> sync() override {
            TRIALDECK_TRY(m_files.step(Operation::sync, m_path));
            return m_inner->sync();
        }
        Expected<void> truncate(uint64_t bytes) override {
            TRIALDECK_TRY(m_files.step(Operation::truncate, m_path));
            return m_inner->truncate(bytes);
        }
        Expected<base::FileStatus> status() override {
            TRIALDECK_TRY(m_files.step(Operation::status, m_path));
            return m_inner->status();
        }
        Expected<void> close() override {
            TRIALDECK_TRY(m_files.step(Operation::close, m_path));
            return m_inner->close();
        }

    private:
        FaultyFileSystem& m_files;
        std::unique_ptr<base::File> m_inner;
        base::Path m_path;
    };

    /// Counts the operation and lets it fail where a fault says so.
    Expected<void> step(Operation operation, const base::Path& path, size_t* tornAt = nullptr) {
        const std::lock_guard lock(m_mutex);
        ++m_operations;
        for (Fault& fault : m_faults) {
            if ((fault.operation != Operation::any && fault.operation != operation) || fault.times == 0 ||
                path.native().find(fault.path) == std::string::npos)
                continue;
            if (fault.after > 0) {
                --fault.after;
                continue;
            }
            --fault.times;
            if (tornAt)
                *tornAt = fault.tornAt;
            return base::Unexpected(base::fileError(fault.error, path.native(), "injected fault at"));
        }
        return {};
    }

    Expected<void> takeRoom(size_t bytes, const base::Path& path, size_t& tornAt) {
        const std::lock_guard lock(m_mutex);
        if (bytes <= m_roomBytes) {
            m_roomBytes -= m_roomBytes == UINT64_MAX ? 0 : bytes;
            return {};
        }
        tornAt = static_cast<size_t>(std::exchange(m_roomBytes, 0));
        return base::Unexpected(base::fileError(ENOSPC, path.native(), "write"));
    }

    size_t readable(size_t wanted) {
        const std::lock_guard lock(m_mutex);
        if (!m_shortReads || wanted == 0)
            return wanted;
        return static_cast<size_t>(m_shortReads->uniformInteger(1, static_cast<int64_t>(wanted)));
    }

    base::FileSystem& m_inner;
    mutable std::mutex m_mutex;
    std::deque<Fault> m_faults;
    uint64_t m_roomBytes = UINT64_MAX;
    std::optional<base::Rng> m_shortReads;
    size_t m_operations = 0;
};

} // namespace trialdeck::tests
