// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/prompts.h"

#include <deque>
#include <string>
#include <vector>

namespace trialdeck::tests {

/// A person who answers from a list and gives up behind its end. What was asked is kept, a line each:
/// "host_key ED25519 SHA256:…", "password anna lab", "passphrase /…/id_locked", "interactive anna Code:",
/// with " again" behind it where the answer before was refused.
class ScriptedPrompts final : public transport::Prompts {
public:
    explicit ScriptedPrompts(std::deque<std::string> answers = {}) : m_answers(std::move(answers)) {}

    void ask(const transport::Prompt& prompt,
             std::function<void(std::optional<std::string>)> answer) override {
        asked.push_back(described(prompt));
        if (m_answers.empty()) {
            answer(std::nullopt);
            return;
        }
        std::string next = std::move(m_answers.front());
        m_answers.pop_front();
        answer(std::move(next));
    }
    void withdraw() override { ++withdrawn; }

    std::vector<std::string> asked;
    int withdrawn = 0;

private:
    static std::string described(const transport::Prompt& prompt) {
        std::string told;
        switch (prompt.kind) {
        case transport::Prompt::Kind::host_key:
            told = "host_key " + prompt.keyType + " " + prompt.fingerprint;
            break;
        case transport::Prompt::Kind::password:
            told = "password " + prompt.user + " " + prompt.host;
            break;
        case transport::Prompt::Kind::passphrase:
            told = "passphrase " + prompt.text;
            break;
        case transport::Prompt::Kind::interactive:
            told = "interactive " + prompt.user + " " + prompt.text;
            break;
        }
        return told + (prompt.again ? " again" : "");
    }

    std::deque<std::string> m_answers;
};

} // namespace trialdeck::tests
