// SPDX-License-Identifier: Apache-2.0
#include "core/transport/sync/folder_watch.h"

#include "core/transport/files/sync_names.h"

#include <array>
#include <asio/posix/stream_descriptor.hpp>
#include <asio/redirect_error.hpp>
#include <asio/steady_timer.hpp>
#include <asio/use_awaitable.hpp>
#include <cerrno>
#include <sys/inotify.h>
#include <unistd.h>

namespace trialdeck::transport {

namespace {

constexpr uint32_t kChanges = IN_ATTRIB | IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_DELETE_SELF |
                              IN_MODIFY | IN_MOVED_FROM | IN_MOVED_TO | IN_ONLYDIR | IN_EXCL_UNLINK;
constexpr std::chrono::milliseconds kStep{100};

} // namespace

class FolderWatch::State {
public:
    State(const asio::any_io_executor& executor, base::Path folder)
        : m_folder(std::move(folder)), m_events(executor), m_timer(executor) {}

    Expected<void> open() {
        const int events = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
        if (events < 0)
            return base::fail(ErrorCode::unavailable, {{"reason", std::generic_category().message(errno)}},
                              "watch " + m_folder.native());
        m_events.assign(events);
        return watchAll();
    }

    /// A folder that is watched already is watched once.
    Expected<void> watchAll() {
        TRIALDECK_TRY(watch(m_folder));
        std::error_code failure;
        const auto options = std::filesystem::directory_options::skip_permission_denied;
        for (auto entry = std::filesystem::recursive_directory_iterator(m_folder, options, failure);
             !failure && entry != std::filesystem::recursive_directory_iterator(); entry.increment(failure)) {
            std::error_code gone;
            if (!entry->is_directory(gone) || entry->is_symlink(gone))
                continue;
            if (entry->path().filename() == kPartFolder)
                entry.disable_recursion_pending();
            else if (auto watched = watch(entry->path());
                     !watched && watched.error().code == ErrorCode::unavailable)
                return watched;
        }
        return {};
    }

    asio::awaitable<Expected<void>> change() {
        std::error_code failure;
        if (!m_cancelled)
            co_await m_events.async_wait(asio::posix::stream_descriptor::wait_read,
                                         asio::redirect_error(asio::use_awaitable, failure));
        // Looked at in steps: events may come faster than the quiet can pass.
        std::chrono::milliseconds quiet{0};
        for (std::chrono::milliseconds waited{0}; !m_cancelled && quiet < kQuiet && waited < kLongest;
             waited += kStep) {
            quiet = drain() ? std::chrono::milliseconds::zero() : quiet + kStep;
            m_timer.expires_after(kStep);
            co_await m_timer.async_wait(asio::redirect_error(asio::use_awaitable, failure));
        }
        drain();
        if (m_cancelled)
            co_return base::fail(ErrorCode::cancelled);
        co_return watchAll();
    }

    void cancel() {
        m_cancelled = true;
        m_timer.cancel();
        std::error_code ignored;
        m_events.cancel(ignored);
    }

private:
    Expected<void> watch(const base::Path& folder) {
        if (inotify_add_watch(m_events.native_handle(), folder.c_str(), kChanges) >= 0)
            return {};
        if (errno == ENOSPC)
            return base::fail(
                ErrorCode::unavailable,
                {{"reason", "the system watches no more folders (fs.inotify.max_user_watches)"}},
                "watch " + folder.native());
        return tl::make_unexpected(base::fileError(errno, folder.native(), "watch"));
    }

    /// @return whether there was one
    bool drain() {
        alignas(inotify_event) std::array<char, 65536> buffer;
        bool any = false;
        while (::read(m_events.native_handle(), buffer.data(), buffer.size()) > 0)
            any = true;
        return any;
    }

    base::Path m_folder;
    asio::posix::stream_descriptor m_events;
    asio::steady_timer m_timer;
    bool m_cancelled = false;
};

FolderWatch::FolderWatch(std::shared_ptr<State> state) : m_state(std::move(state)) {}

FolderWatch::~FolderWatch() {
    cancel();
}

Expected<std::unique_ptr<FolderWatch>> FolderWatch::start(const asio::any_io_executor& executor,
                                                          const base::Path& folder) {
    auto state = std::make_shared<State>(executor, folder);
    if (auto opened = state->open(); !opened)
        return tl::make_unexpected(std::move(opened).error());
    return std::unique_ptr<FolderWatch>(new FolderWatch(std::move(state)));
}

asio::awaitable<Expected<void>> FolderWatch::change() {
    const std::shared_ptr<State> state = m_state;
    co_return co_await state->change();
}

void FolderWatch::cancel() {
    m_state->cancel();
}

} // namespace trialdeck::transport
