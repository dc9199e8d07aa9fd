// SPDX-License-Identifier: Apache-2.0
#include "core/ctl/terminal_prompts.h"

#include "core/base/unique_fd.h"
#include "core/ctl/words.h"

#include <asio/io_context.hpp>
#include <asio/posix/stream_descriptor.hpp>
#include <asio/post.hpp>
#include <asio/read_until.hpp>
#include <cstdio>
#include <fcntl.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

namespace trialdeck::ctl {

using transport::Prompt;

/// One question on the terminal; puts its echo back when it is over.
class TerminalPrompts::Question : public std::enable_shared_from_this<Question> {
public:
    Question(asio::io_context& loop, base::UniqueFd terminal, bool echo,
             std::function<void(std::optional<std::string>)> answer)
        : m_terminal(loop, terminal.release()), m_answer(std::move(answer)) {
        if (!echo && tcgetattr(m_terminal.native_handle(), &m_before) == 0) {
            termios silent = m_before;
            silent.c_lflag &= ~static_cast<tcflag_t>(ECHO);
            silent.c_lflag |= ECHONL;
            m_isSilent = tcsetattr(m_terminal.native_handle(), TCSAFLUSH, &silent) == 0;
        }
    }
    ~Question() {
        restore();
        explicit_bzero(m_line.data(), m_line.size());
    }
    Question(const Question&) = delete;
    Question& operator=(const Question&) = delete;

    void print(const std::string& text) {
        (void)!write(m_terminal.native_handle(), text.data(), text.size());
    }

    void read() {
        asio::async_read_until(m_terminal, asio::dynamic_buffer(m_line), '\n',
                               [self = shared_from_this()](const std::error_code& failure, size_t count) {
                                   self->restore();
                                   if (!self->m_answer)
                                       return;
                                   const auto answer = std::exchange(self->m_answer, nullptr);
                                   if (failure)
                                       answer(std::nullopt);
                                   else
                                       answer(self->m_line.substr(0, count - 1));
                               });
    }

    void withdraw() {
        m_answer = nullptr;
        restore();
        std::error_code ignored;
        m_terminal.close(ignored);
    }

private:
    void restore() {
        if (std::exchange(m_isSilent, false))
            tcsetattr(m_terminal.native_handle(), TCSANOW, &m_before);
    }

    asio::posix::stream_descriptor m_terminal;
    std::function<void(std::optional<std::string>)> m_answer;
    termios m_before{};
    bool m_isSilent = false;
    std::string m_line;
};

TerminalPrompts::TerminalPrompts(asio::io_context& loop) : m_loop(loop) {}

TerminalPrompts::~TerminalPrompts() {
    withdraw();
}

void TerminalPrompts::ask(const Prompt& prompt, std::function<void(std::optional<std::string>)> answer) {
    base::UniqueFd terminal(open("/dev/tty", O_RDWR | O_CLOEXEC));
    if (!terminal) {
        std::fprintf(stderr, "%s\nThere is no terminal to answer it at.\n", questionText(prompt).c_str());
        asio::post(m_loop, [answer = std::move(answer)] { answer(std::nullopt); });
        return;
    }
    if (prompt.kind == Prompt::Kind::host_key) {
        // Anything but a clear yes leaves the host alone.
        answer = [answer = std::move(answer)](std::optional<std::string> said) {
            answer(said == "yes" ? std::move(said) : std::nullopt);
        };
    }
    const bool echo = prompt.echo || prompt.kind == Prompt::Kind::host_key;
    m_question = std::make_shared<Question>(m_loop, std::move(terminal), echo, std::move(answer));
    m_question->print(questionText(prompt));
    m_question->read();
}

void TerminalPrompts::withdraw() {
    if (m_question)
        m_question->withdraw();
    m_question.reset();
}

std::string questionText(const Prompt& prompt) {
    const std::string again = prompt.again ? "That was refused. " : "";
    switch (prompt.kind) {
    case Prompt::Kind::host_key:
        return "The host " + visibleText(prompt.host) + " is new. It shows the key " +
               visibleText(prompt.keyType) + " " + visibleText(prompt.fingerprint) +
               ".\nIs this the host you mean (yes/no)? ";
    case Prompt::Kind::password:
        return again + "Password of " + visibleText(prompt.user) + " on " + visibleText(prompt.host) + ": ";
    case Prompt::Kind::passphrase:
        return again + "Passphrase of the key " + visibleText(prompt.text) + ": ";
    case Prompt::Kind::interactive:
        break;
    }
    return again + visibleText(prompt.host) + " asks: " + visibleText(prompt.text) + " ";
}

} // namespace trialdeck::ctl
