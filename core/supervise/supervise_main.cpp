// SPDX-License-Identifier: Apache-2.0
#include "core/supervise/supervise_main.h"

#include "core/supervise/supervisor.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace trialdeck::supervise {

namespace {

constexpr int kNoOrder = 2;

/// @return nothing where the daemon went away before it gave a whole order.
std::optional<LaunchOrder> receiveOrder(int fd, std::string& received) {
    std::array<char, size_t{64} << 10> buffer;
    for (;;) {
        const ssize_t count = read(fd, buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return std::nullopt;
        received.append(buffer.data(), static_cast<size_t>(count));
        auto order = takeLaunchOrder(received);
        if (!order)
            return std::nullopt;
        if (*order)
            return std::move(**order);
    }
}

} // namespace

int superviseMain(int argc, char** argv, const std::vector<std::string>& self) {
    const std::string_view first = argc > 0 ? argv[0] : "";
    if (first == kStarterWord)
        return runStarter(argc - 1, argv + 1);
    if (first == kDetacherWord)
        return runDetacher(argc - 1, argv + 1);

    SupervisorInputs inputs{
        base::UniqueFd(kChannelDescriptor), {}, base::FileLock::adopt(base::UniqueFd(kLockDescriptor)), self};
    fcntl(kChannelDescriptor, F_SETFD, FD_CLOEXEC);
    fcntl(kLockDescriptor, F_SETFD, FD_CLOEXEC);
    std::signal(SIGPIPE, SIG_IGN);
    // No file system is kept busy by a supervisor's working directory.
    if (chdir("/") != 0)
        return kNoOrder;
    auto order = receiveOrder(kChannelDescriptor, inputs.received);
    if (!order)
        return kNoOrder;
    base::PosixFileSystem files;
    const base::SystemClock clock;
    Supervisor(std::move(*order), std::move(inputs), files, clock).run();
    return 0;
}

} // namespace trialdeck::supervise
