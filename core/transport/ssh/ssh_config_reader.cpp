// SPDX-License-Identifier: Apache-2.0
#include "core/transport/ssh/ssh_config_reader.h"

#include "core/base/words.h"
#include "core/transport/ssh/ssh_patterns.h"
#include "core/transport/ssh/ssh_tokens.h"

#include <algorithm>

namespace trialdeck::transport {

namespace {

/// OpenSSH's limits.
constexpr int kMaxIncludeDepth = 16;
constexpr size_t kMaxKeyFiles = 100;
constexpr size_t kMaxKnownHostsFiles = 32;
/// Of ours: files that include each other in circles end somewhere.
constexpr size_t kMaxFilesRead = 1'000;

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// Where a value is a command line or a list of its own grammar, quotes stay.
bool takesWholeLine(SshOption option) {
    return option == SshOption::proxy_command || option == SshOption::known_hosts_command;
}

} // namespace

std::optional<std::string> checkedSshValue(SshOption option, const std::string& text) {
    const auto choice = [&text](std::initializer_list<std::string_view> words) {
        std::string word = base::lowerCase(text);
        if (word == "true")
            word = "yes";
        if (word == "false" || word == "off")
            word = "no";
        return isOneOf(word, words) ? std::optional(word) : std::nullopt;
    };
    const auto textIf = [&text](bool good) { return good ? std::optional(text) : std::nullopt; };
    switch (option) {
    case SshOption::batch_mode:
    case SshOption::identities_only:
    case SshOption::hash_known_hosts:
    case SshOption::compression:
    case SshOption::password_authentication:
    case SshOption::kbd_interactive_authentication:
    case SshOption::gssapi_authentication:
    case SshOption::host_based_authentication:
        return parseSshFlag(text) ? choice({"yes", "no"}) : std::nullopt;
    case SshOption::canonicalize_host_name:
        return choice({"yes", "no", "always"});
    case SshOption::pubkey_authentication:
        return choice({"yes", "no", "unbound", "host-bound"});
    case SshOption::strict_host_key_checking:
        return choice({"yes", "no", "ask", "accept-new"});
    case SshOption::address_family:
        return choice({"any", "inet", "inet6"});
    case SshOption::port:
        return textIf(parseSshPort(text).has_value());
    case SshOption::server_alive_interval:
    case SshOption::connect_timeout:
        return textIf(text == "none" || parseSshDuration(text));
    case SshOption::server_alive_count_max:
        return textIf(!text.empty() && text.size() < 10 &&
                      text.find_first_not_of("0123456789") == std::string::npos);
    default:
        return text;
    }
}

SshConfigReader::SshConfigReader(base::FileSystem& files, const SshConfigPlace& place,
                                 const SshConfigQuestion& question, SshMatchExec& exec)
    : m_files(files), m_place(place), m_question(question), m_exec(exec) {
    // The caller's word goes first, as the command line does.
    const base::Path nowhere;
    if (!question.user.empty())
        m_values[SshOption::user].push_back({question.user, nowhere, 0, true});
    if (question.port)
        m_values[SshOption::port].push_back({std::to_string(*question.port), nowhere, 0, true});
}

void SshConfigReader::read(const std::string& host, bool finalPass) {
    m_host = host;
    m_finalPass = finalPass;
    for (const SshConfigSource& source : sshConfigSources(m_place))
        readFile(source, {});
}

const std::vector<SshConfigValue>& SshConfigReader::values(SshOption option) const {
    static const std::vector<SshConfigValue> kNone;
    const auto found = m_values.find(option);
    return found == m_values.end() ? kNone : found->second;
}

std::string SshConfigReader::text(SshOption option) const {
    const auto& all = values(option);
    return all.empty() ? std::string() : all.front().text;
}

void SshConfigReader::note(SshConfigProblem problem, const base::Path& file, size_t line, std::string word) {
    SshConfigNote found{problem, file, line, std::move(word)};
    // The final pass meets everything once more.
    if (std::find(m_notes.begin(), m_notes.end(), found) == m_notes.end())
        m_notes.push_back(std::move(found));
}

void SshConfigReader::noteAt(SshConfigProblem problem, const Position& at, std::string word) {
    note(problem, at.source->path, at.line, std::move(word));
}

void SshConfigReader::readFile(SshConfigSource source, const Position& from) {
    const SshConfigText content = readSshConfigText(m_files, source);
    if (content.problem)
        note(*content.problem, source.path, 0, source.path.native());
    if (!content.text)
        return;
    Position at = from;
    at.source = &source;
    at.line = 0;
    std::string_view rest = *content.text;
    while (!rest.empty()) {
        const size_t end = rest.find('\n');
        ++at.line;
        readLine(rest.substr(0, end), at);
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    }
}

void SshConfigReader::readLine(std::string_view text, Position& at) {
    const auto line = splitSshConfigLine(text);
    if (!line)
        return;
    auto option = sshOptionFromString(line->keyword);
    const bool opensBlock = option == SshOption::host || option == SshOption::match;
    // What a block that cannot be read would have chosen is not for this host.
    if (opensBlock)
        at.active = false;
    const auto words = splitSshWords(line->rest);
    if (!words) {
        noteAt(SshConfigProblem::open_quote, at, line->keyword);
        return;
    }
    if (!option) {
        const std::string ignored = this->text(SshOption::ignore_unknown);
        if (matchPatternList(line->keyword, ignored, LetterCase::ignored) != PatternAnswer::yes)
            noteAt(SshConfigProblem::unknown_word, at, line->keyword);
        return;
    }
    if (line->rest.empty() || (words->empty() && !takesWholeLine(*option) && *option != SshOption::other)) {
        noteAt(SshConfigProblem::no_value, at, line->keyword);
        return;
    }
    if (option == SshOption::host)
        readHost(*words, at);
    else if (option == SshOption::match)
        readMatch(*words, at);
    else if (option == SshOption::include)
        include(*words, at);
    else if (option != SshOption::other)
        readValue(*option, line->rest, *words, line->keyword, at);
}

void SshConfigReader::readHost(const std::vector<std::string>& patterns, Position& at) {
    if (std::find(patterns.begin(), patterns.end(), "") != patterns.end()) {
        noteAt(SshConfigProblem::bad_value, at, "");
        return;
    }
    if (at.never)
        return;
    for (std::string_view pattern : patterns) {
        const bool negated = pattern.front() == '!';
        if (negated)
            pattern.remove_prefix(1);
        if (!matchesPattern(m_host, pattern))
            continue;
        at.active = !negated;
        if (negated)
            return;
    }
}

std::optional<std::vector<SshConfigReader::Criterion>>
SshConfigReader::criteria(const std::vector<std::string>& words) {
    std::vector<Criterion> found;
    for (size_t at = 0; at < words.size(); ++at) {
        std::string_view word = words[at];
        const bool negated = !word.empty() && word.front() == '!';
        if (negated)
            word.remove_prefix(1);
        const size_t equals = word.find('=');
        Criterion criterion{base::lowerCase(word.substr(0, equals)), {}, negated};
        const bool alone = isOneOf(criterion.name, {"all", "final", "canonical"});
        if (criterion.name == "all" && (found.size() > 1 || at + 1 < words.size()))
            return std::nullopt;
        if (!alone && equals != std::string_view::npos)
            criterion.value = word.substr(equals + 1);
        else if (!alone && at + 1 < words.size())
            criterion.value = words[++at];
        // "host = name", which OpenSSH up to 9.7 takes, too.
        if (!alone && criterion.value == "=" && at + 1 < words.size())
            criterion.value = words[++at];
        if (!alone && criterion.value.empty() && !isOneOf(criterion.name, {"tagged", "command"}))
            return std::nullopt;
        if (!alone && !isOneOf(criterion.name, {"host", "originalhost", "user", "localuser", "exec", "tagged",
                                                "command", "localnetwork", "version", "sessiontype"}))
            return std::nullopt;
        found.push_back(std::move(criterion));
    }
    return found;
}

void SshConfigReader::readMatch(const std::vector<std::string>& words, Position& at) {
    const auto found = criteria(words);
    if (!found) {
        noteAt(SshConfigProblem::bad_match, at, base::joined(words, " "));
        return;
    }
    m_wantsFinalPass =
        m_wantsFinalPass || std::any_of(found->begin(), found->end(),
                                        [](const auto& criterion) { return criterion.name == "final"; });
    if (at.never)
        return;
    // Programs last: most lines are settled without them.
    for (const Criterion& criterion : *found) {
        if (criterion.name != "exec" && !fulfilled(criterion, at))
            return;
    }
    for (const Criterion& criterion : *found) {
        if (criterion.name == "exec" && !execFulfilled(criterion, at))
            return;
    }
    at.active = true;
}

std::string SshConfigReader::hostSoFar() const {
    const std::string named = text(SshOption::host_name);
    if (m_finalPass || named.empty())
        return m_host;
    return expandSshTokens(named, {{'h', m_host}}, nullptr).value_or(m_host);
}

bool SshConfigReader::fulfilled(const Criterion& criterion, const Position& at) {
    const std::string& name = criterion.name;
    bool result = false;
    if (name == "all") {
        result = true;
    } else if (name == "final" || name == "canonical") {
        result = m_finalPass;
    } else if (name == "host") {
        result = matchPatternList(hostSoFar(), criterion.value, LetterCase::ignored) == PatternAnswer::yes;
    } else if (name == "originalhost") {
        result =
            matchPatternList(m_question.host, criterion.value, LetterCase::ignored) == PatternAnswer::yes;
    } else if (name == "user" || name == "localuser") {
        const std::string set = text(SshOption::user);
        const std::string& user = name == "localuser" || set.empty() ? m_place.localUser : set;
        result = matchPatternList(user, criterion.value, LetterCase::matters) == PatternAnswer::yes;
    } else {
        noteAt(SshConfigProblem::unsupported_match, at, name);
        m_features.insert(SshFeature::unsupported_match);
        return false;
    }
    return result != criterion.negated;
}

bool SshConfigReader::execFulfilled(const Criterion& criterion, const Position& at) {
    m_features.insert(SshFeature::match_exec);
    const std::string host = hostSoFar();
    const std::string alias = text(SshOption::host_key_alias);
    const std::string user = text(SshOption::user);
    const auto jumps = parseSshJumps(text(SshOption::proxy_jump));
    const SshTokens tokens =
        sshTokens(m_place, m_question, host, alias.empty() ? host : alias,
                  user.empty() ? m_place.localUser : user, parseSshPort(text(SshOption::port)).value_or(22),
                  jumps && !jumps->empty() ? jumps->back().host : std::string());
    const auto command = expandSshTokens(criterion.value, tokens, nullptr);
    if (!command) {
        noteAt(command.error(), at, criterion.value);
        return false;
    }
    const auto answer = m_exec.answer(*command);
    return answer && *answer != criterion.negated;
}

void SshConfigReader::include(const std::vector<std::string>& patterns, const Position& at) {
    for (const std::string& pattern : patterns) {
        if (pattern.empty() || (pattern.front() == '~' && !at.source->ofUser)) {
            noteAt(SshConfigProblem::bad_value, at, pattern);
            return;
        }
        for (const auto& path : sshIncludedFiles(m_files, m_place, at.source->ofUser, pattern)) {
            if (at.depth >= kMaxIncludeDepth || m_filesRead >= kMaxFilesRead)
                m_tooDeep = true;
            if (m_tooDeep) {
                // OpenSSH ends here; to go on beside would only take a circle's long way round.
                noteAt(SshConfigProblem::include_too_deep, at, pattern);
                return;
            }
            ++m_filesRead;
            Position inner = at;
            ++inner.depth;
            inner.never = at.never || !at.active;
            readFile({path, at.source->ofUser, true}, inner);
        }
    }
}

void SshConfigReader::readValue(SshOption option, std::string_view rest,
                                const std::vector<std::string>& words, const std::string& keyword,
                                const Position& at) {
    if (takesWholeLine(option)) {
        rest.remove_prefix(std::min(rest.find_first_not_of(" \t="), rest.size()));
        // Of the two ways round a direct connection, the first one named counts.
        if (option != SshOption::proxy_command ||
            isOneOf(base::lowerCase(text(SshOption::proxy_jump)), {"", "none"}))
            setFirst(option, std::string(rest), at);
        return;
    }
    if (option == SshOption::proxy_jump) {
        readJump(rest, at);
        return;
    }
    if (option == SshOption::user_known_hosts_file || option == SshOption::global_known_hosts_file) {
        readFileNames(option, words, at);
        return;
    }
    if (words.size() > 1) {
        noteAt(SshConfigProblem::extra_words, at, keyword);
        return;
    }
    if (words.front().empty()) {
        noteAt(SshConfigProblem::no_value, at, keyword);
        return;
    }
    const auto value = checkedSshValue(option, words.front());
    if (!value) {
        noteAt(SshConfigProblem::bad_value, at, words.front());
        return;
    }
    if (option == SshOption::identity_file || option == SshOption::certificate_file)
        append(option, *value, at);
    // "none" leaves a time as if it were not named.
    else if ((option != SshOption::connect_timeout && option != SshOption::server_alive_interval) ||
             *value != "none")
        setFirst(option, *value, at);
}

void SshConfigReader::readJump(std::string_view rest, const Position& at) {
    rest = rest.substr(0, rest.find('#'));
    while (!rest.empty() && (rest.back() == ' ' || rest.back() == '\t'))
        rest.remove_suffix(1);
    if (rest.size() > 1 && rest.front() == '"' && rest.back() == '"')
        rest = rest.substr(1, rest.size() - 2);
    if (!parseSshJumps(rest)) {
        noteAt(SshConfigProblem::bad_value, at, std::string(rest));
        return;
    }
    if (values(SshOption::proxy_command).empty() || base::lowerCase(rest) == "none")
        setFirst(SshOption::proxy_jump, std::string(rest), at);
}

void SshConfigReader::readFileNames(SshOption option, const std::vector<std::string>& words,
                                    const Position& at) {
    for (const std::string& word : words) {
        if (word.empty() || (words.size() > 1 && base::lowerCase(word) == "none")) {
            noteAt(SshConfigProblem::bad_value, at, word);
            return;
        }
    }
    if (!at.active || !values(option).empty())
        return;
    for (const std::string& word : words) {
        if (m_values[option].size() < kMaxKnownHostsFiles)
            m_values[option].push_back({word, at.source->path, at.line, at.source->ofUser});
    }
}

void SshConfigReader::setFirst(SshOption option, std::string text, const Position& at) {
    if (at.active && values(option).empty())
        m_values[option].push_back({std::move(text), at.source->path, at.line, at.source->ofUser});
}

void SshConfigReader::append(SshOption option, std::string text, const Position& at) {
    if (!at.active)
        return;
    auto& all = m_values[option];
    const bool present = std::any_of(all.begin(), all.end(), [&](const SshConfigValue& value) {
        return value.text == text && value.ofUser == at.source->ofUser;
    });
    if (!present && all.size() < kMaxKeyFiles)
        all.push_back({std::move(text), at.source->path, at.line, at.source->ofUser});
}

} // namespace trialdeck::transport
