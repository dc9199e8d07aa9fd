// SPDX-License-Identifier: Apache-2.0
// trialdeck-askpass: stands between the OpenSSH client and us.
//   trialdeck-askpass QUESTION       hands the question to the socket in TRIALDECK_ASKPASS, prints the answer
//   trialdeck-askpass guard PROGRAM… becomes the program, which ends when the thread that started it does
#include "core/base/local_socket.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string.h>
#include <string_view>
#include <sys/prctl.h>
#include <sys/socket.h>
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

} // namespace

int main(int argc, char** argv) {
    if (argc > 2 && std::strcmp(argv[1], "guard") == 0)
        return guard(argv + 2);
    return ask(argc > 1 ? argv[1] : "");
}
