// SPDX-License-Identifier: Apache-2.0
#include "tests/support/ssh_server.h"

#include "core/base/rng.h"
#include "tests/support/free_port.h"

#include <QtTest>

#include <crypt.h>
#include <fstream>
#include <sstream>
#include <sys/stat.h>

namespace trialdeck::tests {

namespace {

const char kServer[] = "/usr/sbin/sshd";
const char kPamModule[] = TRIALDECK_BIN_DIR "/pam_second_question.so";
constexpr int kCommandMs = 20'000;
constexpr int kPortTries = 20;
/// Accounts of one server, so that two servers never share a uid.
constexpr uid_t kAccountsEach = 16;

std::string read(const base::Path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream bytes;
    bytes << file.rdbuf();
    return bytes.str();
}

void writeFile(const base::Path& path, const std::string& content, mode_t mode = 0644) {
    {
        std::ofstream file(path, std::ios::binary | std::ios::trunc);
        file << content;
        if (!file.flush())
            QTest::qFail(("cannot write " + path.native()).c_str(), __FILE__, __LINE__);
    }
    chmod(path.c_str(), mode);
}

std::string run(const std::vector<std::string>& command) {
    base::SpawnOptions how;
    how.command = command;
    how.environment = base::currentEnvironment();
    const auto output = base::runAndCollect(how, kCommandMs);
    if (!output || output->exit.code != 0) {
        QTest::qFail(("cannot run " + command.front()).c_str(), __FILE__, __LINE__);
        return {};
    }
    return output->standardOutput;
}

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines)
        text += line + "\n";
    return text;
}

std::string hashed(const std::string& password) {
    crypt_data data{};
    return crypt_r(password.c_str(), "$6$trialdeck$", &data);
}

uint64_t drawnNumber() {
    static base::Rng rng(base::drawSeed(), 0, "ssh server");
    return rng();
}

} // namespace

std::string SshServer::whyNot() {
    if (geteuid() != 0)
        return "servers with accounts of their own need root";
    if (!std::filesystem::exists(kServer))
        return "openssh-server is not installed";
    return PrivateHost::whyNot();
}

SshServer::SshServer(SshServerOptions options)
    : m_options(std::move(options)), m_folder("/tmp/trialdeck-sshd-XXXXXX"),
      m_firstUid(static_cast<uid_t>(100'000 + drawnNumber() % 1'000'000 * kAccountsEach)) {
    makeFolders();
    writeAccounts();
    writePam();
    for (const std::string& kind : m_options.hostKeys)
        makeKey(folder() / "etc" / ("host_" + kind), kind, {});
    (void)key("id_ed25519");
    for (int tried = 0; tried < kPortTries && !m_listens; ++tried) {
        m_port = m_options.address.empty() ? freePort() : 22;
        writeServerConfig();
        if (!makeHost())
            return;
        m_listens = m_host->start().has_value();
        if (!m_listens && log().find("Address already in use") == std::string::npos)
            break;
    }
    if (!m_listens)
        fail("sshd does not listen");
    writeClientConfig();
    if (m_options.isKnown)
        trustAt(m_port);
}

SshServer::~SshServer() {
    if (QTest::currentTestFailed())
        qInfo("the log of sshd:\n%s", log().c_str());
}

void SshServer::makeFolders() {
    // Accounts pass through, and cannot look around.
    chmod(folder().c_str(), 0711);
    for (const char* name : {"etc", "etc/keys", "home", "programs"}) {
        std::filesystem::create_directory(folder() / name);
        chmod((folder() / name).c_str(), 0755);
    }
    std::filesystem::create_directory(clientFolder());
    chmod(clientFolder().c_str(), 0700);
    writeFile(knownHosts(), "", 0600);
    writeFile(folder() / "sshd.log", "");
    for (const SshAccount& each : m_options.accounts) {
        std::filesystem::create_directory(home(each.name));
        chmod(home(each.name).c_str(), 0700);
        if (chown(home(each.name).c_str(), uid(each.name), uid(each.name)) != 0)
            fail("cannot give a home to its account");
        writeFile(folder() / "etc" / "keys" / each.name, "");
    }
}

void SshServer::writeAccounts() {
    std::string passwd = read("/etc/passwd");
    std::string group = read("/etc/group");
    std::string shadow = "root:*:19000:0:99999:7:::\nsshd:*:19000:0:99999:7:::\n";
    for (const SshAccount& each : m_options.accounts) {
        const std::string number = std::to_string(uid(each.name));
        passwd += each.name + ":x:" + number + ":" + number + "::" + home(each.name).native() + ":" +
                  each.shell + "\n";
        group += each.name + ":x:" + number + ":\n";
        shadow +=
            each.name + ":" + (each.password.empty() ? "*" : hashed(each.password)) + ":19000:0:99999:7:::\n";
    }
    writeFile(folder() / "etc" / "passwd", passwd);
    writeFile(folder() / "etc" / "group", group);
    writeFile(folder() / "etc" / "shadow", shadow, 0600);
}

void SshServer::writePam() {
    const std::string info =
        m_options.secondFactorInfo.empty() ? "" : "[info=" + m_options.secondFactorInfo + "] ";
    writeFile(folder() / "etc" / "pam_sshd",
              "auth required pam_unix.so nodelay\nauth required " + std::string(kPamModule) + " " + info +
                  "answer=" + m_options.secondFactor +
                  "\naccount required pam_permit.so\nsession required pam_permit.so\n");
}

void SshServer::writeServerConfig() {
    const bool usesPam = !m_options.secondFactor.empty();
    const std::string etc = (folder() / "etc").native();
    std::vector<std::string> lines = m_options.config;
    const auto add = [&lines](std::string line) { lines.push_back(std::move(line)); };
    add("Port " + std::to_string(m_port));
    add("ListenAddress " + (m_options.address.empty() ? "127.0.0.1" : m_options.address));
    for (const std::string& kind : m_options.hostKeys)
        add("HostKey " + etc + "/host_" + kind);
    add("AuthorizedKeysFile " + etc + "/keys/%u");
    add("PidFile none");
    add("StrictModes no");
    add("UseDNS no");
    add("PrintMotd no");
    add("PrintLastLog no");
    add("LogLevel VERBOSE");
    add("MaxStartups 100");
    add(std::string("UsePAM ") + (usesPam ? "yes" : "no"));
    add(std::string("KbdInteractiveAuthentication ") + (usesPam ? "yes" : "no"));
    add(std::string("PasswordAuthentication ") + (usesPam ? "no" : "yes"));
    add("Subsystem sftp internal-sftp");
    writeFile(folder() / "etc" / "sshd_config", joined(lines));
}

void SshServer::writeClientConfig() {
    std::vector<std::string> lines = {"Host lab"};
    lines.insert(lines.end(), m_options.clientConfig.begin(), m_options.clientConfig.end());
    const auto add = [&lines](std::string line) { lines.push_back(std::move(line)); };
    add("HostName " + (m_options.address.empty() ? "127.0.0.1" : m_options.address));
    add("Port " + std::to_string(m_port));
    add("User " + m_options.accounts.front().name);
    add("UserKnownHostsFile " + knownHosts().native());
    add("GlobalKnownHostsFile /dev/null");
    add("IdentitiesOnly yes");
    add("IdentityAgent none");
    add("UpdateHostKeys no");
    writeFile(clientFolder() / "config", joined(lines), 0600);
}

bool SshServer::makeHost() {
    const base::Path etc = folder() / "etc";
    PrivateHost::Options how;
    how.name = m_options.hostName;
    how.ownNetwork = !m_options.address.empty();
    how.kept = {folder()};
    if (std::string_view(TRIALDECK_BIN_DIR).substr(0, 5) == "/tmp/")
        how.kept.emplace_back(TRIALDECK_BIN_DIR);
    for (const char* name : {"passwd", "group", "shadow"})
        how.binds.emplace_back(etc / name, base::Path("/etc") / name);
    if (!m_options.hosts.empty()) {
        writeFile(etc / "hosts", m_options.hosts);
        how.binds.emplace_back(etc / "hosts", "/etc/hosts");
    }
    // sshd asks PAM for the service that is called as its program.
    if (!m_options.secondFactor.empty())
        how.binds.emplace_back(etc / "pam_sshd", "/etc/pam.d/sshd");
    for (const auto& [target, options] : m_options.fresh) {
        const std::string owner = std::to_string(uid());
        how.fresh.emplace_back(target == "~" ? home() : base::Path(target),
                               target == "~" ? options + (options.empty() ? "" : ",") +
                                                   "mode=700,uid=" + owner + ",gid=" + owner
                                             : options);
    }
    how.log = folder() / "sshd.log";
    how.listening = "Server listening on";
    how.command = {kServer, "-D", "-e", "-f", (etc / "sshd_config").native()};
    auto host = PrivateHost::make(how);
    if (!host) {
        fail(base::describe(host.error()));
        return false;
    }
    m_host = std::move(*host);
    if (m_options.bringUp)
        m_options.bringUp(m_host->pid());
    return true;
}

std::string SshServer::log() const {
    return read(folder() / "sshd.log");
}

void SshServer::fail(const std::string& what) const {
    QTest::qFail((what + "\n" + log()).c_str(), __FILE__, __LINE__);
}

size_t SshServer::indexOf(const std::string& name) const {
    for (size_t at = 0; at < m_options.accounts.size(); ++at) {
        if (m_options.accounts[at].name == name)
            return at;
    }
    return 0;
}

const SshAccount& SshServer::account(const std::string& name) const {
    return m_options.accounts[indexOf(name)];
}

base::Path SshServer::home(const std::string& name) const {
    const SshAccount& owner = account(name);
    return folder() / "home" / (owner.home.empty() ? owner.name : owner.home);
}

uid_t SshServer::uid(const std::string& name) const {
    return m_firstUid + static_cast<uid_t>(indexOf(name));
}

void SshServer::write(const std::string& name, const std::string& content, const std::string& owner) {
    const base::Path path = home(owner) / name;
    std::filesystem::create_directories(path.parent_path());
    writeFile(path, content);
    bool owned = true;
    for (base::Path each = path; each != home(owner) && owned; each = each.parent_path())
        owned = chown(each.c_str(), uid(owner), uid(owner)) == 0;
    if (!owned)
        fail("cannot give a file to its account");
}

base::Path SshServer::install(const base::Path& program) {
    const base::Path place = folder() / "programs" / program.filename();
    std::filesystem::copy_file(program, place, std::filesystem::copy_options::overwrite_existing);
    chmod(place.c_str(), 0755);
    return place;
}

transport::SshDestination SshServer::destination(const std::string& name) const {
    transport::SshDestination to;
    to.host = "lab";
    to.user = account(name).name;
    to.identityFile = clientFolder() / "id_ed25519";
    to.configFile = clientFolder() / "config";
    return to;
}

base::Environment SshServer::clientEnvironment() const {
    base::Environment environment = base::currentEnvironment();
    environment["HOME"] = clientFolder().native();
    environment.erase("SSH_AUTH_SOCK");
    environment.erase("DISPLAY");
    return environment;
}

void SshServer::makeKey(const base::Path& path, const std::string& kind, const std::string& passphrase) {
    // More bits of RSA take seconds to find; other kinds pass over the number or have 256 anyway.
    run({"ssh-keygen", "-q", "-t", kind, "-b", kind == "rsa" ? "2048" : "256", "-N", passphrase, "-C",
         path.filename().native(), "-f", path.native()});
}

base::Path SshServer::key(const std::string& name) {
    base::Path path = clientFolder() / name;
    if (std::filesystem::exists(path))
        return path;
    const auto names = [&name](std::string_view part) { return name.find(part) != std::string::npos; };
    makeKey(path,
            names("rsa")     ? "rsa"
            : names("ecdsa") ? "ecdsa"
                             : "ed25519",
            names("locked") ? kPassphrase : "");
    if (names("stranger"))
        return path;
    for (const SshAccount& each : m_options.accounts) {
        const base::Path file = folder() / "etc" / "keys" / each.name;
        writeFile(file, read(file) + read(path.native() + ".pub"));
    }
    return path;
}

std::string SshServer::publicKey(const base::Path& path) const {
    std::istringstream words(read(path.native() + ".pub"));
    std::string kind;
    std::string bytes;
    words >> kind >> bytes;
    return kind + " " + bytes;
}

void SshServer::trustAt(uint16_t port) {
    const std::string address = m_options.address.empty() ? "127.0.0.1" : m_options.address;
    const std::string name = port == 22 ? address : "[" + address + "]:" + std::to_string(port);
    const base::Path first = folder() / "etc" / ("host_" + m_options.hostKeys.front());
    writeFile(knownHosts(), read(knownHosts()) + name + " " + publicKey(first) + "\n", 0600);
}

std::string SshServer::fingerprint() const {
    std::istringstream words(run(
        {"ssh-keygen", "-l", "-f", (folder() / "etc" / ("host_" + m_options.hostKeys.front())).native()}));
    std::string bits;
    std::string print;
    words >> bits >> print;
    return print;
}

void SshServer::changeHostKey() {
    const base::Path path = folder() / "etc" / ("host_" + m_options.hostKeys.front());
    std::filesystem::remove(path);
    makeKey(path, m_options.hostKeys.front(), {});
}

void SshServer::stop() {
    m_listens = false;
    m_host->stop();
}

void SshServer::restart() {
    stop();
    if (const auto started = m_host->start(); !started)
        fail(base::describe(started.error()));
    m_listens = true;
}

std::vector<pid_t> SshServer::sessions() const {
    // The listener is the one that was started with its arguments; those that serve have a title instead.
    std::vector<pid_t> found = m_host->processes("sshd");
    const std::vector<pid_t> listeners = m_host->processes("sshd", "-D");
    std::erase_if(found, [&](pid_t process) {
        const std::string title = read("/proc/" + std::to_string(process) + "/cmdline");
        return title.find("[listener]") != std::string::npos ||
               std::find(listeners.begin(), listeners.end(), process) != listeners.end();
    });
    return found;
}

void SshServer::killSessions() {
    killAndWait(sessions());
}

pid_t SshServer::daemonPid() const {
    const std::vector<pid_t> daemons = m_host->processes("trialdeck-head", "serve");
    return daemons.empty() ? 0 : daemons.front();
}

std::vector<pid_t> SshServer::relayPids() const {
    return m_host->processes("trialdeck-head", "attach");
}

} // namespace trialdeck::tests
