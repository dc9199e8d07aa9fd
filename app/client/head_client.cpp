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

void HeadClient::answerPrompt(int number, std::optional<std::string> answer, Remember remember) {
    if (m_secrets && remember == Remember::yes && answer) {
        for (const AskedPrompt& asked : m_prompts) {
            if (asked.number == number)
                m_secrets->keep(asked.prompt, *answer);
        }
    }
    sendAnswer(number, std::move(answer));
    base::wipe(answer);
    dropPrompt(number);
}

void HeadClient::setKeychain(Keychain& keychain) {
    const auto answer = [this](int number, const std::string& secret) {
        sendAnswer(number, secret);
        dropPrompt(number);
    };
    const auto ask = [this](AskedPrompt asked) { showPrompt(std::move(asked)); };
    m_secrets = std::make_unique<RememberedSecrets>(keychain, RememberedSecrets::Hooks{answer, ask});
}

void HeadClient::takePrompt(int number, const transport::Prompt& prompt) {
    if (m_secrets)
        m_secrets->take(number, prompt);
    else
        showPrompt({number, prompt, false});
}

void HeadClient::showPrompt(AskedPrompt asked) {
    m_prompts.push_back(std::move(asked));
    emit promptAsked(m_prompts.back().number, m_prompts.back().prompt);
}

void HeadClient::dropPrompt(int number) {
    if (m_secrets)
        m_secrets->close(number);
    if (std::erase_if(m_prompts, [number](const AskedPrompt& asked) { return asked.number == number; }) > 0)
        emit promptWithdrawn(number);
}

void HeadClient::setStatus(LinkStatus status) {
    m_status = std::move(status);
    if (m_secrets && m_status.state == LinkStatus::State::connected)
        m_secrets->confirm();
    else if (m_secrets && !m_status.isTrying)
        m_secrets->drop();
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
    const bool isIn = std::any_of(m_steps.begin(), m_steps.end(), [](const transport::StepState& step) {
        return step.step == transport::ConnectionStep::login && step.phase == transport::StepPhase::done;
    });
    if (m_secrets && isIn)
        m_secrets->confirm();
    emit stepsChanged();
}

} // namespace trialdeck::app::client
