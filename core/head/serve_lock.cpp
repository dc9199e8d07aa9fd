// SPDX-License-Identifier: Apache-2.0
#include "core/head/serve_lock.h"

namespace trialdeck::head {

namespace {

/// Asks about the lock file in the home and, where that has no locks, about the one in /tmp.
template<typename Ask>
auto withUsableLock(base::FileSystem& files, HeadHome& home, Ask ask) {
    auto answer = ask(home.lock());
    if (answer || answer.error().code != ErrorCode::no_lock_support || !home.locksInHome())
        return answer;
    if (auto moved = home.useTemporaryRuntimeFolder(files); !moved)
        return decltype(answer)(tl::make_unexpected(std::move(moved).error()));
    return ask(home.lock());
}

} // namespace

Expected<std::optional<base::FileLock>> acquireServeLock(base::FileSystem& files, HeadHome& home) {
    return withUsableLock(files, home,
                          [](const base::Path& path) { return base::FileLock::tryAcquire(path); });
}

Expected<bool> isServed(base::FileSystem& files, HeadHome& home) {
    return withUsableLock(files, home, [](const base::Path& path) { return base::FileLock::isHeld(path); });
}

} // namespace trialdeck::head
