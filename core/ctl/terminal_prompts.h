// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/prompts.h"

#include <memory>

namespace asio {
class io_context;
}

namespace trialdeck::ctl {

/// Asks at the terminal of this process, /dev/tty, so that questions and pipes do not mix. Where there is
/// none every question is given up. On the program's one loop, which goes on while somebody types.
class TerminalPrompts final : public transport::Prompts {
public:
    explicit TerminalPrompts(asio::io_context& loop);
    ~TerminalPrompts() override;

    void ask(const transport::Prompt& prompt,
             std::function<void(std::optional<std::string>)> answer) override;
    void withdraw() override;

private:
    class Question;
    asio::io_context& m_loop;
    std::shared_ptr<Question> m_question;
};

/// What is printed for a prompt, with a blank at its end.
[[nodiscard]] std::string questionText(const transport::Prompt& prompt);

} // namespace trialdeck::ctl
