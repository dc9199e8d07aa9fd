// SPDX-License-Identifier: Apache-2.0
#include "core/head/doctor.h"

#include "core/base/host.h"
#include "core/head/logout.h"

#include <cstdio>
#include <sys/resource.h>

namespace trialdeck::head {

namespace {

using protocol::DoctorCheck;
using protocol::Severity;

std::string gibibytes(uint64_t bytes) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f GiB", static_cast<double>(bytes) / (1ULL << 30U));
    return text;
}

DoctorCheck homeCheck(base::FileSystem& files, const HeadHome& home) {
    const base::Path probe = home.folder() / "doctor.tmp";
    if (auto written = base::writeFileAtomically(files, probe, "probe"); !written)
        return {"home", Severity::error, base::describe(written.error())};
    (void)files.remove(probe);
    return {"home", Severity::note, home.home().native() + " is writable"};
}

DoctorCheck diskCheck(base::FileSystem& files, const HeadHome& home) {
    constexpr uint64_t kLittle = uint64_t{1} << 30;
    const auto free = files.freeBytes(home.home());
    if (!free)
        return {"disk", Severity::warning, base::describe(free.error())};
    const std::string text = gibibytes(*free) + " free at " + home.home().native();
    return {"disk", *free < kLittle ? Severity::warning : Severity::note, text};
}

DoctorCheck lockCheck(const HeadHome& home) {
    if (home.locksInHome())
        return {"locks", Severity::note, "the home's file system has locks"};
    return {"locks", Severity::warning,
            "the home's file system has no locks; lock and socket lie in " + home.runtimeFolder().native()};
}

DoctorCheck logoutCheck(base::FileSystem& files) {
    const LogoutFacts facts = readLogoutFacts(files, base::currentEnvironment(), "/");
    const std::string advice = facts.lingers ? std::string() : "run `loginctl enable-linger`, ";
    switch (fateAtLogout(facts)) {
    case LogoutFate::survives:
        return {"logout", Severity::note, "head and trials go on after a logout"};
    case LogoutFate::endsWithSession:
        return {"logout", Severity::warning,
                "logind ends the processes of " + facts.user +
                    " at logout (KillUserProcesses), and with them head and trials: " + advice +
                    "shut the head down and connect again"};
    case LogoutFate::endsWithUser:
        break;
    }
    return {"logout", Severity::warning,
            "the systemd of " + facts.user +
                " ends with the last login, and with it head and trials: " + advice + "then they stay"};
}

DoctorCheck openFilesCheck() {
    constexpr rlim_t kFew = 1024;
    rlimit limit{};
    getrlimit(RLIMIT_NOFILE, &limit);
    const std::string text = std::to_string(limit.rlim_cur) + " open files allowed";
    return {"open files", limit.rlim_cur < kFew ? Severity::warning : Severity::note, text};
}

DoctorCheck nodeCheck(const engine::Node& node) {
    char cpus[96];
    if (node.cpus < node.machineCpus)
        std::snprintf(cpus, sizeof cpus, "%g of %g CPUs (container limit)", node.cpus, node.machineCpus);
    else
        std::snprintf(cpus, sizeof cpus, "%g CPUs", node.cpus);
    std::string text = node.name + ": " + cpus + ", " + gibibytes(node.memoryBytes) + " memory, " +
                       std::to_string(node.gpus.size()) + " GPUs";
    for (const engine::Gpu& gpu : node.gpus)
        text += "; " + gpu.name + (gpu.busy ? " (busy with others' work)" : "");
    return {"node", Severity::note, text};
}

} // namespace

protocol::DoctorResult examine(base::FileSystem& files, const HeadHome& home, const engine::Engine& engine,
                               size_t missingFolders) {
    protocol::DoctorResult result;
    result.checks = {homeCheck(files, home), diskCheck(files, home), lockCheck(home), logoutCheck(files),
                     openFilesCheck()};
    for (const engine::Node& node : engine.nodes())
        result.checks.push_back(nodeCheck(node));
    const auto git = base::findProgram("git", base::currentEnvironment(), "/");
    result.checks.push_back(
        git ? DoctorCheck{"git", Severity::note, git->native()}
            : DoctorCheck{"git", Severity::warning, "not found: experiments do not record their commit"});
    if (missingFolders > 0)
        result.checks.push_back(
            {"experiments", Severity::warning,
             std::to_string(missingFolders) + " experiment folders are not where they were"});
    result.checks.push_back({"log", Severity::note, home.log().native()});
    return result;
}

} // namespace trialdeck::head
