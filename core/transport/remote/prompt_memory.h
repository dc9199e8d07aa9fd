// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/prompts.h"

#include <map>
#include <memory>

namespace trialdeck::transport {

/// Answers again what was answered before, so that a line that comes back asks nobody: passwords and
/// passphrases, for as long as this object lives, in memory alone. Second factors are good once and are not
/// kept; an answer that was refused is forgotten and asked for anew. Owned by a composition root; on the
/// transport's loop.
class PromptMemory final : public Prompts {
public:
    /// @param person  outlives the memory
    explicit PromptMemory(Prompts& person);
    ~PromptMemory() override;
    PromptMemory(const PromptMemory&) = delete;
    PromptMemory& operator=(const PromptMemory&) = delete;

    void ask(const Prompt& prompt, std::function<void(std::optional<std::string>)> answer) override;
    void withdraw() override { m_person.withdraw(); }

private:
    class Answers;
    Prompts& m_person;
    std::shared_ptr<Answers> m_answers;
};

} // namespace trialdeck::transport
