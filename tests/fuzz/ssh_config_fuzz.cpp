// SPDX-License-Identifier: Apache-2.0
// Any ~/.ssh/config, and any file that it includes as "more" (behind a line "%%"): reading and listing end, a
// program is asked once, what is read is sane.
#include "core/transport/ssh/ssh_config.h"
#include "tests/support/memory_file_system.h"

#include <cstdint>
#include <cstdlib>

using namespace trialdeck;
using namespace trialdeck::transport;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    constexpr std::string_view kBetween = "\n%%\n";
    const size_t between = bytes.find(kBetween);
    tests::MemoryFileSystem files;
    files.put("/home/anna/.ssh/config", bytes.substr(0, between));
    if (between != std::string::npos)
        files.put("/home/anna/.ssh/more", bytes.substr(between + kBetween.size()));
    SshConfigPlace place;
    place.home = "/home/anna";
    place.localUser = "anna";
    place.environment = {{"A", "b"}};
    std::set<std::string> asked;
    SshMatchExec exec([&asked](const std::string& command) {
        if (!asked.insert(command).second)
            std::abort();
        return std::optional(command.size() % 2 == 0);
    });
    for (const char* host : {"a", "head.example.com", "::1"}) {
        const SshHostSettings settings = readSshConfig(files, place, {host}, exec);
        if (settings.port == 0 || settings.user.empty() || settings.serverAliveInterval.count() < 0 ||
            settings.serverAliveCountMax < 0)
            std::abort();
        for (const SshJump& jump : settings.jumps) {
            if (jump.host.empty())
                std::abort();
        }
    }
    const size_t before = asked.size();
    for (const std::string& host : listSshHosts(files, place)) {
        if (host.empty() || host.front() == '!' || host.find_first_of("*?") != std::string::npos)
            std::abort();
    }
    if (asked.size() != before)
        std::abort();
    return 0;
}
