// SPDX-License-Identifier: Apache-2.0
// trialdeck-askpass: stands between other programs and us.
//   trialdeck-askpass QUESTION       the OpenSSH client asks: hands the question to the socket in
//                                    TRIALDECK_ASKPASS, prints the answer
//   trialdeck-askpass guard PROGRAM… becomes the program, which ends when the thread that started it does
//   trialdeck-askpass bridge HOST WORD…  rsync's remote shell: has the words run by the shell that waits
//                                    behind descriptor 3, and carries what goes to and fro
#include "core/base/local_socket.h"
#include "core/protocol/frame.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <string.h>
#include <string>
#include <string_view>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

#include <csignal>

namespace {

using namespace trialdeck;

int guard(char** command) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    execvp(command[0], command);
    std::perror(command[0]);
    // As a shell: not found.
    return 127;
}

int ask(std::string_view question) {
    const char* path = std::getenv("TRIALDECK_ASKPASS");
    if (path == nullptr)
        return EXIT_FAILURE;
    const auto socket = base::connectLocally(path);
    if (!socket)
        return EXIT_FAILURE;
    while (!question.empty()) {
        const ssize_t count = send(socket->get(), question.data(), question.size(), MSG_NOSIGNAL);
        if (count <= 0)
            return EXIT_FAILURE;
        question.remove_prefix(static_cast<size_t>(count));
    }
    shutdown(socket->get(), SHUT_WR);
    std::array<char, 4096> buffer;
    bool answered = false;
    for (ssize_t count; (count = read(socket->get(), buffer.data(), buffer.size())) > 0; answered = true)
        (void)!write(STDOUT_FILENO, buffer.data(), static_cast<size_t>(count));
    explicit_bzero(buffer.data(), buffer.size());
    return answered ? EXIT_SUCCESS : EXIT_FAILURE;
}

constexpr int kHostSocket = 3;
constexpr size_t kBridgeBytes = size_t{256} << 10;

ssize_t readSome(int from, char* buffer, size_t size) {
    for (;;) {
        const ssize_t count = read(from, buffer, size);
        if (count >= 0 || errno != EINTR)
            return count;
    }
}

bool writeAll(int to, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t count = write(to, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        bytes.remove_prefix(static_cast<size_t>(count));
    }
    return true;
}

/// Until the end of what comes or a reader that is gone.
void carry(int from, int to) {
    const auto buffer = std::make_unique<char[]>(kBridgeBytes);
    for (ssize_t count; (count = readSome(from, buffer.get(), kBridgeBytes)) > 0;) {
        if (!writeAll(to, {buffer.get(), static_cast<size_t>(count)}))
            return;
    }
}

/// Login scripts may print something first, which rsync would take for its peer's words.
bool skipChatter(std::string_view nonce) {
    protocol::StartMarkerReader reader(nonce);
    std::array<char, 4096> buffer;
    for (ssize_t count; (count = readSome(kHostSocket, buffer.data(), buffer.size())) > 0;) {
        const std::string_view bytes(buffer.data(), static_cast<size_t>(count));
        const auto found = reader.read(bytes);
        if (!found)
            return false;
        if (*found)
            return writeAll(STDOUT_FILENO, bytes.substr(**found));
    }
    return false;
}

int bridge(int count, char** words) {
    const char* script = std::getenv("TRIALDECK_BRIDGE_SCRIPT");
    const char* nonce = std::getenv("TRIALDECK_BRIDGE_NONCE");
    if (script == nullptr || nonce == nullptr)
        return EXIT_FAILURE;
    (void)std::signal(SIGPIPE, SIG_IGN);
    // rsync hands out ends that do not block.
    for (const int end : {STDIN_FILENO, STDOUT_FILENO, kHostSocket})
        (void)fcntl(end, F_SETFL, fcntl(end, F_GETFL) & ~O_NONBLOCK);
    std::string line = script;
    // As ssh joins them; the first one is the host.
    for (int i = 1; i < count; ++i)
        line.append(" ").append(words[i]);
    if (!writeAll(kHostSocket, line + "\n") || !skipChatter(nonce))
        return EXIT_FAILURE;
    std::thread([] {
        carry(STDIN_FILENO, kHostSocket);
        shutdown(kHostSocket, SHUT_WR);
    }).detach();
    carry(kHostSocket, STDOUT_FILENO);
    // The other direction may wait for input that nobody wants any more.
    std::_Exit(EXIT_SUCCESS);
}

} // namespace

int main(int argc, char** argv) {
    if (argc > 2 && std::strcmp(argv[1], "guard") == 0)
        return guard(argv + 2);
    if (argc > 3 && std::strcmp(argv[1], "bridge") == 0)
        return bridge(argc - 2, argv + 2);
    return ask(argc > 1 ? argv[1] : "");
}
