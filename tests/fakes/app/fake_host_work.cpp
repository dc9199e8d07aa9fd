// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/app/fake_host_work.h"

namespace trialdeck::fakes {

using app::client::ForwardStatus;
using app::client::ForwardWish;

void FakeHostWork::beginForward(int number, const ForwardWish& wish) {
    std::string line = "forward " + std::to_string(number) + " ";
    switch (wish.what) {
    case ForwardWish::What::tensorboard:
        line += "tensorboard of " + wish.folder;
        break;
    case ForwardWish::What::jupyter:
        line += "jupyter";
        break;
    case ForwardWish::What::ray_dashboard:
        line += "ray";
        break;
    case ForwardWish::What::port:
        line += wish.host + ":" + std::to_string(wish.port);
        break;
    }
    if (wish.localPort != 0)
        line += " at " + std::to_string(wish.localPort);
    m_asked.push_back(std::move(line));
}

void FakeHostWork::endForward(int number) {
    m_asked.push_back("close " + std::to_string(number));
}

void FakeHostWork::beginCommand(const std::string& line) {
    m_asked.push_back("run " + line);
}

void FakeHostWork::beginSync(const transport::SyncRequest& request, app::client::SyncStatus::Repeat repeat) {
    std::string line = request.direction == transport::SyncDirection::up ? "sync up " : "sync down ";
    line += request.local.native() + " " + request.remote;
    for (const std::string& pattern : request.exclude)
        line += " without " + pattern;
    if (request.removeExtra)
        line += " removing";
    if (request.dryRun)
        line += " dry";
    if (repeat == app::client::SyncStatus::Repeat::on_change)
        line += " on change";
    m_asked.push_back(std::move(line));
}

ForwardStatus FakeHostWork::statusOf(int number) const {
    for (const ForwardStatus& each : forwards()) {
        if (each.number == number)
            return each;
    }
    return {};
}

void FakeHostWork::open(int number, uint16_t localPort, const std::string& address) {
    ForwardStatus status = statusOf(number);
    status.state = ForwardStatus::State::open;
    status.localPort = localPort;
    status.address = address;
    takeForward(status);
}

void FakeHostWork::fail(int number, Error error) {
    ForwardStatus status = statusOf(number);
    status.state = ForwardStatus::State::failed;
    status.error = std::move(error);
    takeForward(status);
}

} // namespace trialdeck::fakes
