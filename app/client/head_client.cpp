// SPDX-License-Identifier: Apache-2.0
#include "app/client/head_client.h"

#include <algorithm>

namespace trialdeck::app::client {

bool HeadClient::can(std::string_view capability) const {
    return m_hello && std::find(m_hello->capabilities.begin(), m_hello->capabilities.end(), capability) !=
                          m_hello->capabilities.end();
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
