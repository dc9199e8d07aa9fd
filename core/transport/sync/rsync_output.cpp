// SPDX-License-Identifier: Apache-2.0
#include "core/transport/sync/rsync_output.h"

#include <algorithm>
#include <charconv>

namespace trialdeck::transport {

namespace {

constexpr std::string_view kChangeMark = "td ";
constexpr size_t kItemWidth = 11;
/// rsync prints no longer lines: a path has 4,096 bytes, each four letters when it is escaped.
constexpr size_t kMaxLine = size_t{32} << 10;
constexpr size_t kMaxComplaint = size_t{4} << 10;

std::string_view skipBlanks(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    return text;
}

/// The number that the text begins with, and what follows it.
std::optional<std::pair<uint64_t, std::string_view>> leadingNumber(std::string_view text) {
    uint64_t number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failure != std::errc())
        return std::nullopt;
    return std::pair(number, text.substr(static_cast<size_t>(end - text.data())));
}

std::optional<uint64_t> numberBehind(std::string_view line, std::string_view words) {
    const size_t at = line.find(words);
    if (at == std::string_view::npos)
        return std::nullopt;
    const auto number = leadingNumber(line.substr(at + words.size()));
    return number ? std::optional(number->first) : std::nullopt;
}

/// "Permission denied (13)": the number is for machines.
std::string_view withoutNumber(std::string_view reason) {
    const size_t at = reason.rfind(" (");
    return reason.ends_with(')') && at != std::string_view::npos ? reason.substr(0, at) : reason;
}

/// "a/.name.Xy12Zw" is what rsync writes before it is "a/name".
void dropTemporaryEnds(std::string& name) {
    constexpr size_t kEndBytes = 7;
    const size_t begin = name.rfind('/') + 1;
    if (name.size() - begin > kEndBytes + 1 && name[begin] == '.' && name[name.size() - kEndBytes] == '.') {
        name.resize(name.size() - kEndBytes);
        name.erase(begin, 1);
    }
}

/// Hands each whole line to the reader and keeps the rest.
template<typename Reader>
void cutLines(std::string& pending, std::string_view bytes, std::string_view ends, const Reader& reader) {
    pending += bytes;
    size_t begin = 0;
    for (size_t end; (end = pending.find_first_of(ends, begin)) != std::string::npos; begin = end + 1)
        reader(std::string_view(pending).substr(begin, end - begin));
    pending.erase(0, begin);
    if (pending.size() > kMaxLine)
        pending.clear();
}

} // namespace

RsyncHere rsyncHereFrom(std::string_view printed) {
    constexpr std::string_view kVersion = "rsync  version ";
    constexpr uint64_t kOldest = 301;
    if (!printed.starts_with(kVersion))
        return {};
    // "3.2.7", "v3.4.1" of some builds.
    std::string_view version = printed.substr(kVersion.size());
    version.remove_prefix(version.starts_with('v') ? 1 : 0);
    const auto major = leadingNumber(version);
    if (!major || !major->second.starts_with('.'))
        return {};
    const auto minor = leadingNumber(major->second.substr(1));
    const bool isUsable = minor && major->first * 100 + minor->first >= kOldest;
    return {isUsable, printed.find("zstd") != std::string_view::npos};
}

std::vector<std::string> rsyncOutputOptions() {
    return {"--8-bit-output", "--no-human-readable",      "--outbuf=N",
            "--stats",        "--info=progress2,nonreg1", "--out-format=td %i %l %n"};
}

std::string unescapedRsyncName(std::string_view printed) {
    const auto isOctal = [](char letter) { return letter >= '0' && letter <= '7'; };
    std::string name;
    for (size_t i = 0; i < printed.size(); ++i) {
        const bool isEscape = printed.size() - i >= 5 && printed[i] == '\\' && printed[i + 1] == '#' &&
                              isOctal(printed[i + 2]) && isOctal(printed[i + 3]) && isOctal(printed[i + 4]);
        if (!isEscape) {
            name += printed[i];
            continue;
        }
        name += static_cast<char>((printed[i + 2] - '0') * 64 + (printed[i + 3] - '0') * 8 +
                                  (printed[i + 4] - '0'));
        i += 4;
    }
    return name;
}

bool RsyncOutput::readOutput(std::string_view bytes) {
    bool changed = false;
    cutLines(m_output, bytes, "\r\n", [&](std::string_view line) { changed = readLine(line) || changed; });
    return changed;
}

void RsyncOutput::readErrors(std::string_view bytes) {
    cutLines(m_errors, bytes, "\n", [this](std::string_view line) { readErrorLine(line); });
}

bool RsyncOutput::readLine(std::string_view line) {
    if (line.starts_with(kChangeMark))
        return readChange(line.substr(kChangeMark.size()));
    if (line.starts_with(' '))
        return readProgress(skipBlanks(line));
    if (line.starts_with("skipping non-regular file") || line.starts_with("cannot delete"))
        readErrorLine(line);
    else
        readStatistics(line);
    return false;
}

/// "<f+++++++++ 512 name", "*deleting   0 name"
bool RsyncOutput::readChange(std::string_view line) {
    if (line.size() <= kItemWidth)
        return false;
    const char what = line.front();
    const auto length = leadingNumber(skipBlanks(line.substr(kItemWidth)));
    if (!length || !length->second.starts_with(' '))
        return false;
    SyncChange change;
    change.name = unescapedRsyncName(length->second.substr(1));
    if (change.name == "./")
        return false;
    const bool isDirectory = change.name.ends_with('/');
    if (isDirectory)
        change.name.pop_back();
    if (what == '<' || what == '>') {
        change.bytes = length->first;
        m_report.bytes += length->first;
        ++m_report.copied;
    } else if (what == '*') {
        change.kind = SyncChange::Kind::removed;
        ++m_report.removed;
    } else {
        // "cd+++++++++" is new, "cLc.T......" a link with another target.
        change.kind = what == 'c' ? SyncChange::Kind::made : SyncChange::Kind::adjusted;
    }
    m_progress.current = change.name;
    if (m_report.changes.size() < SyncReport::kMaxListed)
        m_report.changes.push_back(std::move(change));
    return true;
}

/// "62914566  99%  821.92MB/s    0:00:00 (xfr#4, to-chk=0/7)"
bool RsyncOutput::readProgress(std::string_view line) {
    const auto bytes = leadingNumber(line);
    if (!bytes || skipBlanks(bytes->second).substr(0, 5).find('%') == std::string_view::npos)
        return false;
    m_progress.doneBytes = bytes->first;
    constexpr std::string_view kToCheck = "to-chk=";
    const size_t at = line.find(kToCheck);
    if (at == std::string_view::npos)
        return true;
    const auto left = leadingNumber(line.substr(at + kToCheck.size()));
    if (left && left->second.starts_with('/')) {
        if (const auto total = leadingNumber(left->second.substr(1)); total && total->first >= left->first) {
            m_progress.totalFiles = total->first;
            m_progress.doneFiles = total->first - left->first;
        }
    }
    return true;
}

void RsyncOutput::readStatistics(std::string_view line) {
    if (line.starts_with("Number of files: "))
        m_files = numberBehind(line, "reg: ").value_or(0);
    else if (const auto sent = numberBehind(line, "Number of regular files transferred: "))
        m_report.unchanged = m_files - std::min(m_files, *sent);
}

void RsyncOutput::readErrorLine(std::string_view line) {
    // The sum of what was said before.
    if (line.empty() || line.starts_with("rsync error: ") || line.starts_with("rsync warning: "))
        return;
    const size_t begin = line.find('"');
    const size_t end = line.rfind('"');
    if (begin != std::string_view::npos && end > begin) {
        std::string_view reason = line.substr(end + 1);
        const size_t colon = reason.find(": ");
        if (line.starts_with("file has vanished"))
            reason = "it went away while it was copied";
        else if (line.starts_with("skipping non-regular file"))
            reason = "not a file, folder or link";
        else
            reason = colon == std::string_view::npos ? line : reason.substr(colon + 2);
        std::string name = unescapedRsyncName(line.substr(begin + 1, end - begin - 1));
        if (line.find(" mkstemp ") != std::string_view::npos)
            dropTemporaryEnds(name);
        addFailure(std::move(name), withoutNumber(reason));
        return;
    }
    if (line.starts_with("cannot delete non-empty directory: ")) {
        addFailure(unescapedRsyncName(line.substr(line.find(": ") + 2)), "a folder that is not empty");
        return;
    }
    if (m_complaint.size() < kMaxComplaint)
        m_complaint.append(m_complaint.empty() ? "" : "\n").append(line);
}

void RsyncOutput::addFailure(std::string name, std::string_view reason) {
    ++m_report.failed;
    if (m_report.failures.size() >= SyncReport::kMaxListed)
        return;
    for (const std::string& root : m_roots) {
        if (!root.empty() && name.starts_with(root)) {
            name.erase(0, root.size());
            name.erase(0, std::min(name.find_first_not_of('/'), name.size()));
        }
    }
    m_report.failures.push_back({std::move(name), std::string(reason)});
}

} // namespace trialdeck::transport
