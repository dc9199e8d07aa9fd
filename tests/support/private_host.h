// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/files.h"
#include "core/base/unique_fd.h"

#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace trialdeck::tests {

/// A host of its own on this machine: private namespaces (files, processes, host name, perhaps network) with
/// one program in them, usually sshd. Whatever runs in it or is mounted there goes with this object, or with
/// the test program when that crashes. Owned by a test; blocking, on the test's thread.
class PrivateHost {
public:
    struct Options {
        /// hostname; empty: the machine's.
        std::string name;
        /// An own network, in which nothing is up yet.
        bool ownNetwork = false;
        /// Folders below /tmp that are to be seen in its fresh /tmp.
        std::vector<base::Path> kept;
        /// (source, target): a file or folder in the place of another.
        std::vector<std::pair<base::Path, base::Path>> binds;
        /// (target, options of tmpfs): an empty folder in memory, "size=1m", "noexec", "ro", "uid=1,gid=1".
        std::vector<std::pair<base::Path, std::string>> fresh;
        /// Takes what the program says on standard error.
        base::Path log;
        /// What it says once it can be reached.
        std::string listening;
        /// argv[0] with a slash.
        std::vector<std::string> command;
    };

    /// Why this machine cannot have such hosts; empty where it can.
    [[nodiscard]] static std::string whyNot();

    /// Makes the namespaces; nothing runs in them yet.
    [[nodiscard]] static Expected<std::unique_ptr<PrivateHost>> make(const Options& options);
    ~PrivateHost();
    PrivateHost(const PrivateHost&) = delete;
    PrivateHost& operator=(const PrivateHost&) = delete;

    /// Starts the program and waits until it listens. @return unavailable where it ended instead.
    [[nodiscard]] Expected<void> start();
    /// kill -9 of the program alone: what it has started lives on.
    void stop();

    /// Its first process, as this machine counts.
    [[nodiscard]] pid_t pid() const { return m_first; }
    /// The processes in it whose program's file has this name, oldest first, as this machine counts.
    /// @param argument  one of their arguments; empty: whatever they are
    [[nodiscard]] std::vector<pid_t> processes(const std::string& program,
                                               const std::string& argument = {}) const;

private:
    PrivateHost(pid_t parent, base::UniqueFd line) : m_parent(parent), m_line(std::move(line)) {}
    /// The next answer, or what has been read when there is none for long.
    [[nodiscard]] std::string answer();
    void order(const std::string& command);

    pid_t m_parent;
    pid_t m_first = 0;
    base::UniqueFd m_line;
    std::string m_read;
    bool m_runs = false;
};

/// kill -9, and waits until they are gone.
void killAndWait(const std::vector<pid_t>& processes);

} // namespace trialdeck::tests
