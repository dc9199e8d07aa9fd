// SPDX-License-Identifier: Apache-2.0
#include "core/transport/connection_steps.h"

namespace trialdeck::transport {

std::string_view nameOf(ConnectionStep step) {
    switch (step) {
    case ConnectionStep::name:
        return "name";
    case ConnectionStep::tcp:
        return "tcp";
    case ConnectionStep::host_key:
        return "host_key";
    case ConnectionStep::login:
        return "login";
    case ConnectionStep::shell:
        return "shell";
    case ConnectionStep::home:
        return "home";
    case ConnectionStep::head:
        return "head";
    case ConnectionStep::version:
        return "version";
    }
    return {};
}

std::string_view nameOf(StepPhase phase) {
    switch (phase) {
    case StepPhase::running:
        return "running";
    case StepPhase::done:
        return "done";
    case StepPhase::failed:
        return "failed";
    }
    return {};
}

} // namespace trialdeck::transport
