// SPDX-License-Identifier: Apache-2.0
#include "core/transport/ssh/ssh_config.h"

#include "core/base/words.h"
#include "core/transport/ssh/ssh_config_reader.h"
#include "core/transport/ssh/ssh_tokens.h"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <charconv>

namespace trialdeck::transport {

namespace {

/// Included files of one listing, at most.
constexpr size_t kMaxListedFiles = 1'000;

/// The address as the system writes it, "127.0.0.1" for "127.1"; nothing where it is a name.
std::optional<std::string> canonicalAddress(const std::string& host) {
    std::array<char, INET6_ADDRSTRLEN> text{};
    in_addr four{};
    if (inet_aton(host.c_str(), &four) != 0 && inet_ntop(AF_INET, &four, text.data(), text.size()))
        return std::string(text.data());
    const size_t scope = std::min(host.find('%'), host.size());
    in6_addr six{};
    if (inet_pton(AF_INET6, host.substr(0, scope).c_str(), &six) == 1 &&
        inet_ntop(AF_INET6, &six, text.data(), text.size()))
        return std::string(text.data()) + host.substr(scope);
    return std::nullopt;
}

/// The name to connect to: HostName's, names in lower case.
std::string resolvedName(const SshConfigQuestion& question, SshConfigReader& reader) {
    std::string host = question.host;
    if (const auto& named = reader.values(SshOption::host_name); !named.empty()) {
        const auto expanded = expandSshTokens(named.front().text, {{'h', question.host}}, nullptr);
        if (expanded)
            host = *expanded;
        else
            reader.note(expanded.error(), named.front().file, named.front().line, named.front().text);
    }
    const auto address = canonicalAddress(host);
    if (!address)
        return base::lowerCase(host);
    return base::lowerCase(*address) == base::lowerCase(host) ? host : *address;
}

/// Turns what the files say into settings, with defaults in the gaps. Lives for one reading.
class SettingsBuilder {
public:
    SettingsBuilder(const SshConfigPlace& place, const SshConfigQuestion& question, SshConfigReader& reader,
                    SshHostSettings& settings)
        : m_place(place), m_question(question), m_reader(reader), m_settings(settings) {}

    void build() {
        readNames();
        readChoices();
        readNumbers();
        readLists();
        m_tokens = sshTokens(m_place, m_question, m_settings.hostName,
                             m_settings.hostKeyAlias.empty() ? m_question.host : m_settings.hostKeyAlias,
                             m_settings.user, m_settings.port,
                             m_settings.jumps.empty() ? std::string() : m_settings.jumps.back().host);
        readFiles();
        readAgent();
        readFeatures();
        m_settings.notes = std::move(m_reader.notes());
    }

private:
    [[nodiscard]] std::string text(SshOption option) const { return m_reader.text(option); }
    [[nodiscard]] bool flag(SshOption option, bool fallback) const {
        const std::string value = text(option);
        return value.empty() ? fallback : value != "no";
    }
    /// As text(), with "none" for nothing.
    [[nodiscard]] std::string textOrNone(SshOption option) const {
        std::string value = text(option);
        return base::lowerCase(value) == "none" ? std::string() : value;
    }

    void readNames() {
        m_settings.user = text(SshOption::user);
        if (m_settings.user.empty())
            m_settings.user = m_place.localUser;
        m_settings.port = parseSshPort(text(SshOption::port)).value_or(22);
        m_settings.hostKeyAlias = base::lowerCase(text(SshOption::host_key_alias));
        m_settings.jumps = parseSshJumps(text(SshOption::proxy_jump)).value_or(std::vector<SshJump>());
        m_settings.proxyCommand = textOrNone(SshOption::proxy_command);
        if (m_settings.jumps.empty())
            return;
        const SshJump& last = m_settings.jumps.back();
        if (last.host == m_settings.hostName && last.port.value_or(22) == m_settings.port &&
            (last.user.empty() || last.user == m_settings.user)) {
            const auto& value = m_reader.values(SshOption::proxy_jump).front();
            m_reader.note(SshConfigProblem::jump_loop, value.file, value.line, value.text);
        }
    }

    void readChoices() {
        m_settings.identitiesOnly = flag(SshOption::identities_only, false);
        m_settings.hashKnownHosts = flag(SshOption::hash_known_hosts, false);
        m_settings.compression = flag(SshOption::compression, false);
        m_settings.pubkeyAuthentication = flag(SshOption::pubkey_authentication, true);
        m_settings.passwordAuthentication = flag(SshOption::password_authentication, true);
        m_settings.kbdInteractiveAuthentication = flag(SshOption::kbd_interactive_authentication, true);
        m_settings.gssapiAuthentication = flag(SshOption::gssapi_authentication, false);
        m_settings.hostBasedAuthentication = flag(SshOption::host_based_authentication, false);
        const std::string checking = text(SshOption::strict_host_key_checking);
        if (checking == "yes")
            m_settings.strictHostKeyChecking = SshHostKeyChecking::yes;
        else if (checking == "accept-new")
            m_settings.strictHostKeyChecking = SshHostKeyChecking::accept_new;
        else if (checking == "no")
            m_settings.strictHostKeyChecking = SshHostKeyChecking::no;
        const std::string family = text(SshOption::address_family);
        if (family == "inet")
            m_settings.addressFamily = SshAddressFamily::inet;
        else if (family == "inet6")
            m_settings.addressFamily = SshAddressFamily::inet6;
    }

    void readNumbers() {
        // Debian's client asks for signs of life where nobody watches.
        const std::chrono::seconds usual(flag(SshOption::batch_mode, false) ? 300 : 0);
        m_settings.serverAliveInterval =
            parseSshDuration(text(SshOption::server_alive_interval)).value_or(usual);
        m_settings.connectTimeout = parseSshDuration(text(SshOption::connect_timeout));
        const std::string count = text(SshOption::server_alive_count_max);
        (void)std::from_chars(count.data(), count.data() + count.size(), m_settings.serverAliveCountMax);
    }

    void readLists() {
        m_settings.hostKeyAlgorithms = text(SshOption::host_key_algorithms);
        m_settings.kexAlgorithms = text(SshOption::kex_algorithms);
        m_settings.ciphers = text(SshOption::ciphers);
        m_settings.macs = text(SshOption::macs);
        m_settings.pkcs11Provider = textOrNone(SshOption::pkcs11_provider);
        m_settings.securityKeyProvider = textOrNone(SshOption::security_key_provider);
        std::string_view methods;
        const std::string all = text(SshOption::preferred_authentications);
        for (methods = all; !methods.empty();) {
            const size_t comma = methods.find(',');
            if (comma != 0)
                m_settings.preferredAuthentications.emplace_back(methods.substr(0, comma));
            methods.remove_prefix(comma == std::string_view::npos ? methods.size() : comma + 1);
        }
    }

    /// "~" first, then tokens and variables; what cannot be replaced is noted and left out.
    [[nodiscard]] std::optional<std::string> expanded(const SshConfigValue& value) {
        auto text = expandSshTokens(withSshHome(value.text, m_place), m_tokens, &m_place.environment);
        if (text)
            return *std::move(text);
        m_reader.note(text.error(), value.file, value.line, value.text);
        return std::nullopt;
    }

    [[nodiscard]] std::vector<base::Path> expandedFiles(SshOption option) {
        std::vector<base::Path> paths;
        for (const SshConfigValue& value : m_reader.values(option)) {
            if (base::lowerCase(value.text) == "none")
                continue;
            if (const auto path = expanded(value))
                paths.emplace_back(*path);
        }
        return paths;
    }

    void readFiles() {
        m_settings.identityFiles = expandedFiles(SshOption::identity_file);
        m_settings.identityFilesAreDefaults = m_reader.values(SshOption::identity_file).empty();
        if (m_settings.identityFilesAreDefaults) {
            for (const char* name :
                 {"id_rsa", "id_ecdsa", "id_ecdsa_sk", "id_ed25519", "id_ed25519_sk", "id_xmss", "id_dsa"})
                m_settings.identityFiles.push_back(m_place.home / ".ssh" / name);
        }
        m_settings.certificateFiles = expandedFiles(SshOption::certificate_file);
        m_settings.userKnownHostsFiles = expandedFiles(SshOption::user_known_hosts_file);
        if (m_reader.values(SshOption::user_known_hosts_file).empty())
            m_settings.userKnownHostsFiles = {m_place.home / ".ssh/known_hosts",
                                              m_place.home / ".ssh/known_hosts2"};
        // The system's are taken as they are.
        for (const SshConfigValue& value : m_reader.values(SshOption::global_known_hosts_file)) {
            if (base::lowerCase(value.text) != "none")
                m_settings.globalKnownHostsFiles.emplace_back(value.text);
        }
        if (m_reader.values(SshOption::global_known_hosts_file).empty())
            m_settings.globalKnownHostsFiles = {"/etc/ssh/ssh_known_hosts", "/etc/ssh/ssh_known_hosts2"};
    }

    void readAgent() {
        const auto& values = m_reader.values(SshOption::identity_agent);
        if (values.empty() || values.front().text == "SSH_AUTH_SOCK")
            return;
        const SshConfigValue& value = values.front();
        m_settings.agent = SshAgentChoice::none;
        if (base::lowerCase(value.text) == "none")
            return;
        // The old way to name a variable, without braces.
        if (value.text.front() == '$' && value.text.compare(0, 2, "${") != 0) {
            const auto variable = m_place.environment.find(value.text.substr(1));
            if (variable == m_place.environment.end()) {
                m_reader.note(SshConfigProblem::unknown_variable, value.file, value.line, value.text);
                return;
            }
            m_settings.agent = SshAgentChoice::socket;
            m_settings.agentSocket = variable->second;
        } else if (const auto path = expanded(value)) {
            m_settings.agent = SshAgentChoice::socket;
            m_settings.agentSocket = *path;
        }
    }

    void readFeatures() {
        auto& features = m_settings.onlySystemSsh;
        features = m_reader.features();
        const auto addIf = [&features](bool used, SshFeature feature) {
            if (used)
                features.insert(feature);
        };
        const auto& gssapi = m_reader.values(SshOption::gssapi_authentication);
        addIf(!m_settings.proxyCommand.empty(), SshFeature::proxy_command);
        addIf(m_settings.gssapiAuthentication && gssapi.front().ofUser, SshFeature::gssapi);
        addIf(m_settings.hostBasedAuthentication, SshFeature::host_based);
        addIf(!m_settings.certificateFiles.empty(), SshFeature::certificate);
        addIf(!m_settings.pkcs11Provider.empty(), SshFeature::pkcs11);
        addIf(!m_settings.securityKeyProvider.empty() && m_settings.securityKeyProvider != "internal",
              SshFeature::security_key);
        addIf(!textOrNone(SshOption::known_hosts_command).empty(), SshFeature::known_hosts_command);
        addIf(!textOrNone(SshOption::revoked_host_keys).empty(), SshFeature::revoked_host_keys);
        addIf(!text(SshOption::bind_address).empty(), SshFeature::bind_address);
        addIf(!text(SshOption::accepted_key_algorithms).empty(), SshFeature::accepted_key_algorithms);
        addIf(flag(SshOption::canonicalize_host_name, false), SshFeature::canonical_host_name);
    }

    const SshConfigPlace& m_place;
    const SshConfigQuestion& m_question;
    SshConfigReader& m_reader;
    SshHostSettings& m_settings;
    SshTokens m_tokens;
};

/// Collects the names of one file, then those of what it includes.
void listFile(base::FileSystem& files, const SshConfigPlace& place, const SshConfigSource& source,
              std::set<base::Path>& seen, std::vector<std::string>& hosts) {
    if (seen.size() >= kMaxListedFiles || !seen.insert(source.path).second)
        return;
    const auto content = readSshConfigText(files, source);
    std::vector<std::string> includes;
    std::string_view rest = content.text ? std::string_view(*content.text) : std::string_view();
    while (!rest.empty()) {
        const size_t end = rest.find('\n');
        const auto line = splitSshConfigLine(rest.substr(0, end));
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
        const auto words = line ? splitSshWords(line->rest) : std::nullopt;
        if (!words)
            continue;
        if (line->keyword == "include")
            includes.insert(includes.end(), words->begin(), words->end());
        if (line->keyword != "host")
            continue;
        for (const std::string& word : *words) {
            if (!word.empty() && word.front() != '!' && word.find_first_of("*?") == std::string::npos &&
                std::find(hosts.begin(), hosts.end(), word) == hosts.end())
                hosts.push_back(word);
        }
    }
    for (const std::string& pattern : includes) {
        for (const auto& path : sshIncludedFiles(files, place, source.ofUser, pattern))
            listFile(files, place, {path, source.ofUser, true}, seen, hosts);
    }
}

} // namespace

std::optional<bool> SshMatchExec::answer(const std::string& command) {
    const auto [answer, isNew] = m_answers.try_emplace(command);
    if (isNew && m_run)
        answer->second = m_run(command);
    return answer->second;
}

SshHostSettings readSshConfig(base::FileSystem& files, const SshConfigPlace& place,
                              const SshConfigQuestion& question, SshMatchExec& exec) {
    SshConfigReader reader(files, place, question, exec);
    reader.read(question.host, false);
    SshHostSettings settings;
    settings.host = question.host;
    settings.hostName = resolvedName(question, reader);
    const std::string canonical = reader.text(SshOption::canonicalize_host_name);
    if (reader.wantsFinalPass() || (!canonical.empty() && canonical != "no"))
        reader.read(settings.hostName, true);
    SettingsBuilder(place, question, reader, settings).build();
    return settings;
}

std::vector<std::string> listSshHosts(base::FileSystem& files, const SshConfigPlace& place) {
    std::vector<std::string> hosts;
    std::set<base::Path> seen;
    for (const SshConfigSource& source : sshConfigSources(place))
        listFile(files, place, source, seen, hosts);
    return hosts;
}

} // namespace trialdeck::transport
