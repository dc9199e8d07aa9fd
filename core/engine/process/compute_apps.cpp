// SPDX-License-Identifier: Apache-2.0
#include "core/engine/process/compute_apps.h"

#include "core/base/process.h"

#include <array>
#include <asio/io_context.hpp>
#include <asio/posix/stream_descriptor.hpp>
#include <asio/steady_timer.hpp>
#include <charconv>
#include <fcntl.h>
#include <unistd.h>

namespace trialdeck::engine::process {

struct ComputeAppWatch::State : std::enable_shared_from_this<ComputeAppWatch::State> {
    State(ProcessServices& shared, std::chrono::milliseconds period, OnAnswer tell)
        : services(shared), every(period), onAnswer(std::move(tell)), pipe(shared.loop), timer(shared.loop) {}

    void ask();
    void receive();
    void waitToAsk();

    ProcessServices& services;
    std::chrono::milliseconds every;
    OnAnswer onAnswer;
    asio::posix::stream_descriptor pipe;
    asio::steady_timer timer;
    std::array<char, 4096> buffer{};
    std::string answer;
    bool closed = false;
};

void ComputeAppWatch::State::ask() {
    answer.clear();
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        waitToAsk();
        return;
    }
    pipe.assign(ends[0]);
    const base::UniqueFd writeEnd(ends[1]);
    base::SpawnOptions options;
    options.command = {"nvidia-smi", "--query-compute-apps=gpu_uuid,pid", "--format=csv,noheader"};
    options.environment = base::currentEnvironment();
    options.descriptors = {{writeEnd.get(), 1}};
    if (const auto pid = base::spawn(options))
        services.children.insert(*pid);
    receive();
}

void ComputeAppWatch::State::receive() {
    pipe.async_read_some(asio::buffer(buffer),
                         [self = shared_from_this()](const asio::error_code& error, size_t count) {
                             if (self->closed)
                                 return;
                             constexpr size_t kMostBytes = size_t{1} << 20;
                             self->answer.append(self->buffer.data(), count);
                             if (!error && self->answer.size() < kMostBytes) {
                                 self->receive();
                                 return;
                             }
                             asio::error_code ignored;
                             self->pipe.close(ignored);
                             self->onAnswer(parseComputeApps(self->answer));
                             self->waitToAsk();
                         });
}

void ComputeAppWatch::State::waitToAsk() {
    timer.expires_after(every);
    timer.async_wait([self = shared_from_this()](const asio::error_code& error) {
        if (!error && !self->closed)
            self->ask();
    });
}

ComputeAppWatch::ComputeAppWatch(ProcessServices& services, std::chrono::milliseconds every,
                                 OnAnswer onAnswer)
    : m_state(std::make_shared<State>(services, every, std::move(onAnswer))) {
    m_state->ask();
}

ComputeAppWatch::~ComputeAppWatch() {
    m_state->closed = true;
    asio::error_code ignored;
    m_state->pipe.close(ignored);
    m_state->timer.cancel();
}

std::vector<ComputeApp> parseComputeApps(std::string_view text) {
    std::vector<ComputeApp> apps;
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const size_t comma = line.find(',');
        const size_t digits =
            comma == std::string_view::npos ? comma : line.find_first_not_of(' ', comma + 1);
        if (digits == std::string_view::npos || line.find("GPU-") != 0)
            continue;
        ComputeApp app{std::string(line.substr(0, comma)), 0};
        // Out of reach ("[N/A]", another pid namespace) it is still somebody's.
        std::from_chars(line.data() + digits, line.data() + line.size(), app.pid);
        apps.push_back(std::move(app));
    }
    return apps;
}

} // namespace trialdeck::engine::process
