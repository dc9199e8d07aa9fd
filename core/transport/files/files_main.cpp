// SPDX-License-Identifier: Apache-2.0
#include "core/transport/files/files_peer.h"
#include "core/transport/files/files_sync.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

namespace trialdeck::transport {

namespace {

/// Given by who starts the head that syncs: leads to the other one.
constexpr int kPeerSocket = 3;
constexpr int kWrongWords = 2;

int serveHere() {
    const base::UniqueFd root(::open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!root) {
        std::perror("trialdeck-head files");
        return EXIT_FAILURE;
    }
    FileWire wire(STDIN_FILENO, STDOUT_FILENO);
    return FilesPeer(root.get(), wire).serve();
}

} // namespace

int filesMain(int count, char** words, const base::Clock& clock) {
    (void)std::signal(SIGPIPE, SIG_IGN);
    const std::vector<std::string> given(words, words + count);
    if (given.empty())
        return kWrongWords;
    if (given.front() == "serve")
        return serveHere();
    FilesSyncOptions options;
    options.isUp = given.front() == "up";
    for (size_t i = 1; i < given.size(); ++i) {
        const std::string& word = given[i];
        const std::string value = i + 1 < given.size() ? given[i + 1] : std::string();
        if (word == "--dry-run")
            options.dryRun = true;
        else if (word == "--delete")
            options.removeExtra = true;
        else if (word == "--missing-here")
            options.isMissingHere = true;
        else if (word == "--missing-there")
            options.isMissingThere = true;
        else if (word == "--local")
            options.local = value;
        else if (word == "--nonce")
            options.nonce = value;
        else if (word == "--include")
            options.include.push_back(value);
        else if (word == "--exclude")
            options.exclude.push_back(value);
        else
            return kWrongWords;
        // These have a value.
        if (word == "--local" || word == "--nonce" || word == "--include" || word == "--exclude")
            ++i;
    }
    FileWire there(kPeerSocket, kPeerSocket);
    FileWire teller(STDIN_FILENO, STDOUT_FILENO);
    return FilesSync(std::move(options), there, teller, clock).run();
}

} // namespace trialdeck::transport
