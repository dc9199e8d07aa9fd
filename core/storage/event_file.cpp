// SPDX-License-Identifier: Apache-2.0
#include "core/storage/event_file.h"

#include "core/storage/crc32c.h"

#include <algorithm>
#include <bit>
#include <cctype>

namespace trialdeck::storage {

namespace {

// Keys of protocol buffer fields: number << 3 | wire type (0 varint, 1 eight bytes, 2 length, 5 four bytes).
constexpr char kEventWallTime = 1 << 3 | 1;
constexpr char kEventStep = 2 << 3 | 0;
constexpr char kEventFileVersion = 3 << 3 | 2;
constexpr char kEventSummary = 5 << 3 | 2;
constexpr char kEventSessionLog = 7 << 3 | 2;
constexpr char kSessionLogStatus = 1 << 3 | 0;
constexpr char kSessionLogStart = 1;
constexpr char kSummaryValue = 1 << 3 | 2;
constexpr char kValueTag = 1 << 3 | 2;
constexpr char kValueSimple = 2 << 3 | 5;

void appendVarint(std::string& out, uint64_t value) {
    while (value >= 0x80) {
        out += static_cast<char>((value & 0x7FU) | 0x80U);
        value >>= 7U;
    }
    out += static_cast<char>(value);
}

template<typename Unsigned>
void appendLittleEndian(std::string& out, Unsigned value) {
    for (size_t i = 0; i < sizeof value; ++i)
        out += static_cast<char>((value >> (8 * i)) & 0xFFU);
}

void appendText(std::string& out, char key, std::string_view text) {
    out += key;
    appendVarint(out, text.size());
    out += text;
}

uint32_t masked(uint32_t crc) {
    constexpr uint32_t kMaskDelta = 0xA282EAD8U;
    return std::rotr(crc, 15) + kMaskDelta;
}

constexpr size_t kLengthBytes = sizeof(uint64_t);
constexpr size_t kFrameStart = kLengthBytes + sizeof(uint32_t);

/// Leaves room for the frame's start, which endFrame() fills in. @return where the frame begins
size_t beginFrame(std::string& out) {
    out.append(kFrameStart, '\0');
    return out.size() - kFrameStart;
}

void endFrame(std::string& out, size_t begin) {
    const std::string_view data = std::string_view(out).substr(begin + kFrameStart);
    const uint32_t dataCrc = masked(crc32c(data));
    std::string start;
    appendLittleEndian(start, static_cast<uint64_t>(data.size()));
    appendLittleEndian(start, masked(crc32c(start)));
    out.replace(begin, kFrameStart, start);
    appendLittleEndian(out, dataCrc);
}

void appendTimeAndStep(std::string& out, double wallTime, int64_t step) {
    out += kEventWallTime;
    appendLittleEndian(out, std::bit_cast<uint64_t>(wallTime));
    if (step == 0)
        return;
    out += kEventStep;
    appendVarint(out, static_cast<uint64_t>(step));
}

} // namespace

std::string eventFileName(int64_t seconds, std::string_view host) {
    std::string name(host.empty() ? std::string_view("localhost") : host);
    std::replace_if(
        name.begin(), name.end(),
        [](unsigned char c) { return std::isalnum(c) == 0 && c != '.' && c != '-' && c != '_'; }, '_');
    return "events.out.tfevents." + std::to_string(seconds) + "." + name;
}

void appendEventVersion(std::string& out, double wallTime) {
    const size_t begin = beginFrame(out);
    appendTimeAndStep(out, wallTime, 0);
    appendText(out, kEventFileVersion, "brain.Event:2");
    endFrame(out, begin);
}

void appendSessionStart(std::string& out, double wallTime, int64_t step) {
    const size_t begin = beginFrame(out);
    appendTimeAndStep(out, wallTime, step);
    appendText(out, kEventSessionLog, std::string({kSessionLogStatus, kSessionLogStart}));
    endFrame(out, begin);
}

std::string scalarPrefix(std::string_view tag) {
    std::string value;
    appendText(value, kValueTag, tag);
    value += kValueSimple;
    std::string prefix(1, kSummaryValue);
    appendVarint(prefix, value.size() + sizeof(float));
    return prefix + value;
}

void appendScalar(std::string& summary, std::string_view prefix, float value) {
    summary += prefix;
    appendLittleEndian(summary, std::bit_cast<uint32_t>(value));
}

void appendSummary(std::string& out, double wallTime, int64_t step, std::string_view summary) {
    const size_t begin = beginFrame(out);
    appendTimeAndStep(out, wallTime, step);
    appendText(out, kEventSummary, summary);
    endFrame(out, begin);
}

} // namespace trialdeck::storage
