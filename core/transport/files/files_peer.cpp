// SPDX-License-Identifier: Apache-2.0
#include "core/transport/files/files_peer.h"

#include <cerrno>
#include <cstdlib>

namespace trialdeck::transport {

namespace {

std::vector<std::string> textsFrom(FileMessageReader& message) {
    std::vector<std::string> texts;
    for (uint64_t left = message.number(); left > 0 && !message.isBad(); --left)
        texts.push_back(message.text());
    return texts;
}

} // namespace

FileMessage entryMessage(FileWord word, const FileEntry& entry) {
    FileMessage message(word);
    message.text(entry.path)
        .number(static_cast<uint64_t>(entry.kind))
        .number(entry.bytes)
        .number(static_cast<uint64_t>(entry.nanoseconds))
        .number(entry.mode)
        .text(entry.target);
    return message;
}

FileEntry entryFrom(FileMessageReader& message) {
    FileEntry entry;
    entry.path = message.text();
    const uint64_t kind = message.number();
    entry.kind = kind <= static_cast<uint64_t>(FileEntry::Kind::link) ? static_cast<FileEntry::Kind>(kind)
                                                                      : FileEntry::Kind::file;
    entry.bytes = message.number();
    entry.nanoseconds = static_cast<int64_t>(message.number());
    entry.mode = static_cast<uint32_t>(message.number()) & 07777;
    entry.target = message.text();
    return entry;
}

int FilesPeer::serve() {
    for (;;) {
        const std::string_view payload = m_wire.receive();
        if (payload.empty())
            return EXIT_SUCCESS;
        if (!answer(payload) || !m_wire.flush())
            return EXIT_FAILURE;
    }
}

bool FilesPeer::done(int error) {
    return m_wire.send(FileMessage(FileWord::done).number(static_cast<uint64_t>(error)));
}

bool FilesPeer::answer(std::string_view payload) {
    FileMessageReader message(payload);
    switch (message.word()) {
    case FileWord::list:
        return list(message);
    case FileWord::put:
        return put(message);
    case FileWord::get:
        return get(message);
    case FileWord::prefix:
        return prefix(message);
    case FileWord::folder:
        return done(m_writer.makeFolder(message.text()));
    case FileWord::link:
        return done(m_writer.makeLink(entryFrom(message)));
    case FileWord::adjust:
        return done(m_writer.adjust(entryFrom(message)));
    case FileWord::remove: {
        const std::string path = message.text();
        return done(m_writer.remove(path, message.number() != 0));
    }
    case FileWord::kept: {
        const KeptPart part = m_writer.kept(message.text());
        return m_wire.send(FileMessage(FileWord::hash).number(part.bytes).text(part.hash));
    }
    default:
        return false;
    }
}

bool FilesPeer::list(FileMessageReader& message) {
    const std::vector<std::string> include = textsFrom(message);
    const std::vector<std::string> exclude = textsFrom(message);
    if (message.isBad())
        return false;
    const FileTree tree = readFileTree(m_root, SyncFilter(include, exclude));
    for (const FileEntry& entry : tree.entries)
        m_wire.send(entryMessage(FileWord::entry, entry));
    for (const auto& [path, bytes] : tree.kept)
        m_wire.send(FileMessage(FileWord::left).text(path).number(bytes));
    for (const FileTree::Failure& failure : tree.failures)
        m_wire.send(
            FileMessage(FileWord::failed).text(failure.path).text(failure.reason).number(failure.isUnread));
    return m_wire.send(FileMessage(FileWord::end));
}

bool FilesPeer::put(FileMessageReader& message) {
    const FileEntry entry = entryFrom(message);
    m_writer.begin(entry, message.number());
    for (;;) {
        const std::string_view payload = m_wire.receive();
        // What came is kept: the next sync goes on behind it.
        if (payload.empty())
            return false;
        FileMessageReader piece(payload);
        if (piece.word() == FileWord::data)
            m_writer.write(piece.rest());
        else if (piece.word() == FileWord::hole)
            m_writer.skip(piece.number());
        else
            return piece.word() == FileWord::finish && done(m_writer.finish(piece.number() == 0));
    }
}

bool FilesPeer::get(FileMessageReader& message) {
    const std::string path = message.text();
    const uint64_t offset = message.number();
    FileContents contents;
    const int error = contents.open(m_root, path);
    m_wire.send(entryMessage(FileWord::opened, contents.entry()));
    const int ended =
        error != 0 ? error
                   : contents.read(offset, {[this](std::string_view bytes) { return m_wire.sendData(bytes); },
                                            [this](uint64_t bytes) {
                                                return m_wire.send(FileMessage(FileWord::hole).number(bytes));
                                            }});
    return m_wire.send(FileMessage(FileWord::finish).number(static_cast<uint64_t>(ended)));
}

bool FilesPeer::prefix(FileMessageReader& message) {
    const std::string path = message.text();
    const uint64_t bytes = message.number();
    FileContents contents;
    std::optional<std::string> hash;
    if (contents.open(m_root, path) == 0)
        hash = hashOfPrefix(contents.descriptor(), bytes);
    return m_wire.send(FileMessage(FileWord::hash).number(hash ? bytes : 0).text(hash.value_or("")));
}

} // namespace trialdeck::transport
