// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/app/fake_head_client.h"

#include <QTimer>

namespace trialdeck::fakes {

using app::client::AnyRequest;
using app::client::LinkStatus;

namespace {

template<typename Request>
std::string textOf(const Request& request) {
    std::string text(Request::kMethod);
    if constexpr (requires { request.experiment; })
        text += " " + request.experiment.raw().substr(0, 4);
    if constexpr (requires { request.trial; }) {
        if (request.trial)
            text += " trial " + std::to_string(request.trial->raw());
    }
    return text;
}

LinkStatus statusOf(LinkStatus::State state, base::WallTime since, Error error) {
    LinkStatus status;
    status.state = state;
    status.since = since;
    status.error = std::move(error);
    return status;
}

} // namespace

FakeHeadClient::FakeHeadClient(const QString& name, QObject* parent) : HeadClient(name, parent) {}

void FakeHeadClient::start() {
    m_started = true;
    protocol::HelloResult hello;
    hello.headVersion = "0.1.0";
    hello.host = "node-1";
    hello.home = "/data/ada/.trialdeck";
    hello.capabilities = m_capabilities;
    setHello(hello);
    LinkStatus connected;
    connected.state = LinkStatus::State::connected;
    setStatus(connected);
    protocol::StateSubscribeResult state;
    for (const ReplayedExperiment& experiment : m_experiments)
        state.experiments.push_back(experiment.summary);
    protocol::NodeState node;
    node.name = "node-1";
    node.cpus = node.machineCpus = 2;
    node.cpusUsed = 2;
    node.memoryBytes = uint64_t{16} << 30;
    state.nodes = {node};
    emit stateReceived(state);
}

void FakeHeadClient::reconnect() {
    m_asked.emplace_back("reconnect");
    start();
}

void FakeHeadClient::testAgain() {
    m_asked.emplace_back("test again");
}

void FakeHeadClient::hangUp() {
    m_asked.emplace_back("hang up");
    setStatus(LinkStatus{LinkStatus::State::closed, {}, {}, false, {}});
}

void FakeHeadClient::sendAnswer(int number, std::optional<std::string> answer) {
    m_asked.push_back("answer " + std::to_string(number) + " " + answer.value_or("-"));
}

void FakeHeadClient::beginTry() {
    LinkStatus connecting;
    connecting.isTrying = true;
    setStatus(connecting);
}

void FakeHeadClient::lose(base::WallTime since) {
    setStatus(statusOf(LinkStatus::State::lost, since, Error{ErrorCode::connection_lost, {}, "pipe closed"}));
}

void FakeHeadClient::end(base::WallTime since) {
    setStatus(statusOf(LinkStatus::State::ended, since, Error{ErrorCode::head_shut_down, {}, {}}));
}

void FakeHeadClient::fail(Error error) {
    setStatus(statusOf(LinkStatus::State::failed, {}, std::move(error)));
}

void FakeHeadClient::add(ReplayedExperiment experiment) {
    m_experiments.push_back(std::move(experiment));
    if (m_started)
        emit experimentChanged(m_experiments.back().summary);
}

void FakeHeadClient::changeSummary(const protocol::ExperimentSummary& summary) {
    for (ReplayedExperiment& experiment : m_experiments) {
        if (experiment.summary.experiment == summary.experiment)
            experiment.summary = summary;
    }
    emit experimentChanged(summary);
}

void FakeHeadClient::sendRecords(const ExperimentId& experiment,
                                 const std::vector<protocol::Record>& records) {
    emit recordsReceived(experiment, records);
}

const ReplayedExperiment* FakeHeadClient::find(const ExperimentId& experiment) const {
    for (const ReplayedExperiment& each : m_experiments) {
        if (each.summary.experiment == experiment)
            return &each;
    }
    return nullptr;
}

void FakeHeadClient::subscribeRecords(const ExperimentId& experiment) {
    m_subscriptions.push_back("records " + experiment.raw().substr(0, 4));
    QTimer::singleShot(0, this, [this, experiment] {
        if (const ReplayedExperiment* found = find(experiment))
            emit recordsReceived(experiment, found->records);
    });
}

void FakeHeadClient::unsubscribeRecords(const ExperimentId& experiment) {
    m_subscriptions.push_back("no records " + experiment.raw().substr(0, 4));
}

void FakeHeadClient::subscribeLog(const protocol::LogAddress& address, uint64_t offset) {
    m_subscriptions.push_back("log trial " + std::to_string(address.trial.raw()) + " " +
                              std::string(protocol::nameOf(address.stream)));
    QTimer::singleShot(0, this, [this, address, offset] {
        protocol::LogEvent event;
        event.address = address;
        event.offset = offset;
        if (address.stream == protocol::OutputStream::standardOutput)
            event.data.data = m_log.substr(std::min<size_t>(offset, m_log.size()));
        emit logReceived(event);
    });
}

void FakeHeadClient::unsubscribeLog(const protocol::LogAddress& address) {
    m_subscriptions.push_back("no log trial " + std::to_string(address.trial.raw()));
}

void FakeHeadClient::send(AnyRequest request, AnyAnswer answer) {
    std::string method;
    std::visit(
        [&](const auto& each) {
            m_asked.push_back(textOf(each));
            method = each.kMethod;
        },
        request);
    Expected<std::any> result = answerFor(request);
    if (const auto given = m_answers.find(method); given != m_answers.end()) {
        result = given->second;
        m_answers.erase(given);
    }
    QTimer::singleShot(0, this, [answer = std::move(answer), result = std::move(result)] { answer(result); });
}

Expected<std::any> FakeHeadClient::answerFor(const AnyRequest& request) const {
    if (const auto* show = std::get_if<protocol::ExperimentShowRequest>(&request)) {
        const ReplayedExperiment* found = find(show->experiment);
        if (!found)
            return base::fail(ErrorCode::experiment_not_found);
        return std::any(found->shown);
    }
    if (const auto* create = std::get_if<protocol::ExperimentCreateRequest>(&request)) {
        protocol::ExperimentCreateResult result;
        if (!m_experiments.empty() && !create->yaml.empty())
            result.experiment = m_experiments.front().summary.experiment;
        return std::any(result);
    }
    if (std::holds_alternative<protocol::WorkAtRiskRequest>(request)) {
        protocol::WorkAtRiskResult result;
        result.runningTrials = 2;
        result.runningSeconds = 2460;
        result.lostSeconds = 180;
        return std::any(result);
    }
    if (const auto* list = std::get_if<protocol::FilesListRequest>(&request)) {
        protocol::FilesListResult result;
        if (list->path.empty())
            result.entries = {
                {"experiment.yaml", false, 742, {}}, {"journal", true, 0, {}}, {"trial_00000", true, 0, {}}};
        else
            result.entries = {{"result.json", false, 5120, {}}};
        return std::any(result);
    }
    return std::visit(
        [](const auto& each) -> Expected<std::any> {
            return std::any(typename std::decay_t<decltype(each)>::Result());
        },
        request);
}

} // namespace trialdeck::fakes
