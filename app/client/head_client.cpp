// SPDX-License-Identifier: Apache-2.0
#include "app/client/head_client.h"

#include "core/base/wipe.h"

#include <algorithm>

namespace trialdeck::app::client {

bool HeadClient::can(std::string_view capability) const {
    return m_hello && std::find(m_hello->capabilities.begin(), m_hello->capabilities.end(), capability) !=
                          m_hello->capabilities.end();
}

void HeadClient::setName(const QString& name) {
    m_name = name;
    emit nameChanged();
}

void HeadClient::answerPrompt(int number, std::optional<std::string> answer) {
    sendAnswer(number, std::move(answer));
    base::wipe(answer);
    dropPrompt(number);
}

void HeadClient::takePrompt(int number, const transport::Prompt& prompt) {
    m_prompts.push_back({number, prompt});
    emit promptAsked(number, prompt);
}

void HeadClient::dropPrompt(int number) {
    if (std::erase_if(m_prompts, [number](const AskedPrompt& asked) { return asked.number == number; }) > 0)
        emit promptWithdrawn(number);
}

void HeadClient::setStatus(LinkStatus status) {
    m_status = std::move(status);
    emit statusChanged(m_status);
}

void HeadClient::setHello(protocol::HelloResult hello) {
    m_hello = std::move(hello);
    emit helloReceived(*m_hello);
}

void HeadClient::setSteps(std::vector<transport::StepState> steps) {
    if (steps == m_steps)
        return;
    m_steps = std::move(steps);
    emit stepsChanged();
}

} // namespace trialdeck::app::client
