// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/frame.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace trialdeck::transport {

/// What the two trialdeck-heads of a sync say to each other, and the one here to who started it. Each message
/// is a frame of the protocol: a letter, then its fields. Both ends are of one build, so there are no
/// versions.
enum class FileWord : char {
    // To the head over there, which answers each in turn.
    list = 'L',   // count, includes, count, excludes
    put = 'P',    // path, size, time, mode, offset; then data, hole, finish
    folder = 'M', // path
    link = 'S',   // path, target, time
    adjust = 'T', // path, time, mode, is a link
    remove = 'R', // path, is a folder
    kept = 'K',   // path: what lies in the part folder
    prefix = 'Q', // path, length: of a source
    get = 'G',    // path, offset
    // Contents, both ways.
    data = 'D',
    hole = 'H',   // length
    finish = 'F', // errno
    // Answers.
    entry = 'e',  // an entry of the tree
    left = 'x',   // path, size: of a file in a part folder
    failed = 'f', // path, reason, may hide more
    end = 'E',
    opened = 'g', // errno, size, time, mode
    hash = 'k',   // size, SHA-256
    done = 'd',   // errno
    // To who started the sync.
    progress = 'p',
    change = 'c',
    result = 'z',
};

/// Builds one message.
class FileMessage {
public:
    explicit FileMessage(FileWord word) : m_bytes(1, static_cast<char>(word)) {}
    FileMessage& number(uint64_t number);
    FileMessage& text(std::string_view text);
    [[nodiscard]] const std::string& bytes() const { return m_bytes; }

private:
    std::string m_bytes;
};

/// Takes one message apart. Reading past its end yields zeros and makes it bad.
class FileMessageReader {
public:
    explicit FileMessageReader(std::string_view payload);
    [[nodiscard]] FileWord word() const { return m_word; }
    [[nodiscard]] uint64_t number();
    [[nodiscard]] std::string text();
    [[nodiscard]] std::string_view rest() const { return m_rest; }
    [[nodiscard]] bool isBad() const { return m_isBad; }

private:
    FileWord m_word = FileWord::end;
    std::string_view m_rest;
    bool m_isBad = false;
};

/// Messages over a pair of blocking descriptors. One thread reads, one may write.
class FileWire {
public:
    /// @param in, out  stay their owner's
    FileWire(int in, int out) : m_in(in), m_out(out) {}

    /// What lies before the marker is skipped. @return false at the end of the stream
    [[nodiscard]] bool skipToMarker(std::string_view nonce);
    /// The payload of the next message, good until the next call; empty at the end of the stream or where it
    /// makes no sense.
    [[nodiscard]] std::string_view receive();

    /// Small messages are gathered. @return false where nobody reads any more
    bool send(const FileMessage& message);
    bool sendData(std::string_view bytes);
    bool flush();
    /// Ends the line for both threads.
    void cut();

private:
    bool writeAll(std::string_view bytes);

    int m_in;
    int m_out;
    protocol::FrameReader m_reader;
    std::string m_pending;
};

} // namespace trialdeck::transport
