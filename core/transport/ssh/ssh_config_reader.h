// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/ssh/ssh_config.h"
#include "core/transport/ssh/ssh_config_files.h"
#include "core/transport/ssh/ssh_config_text.h"

namespace trialdeck::transport {

/// A value as it stands in a file.
struct SshConfigValue {
    std::string text;
    base::Path file;
    size_t line = 0;
    bool ofUser = true;
};

/// Applies the files of a configuration to one host: which lines count, and the first value of each option.
/// Lives for one reading.
class SshConfigReader {
public:
    /// All outlive the reader.
    SshConfigReader(base::FileSystem& files, const SshConfigPlace& place, const SshConfigQuestion& question,
                    SshMatchExec& exec);

    /// Reads all files once. The final pass, where wantsFinalPass(), adds what holds only for the name to
    /// connect to.
    /// @param host  what Host and Match look at: as typed, and in the final pass the name to connect to
    void read(const std::string& host, bool finalPass);

    [[nodiscard]] bool wantsFinalPass() const { return m_wantsFinalPass; }
    /// All values of an option that is a list, one of any other; empty where it is not set.
    [[nodiscard]] const std::vector<SshConfigValue>& values(SshOption option) const;
    [[nodiscard]] std::string text(SshOption option) const;
    void note(SshConfigProblem problem, const base::Path& file, size_t line, std::string word);

    [[nodiscard]] std::vector<SshConfigNote>& notes() { return m_notes; }
    [[nodiscard]] const std::set<SshFeature>& features() const { return m_features; }

private:
    /// Where in the files reading has come to.
    struct Position {
        SshConfigSource* source = nullptr;
        size_t line = 0;
        int depth = 0;
        bool active = true;
        /// Inside a block that does not count: nothing here can.
        bool never = false;
    };
    struct Criterion {
        std::string name;
        std::string value;
        bool negated = false;
    };

    void readFile(SshConfigSource source, const Position& from);
    void readLine(std::string_view text, Position& at);
    void readHost(const std::vector<std::string>& patterns, Position& at);
    void readMatch(const std::vector<std::string>& words, Position& at);
    [[nodiscard]] std::optional<std::vector<Criterion>> criteria(const std::vector<std::string>& words);
    [[nodiscard]] bool fulfilled(const Criterion& criterion, const Position& at);
    [[nodiscard]] bool execFulfilled(const Criterion& criterion, const Position& at);
    void include(const std::vector<std::string>& patterns, const Position& at);
    void readValue(SshOption option, std::string_view rest, const std::vector<std::string>& words,
                   const std::string& keyword, const Position& at);
    void readJump(std::string_view rest, const Position& at);
    void readFileNames(SshOption option, const std::vector<std::string>& words, const Position& at);
    void setFirst(SshOption option, std::string text, const Position& at);
    void append(SshOption option, std::string text, const Position& at);
    void noteAt(SshConfigProblem problem, const Position& at, std::string word);
    [[nodiscard]] std::string hostSoFar() const;

    base::FileSystem& m_files;
    const SshConfigPlace& m_place;
    const SshConfigQuestion& m_question;
    SshMatchExec& m_exec;
    std::string m_host;
    bool m_finalPass = false;
    bool m_wantsFinalPass = false;
    bool m_tooDeep = false;
    size_t m_filesRead = 0;
    std::map<SshOption, std::vector<SshConfigValue>> m_values;
    std::vector<SshConfigNote> m_notes;
    std::set<SshFeature> m_features;
};

/// The value as it is kept: a choice in lower case, `yes` for `true`.
/// @return nothing where the option does not take it
[[nodiscard]] std::optional<std::string> checkedSshValue(SshOption option, const std::string& text);

} // namespace trialdeck::transport
