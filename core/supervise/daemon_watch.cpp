// SPDX-License-Identifier: Apache-2.0
#include "core/supervise/daemon_watch.h"

#include "core/base/file_lock.h"
#include "core/base/json.h"

#include <algorithm>
#include <array>

namespace trialdeck::supervise {

namespace {

using namespace std::chrono_literals;

constexpr std::chrono::minutes kWindow(10);
/// How long after its last start the daemon is started again, by how often that was done in the window.
constexpr std::array<std::chrono::milliseconds, 5> kBackOff{0ms, 2s, 10s, 30s, 60s};
/// A daemon that was just killed may still be going down.
constexpr std::chrono::milliseconds kFirstLook = 50ms;
constexpr std::chrono::milliseconds kAnotherIsAtIt = 1s;
constexpr std::chrono::milliseconds kNothingToDo = 5s;

base::Path beside(const base::Path& lock, const char* suffix) {
    base::Path path = lock;
    path += suffix;
    return path;
}

std::vector<base::WallTime> inWindow(const StartHistory& history, base::WallTime now) {
    std::vector<base::WallTime> starts;
    std::copy_if(history.starts.begin(), history.starts.end(), std::back_inserter(starts),
                 [now](base::WallTime start) { return start <= now && start > now - kWindow; });
    std::sort(starts.begin(), starts.end());
    return starts;
}

} // namespace

StartDecision decideStart(const StartHistory& history, base::WallTime now) {
    const auto starts = inWindow(history, now);
    if (starts.size() >= kBackOff.size())
        return {StartDecision::Kind::never, 0ms};
    if (starts.empty() || now - starts.back() >= kBackOff[starts.size()])
        return {StartDecision::Kind::now, 0ms};
    return {StartDecision::Kind::later, kBackOff[starts.size()] - (now - starts.back())};
}

DaemonWatch::DaemonWatch(std::optional<DaemonRevival> revival, Start start, base::FileSystem& files,
                         const base::Clock& clock)
    : m_revival(std::move(revival)), m_start(std::move(start)), m_files(files), m_clock(clock) {}

void DaemonWatch::daemonConnected() {
    m_nextLook.reset();
}

void DaemonWatch::daemonLost() {
    if (m_revival && !m_nextLook)
        m_nextLook = m_clock.steadyNow() + kFirstLook;
}

bool DaemonWatch::look() {
    if (!m_revival)
        return false;
    const Outcome outcome = tryStart();
    m_nextLook = m_clock.steadyNow() + outcome.lookAgainIn;
    return outcome.stillWanted;
}

DaemonWatch::Outcome DaemonWatch::tryStart() {
    const base::Path& lock = m_revival->lock;
    if (base::exists(m_files, m_revival->stayDown) || base::FileLock::isHeld(lock).value_or(true))
        return {kNothingToDo};
    const auto atIt = base::FileLock::tryAcquire(beside(lock, ".starting"));
    if (!atIt)
        return {kNothingToDo};
    if (!*atIt)
        return {kAnotherIsAtIt};
    StartHistory history = readHistory();
    const base::WallTime now = m_clock.wallNow();
    const StartDecision decision = decideStart(history, now);
    if (decision.kind == StartDecision::Kind::later)
        return {decision.wait, true};
    if (decision.kind == StartDecision::Kind::never) {
        const Value note(Object{{"at", Value(base::formatIso8601(now))},
                                {"reason", Value("the daemon ended five times in ten minutes")}});
        if (!base::exists(m_files, beside(lock, ".given-up")))
            (void)base::replaceFile(m_files, beside(lock, ".given-up"), base::toPrettyJson(note));
        return {kNothingToDo};
    }
    history.starts = inWindow(history, now);
    history.starts.push_back(now);
    writeHistory(history);
    (void)m_start(m_revival->command);
    return {kBackOff[1]};
}

StartHistory DaemonWatch::readHistory() const {
    StartHistory history;
    const auto text = base::readWholeFile(m_files, beside(m_revival->lock, ".starts"));
    const auto value = text ? base::parseJson(*text) : tl::make_unexpected(Error{});
    const Value* starts = value ? value->find("starts") : nullptr;
    if (!starts || !starts->asArray())
        return history;
    for (const Value& start : *starts->asArray()) {
        const auto time = start.asString() ? base::parseIso8601(*start.asString())
                                           : Expected<base::WallTime>(tl::make_unexpected(Error{}));
        if (time)
            history.starts.push_back(*time);
    }
    return history;
}

void DaemonWatch::writeHistory(const StartHistory& history) const {
    Array starts;
    for (const base::WallTime start : history.starts)
        starts.emplace_back(base::formatIso8601(start));
    (void)base::replaceFile(m_files, beside(m_revival->lock, ".starts"),
                            base::toPrettyJson(Value(Object{{"starts", Value(std::move(starts))}})));
}

} // namespace trialdeck::supervise
