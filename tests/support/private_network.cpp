// SPDX-License-Identifier: Apache-2.0
#include "tests/support/private_network.h"

#include "core/base/process.h"

#include <QtTest>

#include <cerrno>
#include <cstring>
#include <sched.h>

namespace trialdeck::tests {

namespace {

constexpr int kIpMs = 20'000;

/// @return what it says where it fails
std::string complaintOf(std::vector<std::string> command) {
    base::SpawnOptions how;
    how.command = std::move(command);
    how.environment = base::currentEnvironment();
    const auto output = base::runAndCollect(how, kIpMs);
    if (!output)
        return base::describe(output.error());
    return output->exit.code == 0
               ? std::string()
               : "exit code " + std::to_string(output->exit.code.value_or(-1)) + " " + output->standardOutput;
}

std::vector<std::string> commandIn(pid_t host, const std::vector<std::string>& arguments) {
    std::vector<std::string> command;
    if (host != 0)
        command = {"nsenter", "-t", std::to_string(host), "-n"};
    command.emplace_back("ip");
    command.insert(command.end(), arguments.begin(), arguments.end());
    return command;
}

} // namespace

std::string PrivateNetwork::enter() {
    static const std::string kReason = []() -> std::string {
        if (::unshare(CLONE_NEWNET) != 0)
            return std::string("networks of their own are not allowed here: ") + std::strerror(errno);
        if (const std::string said = complaintOf({"ip", "link", "set", "lo", "up"}); !said.empty())
            return "no network can be changed here: " + said;
        if (const std::string said =
                complaintOf({"ip", "link", "add", "probe", "type", "veth", "peer", "name", "probed"});
            !said.empty())
            return "no cables between networks can be made here: " + said;
        return complaintOf({"ip", "link", "del", "probe"});
    }();
    return kReason;
}

void PrivateNetwork::ip(const std::vector<std::string>& arguments) {
    ip(0, arguments);
}

void PrivateNetwork::ip(pid_t host, const std::vector<std::string>& arguments) {
    const std::string said = complaintOf(commandIn(host, arguments));
    std::string words;
    for (const std::string& word : arguments)
        words += " " + word;
    QVERIFY2(said.empty(), ("ip" + words + ": " + said).c_str());
}

void PrivateNetwork::connect(const End& one, const End& other) {
    // Both ends begin here, under names that nobody has.
    ip({"link", "add", "new-one", "type", "veth", "peer", "name", "new-other"});
    for (const auto& [end, name] : {std::pair(&one, "new-one"), std::pair(&other, "new-other")}) {
        if (end->host != 0)
            ip({"link", "set", name, "netns", std::to_string(end->host)});
        ip(end->host, {"link", "set", name, "name", end->interface});
        ip(end->host, {"addr", "add", end->address, "dev", end->interface});
        ip(end->host, {"link", "set", "lo", "up"});
        ip(end->host, {"link", "set", end->interface, "up"});
    }
}

} // namespace trialdeck::tests
