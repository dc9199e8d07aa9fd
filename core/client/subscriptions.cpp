// SPDX-License-Identifier: Apache-2.0
#include "core/client/subscriptions.h"

#include <algorithm>
#include <cassert>

namespace trialdeck::client {

namespace {

/// A session that ended takes its requests with it; the next one asks again.
bool isLost(const Error& error) {
    return error.code == ErrorCode::connection_lost || error.code == ErrorCode::cancelled;
}

template<typename Kind>
std::vector<uint64_t> numbersOf(const std::map<uint64_t, Kind>& all) {
    std::vector<uint64_t> numbers;
    numbers.reserve(all.size());
    for (const auto& entry : all)
        numbers.push_back(entry.first);
    return numbers;
}

} // namespace

template<typename Kind>
Kind* Subscriptions::waiting(std::map<Number, Kind>& all, Number number, uint64_t round) {
    const auto entry = all.find(number);
    return entry != all.end() && entry->second.standing.round == round ? &entry->second : nullptr;
}

template<typename Message, typename Take>
void Subscriptions::handle(protocol::Event event, const Take& take) {
    auto message = protocol::decode<Message>(std::move(event.data));
    if (message)
        take(std::move(*message));
    else
        m_log.warning("client",
                      base::describe(std::move(message).error().during("read the event " + event.name)));
}

Subscriptions::Number Subscriptions::followRecords(ExperimentId experiment, protocol::Cursor cursor,
                                                   RecordsListener& listener) {
    assert(std::none_of(m_records.begin(), m_records.end(),
                        [&experiment](const auto& entry) { return entry.second.experiment == experiment; }));
    const Number number = ++m_last;
    m_records[number] = Records{std::move(experiment), cursor, &listener, {}, {}};
    if (m_connected)
        beginRecords(number);
    return number;
}

Subscriptions::Number Subscriptions::followState(StateListener& listener) {
    assert(m_states.empty());
    const Number number = ++m_last;
    m_states[number] = State{&listener, {}};
    if (m_connected)
        beginState(number);
    return number;
}

Subscriptions::Number Subscriptions::followLog(protocol::LogAddress address, uint64_t offset,
                                               LogListener& listener) {
    assert(std::none_of(m_logs.begin(), m_logs.end(),
                        [&address](const auto& entry) { return entry.second.address == address; }));
    const Number number = ++m_last;
    m_logs[number] = Log{std::move(address), offset, &listener, {}};
    if (m_connected)
        beginLog(number);
    return number;
}

void Subscriptions::end(Number number) {
    m_states.erase(number);
    if (const auto entry = m_records.find(number); entry != m_records.end()) {
        protocol::RecordsUnsubscribeRequest request{entry->second.experiment};
        m_records.erase(entry);
        if (m_connected)
            m_requests.ask(std::move(request), [](const auto&) {});
    }
    if (const auto entry = m_logs.find(number); entry != m_logs.end()) {
        protocol::LogUnsubscribeRequest request{entry->second.address};
        m_logs.erase(entry);
        if (m_connected)
            m_requests.ask(std::move(request), [](const auto&) {});
    }
}

void Subscriptions::clear() {
    m_records.clear();
    m_states.clear();
    m_logs.clear();
}

void Subscriptions::onConnected(Line line) {
    m_connected = true;
    m_line = line;
    for (const Number number : numbersOf(m_states))
        beginState(number);
    for (const Number number : numbersOf(m_records))
        beginRecords(number);
    for (const Number number : numbersOf(m_logs))
        beginLog(number);
}

void Subscriptions::onLost() {
    m_connected = false;
    for (auto& entry : m_states)
        entry.second.standing = {};
    for (auto& entry : m_records)
        entry.second.standing = {};
    for (auto& entry : m_logs)
        entry.second.standing = {};
}

void Subscriptions::beginState(Number number) {
    State& state = m_states.at(number);
    state.standing = {false, ++m_rounds};
    m_requests.ask(protocol::StateSubscribeRequest{},
                   [this, number, round = m_rounds](const Expected<protocol::StateSubscribeResult>& result) {
                       State* subscription = waiting(m_states, number, round);
                       if (!subscription || (!result && isLost(result.error())))
                           return;
                       subscription->standing.live = result.has_value();
                       if (result)
                           subscription->listener->onState(*result);
                       else
                           subscription->listener->onRefused(result.error());
                   });
}

void Subscriptions::beginRecords(Number number) {
    Records& records = m_records.at(number);
    records.standing = {false, ++m_rounds};
    records.pieces.clear();
    m_requests.ask(
        protocol::RecordsSubscribeRequest{records.experiment, records.cursor, m_line == Line::network},
        [this, number, round = m_rounds](const Expected<protocol::RecordsSubscribeResult>& result) {
            Records* subscription = waiting(m_records, number, round);
            if (!subscription || (!result && isLost(result.error())))
                return;
            if (result)
                onSubscribed(number, *result);
            else
                subscription->listener->onRefused(result.error());
        });
}

void Subscriptions::onSubscribed(Number number, const protocol::RecordsSubscribeResult& result) {
    Records* subscription = &m_records.at(number);
    const bool rolledBack = result.from.number < subscription->cursor.number;
    subscription->cursor = result.from;
    if (rolledBack) {
        const protocol::Cursor wanted = subscription->listener->onRollback(result.from);
        const auto entry = m_records.find(number);
        if (entry == m_records.end())
            return;
        subscription = &entry->second;
        if (wanted.number < result.from.number) {
            subscription->cursor = wanted;
            if (m_connected)
                beginRecords(number);
            return;
        }
    }
    subscription->standing.live = true;
    subscription->listener->onSubscribed(result);
}

void Subscriptions::beginLog(Number number) {
    Log& log = m_logs.at(number);
    log.standing = {false, ++m_rounds};
    m_requests.ask(protocol::LogSubscribeRequest{log.address, log.offset},
                   [this, number, round = m_rounds](const Expected<protocol::EmptyResult>& result) {
                       Log* subscription = waiting(m_logs, number, round);
                       if (!subscription || (!result && isLost(result.error())))
                           return;
                       subscription->standing.live = result.has_value();
                       if (!result)
                           subscription->listener->onRefused(result.error());
                   });
}

bool Subscriptions::onEvent(protocol::Event event) {
    if (event.name == protocol::RecordsEvent::kEvent)
        handle<protocol::RecordsEvent>(std::move(event),
                                       [this](auto message) { onRecords(std::move(message)); });
    else if (event.name == protocol::LogEvent::kEvent)
        handle<protocol::LogEvent>(std::move(event), [this](auto message) { onLog(std::move(message)); });
    else if (event.name == protocol::ExperimentChangedEvent::kEvent)
        handle<protocol::ExperimentChangedEvent>(std::move(event), [this](const auto& message) {
            if (!m_states.empty() && m_states.begin()->second.standing.live)
                m_states.begin()->second.listener->onExperimentChanged(message.summary);
        });
    else if (event.name == protocol::NodeChangedEvent::kEvent)
        handle<protocol::NodeChangedEvent>(std::move(event), [this](const auto& message) {
            if (!m_states.empty() && m_states.begin()->second.standing.live)
                m_states.begin()->second.listener->onNodeChanged(message.node);
        });
    else
        return false;
    return true;
}

void Subscriptions::onRecords(protocol::RecordsEvent event) {
    const auto entry = std::find_if(m_records.begin(), m_records.end(), [&event](const auto& candidate) {
        return candidate.second.experiment == event.experiment;
    });
    if (entry == m_records.end() || !entry->second.standing.live)
        return;
    Records& records = entry->second;
    if (event.last <= records.cursor.number)
        return;
    if (event.first.raw() != records.cursor.number.raw() + 1) {
        m_log.warning("client", "records " + std::to_string(event.first.raw()) + " came behind " +
                                    std::to_string(records.cursor.number.raw()) + ": asking again");
        beginRecords(entry->first);
        return;
    }
    if (const auto unpacked = protocol::unpackRecords(event); !unpacked) {
        m_log.warning("client", base::describe(unpacked.error()));
        beginRecords(entry->first);
        return;
    }
    if (event.more) {
        records.pieces += event.lines.data;
        if (records.pieces.size() > protocol::kMaxEventBytes)
            beginRecords(entry->first);
        return;
    }
    if (!records.pieces.empty())
        event.lines.data.insert(0, std::exchange(records.pieces, {}));
    records.cursor = {event.epoch, event.last};
    records.listener->onRecords(event);
}

void Subscriptions::onLog(protocol::LogEvent event) {
    const auto entry = std::find_if(m_logs.begin(), m_logs.end(), [&event](const auto& candidate) {
        return candidate.second.address == event.address;
    });
    if (entry == m_logs.end() || !entry->second.standing.live)
        return;
    Log& log = entry->second;
    if (event.offset < log.offset) {
        const uint64_t known = std::min<uint64_t>(log.offset - event.offset, event.data.data.size());
        event.data.data.erase(0, static_cast<size_t>(known));
        event.offset += known;
    }
    if (event.data.data.empty() && !event.complete)
        return;
    log.offset = event.offset + event.data.data.size();
    log.listener->onLog(event);
}

} // namespace trialdeck::client
