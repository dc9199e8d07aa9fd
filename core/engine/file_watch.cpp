// SPDX-License-Identifier: Apache-2.0
#include "core/engine/file_watch.h"

#include <algorithm>
#include <array>
#include <asio/io_context.hpp>
#include <asio/posix/stream_descriptor.hpp>
#include <asio/steady_timer.hpp>
#include <sys/inotify.h>
#include <unistd.h>
#include <utility>

namespace trialdeck::engine {

namespace {

using namespace std::chrono_literals;

/// Between two rounds of telling: many small writes become one look.
constexpr std::chrono::milliseconds kPause = 5ms;
constexpr std::chrono::milliseconds kLookAround = 1s;
/// What the kernel does not watch for us is looked at more often.
constexpr std::chrono::milliseconds kUnwatchedLook = 100ms;

constexpr uint32_t kMask = IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_MOVE_SELF | IN_DELETE_SELF | IN_ATTRIB;
/// The name may lead to another file now.
constexpr uint32_t kMovedAway = IN_MOVE_SELF | IN_DELETE_SELF | IN_IGNORED | IN_ATTRIB;

} // namespace

struct FileWatch::State : std::enable_shared_from_this<FileWatch::State> {
    struct Entry {
        base::Path path;
        OnChange onChange;
        int watch = -1;
    };

    State(asio::io_context& loop, const base::Clock& systemClock)
        : clock(systemClock), inotify(loop), pause(loop), lookAround(loop) {}

    void begin();
    void readEvents();
    void take(const inotify_event& event);
    void watchFile(Id id, Entry& entry);
    void unwatch(Id id, Entry& entry);
    void markDirty(Id id);
    void tell();
    void waitToLookAround();

    const base::Clock& clock;
    asio::posix::stream_descriptor inotify;
    asio::steady_timer pause;
    asio::steady_timer lookAround;
    alignas(inotify_event) std::array<char, size_t{16} << 10> buffer{};
    std::map<Id, Entry> entries;
    /// Several entries may lead to one file.
    std::multimap<int, Id> byWatch;
    std::set<Id> dirty;
    Id nextId = 1;
    base::SteadyTime lastTold{};
    bool telling = false;
    size_t unwatched = 0;
};

void FileWatch::State::begin() {
    const int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (fd >= 0)
        inotify.assign(fd);
    readEvents();
    waitToLookAround();
}

void FileWatch::State::readEvents() {
    if (!inotify.is_open())
        return;
    inotify.async_read_some(
        asio::buffer(buffer), [weak = weak_from_this()](const asio::error_code& error, size_t count) {
            const auto self = weak.lock();
            if (!self || error)
                return;
            for (size_t at = 0; at < count;) {
                const auto* event = reinterpret_cast<const inotify_event*>(self->buffer.data() + at);
                at += sizeof(inotify_event) + event->len;
                self->take(*event);
            }
            self->readEvents();
        });
}

void FileWatch::State::take(const inotify_event& event) {
    if (event.mask & IN_Q_OVERFLOW) {
        for (const auto& [id, entry] : entries)
            markDirty(id);
        return;
    }
    const auto [begin, end] = byWatch.equal_range(event.wd);
    std::vector<Id> concerned;
    for (auto entry = begin; entry != end; ++entry)
        concerned.push_back(entry->second);
    for (const Id id : concerned) {
        markDirty(id);
        if (event.mask & kMovedAway) {
            Entry& entry = entries.at(id);
            unwatch(id, entry);
            watchFile(id, entry);
        }
    }
}

void FileWatch::State::watchFile(Id id, Entry& entry) {
    entry.watch =
        inotify.is_open() ? inotify_add_watch(inotify.native_handle(), entry.path.c_str(), kMask) : -1;
    if (entry.watch >= 0)
        byWatch.emplace(entry.watch, id);
    else
        ++unwatched;
}

void FileWatch::State::unwatch(Id id, Entry& entry) {
    if (entry.watch < 0) {
        --unwatched;
        return;
    }
    const auto [begin, end] = byWatch.equal_range(entry.watch);
    for (auto at = begin; at != end; ++at) {
        if (at->second == id) {
            byWatch.erase(at);
            break;
        }
    }
    if (byWatch.count(entry.watch) == 0)
        inotify_rm_watch(inotify.native_handle(), entry.watch);
    entry.watch = -1;
}

void FileWatch::State::markDirty(Id id) {
    dirty.insert(id);
    if (telling)
        return;
    telling = true;
    pause.expires_after(std::max<base::SteadyTime::duration>(lastTold + kPause - clock.steadyNow(), 0ms));
    pause.async_wait([weak = weak_from_this()](const asio::error_code& error) {
        const auto self = weak.lock();
        if (self && !error)
            self->tell();
    });
}

void FileWatch::State::tell() {
    telling = false;
    lastTold = clock.steadyNow();
    const std::set<Id> now = std::exchange(dirty, {});
    for (const Id id : now) {
        // A handler may remove others, or itself.
        const auto entry = entries.find(id);
        if (entry == entries.end())
            continue;
        const OnChange onChange = entry->second.onChange;
        onChange();
    }
}

void FileWatch::State::waitToLookAround() {
    lookAround.expires_after(unwatched > 0 ? kUnwatchedLook : kLookAround);
    lookAround.async_wait([weak = weak_from_this()](const asio::error_code& error) {
        const auto self = weak.lock();
        if (!self || error)
            return;
        for (auto& [id, entry] : self->entries) {
            if (entry.watch < 0) {
                --self->unwatched;
                self->watchFile(id, entry);
            }
            self->markDirty(id);
        }
        self->waitToLookAround();
    });
}

FileWatch::FileWatch(asio::io_context& loop, const base::Clock& clock)
    : m_state(std::make_shared<State>(loop, clock)) {
    m_state->begin();
}

FileWatch::~FileWatch() = default;

FileWatch::Id FileWatch::add(base::Path path, OnChange onChange) {
    const Id id = m_state->nextId++;
    State::Entry& entry = m_state->entries[id];
    entry.path = std::move(path);
    entry.onChange = std::move(onChange);
    m_state->watchFile(id, entry);
    m_state->markDirty(id);
    return id;
}

void FileWatch::remove(Id id) {
    const auto entry = m_state->entries.find(id);
    if (entry == m_state->entries.end())
        return;
    m_state->unwatch(id, entry->second);
    m_state->entries.erase(entry);
    m_state->dirty.erase(id);
}

} // namespace trialdeck::engine
