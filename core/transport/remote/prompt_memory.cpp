// SPDX-License-Identifier: Apache-2.0
#include "core/transport/remote/prompt_memory.h"

#include "core/base/wipe.h"
#include "core/base/words.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>

namespace trialdeck::transport {

namespace {

using Subject = std::tuple<Prompt::Kind, std::string, std::string, std::string>;

Subject subjectOf(const Prompt& prompt) {
    const bool isPassword = prompt.kind == Prompt::Kind::password;
    return {prompt.kind, prompt.user, prompt.host, isPassword ? std::string() : prompt.text};
}

/// Hosts that ask for the password in a dialog of their own word it in few ways.
bool asksForPassword(std::string_view text) {
    while (!text.empty() && (text.back() == ' ' || text.back() == ':'))
        text.remove_suffix(1);
    constexpr std::string_view kWideColon = "：";
    if (text.size() >= kWideColon.size() && text.substr(text.size() - kWideColon.size()) == kWideColon)
        text.remove_suffix(kWideColon.size());
    constexpr std::array<std::string_view, 4> kWords = {"password", "密码", "密碼", "口令"};
    const std::string lower = base::lowerCase(text);
    return std::find(kWords.begin(), kWords.end(), lower) != kWords.end();
}

bool isKept(const Prompt& prompt) {
    switch (prompt.kind) {
    case Prompt::Kind::password:
    case Prompt::Kind::passphrase:
        return true;
    case Prompt::Kind::interactive:
        return !prompt.echo && asksForPassword(prompt.text);
    case Prompt::Kind::host_key:
        break;
    }
    return false;
}

} // namespace

/// Shared with the questions that are open.
class PromptMemory::Answers {
public:
    Answers() = default;
    ~Answers() {
        for (auto& [subject, answer] : m_known)
            base::wipe(answer);
    }
    Answers(const Answers&) = delete;
    Answers& operator=(const Answers&) = delete;

    [[nodiscard]] std::optional<std::string> find(const Subject& subject) const {
        const auto known = m_known.find(subject);
        return known == m_known.end() ? std::nullopt : std::optional(known->second);
    }
    void keep(const Subject& subject, const std::string& answer) {
        forget(subject);
        m_known[subject] = answer;
    }
    void forget(const Subject& subject) {
        const auto known = m_known.find(subject);
        if (known == m_known.end())
            return;
        base::wipe(known->second);
        m_known.erase(known);
    }

private:
    std::map<Subject, std::string> m_known;
};

PromptMemory::PromptMemory(Prompts& person) : m_person(person), m_answers(std::make_shared<Answers>()) {}

PromptMemory::~PromptMemory() = default;

void PromptMemory::ask(const Prompt& prompt, std::function<void(std::optional<std::string>)> answer) {
    if (!isKept(prompt)) {
        m_person.ask(prompt, std::move(answer));
        return;
    }
    const Subject subject = subjectOf(prompt);
    if (prompt.again) {
        m_answers->forget(subject);
    } else if (auto known = m_answers->find(subject)) {
        answer(std::move(known));
        return;
    }
    m_person.ask(prompt, [subject, answer = std::move(answer),
                          weak = std::weak_ptr(m_answers)](std::optional<std::string> said) {
        if (const auto answers = weak.lock(); answers && said)
            answers->keep(subject, *said);
        answer(std::move(said));
    });
}

} // namespace trialdeck::transport
