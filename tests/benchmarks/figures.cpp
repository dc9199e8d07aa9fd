// SPDX-License-Identifier: Apache-2.0
#include "tests/benchmarks/figures.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace trialdeck::benchmarks {

namespace {

double ticks(double count) {
    return count / static_cast<double>(sysconf(_SC_CLK_TCK));
}

} // namespace

double quantile(std::vector<double> values, double fraction) {
    if (values.empty())
        return 0;
    const auto at = static_cast<std::ptrdiff_t>(fraction * static_cast<double>(values.size() - 1) + 0.5);
    std::nth_element(values.begin(), values.begin() + at, values.end());
    return values[static_cast<size_t>(at)];
}

ProcessUsage usageOf(pid_t pid) {
    ProcessUsage usage;
    const std::string folder = "/proc/" + std::to_string(pid);
    std::ifstream stat(folder + "/stat");
    std::string line;
    std::getline(stat, line);
    // The name may hold spaces; behind it field 3 is first.
    std::istringstream fields(line.substr(std::min(line.rfind(')'), line.size() - 1) + 1));
    constexpr int kUserTime = 14;
    std::string skipped;
    for (int field = 3; field < kUserTime; ++field)
        fields >> skipped;
    double user = 0;
    double system = 0;
    double childrenUser = 0;
    double childrenSystem = 0;
    fields >> user >> system >> childrenUser >> childrenSystem;
    usage.userSeconds = ticks(user);
    usage.systemSeconds = ticks(system);
    usage.childrenSeconds = ticks(childrenUser + childrenSystem);
    std::ifstream status(folder + "/status");
    while (std::getline(status, line)) {
        constexpr double kKibibytes = 1024;
        if (line.starts_with("VmRSS:"))
            usage.residentMiB = std::atof(line.c_str() + 6) / kKibibytes;
        else if (line.starts_with("VmHWM:"))
            usage.peakResidentMiB = std::atof(line.c_str() + 6) / kKibibytes;
    }
    return usage;
}

double busySeconds() {
    std::ifstream stat("/proc/stat");
    std::string name;
    double user = 0;
    double nice = 0;
    double system = 0;
    double idle = 0;
    double wait = 0;
    double interrupts = 0;
    double softInterrupts = 0;
    stat >> name >> user >> nice >> system >> idle >> wait >> interrupts >> softInterrupts;
    return ticks(user + nice + system + interrupts + softInterrupts);
}

long cores() {
    return sysconf(_SC_NPROCESSORS_ONLN);
}

double medianSyncMs(const std::string& folder) {
    constexpr int kSyncs = 101;
    const std::string path = folder + "/synced";
    const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    static const char line[] = "{\"n\":1,\"t\":\"2026-11-30T14:05:09.123Z\",\"kind\":\"heartbeat\"}\n";
    std::vector<double> times;
    for (int i = 0; i < kSyncs && fd >= 0; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        if (write(fd, line, sizeof line - 1) < 0 || fdatasync(fd) != 0)
            break;
        times.push_back(
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
    }
    close(fd);
    unlink(path.c_str());
    return quantile(std::move(times), 0.5);
}

void printRow(const std::string& what, const std::string& seen, const std::string& reach, bool holds) {
    std::printf("ROW   %s\n  seen  %s\n  reach %s: %s\n", what.c_str(), seen.c_str(), reach.c_str(),
                holds ? "met" : "NOT MET");
    std::fflush(stdout);
}

void printMachine() {
    std::ifstream loads("/proc/loadavg");
    std::string load;
    loads >> load;
    std::printf("%ld cores, load average before: %s\n", cores(), load.c_str());
}

} // namespace trialdeck::benchmarks
