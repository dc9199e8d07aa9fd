// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.h"
#include "core/transport/files/file_reader.h"
#include "core/transport/files/file_wire.h"
#include "core/transport/files/file_writer.h"
#include "core/transport/files/sync_plan.h"

#include <atomic>
#include <deque>
#include <mutex>

namespace trialdeck::transport {

struct FilesSyncOptions {
    bool isUp = true;
    /// The folder here.
    std::string local;
    std::vector<std::string> include;
    std::vector<std::string> exclude;
    bool dryRun = false;
    bool removeExtra = false;
    /// Dry runs take a missing folder for an empty one.
    bool isMissingHere = false;
    bool isMissingThere = false;
    /// Of the marker before the other head's first word.
    std::string nonce;
};

/// Exit codes of the head that syncs.
inline constexpr int kFilesDone = 0;
inline constexpr int kFilesLost = 3;

/// The head here during a sync: compares the two trees, and sends and receives what differs without waiting
/// for single answers. Tells who started it with messages of FileWord. A process of its own, because disks
/// block; two threads while files go.
class FilesSync {
public:
    /// @param there  to the other head
    /// @param teller  to who started this
    /// @param clock  outlives the sync
    FilesSync(FilesSyncOptions options, FileWire& there, FileWire& teller, const base::Clock& clock);

    /// @return the program's exit code
    int run();

private:
    /// Something that was asked for and not yet answered.
    struct Asked {
        const SyncStep* step = nullptr;
        /// Tried again: the answer counts for nothing.
        bool isVoid = false;
    };

    bool readTrees(int root);
    void tellPlan();
    bool upload();
    bool download();
    bool findKeptThere();
    bool findKeptHere();
    void sendStep(const SyncStep& step);
    void sendFile(const SyncStep& step);
    void readAnswers();
    bool runHere(const SyncStep& step);
    bool receiveFile(const SyncStep& step, bool mayTryAgain);
    void ask(const SyncStep& step, bool isVoid, const FileMessage& message);

    void addBytes(uint64_t bytes);
    void finishStep(const SyncStep& step, int error);
    void fail(const std::string& path, const std::string& reason);
    void tellProgress(bool isLast);
    void tellChange(const SyncStep& step);

    FilesSyncOptions m_options;
    FileWire& m_there;
    FileWire& m_teller;
    const base::Clock& m_clock;
    int m_root = -1;
    FileTree m_source;
    FileTree m_destination;
    SyncPlan m_plan;
    std::unique_ptr<FileWriter> m_writer;
    std::vector<const SyncStep*> m_again;

    /// What both threads touch; the teller too.
    std::mutex m_mutex;
    std::deque<Asked> m_asked;
    uint64_t m_doneEntries = 0;
    uint64_t m_doneBytes = 0;
    std::string m_current;
    base::SteadyTime m_lastTold{};
    std::atomic<bool> m_isLost = false;
    std::atomic<int> m_fullError = 0;
};

/// `trialdeck-head files …`.
[[nodiscard]] int filesMain(int count, char** words, const base::Clock& clock);

} // namespace trialdeck::transport
