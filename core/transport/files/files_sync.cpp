// SPDX-License-Identifier: Apache-2.0
#include "core/transport/files/files_sync.h"

#include "core/transport/files/files_peer.h"

#include <cerrno>
#include <fcntl.h>
#include <thread>

namespace trialdeck::transport {

namespace {

constexpr std::chrono::milliseconds kTellAgain{100};
/// A file that is written all the time is not copied whole more often.
constexpr int kTriesOfOne = 3;

FileMessage listMessage(const FilesSyncOptions& options) {
    FileMessage message(FileWord::list);
    for (const auto* patterns : {&options.include, &options.exclude}) {
        message.number(patterns->size());
        for (const std::string& pattern : *patterns)
            message.text(pattern);
    }
    return message;
}

bool isFullError(int error) {
    return error == ENOSPC || error == EDQUOT;
}

std::string failureText(int error) {
    if (error == EAGAIN)
        return "it changed while it was copied";
    if (error == ENOENT)
        return "it went away while it was copied";
    return reasonOf(error);
}

} // namespace

FilesSync::FilesSync(FilesSyncOptions options, FileWire& there, FileWire& teller, const base::Clock& clock)
    : m_options(std::move(options)), m_there(there), m_teller(teller), m_clock(clock) {}

int FilesSync::run() {
    if (!m_there.skipToMarker(m_options.nonce))
        return kFilesLost;
    const base::UniqueFd root(
        m_options.isMissingHere ? -1 : ::open(m_options.local.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    m_root = root.get();
    if (m_root < 0 && !m_options.isMissingHere) {
        fail({}, reasonOf(errno));
        return kFilesDone;
    }
    if (!readTrees(m_root))
        return kFilesLost;
    m_plan = planSync(m_source, m_destination, m_options.removeExtra);
    for (const FileTree& tree : {std::cref(m_source), std::cref(m_destination)}) {
        for (const FileTree::Failure& failure : tree.failures)
            fail(failure.path, failure.reason);
    }
    if (m_plan.keepsExtras)
        fail({}, "nothing was removed, because not everything could be read");
    m_doneEntries = m_plan.totalEntries;
    for (const SyncStep& step : m_plan.steps)
        m_doneEntries -= step.kind == SyncStep::Kind::remove || step.isRepair ? 0 : 1;
    bool isDone = true;
    if (m_options.dryRun)
        tellPlan();
    else
        isDone = m_options.isUp ? upload() : download();
    tellProgress(true);
    m_teller.send(FileMessage(FileWord::result)
                      .number(m_plan.unchangedFiles)
                      .number(static_cast<uint64_t>(m_fullError.load())));
    m_teller.flush();
    return isDone || m_fullError != 0 ? kFilesDone : kFilesLost;
}

bool FilesSync::readTrees(int root) {
    FileTree& here = m_options.isUp ? m_source : m_destination;
    FileTree& there = m_options.isUp ? m_destination : m_source;
    if (!m_options.isMissingThere && (!m_there.send(listMessage(m_options)) || !m_there.flush()))
        return false;
    if (root >= 0)
        here = readFileTree(root, SyncFilter(m_options.include, m_options.exclude));
    while (!m_options.isMissingThere) {
        const std::string_view payload = m_there.receive();
        if (payload.empty())
            return false;
        FileMessageReader message(payload);
        if (message.word() == FileWord::entry) {
            there.entries.push_back(entryFrom(message));
        } else if (message.word() == FileWord::left) {
            const std::string path = message.text();
            there.kept[path] = message.number();
        } else if (message.word() == FileWord::failed) {
            const std::string path = message.text();
            const std::string reason = message.text();
            there.failures.push_back({path, reason, message.number() != 0});
        } else {
            return message.word() == FileWord::end;
        }
    }
    return true;
}

void FilesSync::tellPlan() {
    for (const SyncStep& step : m_plan.steps)
        finishStep(step, 0);
    m_doneBytes = m_plan.totalBytes;
}

void FilesSync::ask(const SyncStep& step, bool isVoid, const FileMessage& message) {
    {
        const std::lock_guard lock(m_mutex);
        m_asked.push_back({&step, isVoid});
    }
    if (!m_there.send(message))
        m_isLost = true;
}

bool FilesSync::findKeptThere() {
    for (SyncStep& step : m_plan.steps) {
        const auto kept = step.kind == SyncStep::Kind::file ? m_destination.kept.find(step.entry.path)
                                                            : m_destination.kept.end();
        if (kept == m_destination.kept.end() || kept->second == 0 || kept->second > step.entry.bytes)
            continue;
        if (!m_there.send(FileMessage(FileWord::kept).text(step.entry.path)) || !m_there.flush())
            return false;
        const std::string_view payload = m_there.receive();
        if (payload.empty())
            return false;
        FileMessageReader answer(payload);
        const uint64_t bytes = answer.number();
        const std::string hash = answer.text();
        FileContents contents;
        if (bytes <= step.entry.bytes && contents.open(m_root, step.entry.path) == 0 &&
            hashOfPrefix(contents.descriptor(), bytes) == hash)
            step.offset = bytes;
    }
    return true;
}

bool FilesSync::findKeptHere() {
    for (SyncStep& step : m_plan.steps) {
        if (step.kind != SyncStep::Kind::file || m_destination.kept.count(step.entry.path) == 0)
            continue;
        const KeptPart part = m_writer->kept(step.entry.path);
        if (part.bytes == 0 || part.bytes > step.entry.bytes)
            continue;
        if (!m_there.send(FileMessage(FileWord::prefix).text(step.entry.path).number(part.bytes)) ||
            !m_there.flush())
            return false;
        const std::string_view payload = m_there.receive();
        if (payload.empty())
            return false;
        FileMessageReader answer(payload);
        const bool isWhole = answer.number() == part.bytes;
        if (isWhole && answer.text() == part.hash)
            step.offset = part.bytes;
    }
    return true;
}

bool FilesSync::upload() {
    if (!findKeptThere())
        return false;
    std::thread answers([this] { readAnswers(); });
    for (const SyncStep& step : m_plan.steps) {
        if (m_isLost || m_fullError != 0)
            break;
        sendStep(step);
    }
    // Its answer is the last one.
    if (!m_there.send(FileMessage(FileWord::kept).text({})) || !m_there.flush())
        m_isLost = true;
    answers.join();
    return !m_isLost;
}

void FilesSync::sendStep(const SyncStep& step) {
    switch (step.kind) {
    case SyncStep::Kind::remove:
        ask(step, false,
            FileMessage(FileWord::remove)
                .text(step.entry.path)
                .number(step.entry.kind == FileEntry::Kind::folder));
        return;
    case SyncStep::Kind::folder:
        ask(step, false, FileMessage(FileWord::folder).text(step.entry.path));
        return;
    case SyncStep::Kind::link:
        ask(step, false, entryMessage(FileWord::link, step.entry));
        return;
    case SyncStep::Kind::adjust:
        ask(step, false, entryMessage(FileWord::adjust, step.entry));
        return;
    case SyncStep::Kind::file:
        sendFile(step);
        return;
    }
}

void FilesSync::sendFile(const SyncStep& step) {
    int error = 0;
    for (int attempt = 1; attempt <= kTriesOfOne && !m_isLost; ++attempt) {
        FileContents contents;
        error = contents.open(m_root, step.entry.path);
        if (error != 0)
            break;
        const uint64_t offset = attempt == 1 && step.offset <= contents.entry().bytes ? step.offset : 0;
        ask(step, false, entryMessage(FileWord::put, contents.entry()).number(offset));
        addBytes(offset);
        error = contents.read(offset, {[this](std::string_view bytes) {
                                           addBytes(bytes.size());
                                           return m_there.sendData(bytes) && m_fullError == 0;
                                       },
                                       [this](uint64_t bytes) {
                                           addBytes(bytes);
                                           return m_there.send(FileMessage(FileWord::hole).number(bytes));
                                       }});
        if (error != 0) {
            const std::lock_guard lock(m_mutex);
            m_asked.back().isVoid = true;
        }
        if (!m_there.send(FileMessage(FileWord::finish).number(static_cast<uint64_t>(error))))
            m_isLost = true;
        if (error != EAGAIN)
            break;
    }
    if (error != 0 && error != ECANCELED)
        finishStep(step, error);
}

void FilesSync::readAnswers() {
    for (;;) {
        const std::string_view payload = m_there.receive();
        if (payload.empty()) {
            m_isLost = true;
            return;
        }
        FileMessageReader answer(payload);
        if (answer.word() == FileWord::hash)
            return;
        const int error = static_cast<int>(answer.number());
        Asked asked;
        {
            const std::lock_guard lock(m_mutex);
            if (m_asked.empty())
                continue;
            asked = m_asked.front();
            m_asked.pop_front();
        }
        if (isFullError(error))
            m_fullError = error;
        else if (!asked.isVoid)
            finishStep(*asked.step, error);
    }
}

bool FilesSync::download() {
    m_writer = std::make_unique<FileWriter>(m_root);
    if (!findKeptHere())
        return false;
    std::thread questions([this] {
        for (const SyncStep& step : m_plan.steps) {
            if (step.kind == SyncStep::Kind::file &&
                !m_there.send(FileMessage(FileWord::get).text(step.entry.path).number(step.offset)))
                return;
        }
        m_there.flush();
    });
    bool isAlive = true;
    for (const SyncStep& step : m_plan.steps) {
        // A file's time is set with its name, a folder's at the end.
        isAlive = step.kind == SyncStep::Kind::file ? receiveFile(step, true) : runHere(step);
        if (!isAlive)
            break;
    }
    if (!isAlive) {
        // Whoever still asks is not heard any more.
        m_there.cut();
        questions.join();
        return false;
    }
    questions.join();
    for (const SyncStep* step : m_again) {
        const bool asked =
            m_there.send(FileMessage(FileWord::get).text(step->entry.path).number(0)) && m_there.flush();
        if (!asked || !receiveFile(*step, false))
            return false;
    }
    return true;
}

bool FilesSync::runHere(const SyncStep& step) {
    const bool isFolder = step.entry.kind == FileEntry::Kind::folder;
    int error = 0;
    if (step.kind == SyncStep::Kind::remove)
        error = m_writer->remove(step.entry.path, isFolder);
    else if (step.kind == SyncStep::Kind::folder)
        error = m_writer->makeFolder(step.entry.path);
    else if (step.kind == SyncStep::Kind::link)
        error = m_writer->makeLink(step.entry);
    else
        error = m_writer->adjust(step.entry);
    if (isFullError(error))
        m_fullError = error;
    else
        finishStep(step, error);
    return m_fullError == 0;
}

/// @return false where the line is lost or the disk full
bool FilesSync::receiveFile(const SyncStep& step, bool mayTryAgain) {
    const uint64_t offset = mayTryAgain ? step.offset : 0;
    {
        const std::string_view payload = m_there.receive();
        FileMessageReader message(payload);
        if (payload.empty() || message.word() != FileWord::opened)
            return false;
        FileEntry entry = entryFrom(message);
        entry.path = step.entry.path;
        m_writer->begin(entry, offset);
        addBytes(offset);
    }
    for (;;) {
        const std::string_view payload = m_there.receive();
        if (payload.empty())
            return false;
        FileMessageReader piece(payload);
        if (piece.word() == FileWord::data) {
            m_writer->write(piece.rest());
            addBytes(piece.rest().size());
        } else if (piece.word() == FileWord::hole) {
            const uint64_t bytes = piece.number();
            m_writer->skip(bytes);
            addBytes(bytes);
        } else {
            const int theirs = static_cast<int>(piece.number());
            const int ours = m_writer->finish(theirs == 0);
            if (isFullError(ours))
                m_fullError = ours;
            else if (theirs == EAGAIN && mayTryAgain)
                m_again.push_back(&step);
            else
                finishStep(step, theirs != 0 ? theirs : ours);
            return m_fullError == 0;
        }
        if (isFullError(m_writer->error())) {
            m_fullError = m_writer->error();
            return false;
        }
    }
}

void FilesSync::addBytes(uint64_t bytes) {
    {
        const std::lock_guard lock(m_mutex);
        m_doneBytes += bytes;
    }
    tellProgress(false);
}

void FilesSync::finishStep(const SyncStep& step, int error) {
    {
        const std::lock_guard lock(m_mutex);
        m_current = step.entry.path;
        m_doneEntries += step.kind == SyncStep::Kind::remove || step.isRepair ? 0 : 1;
    }
    if (error != 0)
        fail(step.entry.path, failureText(error));
    else if (!step.isRepair)
        tellChange(step);
    tellProgress(false);
}

void FilesSync::fail(const std::string& path, const std::string& reason) {
    const std::lock_guard lock(m_mutex);
    m_teller.send(FileMessage(FileWord::failed).text(path).text(reason));
}

void FilesSync::tellChange(const SyncStep& step) {
    const std::lock_guard lock(m_mutex);
    const bool isFile = step.kind == SyncStep::Kind::file;
    m_teller.send(FileMessage(FileWord::change)
                      .number(static_cast<uint64_t>(step.kind))
                      .text(step.entry.path)
                      .number(isFile ? step.entry.bytes : 0));
}

void FilesSync::tellProgress(bool isLast) {
    const std::lock_guard lock(m_mutex);
    const base::SteadyTime now = m_clock.steadyNow();
    if (!isLast && now - m_lastTold < kTellAgain)
        return;
    m_lastTold = now;
    m_teller.send(FileMessage(FileWord::progress)
                      .number(m_doneEntries)
                      .number(m_plan.totalEntries)
                      .number(m_doneBytes)
                      .number(m_plan.totalBytes)
                      .text(m_current));
    m_teller.flush();
}

} // namespace trialdeck::transport
