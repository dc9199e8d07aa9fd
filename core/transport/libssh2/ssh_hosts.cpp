// SPDX-License-Identifier: Apache-2.0
#include "core/transport/libssh2/ssh_hosts.h"

#include "core/base/words.h"
#include "core/transport/libssh2/file_host_keys.h"
#include "core/transport/libssh2/libssh_host.h"
#include "core/transport/ssh/system_ssh_host.h"

namespace trialdeck::transport {

namespace {

constexpr std::chrono::milliseconds kAgentTimeout{2'000};

base::Path agentSocketOf(const SshHostSettings& settings, const base::Environment& environment) {
    if (settings.agent != SshAgentChoice::environment)
        return settings.agent == SshAgentChoice::socket ? settings.agentSocket : base::Path();
    const auto socket = environment.find("SSH_AUTH_SOCK");
    return socket == environment.end() ? base::Path() : base::Path(socket->second);
}

LibsshHop hopFor(const SshStation& station, const base::Environment& environment, base::FileSystem& files) {
    const SshHostSettings& settings = station.settings;
    const LibsshOffer offer = libsshOfferFor(settings, libsshSkills());
    LibsshHop hop;
    hop.name = settings.host;
    hop.address = settings.hostName;
    hop.port = settings.port;
    hop.user = settings.user;
    hop.hostKeyAlias = settings.hostKeyAlias;
    for (const KeyFile& key : station.keys) {
        // Of a public half alone the agent may have the other one.
        if (key.isUsable() || key.state == KeyFileState::public_only)
            hop.keys.push_back({key.path, key.publicBlob, key.needsPassphrase});
    }
    hop.identitiesOnly = settings.identitiesOnly;
    hop.agentSocket = agentSocketOf(settings, environment);
    hop.algorithms = {base::joined(offer.keyExchanges, ","), base::joined(offer.hostKeys, ","),
                      base::joined(offer.ciphers, ","), base::joined(offer.macs, ",")};
    hop.methods = offer.loginMethods;
    hop.hostKeys = std::make_shared<FileHostKeys>(files, settings);
    hop.compression = settings.compression;
    return hop;
}

/// For hops that bring none of their own, which there are not.
class NoHostKeys final : public HostKeys {
public:
    HostKeyAnswer check(const std::string&, uint16_t, std::string_view, std::string_view) override {
        return {HostKeyAnswer::Verdict::revoked, {}, 0, {}};
    }
    std::vector<std::string> typesOf(const std::string&, uint16_t) override { return {}; }
    Expected<void> add(const std::string&, uint16_t, std::string_view, std::string_view) override {
        return base::fail(ErrorCode::internal, {}, "no place for host keys");
    }
};

class ChosenSshHost final : public RemoteHost {
public:
    ChosenSshHost(SshHostOptions options, base::FileSystem& files, const base::Clock& clock, Prompts& prompts)
        : m_options(std::move(options)), m_files(files), m_clock(clock), m_prompts(prompts) {}

    [[nodiscard]] std::string destination() const override { return "ssh " + m_options.destination.host; }

    [[nodiscard]] asio::awaitable<Expected<void>> open(StepListener listener) override {
        close();
        m_closed = false;
        SshRoute route;
        auto chosen = co_await choose(route);
        if (m_closed)
            co_return base::fail(ErrorCode::cancelled, {}, "the connection is not wanted any more");
        if (!chosen)
            co_return tl::make_unexpected(std::move(chosen).error());
        SshClientChoice choice = *chosen;
        if (choice.client == SshClient::libssh2) {
            auto opened = co_await use(makeLibsshHost(route), choice, listener);
            if (opened || !goesOnAfter(opened.error()))
                co_return opened;
            m_refused = true;
            choice = {SshClient::system_ssh, SshReason::no_common_algorithm, m_options.destination.host};
        }
        co_return co_await use(makeSystemHost(), choice, listener);
    }

    [[nodiscard]] bool isOpen() const override { return m_host && m_host->isOpen(); }

    [[nodiscard]] asio::awaitable<Expected<std::unique_ptr<RemoteProgram>>>
    start(std::string commandLine) override {
        if (!m_host)
            co_return base::fail(ErrorCode::connection_lost, {{"host", m_options.destination.host}},
                                 "not open");
        const std::shared_ptr<RemoteHost> host = m_host;
        co_return co_await host->start(std::move(commandLine));
    }

    [[nodiscard]] asio::awaitable<Expected<std::unique_ptr<RemoteStream>>> openTcp(std::string target,
                                                                                   uint16_t port) override {
        if (!m_host)
            co_return base::fail(ErrorCode::connection_lost, {{"host", m_options.destination.host}},
                                 "not open");
        const std::shared_ptr<RemoteHost> host = m_host;
        co_return co_await host->openTcp(std::move(target), port);
    }

    [[nodiscard]] std::unique_ptr<RemoteHost> neighbour(const NeighbourHost& to, NeighbourWay way) override {
        return m_host ? m_host->neighbour(to, way) : nullptr;
    }

    void close() override {
        m_closed = true;
        if (m_host)
            m_host->close();
    }

private:
    asio::awaitable<Expected<void>> use(std::shared_ptr<RemoteHost> host, SshClientChoice choice,
                                        const StepListener& listener) {
        m_host = host;
        const bool isSystem = choice.client == SshClient::system_ssh;
        StepListener telling;
        if (listener) {
            telling = [this, listener, isSystem, choice = std::move(choice)](StepState step) {
                // The other client begins anew and says by itself what it finds.
                if (step.error && !isSystem && goesOnAfter(*step.error))
                    return;
                if (step.error && isSystem)
                    nameAsConfigured(*step.error);
                step.ssh = choice;
                listener(step);
            };
        }
        auto opened = co_await host->open(std::move(telling));
        if (!opened && isSystem)
            nameAsConfigured(opened.error());
        co_return opened;
    }

    /// ssh names a host of the way by its address; people know it by its name in the configuration.
    void nameAsConfigured(Error& error) const {
        const auto host = error.arguments.find("host");
        if (host == error.arguments.end() || host->second == m_options.destination.host)
            return;
        const SshRoute route =
            readSshRoute(m_files, sshConfigPlace(m_options.environment), m_options.destination);
        for (const SshStation& station : route.stations) {
            const std::string numbered =
                "[" + station.knownName() + "]:" + std::to_string(station.knownPort());
            if (host->second != station.settings.hostName && host->second != station.knownName() &&
                host->second != numbered)
                continue;
            const bool isLast = &station == &route.stations.back();
            host->second = isLast ? m_options.destination.host : station.settings.host;
            return;
        }
    }

    /// @param route  filled where libssh2 is to walk it
    asio::awaitable<Expected<SshClientChoice>> choose(SshRoute& route) {
        const SshClientChoice pinned{m_options.pinned.value_or(SshClient::system_ssh), SshReason::pinned, {}};
        if (m_options.pinned == SshClient::system_ssh)
            co_return pinned;
        const std::string& host = m_options.destination.host;
        if (m_refused)
            co_return SshClientChoice{SshClient::system_ssh, SshReason::no_common_algorithm, host};
        route = readSshRoute(m_files, sshConfigPlace(m_options.environment), m_options.destination);
        std::optional<SshObstacle> obstacle;
        if (route.loops)
            obstacle = SshObstacle{SshReason::jump_loop, host, true};
        for (const SshStation& station : route.stations) {
            if (obstacle)
                break;
            const KnownHosts known = KnownHosts::read(m_files, knownHostsFiles(station.settings));
            SshPrognosis prognosis;
            prognosis.station = &station;
            prognosis.knownHosts = &known;
            prognosis.agentKeys = co_await listSshAgentKeys(
                agentSocketOf(station.settings, m_options.environment), kAgentTimeout);
            obstacle = libsshObstacle(prognosis, libsshSkills());
        }
        if (obstacle && obstacle->isFinal && m_options.pinned)
            co_return base::fail(
                ErrorCode::ssh_configuration,
                {{"host", host},
                 {"reason", "libssh2 cannot do this: " + std::string(nameOf(obstacle->reason))}});
        if (!obstacle)
            co_return m_options.pinned ? pinned : SshClientChoice{};
        // Where there is only the library, it does what it can.
        const bool mayTry = m_options.pinned || !hasSystemSsh();
        if (mayTry && !obstacle->isFinal)
            co_return SshClientChoice{
                SshClient::libssh2, m_options.pinned ? SshReason::pinned : obstacle->reason, obstacle->about};
        co_return SshClientChoice{SshClient::system_ssh, obstacle->reason, obstacle->about};
    }

    [[nodiscard]] bool goesOnAfter(const Error& error) const {
        return error.code == ErrorCode::no_common_algorithm && !m_options.pinned && !m_closed &&
               hasSystemSsh();
    }

    [[nodiscard]] bool hasSystemSsh() const {
        return base::findProgram(m_options.program, m_options.environment, {}).has_value();
    }

    [[nodiscard]] std::shared_ptr<RemoteHost> makeLibsshHost(const SshRoute& route) {
        LibsshOptions options;
        options.name = m_options.destination.host;
        for (const SshStation& station : route.stations)
            options.hops.push_back(hopFor(station, m_options.environment, m_files));
        const SshHostSettings& first = route.stations.front().settings;
        options.addressFamily = first.addressFamily;
        options.keepaliveInterval = m_options.keepaliveInterval;
        options.patience = m_options.patience;
        return std::make_shared<LibsshHost>(std::move(options), m_clock, m_noKeys, m_prompts);
    }

    [[nodiscard]] std::shared_ptr<RemoteHost> makeSystemHost() {
        if (m_system)
            return m_system;
        SystemSshOptions options;
        options.destination = m_options.destination;
        options.program = m_options.program;
        options.askpass = m_options.askpass;
        options.environment = m_options.environment;
        options.keepaliveInterval = m_options.keepaliveInterval;
        options.patience = m_options.patience;
        m_system = std::make_shared<SystemSshHost>(std::move(options), m_clock, m_prompts);
        return m_system;
    }

    const SshHostOptions m_options;
    base::FileSystem& m_files;
    const base::Clock& m_clock;
    Prompts& m_prompts;
    NoHostKeys m_noKeys;
    std::shared_ptr<RemoteHost> m_host;
    /// Kept, because it knows how quick its last login was.
    std::shared_ptr<RemoteHost> m_system;
    /// The host has no algorithm in common with the library.
    bool m_refused = false;
    bool m_closed = false;
};

} // namespace

std::unique_ptr<RemoteHost> makeSshHost(SshHostOptions options, base::FileSystem& files,
                                        const base::Clock& clock, Prompts& prompts) {
    return std::make_unique<ChosenSshHost>(std::move(options), files, clock, prompts);
}

} // namespace trialdeck::transport
