// SPDX-License-Identifier: Apache-2.0
#include "core/transport/files/file_wire.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <unistd.h>

namespace trialdeck::transport {

namespace {

constexpr size_t kGatheredBytes = size_t{256} << 10;

ssize_t readAgain(int from, char* buffer, size_t size) {
    for (;;) {
        const ssize_t count = ::read(from, buffer, size);
        if (count >= 0 || errno != EINTR)
            return count;
    }
}

} // namespace

FileMessage& FileMessage::number(uint64_t number) {
    for (int shift = 0; shift < 64; shift += 8)
        m_bytes += static_cast<char>(number >> shift & 0xff);
    return *this;
}

FileMessage& FileMessage::text(std::string_view text) {
    number(text.size());
    m_bytes += text;
    return *this;
}

FileMessageReader::FileMessageReader(std::string_view payload) : m_rest(payload) {
    if (m_rest.empty()) {
        m_isBad = true;
        return;
    }
    m_word = static_cast<FileWord>(m_rest.front());
    m_rest.remove_prefix(1);
}

uint64_t FileMessageReader::number() {
    constexpr size_t kBytes = 8;
    if (m_rest.size() < kBytes) {
        m_isBad = true;
        return 0;
    }
    uint64_t number = 0;
    for (size_t i = 0; i < kBytes; ++i)
        number |= uint64_t{static_cast<unsigned char>(m_rest[i])} << 8 * i;
    m_rest.remove_prefix(kBytes);
    return number;
}

std::string FileMessageReader::text() {
    const uint64_t size = number();
    if (size > m_rest.size()) {
        m_isBad = true;
        return {};
    }
    std::string text(m_rest.substr(0, size));
    m_rest.remove_prefix(size);
    return text;
}

bool FileWire::skipToMarker(std::string_view nonce) {
    protocol::StartMarkerReader marker(nonce);
    char buffer[4096];
    for (ssize_t count; (count = readAgain(m_in, buffer, sizeof(buffer))) > 0;) {
        const std::string_view bytes(buffer, static_cast<size_t>(count));
        const auto found = marker.read(bytes);
        if (!found)
            return false;
        if (!*found)
            continue;
        for (std::string_view rest = bytes.substr(**found); !rest.empty();) {
            const auto room = m_reader.prepare();
            const size_t taken = std::min(room.size(), rest.size());
            std::memcpy(room.data(), rest.data(), taken);
            m_reader.commit(taken);
            rest.remove_prefix(taken);
        }
        return true;
    }
    return false;
}

std::string_view FileWire::receive() {
    for (;;) {
        const auto frame = m_reader.next();
        if (!frame)
            return {};
        if (*frame)
            return **frame;
        const auto room = m_reader.prepare();
        const ssize_t count = readAgain(m_in, room.data(), room.size());
        if (count <= 0)
            return {};
        m_reader.commit(static_cast<size_t>(count));
    }
}

bool FileWire::send(const FileMessage& message) {
    const auto header = protocol::frameHeader(message.bytes().size());
    m_pending.append(header.data(), header.size()).append(message.bytes());
    return m_pending.size() < kGatheredBytes || flush();
}

bool FileWire::sendData(std::string_view bytes) {
    const auto header = protocol::frameHeader(bytes.size() + 1);
    m_pending.append(header.data(), header.size());
    m_pending += static_cast<char>(FileWord::data);
    m_pending += bytes;
    return m_pending.size() < kGatheredBytes || flush();
}

bool FileWire::flush() {
    const bool isDone = writeAll(m_pending);
    m_pending.clear();
    return isDone;
}

void FileWire::cut() {
    ::shutdown(m_out, SHUT_RDWR);
}

bool FileWire::writeAll(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t count = ::write(m_out, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        bytes.remove_prefix(static_cast<size_t>(count));
    }
    return true;
}

} // namespace trialdeck::transport
