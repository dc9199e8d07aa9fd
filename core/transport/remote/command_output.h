// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace trialdeck::transport {

/// Cuts what a command itself prints out of what comes from its login shell: greetings and scripts of the
/// login come before, and the exit code that SSH cannot carry comes behind. Pure.
/// The stream is: …CHATTER, mark "-shell", profile's CHATTER, mark "-begin", OUTPUT, perhaps mark "-255".
class CommandOutput {
public:
    /// Chatter longer than this is taken for output, in bytes.
    static constexpr size_t kLongestChatter = size_t{64} << 10;

    /// @param mark  unlike anything that a program prints
    explicit CommandOutput(std::string mark) : m_mark(std::move(mark)) {}

    /// @return what is known to be output now
    [[nodiscard]] std::string read(std::string_view bytes);
    /// @return the rest
    [[nodiscard]] std::string finish();

    /// The line behind the mark "-shell": the shell's process id. Nothing as long as no shell has spoken.
    [[nodiscard]] const std::optional<std::string>& shellProcess() const { return m_shellProcess; }
    /// Once it is finished: the command ended with 255, which is also what ssh says of itself.
    [[nodiscard]] bool endedWith255() const { return m_endedWith255; }
    /// What came before a shell spoke.
    [[nodiscard]] const std::string& chatter() const { return m_held; }

private:
    enum class Stage { chatter, profile, output };
    void findShell();
    void findBegin();
    [[nodiscard]] std::string release(bool isEnd);

    const std::string m_mark;
    Stage m_stage = Stage::chatter;
    std::string m_held;
    std::optional<std::string> m_shellProcess;
    bool m_endedWith255 = false;
};

} // namespace trialdeck::transport
