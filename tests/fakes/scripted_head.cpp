// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/scripted_head.h"

#include "core/client/session.h"
#include "tests/support/memory_channel.h"

#include <algorithm>
#include <asio/this_coro.hpp>

namespace trialdeck::tests {

namespace {

template<typename Request>
Expected<Request> paramsOf(const protocol::Request& request) {
    return protocol::decode<Request>(request.params);
}

class ChattyChannel final : public transport::FrameChannel {
public:
    ChattyChannel(std::unique_ptr<FrameChannel> inner, transport::LoginChatter chatter)
        : m_inner(std::move(inner)), m_chatter(std::move(chatter)) {}
    asio::awaitable<Expected<std::string_view>> receive() override { return m_inner->receive(); }
    asio::awaitable<Expected<void>> send(std::string payload) override {
        return m_inner->send(std::move(payload));
    }
    void close() override { m_inner->close(); }
    transport::LoginChatter chatter() const override { return m_chatter; }

private:
    std::unique_ptr<FrameChannel> m_inner;
    transport::LoginChatter m_chatter;
};

} // namespace

class ScriptedHead::Way final : public transport::Transport {
public:
    explicit Way(ScriptedHead& head) : m_head(head) {}
    std::string destination() const override { return "scripted head"; }
    asio::awaitable<Expected<std::unique_ptr<transport::FrameChannel>>> connect() override {
        const auto executor = co_await asio::this_coro::executor;
        co_return m_head.open(executor);
    }
    void giveUp() override {}

private:
    ScriptedHead& m_head;
};

ScriptedHead::ScriptedHead(asio::io_context& loop) : m_loop(loop) {
    hello.headVersion = "0.1.0";
    hello.buildId = "build-1";
    hello.instance = "daemon-1";
    hello.host = "testhost";
}

ScriptedHead::~ScriptedHead() {
    cutLines();
}

std::unique_ptr<transport::Transport> ScriptedHead::transport() {
    return std::make_unique<Way>(*this);
}

Expected<std::unique_ptr<transport::FrameChannel>> ScriptedHead::open(const asio::any_io_executor& executor) {
    ++connections;
    if (!refusals.empty()) {
        const Error refusal = refusals.front();
        refusals.pop_front();
        return tl::make_unexpected(refusal);
    }
    auto [near, far] = makeMemoryChannels(executor);
    std::optional<Fault> fault;
    if (!faults.empty()) {
        fault = faults.front();
        faults.pop_front();
    }
    auto line = std::make_unique<Line>();
    line->session = std::make_shared<client::Session>(
        executor, std::move(far),
        [this, raw = line.get()](protocol::Envelope envelope) { onEnvelope(*raw, std::move(envelope)); });
    line->session->start();
    m_lines.push_back(std::move(line));
    std::unique_ptr<transport::FrameChannel> channel = makeFaultyChannel(std::move(near), fault, delays);
    if (chatter.bytes > 0)
        channel = std::make_unique<ChattyChannel>(std::move(channel), chatter);
    return channel;
}

void ScriptedHead::send(Line& line, protocol::Envelope envelope) {
    auto payload = protocol::encodeEnvelope(std::move(envelope));
    if (payload)
        line.session->send(std::move(*payload));
}

void ScriptedHead::onEnvelope(Line& line, protocol::Envelope envelope) {
    if (auto* request = std::get_if<protocol::Request>(&envelope))
        onRequest(line, std::move(*request));
}

void ScriptedHead::onRequest(Line& line, protocol::Request request) {
    asked.push_back(request.method);
    if (std::find(m_ignored.begin(), m_ignored.end(), request.method) != m_ignored.end())
        return;
    auto result = answer(line, request);
    if (!result) {
        send(line, protocol::ErrorResponse{request.id, std::move(result).error()});
        return;
    }
    auto parts = protocol::PartsWriter::create(request.id, std::move(*result));
    while (auto payload = parts->next())
        line.session->send(std::move(*payload));
    pushRecords(line);
    pushLogs(line);
}

Expected<Object> ScriptedHead::answer(Line& line, const protocol::Request& request) {
    const auto handler = m_handlers.find(request.method);
    if (handler == m_handlers.end())
        return answerFromScript(line, request);
    if (handler->second.kind == protocol::RequestKind::read)
        return handler->second.answer(request.params);
    const protocol::CommandLedger::Key key{line.clientId, request.id};
    const auto known = m_ledger.begin(key, m_clock.steadyNow());
    if (const auto* outcome = std::get_if<protocol::CommandLedger::Outcome>(&known))
        return *outcome;
    auto outcome = handler->second.answer(request.params);
    m_ledger.finish(key, outcome, m_clock.steadyNow());
    return outcome;
}

Expected<Object> ScriptedHead::answerFromScript(Line& line, const protocol::Request& request) {
    if (request.method == protocol::HelloRequest::kMethod) {
        const auto params = paramsOf<protocol::HelloRequest>(request);
        line.clientId = params->clientId;
        return protocol::encode(hello);
    }
    if (request.method == protocol::StateSubscribeRequest::kMethod ||
        request.method == protocol::StateReadRequest::kMethod) {
        line.followsState = request.method == protocol::StateSubscribeRequest::kMethod;
        return protocol::encode(state);
    }
    if (request.method == protocol::RecordsSubscribeRequest::kMethod) {
        auto result = subscribe(line, *paramsOf<protocol::RecordsSubscribeRequest>(request));
        if (!result)
            return tl::make_unexpected(std::move(result).error());
        return protocol::encode(std::move(*result));
    }
    if (request.method == protocol::RecordsUnsubscribeRequest::kMethod) {
        line.records.erase(paramsOf<protocol::RecordsUnsubscribeRequest>(request)->experiment);
        return Object{};
    }
    if (request.method == protocol::LogSubscribeRequest::kMethod) {
        const auto params = paramsOf<protocol::LogSubscribeRequest>(request);
        line.logs.emplace_back(params->address, params->offset);
        return Object{};
    }
    if (request.method == protocol::LogUnsubscribeRequest::kMethod) {
        const auto params = paramsOf<protocol::LogUnsubscribeRequest>(request);
        std::erase_if(line.logs, [&params](const auto& log) { return log.first == params->address; });
        return Object{};
    }
    return base::fail(ErrorCode::unknown_method, {{"method", request.method}});
}

Expected<protocol::RecordsSubscribeResult>
ScriptedHead::subscribe(Line& line, const protocol::RecordsSubscribeRequest& request) {
    subscribedCursors.push_back(request.cursor);
    const auto found = m_journals.find(request.experiment);
    if (found == m_journals.end())
        return base::fail(ErrorCode::experiment_not_found, {{"experiment", request.experiment.raw()}});
    const Journal& journal = found->second;
    size_t from = std::min(static_cast<size_t>(request.cursor.number.raw()), journal.lines.size());
    if (const auto end = journal.ends.find(request.cursor.epoch); end != journal.ends.end())
        from = std::min(from, end->second);
    line.records[request.experiment] = from;
    protocol::RecordsSubscribeResult result;
    result.epoch = m_epoch;
    result.from = {request.cursor.epoch, RecordNumber(from)};
    result.last = RecordNumber(journal.lines.size());
    return result;
}

void ScriptedHead::pushRecords(Line& line) {
    for (auto& [experiment, sent] : line.records) {
        const std::vector<std::string>& lines = m_journals[experiment].lines;
        while (sent < lines.size()) {
            const size_t count = std::min(recordsPerEvent, lines.size() - sent);
            protocol::RecordsEvent event;
            event.experiment = experiment;
            event.epoch = m_epoch;
            event.first = RecordNumber(sent + 1);
            event.last = RecordNumber(sent + count);
            for (size_t i = 0; i < count; ++i)
                event.lines.data += lines[sent + i] + "\n";
            sent += count;
            for (protocol::RecordsEvent& piece : protocol::splitRecords(std::move(event)))
                send(line, protocol::eventOf(std::move(piece)));
        }
    }
}

void ScriptedHead::pushLogs(Line& line) {
    for (auto& [address, sent] : line.logs) {
        for (const auto& [known, bytes] : m_logs) {
            if (!(known == address) || sent >= bytes.size())
                continue;
            protocol::LogEvent event;
            event.address = address;
            event.offset = sent;
            event.data.data = bytes.substr(sent);
            event.complete = std::find(m_endedLogs.begin(), m_endedLogs.end(), address) != m_endedLogs.end();
            sent = bytes.size();
            send(line, protocol::eventOf(std::move(event)));
        }
    }
}

void ScriptedHead::appendRecord(const ExperimentId& experiment, std::string line) {
    m_journals[experiment].lines.push_back(std::move(line));
    for (const auto& each : m_lines)
        pushRecords(*each);
}

void ScriptedHead::appendLog(const protocol::LogAddress& address, std::string_view bytes) {
    const auto known = std::find_if(m_logs.begin(), m_logs.end(),
                                    [&address](const auto& log) { return log.first == address; });
    if (known != m_logs.end())
        known->second += bytes;
    else
        m_logs.emplace_back(address, bytes);
    for (const auto& each : m_lines)
        pushLogs(*each);
}

void ScriptedHead::endLog(const protocol::LogAddress& address) {
    m_endedLogs.push_back(address);
}

void ScriptedHead::broadcast(const protocol::Event& event) {
    for (const auto& line : m_lines)
        send(*line, event);
}

void ScriptedHead::sendGarbage(const std::string& payload) {
    for (const auto& line : m_lines)
        line->session->send(payload);
}

void ScriptedHead::cutLines() {
    for (const auto& line : m_lines) {
        line->session->close(Error{ErrorCode::connection_lost, {}, "cut by the test"});
        line->records.clear();
        line->logs.clear();
    }
}

void ScriptedHead::restart(size_t keptRecords) {
    cutLines();
    for (auto& entry : m_journals) {
        Journal& journal = entry.second;
        journal.lines.resize(std::min(journal.lines.size(), keptRecords));
        for (auto& end : journal.ends)
            end.second = std::min(end.second, journal.lines.size());
        journal.ends[m_epoch] = journal.lines.size();
    }
    m_epoch = protocol::Epoch(m_epoch.raw() + 1);
    m_ledger = {};
    hello.instance = "daemon-" + std::to_string(m_epoch.raw());
}

} // namespace trialdeck::tests
