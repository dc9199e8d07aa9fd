// SPDX-License-Identifier: Apache-2.0
#include "core/base/local_socket.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace trialdeck::base {

namespace {

/// The address by way of an open descriptor of the folder, which must stay open while it is used.
struct ShortAddress {
    UniqueFd folder;
    sockaddr_un address{};
};

Expected<ShortAddress> shortAddress(const Path& path) {
    ShortAddress result;
    result.folder.reset(::open(path.parent_path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!result.folder)
        return tl::make_unexpected(fileError(errno, path.parent_path().native(), "open"));
    const std::string name =
        "/proc/self/fd/" + std::to_string(result.folder.get()) + "/" + path.filename().native();
    result.address.sun_family = AF_UNIX;
    if (name.size() >= sizeof result.address.sun_path)
        return tl::make_unexpected(fileError(ENAMETOOLONG, path.native(), "address"));
    std::memcpy(result.address.sun_path, name.c_str(), name.size() + 1);
    return result;
}

} // namespace

Expected<UniqueFd> listenLocally(const Path& path) {
    auto address = shortAddress(path);
    if (!address)
        return tl::make_unexpected(std::move(address).error());
    UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const auto fail = [&path] { return tl::make_unexpected(fileError(errno, path.native(), "listen on")); };
    if (!socket)
        return fail();
    if (unlink(path.c_str()) != 0 && errno != ENOENT)
        return fail();
    constexpr mode_t kNobodyElse = 0177;
    constexpr int kWaiting = 64;
    const mode_t before = umask(kNobodyElse);
    const int bound =
        ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address->address), sizeof address->address);
    umask(before);
    if (bound != 0 || listen(socket.get(), kWaiting) != 0)
        return fail();
    return socket;
}

Expected<UniqueFd> connectLocally(const Path& path) {
    auto address = shortAddress(path);
    if (!address)
        return tl::make_unexpected(std::move(address).error());
    UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!socket)
        return tl::make_unexpected(fileError(errno, path.native(), "connect to"));
    if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address->address),
                  sizeof address->address) != 0) {
        Error error = fileError(errno, path.native(), "connect to");
        error.code = ErrorCode::connection_refused;
        return tl::make_unexpected(std::move(error));
    }
    return socket;
}

} // namespace trialdeck::base
