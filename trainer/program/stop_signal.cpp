// SPDX-License-Identifier: Apache-2.0
#include "trainer/program/stop_signal.h"

#include <csignal>

namespace trialdeck::trainer::program {

namespace {

std::atomic<bool> g_stop{false};
std::atomic<int> g_signal{SIGTERM};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "a signal handler may touch nothing else");

extern "C" void noteStop(int signal) {
    g_signal = signal;
    g_stop = true;
}

} // namespace

const std::atomic<bool>& watchStopSignals() {
    struct sigaction action = {};
    action.sa_handler = noteStop;
    action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
    sigemptyset(&action.sa_mask);
    sigaction(SIGTERM, &action, nullptr);
    sigaction(SIGINT, &action, nullptr);
    return g_stop;
}

int stopExitCode() {
    return 128 + g_signal;
}

} // namespace trialdeck::trainer::program
