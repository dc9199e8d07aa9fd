// SPDX-License-Identifier: Apache-2.0
#include "core/client/calls.h"

namespace trialdeck::client {

Expected<void> Calls::onResponse(protocol::Response response) {
    const auto entry = m_calls.find(response.id);
    if (entry == m_calls.end())
        return {};
    auto whole = entry->second.parts.add(std::move(response));
    if (!whole)
        return tl::make_unexpected(
            std::move(whole).error().during("read the answer to " + entry->second.method));
    if (*whole)
        answer(entry, std::move(**whole));
    return {};
}

void Calls::onError(protocol::ErrorResponse response) {
    const auto entry = m_calls.find(response.id);
    if (entry != m_calls.end())
        answer(entry, tl::make_unexpected(std::move(response.error)));
}

void Calls::onLost() {
    std::erase_if(m_calls, [](const auto& entry) { return entry.second.ofSession; });
    for (auto& entry : m_calls)
        entry.second.parts = {};
}

std::vector<std::string> Calls::onConnected(const std::string& instance) {
    std::vector<std::string> again;
    std::vector<protocol::RequestId> lost;
    for (auto& [id, call] : m_calls) {
        if (call.ofSession)
            continue;
        if (call.kind == protocol::RequestKind::read || call.instance == instance) {
            call.instance = instance;
            again.push_back(call.payload);
        } else {
            lost.push_back(id);
        }
    }
    for (const protocol::RequestId id : lost) {
        if (const auto entry = m_calls.find(id); entry != m_calls.end())
            answer(entry, tl::make_unexpected(unknownOutcome(entry->second)));
    }
    return again;
}

void Calls::giveUp() {
    auto all = std::exchange(m_calls, {});
    for (auto& entry : all) {
        Call& call = entry.second;
        if (call.kind == protocol::RequestKind::command)
            call.answered(tl::make_unexpected(unknownOutcome(call)));
        else
            call.answered(base::fail(ErrorCode::connection_lost, {{"method", call.method}},
                                     "no answer before the line was lost"));
    }
}

void Calls::cancel() {
    auto all = std::exchange(m_calls, {});
    for (auto& entry : all)
        entry.second.answered(base::fail(ErrorCode::cancelled, {{"method", entry.second.method}}));
}

Error Calls::unknownOutcome(const Call& call) {
    return Error{
        ErrorCode::command_unknown_outcome, {{"method", call.method}}, "the line was lost before the answer"};
}

void Calls::answer(std::map<protocol::RequestId, Call>::iterator entry, Expected<Object> result) {
    const Answered answered = std::move(entry->second.answered);
    m_calls.erase(entry);
    answered(std::move(result));
}

} // namespace trialdeck::client
