// SPDX-License-Identifier: Apache-2.0
#include "core/transport/ssh/system_ssh_host.h"

#include "core/transport/child_program.h"
#include "core/transport/ssh/askpass_server.h"
#include "core/transport/ssh/known_hosts.h"
#include "core/transport/ssh/master_forwards.h"
#include "core/transport/ssh/private_folder.h"
#include "core/transport/ssh/ssh_messages.h"

#include <algorithm>
#include <array>
#include <asio/local/stream_protocol.hpp>
#include <asio/post.hpp>
#include <asio/redirect_error.hpp>
#include <asio/steady_timer.hpp>
#include <asio/this_coro.hpp>
#include <asio/use_awaitable.hpp>
#include <cctype>
#include <cstdlib>

namespace trialdeck::transport {

namespace {

/// Of the key that a host was known by: ssh names its place only.
std::string fingerprintOnFile(const base::ErrorArguments& place) {
    const auto path = place.find("path");
    const auto line = place.find("line");
    if (path == place.end() || line == place.end())
        return {};
    base::PosixFileSystem files;
    const KnownHosts known = KnownHosts::read(files, {base::Path(path->second)});
    const KnownHostLine* key = known.lineAt(path->second, std::strtoul(line->second.c_str(), nullptr, 10));
    return key ? key->fingerprint() : std::string();
}

/// What the master prints once it is logged in and other sessions may use it.
constexpr std::string_view kReady = "trialdeck-ready";
constexpr int kMissedKeepalives = 2;
constexpr uint16_t kSshPort = 22;
/// The client's own exit code; a program's code may be the same.
constexpr int kSshFailed = 255;

void addOption(std::vector<std::string>& command, std::string option) {
    command.emplace_back("-o");
    command.push_back(std::move(option));
}

class SshProgram final : public ChildProgram {
public:
    using ChildProgram::ChildProgram;

    asio::awaitable<base::ProcessExit> finish(std::chrono::milliseconds timeout) override {
        base::ProcessExit exit = co_await ChildProgram::finish(timeout);
        // Killed by us, or the client gave up: nobody knows how the program over there ended.
        if (exit.signal || exit.code == kSshFailed)
            exit = {};
        co_return exit;
    }
};

} // namespace

/// The client that holds the login. Shared with the reads that are under way.
class SystemSshHost::Master : public std::enable_shared_from_this<Master> {
public:
    Master(PrivateFolder folder, const SystemSshOptions& options, const base::Clock& clock,
           StepListener listener)
        : m_folder(std::move(folder)), m_clock(clock), m_began(clock.steadyNow()),
          m_trace(clock, std::move(listener)), m_messages(options.shownName(), m_trace),
          m_forwards(options.program, options.environment, control(), m_folder.file(""),
                     options.destination.host) {}

    [[nodiscard]] base::Path control() const { return m_folder.file("master"); }
    [[nodiscard]] base::Path questions() const { return m_folder.file("askpass"); }
    [[nodiscard]] bool isReady() const { return m_ready && !m_ended; }
    [[nodiscard]] StepTrace& trace() { return m_trace; }
    /// From the start to the host's first word.
    [[nodiscard]] const std::optional<base::SteadyTime::duration>& answerTime() const { return m_answerTime; }
    /// The host took the connection and then said nothing.
    [[nodiscard]] bool isUnanswered() const { return m_messages.isConnected() && !m_messages.hasAnswered(); }
    /// Somebody was asked, on the way to the host perhaps, so times say nothing of the line.
    [[nodiscard]] bool hasAsked() const { return m_askpass && m_askpass->hasAsked(); }

    Expected<void> run(const asio::any_io_executor& executor, const SystemSshOptions& options,
                       Prompts& prompts, std::vector<std::string> command) {
        auto askpass = AskpassServer::listen(executor, questions(), options.shownName(), prompts,
                                             [weak = weak_from_this()] {
                                                 if (const auto self = weak.lock())
                                                     self->giveUp();
                                             });
        if (!askpass)
            return tl::make_unexpected(std::move(askpass).error());
        m_askpass = std::move(*askpass);
        base::Environment environment = options.environment;
        environment["SSH_ASKPASS"] = options.askpass.native();
        environment["SSH_ASKPASS_REQUIRE"] = "force";
        environment["TRIALDECK_ASKPASS"] = questions().native();
        // Clients before 8.4 ask through a program only where they see a display.
        environment.try_emplace("DISPLAY", "none");
        auto started = ChildProcess::start(executor, std::move(command), std::move(environment),
                                           [weak = weak_from_this()](std::string_view bytes) {
                                               if (const auto self = weak.lock()) {
                                                   self->hear(bytes);
                                               }
                                           });
        if (!started)
            return tl::make_unexpected(std::move(started).error());
        m_child.emplace(std::move(started->child));
        m_output.emplace(executor);
        std::error_code failure;
        m_output->assign(asio::local::stream_protocol(), started->socket.get(), failure);
        if (failure)
            return base::fail(ErrorCode::internal, {{"reason", failure.message()}}, "adopt ssh's output");
        (void)started->socket.release();
        return {};
    }

    /// Until it is logged in.
    asio::awaitable<Expected<void>> login(std::chrono::seconds patience) {
        const std::shared_ptr<Master> self = shared_from_this();
        asio::steady_timer timer(m_output->get_executor());
        waitFor(timer, patience);
        std::string said;
        while (!m_ready) {
            std::error_code failure;
            const size_t count = co_await m_output->async_read_some(
                asio::buffer(m_buffer), asio::redirect_error(asio::use_awaitable, failure));
            if (failure)
                break;
            said.append(m_buffer.data(), count);
            m_ready = said.find(kReady) != std::string::npos;
        }
        timer.cancel();
        if (m_ready) {
            m_messages.finish();
            watch();
            co_return Expected<void>();
        }
        Error error = co_await explain();
        m_trace.fail(error);
        co_return tl::make_unexpected(std::move(error));
    }

    [[nodiscard]] MasterForwards& forwards() { return m_forwards; }
    [[nodiscard]] ForwardMessages::Refusals refusalsOf(const TcpTarget& target) const {
        return m_messages.forwards().refusalsOf(target);
    }
    /// Why it has ended, in its own words.
    [[nodiscard]] Error reason() const { return m_messages.failure(); }

    void giveUp() {
        m_gaveUp = true;
        close();
    }

    void close() {
        m_ended = true;
        m_askpass.reset();
        std::error_code ignored;
        if (m_output)
            m_output->close(ignored);
        // The destructor of a child kills it; while login() waits for its last words it is left to that.
        if (!m_explaining)
            m_child.reset();
    }

private:
    void hear(std::string_view bytes) {
        m_heard = true;
        m_messages.read(bytes);
        if (!m_answerTime && m_messages.hasAnswered())
            m_answerTime = m_clock.steadyNow() - m_began;
    }

    /// Gives up after so long without a word of the client, except while a question is open.
    void waitFor(asio::steady_timer& timer, std::chrono::seconds patience) {
        m_heard = false;
        timer.expires_after(patience);
        timer.async_wait([self = shared_from_this(), &timer, patience](const std::error_code& cancelled) {
            if (cancelled || self->m_ready || self->m_ended)
                return;
            if (self->m_heard || (self->m_askpass && self->m_askpass->isAsking())) {
                self->waitFor(timer, patience);
                return;
            }
            self->m_late = true;
            self->m_output->cancel();
        });
    }

    asio::awaitable<Error> explain() {
        if (m_gaveUp)
            co_return Error{ErrorCode::cancelled, {}, "a question was not answered"};
        if (!m_child)
            co_return Error{ErrorCode::cancelled, {}, "the connection is not wanted any more"};
        m_explaining = true;
        const auto patience = m_late ? std::chrono::milliseconds::zero() : kLastWordsTimeout;
        (void)co_await m_child->finish(patience);
        m_explaining = false;
        Error error = m_messages.failure();
        if (m_late && error.code == ErrorCode::connection_lost)
            error.code = ErrorCode::timed_out;
        if (error.code == ErrorCode::host_key_changed)
            error.arguments["known"] = fingerprintOnFile(error.arguments);
        close();
        co_return error;
    }

    /// Notices its end.
    void watch() {
        m_output->async_read_some(asio::buffer(m_buffer),
                                  [self = shared_from_this()](const std::error_code& failure, size_t) {
                                      if (failure)
                                          self->m_ended = true;
                                      else
                                          self->watch();
                                  });
    }

    PrivateFolder m_folder;
    const base::Clock& m_clock;
    const base::SteadyTime m_began;
    std::optional<base::SteadyTime::duration> m_answerTime;
    StepTrace m_trace;
    SshMessages m_messages;
    MasterForwards m_forwards;
    std::unique_ptr<AskpassServer> m_askpass;
    std::optional<ChildProcess> m_child;
    std::optional<asio::local::stream_protocol::socket> m_output;
    std::array<char, 256> m_buffer{};
    bool m_heard = false;
    bool m_ready = false;
    bool m_ended = false;
    bool m_late = false;
    bool m_gaveUp = false;
    bool m_explaining = false;
};

/// A connection that the master makes. It takes ours before it has its own, and says why it closes it.
class SystemSshHost::Stream final : public RemoteStream {
public:
    Stream(std::weak_ptr<Master> master, std::string host, TcpTarget target, size_t refusedBefore,
           base::UniqueFd socket)
        : m_master(std::move(master)), m_host(std::move(host)), m_target(std::move(target)),
          m_refusedBefore(refusedBefore), m_socket(std::move(socket)) {}

    base::UniqueFd takeSocket() override { return std::move(m_socket); }

    asio::awaitable<std::optional<Error>> refusal() override {
        // What the master wrote before it closed the socket may stand in the loop's queue behind us.
        for (int turn = 0; turn < 2; ++turn)
            co_await asio::post(co_await asio::this_coro::executor, asio::use_awaitable);
        const std::shared_ptr<Master> master = m_master.lock();
        if (!master)
            co_return std::nullopt;
        const ForwardMessages::Refusals refusals = master->refusalsOf(m_target);
        if (refusals.count == m_refusedBefore)
            co_return std::nullopt;
        co_return Error{
            refusals.code,
            {{"host", m_host}, {"port", std::to_string(m_target.port)}, {"reason", refusals.reason}},
            "open a connection"};
    }

private:
    std::weak_ptr<Master> m_master;
    std::string m_host;
    TcpTarget m_target;
    size_t m_refusedBefore;
    base::UniqueFd m_socket;
};

namespace {

constexpr std::chrono::seconds kShortestTimeout{1};
constexpr std::chrono::seconds kLongestTimeout{10};

/// @param answer  how long the host took to say its first word
std::chrono::seconds connectTimeout(base::SteadyTime::duration answer) {
    return std::clamp(std::chrono::ceil<std::chrono::seconds>(4 * answer), kShortestTimeout, kLongestTimeout);
}

std::vector<std::string> masterCommand(const SystemSshOptions& options, const base::Path& control,
                                       std::chrono::seconds timeout) {
    const SshDestination& to = options.destination;
    std::vector<std::string> command = {
        options.askpass.native(), "guard", options.program, "-v", "-M", "-N", "-T"};
    if (!to.configFile.empty())
        command.insert(command.end(), {"-F", to.configFile.native()});
    if (!to.user.empty())
        command.insert(command.end(), {"-l", to.user});
    if (to.port)
        command.insert(command.end(), {"-p", std::to_string(*to.port)});
    if (!to.identityFile.empty())
        command.insert(command.end(), {"-i", to.identityFile.native()});
    if (!to.jump.empty())
        command.insert(command.end(), {"-J", to.jump});
    if (to.compression)
        addOption(command, *to.compression ? "Compression=yes" : "Compression=no");
    if (!options.neighbour.empty()) {
        const bool isUsual = !to.port || *to.port == kSshPort;
        addOption(command, "HostName=" + options.neighbour);
        // Not the first host's alias, where it has one.
        addOption(command,
                  "HostKeyAlias=" + (isUsual ? options.neighbour
                                             : "[" + options.neighbour + "]:" + std::to_string(*to.port)));
    }
    if (!options.proxyCommand.empty())
        addOption(command, "ProxyCommand=" + options.proxyCommand);
    addOption(command, "ControlPath=" + control.native());
    addOption(command, "ControlPersist=no");
    addOption(command, "PermitLocalCommand=yes");
    addOption(command, "LocalCommand=echo " + std::string(kReady));
    addOption(command, "StrictHostKeyChecking=ask");
    addOption(command, "BatchMode=no");
    addOption(command, "NumberOfPasswordPrompts=3");
    addOption(command, "ServerAliveInterval=" + std::to_string(options.keepaliveInterval.count()));
    addOption(command, "ServerAliveCountMax=" + std::to_string(kMissedKeepalives));
    addOption(command, "ConnectTimeout=" + std::to_string(timeout.count()));
    // What the user's configuration may ask for in a terminal and what is in the way here.
    addOption(command, "RemoteCommand=none");
    addOption(command, "ClearAllForwardings=yes");
    addOption(command, "ForwardX11=no");
    addOption(command, "Tunnel=no");
    addOption(command, "EscapeChar=none");
    command.insert(command.end(), {"--", to.host});
    return command;
}

} // namespace

SystemSshHost::SystemSshHost(SystemSshOptions options, const base::Clock& clock, Prompts& prompts)
    : m_options(std::move(options)), m_clock(clock), m_prompts(prompts), m_connectTimeout(kLongestTimeout) {}

SystemSshHost::~SystemSshHost() {
    close();
}

std::string SystemSshHost::destination() const {
    return "ssh " + m_options.shownName();
}

bool SystemSshHost::isOpen() const {
    return m_master && m_master->isReady();
}

asio::awaitable<Expected<void>> SystemSshHost::open(StepListener listener) {
    close();
    const SshDestination& to = m_options.destination;
    if (to.host.empty() || to.host.front() == '-')
        co_return base::fail(ErrorCode::host_not_found, {{"host", to.host}}, "not a host's name");
    if (!base::findProgram(m_options.program, m_options.environment, {}))
        co_return base::fail(ErrorCode::ssh_missing, {{"program", m_options.program}});
    const asio::any_io_executor executor = co_await asio::this_coro::executor;
    auto folder = PrivateFolder::make();
    if (!folder)
        co_return tl::make_unexpected(std::move(folder).error());
    const auto master = std::make_shared<Master>(std::move(*folder), m_options, m_clock, std::move(listener));
    m_master = master;
    master->trace().begin(ConnectionStep::name);
    auto running = master->run(executor, m_options, m_prompts,
                               masterCommand(m_options, master->control(), m_connectTimeout));
    if (!running) {
        Error error = std::move(running).error();
        if (error.code == ErrorCode::command_not_found || error.code == ErrorCode::command_not_executable)
            error = Error{ErrorCode::head_binary_missing, {{"path", m_options.askpass.native()}}, {}};
        master->trace().fail(error);
        close();
        co_return tl::make_unexpected(std::move(error));
    }
    auto in = co_await master->login(m_options.patience);
    if (in && master->answerTime() && !master->hasAsked())
        m_connectTimeout = connectTimeout(*master->answerTime());
    else if (!in && master->isUnanswered())
        m_connectTimeout = std::min(2 * m_connectTimeout, kLongestTimeout);
    co_return in;
}

asio::awaitable<Expected<std::unique_ptr<RemoteProgram>>> SystemSshHost::start(std::string commandLine) {
    if (!isOpen())
        co_return tl::make_unexpected(notOpen());
    const asio::any_io_executor executor = co_await asio::this_coro::executor;
    std::vector<std::string> command = {m_options.program,           "-F", "/dev/null", "-T", "-S",
                                        m_master->control().native()};
    addOption(command, "ControlMaster=no");
    // Where the master refuses, the client would open a connection of its own, with nobody's settings.
    addOption(command, "ProxyCommand=false");
    addOption(command, "EscapeChar=none");
    command.insert(command.end(), {"--", m_options.destination.host, std::move(commandLine)});
    auto started = ChildProcess::start(executor, std::move(command), m_options.environment);
    if (!started)
        co_return tl::make_unexpected(std::move(started).error().during("start a session"));
    std::unique_ptr<RemoteProgram> program = std::make_unique<SshProgram>(std::move(*started));
    co_return program;
}

asio::awaitable<Expected<std::unique_ptr<RemoteStream>>> SystemSshHost::openTcp(std::string host,
                                                                                uint16_t port) {
    if (!isOpen())
        co_return tl::make_unexpected(notOpen());
    const std::shared_ptr<Master> master = m_master;
    const TcpTarget target{std::move(host), port};
    const auto path = co_await master->forwards().pathTo(target);
    if (!path)
        co_return tl::make_unexpected(path.error());
    const size_t refusedBefore = master->refusalsOf(target).count;
    auto socket = connectToPath(*path);
    if (!socket)
        co_return tl::make_unexpected(std::move(socket).error());
    std::unique_ptr<RemoteStream> stream = std::make_unique<Stream>(
        master, m_options.destination.host, target, refusedBefore, std::move(*socket));
    co_return stream;
}

Error SystemSshHost::notOpen() const {
    return m_master ? m_master->reason() : Error{ErrorCode::connection_lost, {}, "not open"};
}

std::unique_ptr<RemoteHost> SystemSshHost::neighbour(const NeighbourHost& to, NeighbourWay way) {
    SystemSshOptions options = m_options;
    options.neighbour = to.name;
    if (!to.user.empty())
        options.destination.user = to.user;
    if (to.port != 0)
        options.destination.port = to.port;
    if (way == NeighbourWay::throughThisOne) {
        if (!isOpen())
            return nullptr;
        options.destination.jump.clear();
        options.proxyCommand = m_options.program +
                               " -F /dev/null -o ControlMaster=no -o ProxyCommand=false -S " +
                               m_master->control().native() + " -W '[%h]:%p' " + m_options.destination.host;
    }
    // A name that would be read as something else, or that a shell would read.
    const auto isOfName = [](unsigned char letter) {
        return letter >= 0x80 || std::isalnum(letter) != 0 || letter == '.' || letter == '-' ||
               letter == '_' || letter == ':';
    };
    if (to.name.empty() || to.name.front() == '-' || !std::all_of(to.name.begin(), to.name.end(), isOfName))
        return nullptr;
    return std::make_unique<SystemSshHost>(std::move(options), m_clock, m_prompts);
}

void SystemSshHost::close() {
    if (m_master)
        m_master->close();
    m_master.reset();
}

} // namespace trialdeck::transport
