// SPDX-License-Identifier: Apache-2.0
#include "core/client/client.h"

#include "core/base/host.h"
#include "core/base/log.h"
#include "core/client/calls.h"
#include "core/client/network_watch.h"
#include "core/client/session.h"
#include "core/client/subscriptions.h"
#include "core/transport/transport.h"

#include <algorithm>
#include <asio/co_spawn.hpp>
#include <asio/detached.hpp>
#include <asio/io_context.hpp>
#include <asio/post.hpp>
#include <asio/redirect_error.hpp>
#include <asio/steady_timer.hpp>
#include <asio/use_awaitable.hpp>
#include <cassert>

namespace trialdeck::client {

namespace {

/// Clocks that differ by less are not worth a word.
constexpr std::chrono::seconds kClockTolerance{5};

Error clockFinding(const std::string& host, std::chrono::milliseconds ahead) {
    const auto seconds = std::chrono::round<std::chrono::seconds>(std::chrono::abs(ahead));
    return {ErrorCode::clock_differs,
            {{"host", host}, {"seconds", std::to_string(seconds.count())}},
            ahead.count() > 0 ? "the head's clock is ahead" : "the head's clock is behind"};
}

/// A connection that lasted this long was a good one: the next try after it comes without a pause.
constexpr std::chrono::seconds kGoodConnection{5};

} // namespace

/// Kept alive by its coroutines, which end soon after stop().
class Client::Core : public std::enable_shared_from_this<Core>, private SessionRequests {
public:
    Core(asio::io_context& loop, const base::Clock& clock, base::Log& log,
         std::unique_ptr<transport::Transport> transport, ClientOptions options)
        : m_loop(loop), m_clock(clock), m_log(log), m_transport(std::move(transport)),
          m_options(std::move(options)), m_clientId(base::newUuid()), m_pause(loop), m_helloLimit(loop),
          m_answersLimit(loop), m_subscriptions(*this, log) {}

    void start();
    void stop();
    void abandon();
    void reconnectNow() { m_pause.cancel(); }
    const ConnectionState& state() const { return m_state; }
    void setStateListener(std::function<void(const ConnectionState&)> listener) {
        m_stateListener = std::move(listener);
    }
    Subscriptions& subscriptions() { return m_subscriptions; }
    Subscription subscription(Subscriptions::Number number) {
        return Subscription([core = weak_from_this(), number] {
            if (const auto self = core.lock())
                self->m_subscriptions.end(number);
        });
    }

    CallId callMethod(std::string_view method, protocol::RequestKind kind, Object params,
                      Calls::Answered answered);
    void forget(CallId call) { m_calls.forget(call); }

private:
    static asio::awaitable<void> run(std::shared_ptr<Core> self, uint64_t generation);
    asio::awaitable<Error> converse(std::unique_ptr<transport::FrameChannel> channel, uint64_t generation);
    asio::awaitable<void> pause(uint64_t generation, Error error);
    bool isCurrent(uint64_t generation) const { return m_generation == generation; }

    void sayHello();
    void onHello(Expected<protocol::HelloResult> hello);
    void onConnected(protocol::HelloResult hello);
    std::optional<std::chrono::milliseconds> clockAhead(const protocol::HelloResult& hello) const;
    void handOver();
    void onNetworkReturned();
    void onLost(const Error& error);
    void leaveSession(Error reason);
    void dropSession();
    void onEnvelope(protocol::Envelope envelope);
    void limitHello();

    void askInSession(std::string_view method, Object params, Calls::Answered answered) override;
    CallId nextId() { return CallId(++m_lastId); }
    void send(CallId id, Calls::Call call, Object params);
    void answerLater(Calls::Answered answered, Error error);
    void setState(ConnectionState state);
    void takeStep(const transport::StepState& step);
    void takeVersionStep(transport::StepPhase phase, std::string detail, std::optional<Error> error);

    asio::io_context& m_loop;
    const base::Clock& m_clock;
    base::Log& m_log;
    std::unique_ptr<transport::Transport> m_transport;
    ClientOptions m_options;
    const std::string m_clientId;
    std::function<void(const ConnectionState&)> m_stateListener;
    ConnectionState m_state;

    /// Each start() and stop() begins a new one; coroutines of older ones end.
    uint64_t m_generation = 0;
    /// The Client is gone and with it whoever wants to hear: only coroutines that end are left.
    bool m_abandoned = false;
    int m_failures = 0;
    bool m_mayHandOver = false;
    bool m_retryAtOnce = false;
    base::SteadyTime m_connectedAt{};
    /// Since the first failure after the last good connection.
    std::optional<base::SteadyTime> m_awaySince;
    base::SteadyTime m_helloBegan{};
    asio::steady_timer m_pause;
    std::optional<NetworkWatch> m_network;
    asio::steady_timer m_helloLimit;
    /// Runs while there are unanswered calls and no connection.
    asio::steady_timer m_answersLimit;

    std::shared_ptr<Session> m_session;
    uint64_t m_lastId = 0;
    Calls m_calls;
    Subscriptions m_subscriptions;
};

void Client::Core::start() {
    if (m_state.phase != ConnectionPhase::idle)
        return;
    m_mayHandOver = true;
    m_failures = 0;
    m_awaySince.reset();
    ++m_generation;
    m_transport->setStepListener([weak = weak_from_this()](const transport::StepState& step) {
        if (const auto self = weak.lock(); self && !self->m_abandoned)
            self->takeStep(step);
    });
    if (m_options.watchNetwork)
        m_network.emplace(m_loop, [this] { onNetworkReturned(); });
    asio::co_spawn(m_loop, run(shared_from_this(), m_generation), asio::detached);
}

void Client::Core::onNetworkReturned() {
    // Without a next try there is one that only a person can make.
    if (m_state.phase == ConnectionPhase::waiting && m_state.nextAttempt)
        m_pause.cancel();
}

void Client::Core::stop() {
    m_network.reset();
    leaveSession({ErrorCode::cancelled, {}, "the client was stopped"});
    asio::post(m_loop, [self = shared_from_this()] {
        if (!self->m_abandoned)
            self->m_calls.cancel();
    });
    ConnectionState idle = m_state;
    if (idle.phase == ConnectionPhase::connected)
        idle.unknownSince = m_clock.wallNow();
    idle.phase = ConnectionPhase::idle;
    idle.attempt = 0;
    idle.nextAttempt.reset();
    setState(std::move(idle));
}

void Client::Core::abandon() {
    m_abandoned = true;
    m_network.reset();
    leaveSession({ErrorCode::cancelled, {}, "the client is gone"});
    m_stateListener = nullptr;
    m_calls = {};
    m_subscriptions.clear();
}

void Client::Core::leaveSession(Error reason) {
    ++m_generation;
    m_pause.cancel();
    m_transport->giveUp();
    if (m_session)
        m_session->close(std::move(reason));
    dropSession();
}

void Client::Core::dropSession() {
    m_helloLimit.cancel();
    m_session.reset();
    m_calls.onLost();
    m_subscriptions.onLost();
}

asio::awaitable<void> Client::Core::run(std::shared_ptr<Core> self, uint64_t generation) {
    while (self->isCurrent(generation)) {
        ConnectionState connecting = self->m_state;
        connecting.phase = ConnectionPhase::connecting;
        connecting.attempt = connecting.attempt + 1;
        connecting.nextAttempt.reset();
        connecting.steps.clear();
        self->setState(std::move(connecting));
        auto channel = co_await self->m_transport->connect();
        if (!self->isCurrent(generation))
            co_return;
        Error error;
        if (channel) {
            error = co_await self->converse(std::move(*channel), generation);
            if (!self->isCurrent(generation))
                co_return;
        } else {
            error = std::move(channel).error();
            ++self->m_failures;
        }
        self->m_log.info("client", self->m_transport->destination() + ": " + base::describe(error));
        co_await self->pause(generation, std::move(error));
    }
}

/// From the first frame to the last. Comes back with the reason of the end.
asio::awaitable<Error> Client::Core::converse(std::unique_ptr<transport::FrameChannel> channel,
                                              uint64_t generation) {
    m_session =
        std::make_shared<Session>(m_loop.get_executor(), std::move(channel),
                                  [this](protocol::Envelope envelope) { onEnvelope(std::move(envelope)); });
    const std::shared_ptr<Session> session = m_session;
    session->start();
    m_helloBegan = m_clock.steadyNow();
    takeVersionStep(transport::StepPhase::running, {}, std::nullopt);
    sayHello();
    Error error = co_await session->ended();
    if (isCurrent(generation))
        onLost(error);
    co_return error;
}

asio::awaitable<void> Client::Core::pause(uint64_t generation, Error error) {
    const bool staysAway = needsPerson(error.code);
    if (!m_awaySince)
        m_awaySince = m_clock.steadyNow();
    const auto away =
        std::chrono::duration_cast<std::chrono::milliseconds>(m_clock.steadyNow() - *m_awaySince);
    const auto pause =
        m_retryAtOnce ? std::chrono::milliseconds::zero() : reconnectPause(m_options, m_failures + 1, away);
    m_retryAtOnce = false;
    ConnectionState waiting = m_state;
    waiting.phase = ConnectionPhase::waiting;
    waiting.error = std::move(error);
    if (!staysAway)
        waiting.nextAttempt = m_clock.wallNow() + pause;
    setState(std::move(waiting));
    if ((pause == std::chrono::milliseconds::zero() && !staysAway) || !isCurrent(generation))
        co_return;
    if (staysAway)
        m_pause.expires_at(asio::steady_timer::time_point::max());
    else
        m_pause.expires_after(pause);
    std::error_code ignored;
    co_await m_pause.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
}

void Client::Core::sayHello() {
    protocol::HelloRequest hello;
    hello.clientName = m_options.name;
    hello.clientVersion = m_options.version;
    hello.buildId = m_options.buildId;
    hello.clientId = m_clientId;
    ask(std::move(hello), [this](Expected<protocol::HelloResult> result) { onHello(std::move(result)); });
    limitHello();
}

void Client::Core::limitHello() {
    m_helloLimit.expires_after(m_options.helloTimeout);
    m_helloLimit.async_wait([self = shared_from_this(),
                             session = m_session](const std::error_code& cancelled) {
        const bool waits = self->m_session == session && self->m_state.phase == ConnectionPhase::connecting;
        if (!cancelled && waits)
            session->close({ErrorCode::head_did_not_answer, {{"printed", session->chatter().text}}, "hello"});
    });
}

void Client::Core::onHello(Expected<protocol::HelloResult> hello) {
    m_helloLimit.cancel();
    if (!hello) {
        m_session->close(std::move(hello).error().during("say hello"));
        return;
    }
    const bool isOtherBuild = hello->buildId != m_options.buildId;
    if (isOtherBuild && m_mayHandOver) {
        m_log.info("client", "the daemon is of build " + hello->buildId + ", this is " + m_options.buildId +
                                 ": asking it to hand over");
        handOver();
        return;
    }
    if (isOtherBuild)
        m_log.warning("client", "the daemon is of another build: " + hello->buildId);
    m_mayHandOver = false;
    onConnected(std::move(*hello));
}

/// The old daemon ends and the next connection starts the new one. Once only: what the relay beside us starts
/// is as new as it gets.
void Client::Core::handOver() {
    m_mayHandOver = false;
    protocol::ShutdownRequest shutdown;
    shutdown.handOver = true;
    limitHello();
    ask(shutdown, [this](const Expected<protocol::EmptyResult>& result) {
        m_helloLimit.cancel();
        m_retryAtOnce = result.has_value();
        m_session->close(result ? Error{ErrorCode::head_replaced, {}, "an older build handed over"}
                                : Error(result.error()).during("ask an older build to hand over"));
    });
}

/// The head took the time somewhere between question and answer: in the middle, as far as one can know.
std::optional<std::chrono::milliseconds> Client::Core::clockAhead(const protocol::HelloResult& hello) const {
    if (!hello.time)
        return std::nullopt;
    const auto halfTrip =
        std::chrono::duration_cast<std::chrono::milliseconds>((m_clock.steadyNow() - m_helloBegan) / 2);
    return *hello.time - (m_clock.wallNow() - halfTrip);
}

void Client::Core::onConnected(protocol::HelloResult hello) {
    m_answersLimit.cancel();
    m_connectedAt = m_clock.steadyNow();
    m_awaySince.reset();
    ConnectionState connected;
    connected.phase = ConnectionPhase::connected;
    connected.loginChatter = m_session->chatter().text;
    connected.loginChatterBytes = m_session->chatter().bytes;
    takeVersionStep(transport::StepPhase::done, hello.headVersion, std::nullopt);
    connected.steps = m_state.steps;
    connected.clockAhead = clockAhead(hello);
    connected.findings = hello.findings;
    if (const auto ahead = connected.clockAhead; ahead && std::chrono::abs(*ahead) > kClockTolerance)
        connected.findings.push_back(clockFinding(hello.host, *ahead));
    const std::string instance = hello.instance;
    connected.head = std::move(hello);
    setState(std::move(connected));
    // Who hears that a command's outcome is unknown may stop the client.
    const std::shared_ptr<Session> session = m_session;
    for (std::string& payload : m_calls.onConnected(instance))
        session->send(std::move(payload));
    if (m_session == session)
        m_subscriptions.onConnected(session->crossesNetwork() ? Subscriptions::Line::network
                                                              : Subscriptions::Line::computer);
}

void Client::Core::onLost(const Error& error) {
    dropSession();
    if (m_state.phase != ConnectionPhase::connected) {
        takeVersionStep(transport::StepPhase::failed, {}, error);
        m_failures += error.code == ErrorCode::head_replaced ? 0 : 1;
        return;
    }
    const bool wasGood = m_clock.steadyNow() - m_connectedAt >= kGoodConnection;
    m_failures = wasGood ? 0 : m_failures + 1;
    m_state.unknownSince = m_clock.wallNow();
    if (error.code == ErrorCode::head_shut_down)
        m_calls.giveUp();
    if (m_calls.empty())
        return;
    m_answersLimit.expires_after(m_options.keepUnanswered);
    m_answersLimit.async_wait([self = shared_from_this()](const std::error_code& cancelled) {
        if (!cancelled && self->m_state.phase != ConnectionPhase::connected)
            self->m_calls.giveUp();
    });
}

void Client::Core::onEnvelope(protocol::Envelope envelope) {
    if (auto* response = std::get_if<protocol::Response>(&envelope)) {
        auto taken = m_calls.onResponse(std::move(*response));
        if (!taken && m_session)
            m_session->close(std::move(taken).error());
    } else if (auto* failure = std::get_if<protocol::ErrorResponse>(&envelope)) {
        m_calls.onError(std::move(*failure));
    } else if (auto* event = std::get_if<protocol::Event>(&envelope)) {
        const std::string name = event->name;
        if (name == protocol::HeadEndedEvent::kEvent) {
            if (m_session)
                m_session->close({ErrorCode::head_shut_down, {}, "the head said that it ends"});
            return;
        }
        if (!m_subscriptions.onEvent(std::move(*event)))
            m_log.debug("client", "an event that is not known here: " + name);
    }
}

CallId Client::Core::callMethod(std::string_view method, protocol::RequestKind kind, Object params,
                                Calls::Answered answered) {
    const CallId id = nextId();
    if (m_state.phase != ConnectionPhase::connected || !m_session) {
        answerLater(
            std::move(answered),
            {ErrorCode::connection_lost, {{"method", std::string(method)}}, "not connected: not sent"});
        return id;
    }
    Calls::Call call;
    call.method = method;
    call.kind = kind;
    call.instance = m_state.head->instance;
    call.answered = std::move(answered);
    send(id, std::move(call), std::move(params));
    return id;
}

void Client::Core::askInSession(std::string_view method, Object params, Calls::Answered answered) {
    Calls::Call call;
    call.method = method;
    call.ofSession = true;
    call.answered = std::move(answered);
    send(nextId(), std::move(call), std::move(params));
}

void Client::Core::send(CallId id, Calls::Call call, Object params) {
    auto payload = protocol::encodeEnvelope(protocol::Request{id, call.method, std::move(params)});
    if (!payload) {
        answerLater(std::move(call.answered), std::move(payload).error().during("ask for " + call.method));
        return;
    }
    call.payload = *payload;
    m_calls.add(id, std::move(call));
    m_session->send(std::move(*payload));
}

void Client::Core::answerLater(Calls::Answered answered, Error error) {
    asio::post(m_loop, [self = shared_from_this(), answered = std::move(answered), error = std::move(error)] {
        if (!self->m_abandoned)
            answered(tl::make_unexpected(error));
    });
}

void Client::Core::setState(ConnectionState state) {
    m_state = std::move(state);
    asio::post(m_loop, [self = shared_from_this(), told = m_state] {
        if (self->m_stateListener)
            self->m_stateListener(told);
    });
}

void Client::Core::takeStep(const transport::StepState& step) {
    ConnectionState state = m_state;
    const auto same = std::find_if(state.steps.begin(), state.steps.end(),
                                   [&](const transport::StepState& each) { return each.step == step.step; });
    if (same == state.steps.end())
        state.steps.push_back(step);
    else
        *same = step;
    setState(std::move(state));
}

void Client::Core::takeVersionStep(transport::StepPhase phase, std::string detail,
                                   std::optional<Error> error) {
    transport::StepState step;
    step.step = transport::ConnectionStep::version;
    step.phase = phase;
    step.time = std::chrono::duration_cast<std::chrono::milliseconds>(m_clock.steadyNow() - m_helloBegan);
    step.detail = std::move(detail);
    step.error = std::move(error);
    takeStep(step);
}

Client::Client(asio::io_context& loop, const base::Clock& clock, base::Log& log,
               std::unique_ptr<transport::Transport> transport, ClientOptions options)
    : m_core(std::make_shared<Core>(loop, clock, log, std::move(transport), std::move(options))) {}

Client::~Client() {
    m_core->abandon();
}

void Client::start() {
    m_core->start();
}
void Client::stop() {
    m_core->stop();
}
void Client::reconnectNow() {
    m_core->reconnectNow();
}
const ConnectionState& Client::state() const {
    return m_core->state();
}
void Client::setStateListener(std::function<void(const ConnectionState&)> listener) {
    m_core->setStateListener(std::move(listener));
}
void Client::forget(CallId call) {
    m_core->forget(call);
}

CallId Client::callMethod(std::string_view method, protocol::RequestKind kind, Object params,
                          std::function<void(Expected<Object>)> answered) {
    return m_core->callMethod(method, kind, std::move(params), std::move(answered));
}

Subscription Client::followRecords(ExperimentId experiment, protocol::Cursor cursor,
                                   RecordsListener& listener) {
    return m_core->subscription(
        m_core->subscriptions().followRecords(std::move(experiment), cursor, listener));
}

Subscription Client::followState(StateListener& listener) {
    return m_core->subscription(m_core->subscriptions().followState(listener));
}

Subscription Client::followLog(protocol::LogAddress address, uint64_t offset, LogListener& listener) {
    return m_core->subscription(m_core->subscriptions().followLog(std::move(address), offset, listener));
}

std::chrono::milliseconds reconnectPause(const ClientOptions& options, int attempt,
                                         std::chrono::milliseconds away) {
    if (attempt <= 1)
        return std::chrono::milliseconds::zero();
    const auto longest =
        away < options.quickFor ? std::min(options.quickPause, options.longestPause) : options.longestPause;
    std::chrono::milliseconds pause = options.firstPause;
    for (int doubled = 2; doubled < attempt && pause < longest; ++doubled)
        pause *= 2;
    return std::min(pause, longest);
}

bool needsPerson(ErrorCode code) {
    switch (code) {
    case ErrorCode::head_shut_down:
    case ErrorCode::cancelled:
    case ErrorCode::ssh_missing:
    case ErrorCode::ssh_configuration:
    case ErrorCode::host_key_changed:
    case ErrorCode::host_key_revoked:
    case ErrorCode::host_key_refused:
    case ErrorCode::login_refused:
    case ErrorCode::too_many_logins:
    case ErrorCode::key_unusable:
    case ErrorCode::shell_blocked:
    case ErrorCode::account_closed:
    case ErrorCode::unsupported_system:
    case ErrorCode::no_place_for_head:
    case ErrorCode::head_does_not_run:
    case ErrorCode::version_mismatch:
        return true;
    default:
        return false;
    }
}

std::string_view nameOf(ConnectionPhase phase) {
    switch (phase) {
    case ConnectionPhase::idle:
        return "idle";
    case ConnectionPhase::connecting:
        return "connecting";
    case ConnectionPhase::connected:
        return "connected";
    case ConnectionPhase::waiting:
        return "waiting";
    }
    return {};
}

} // namespace trialdeck::client
