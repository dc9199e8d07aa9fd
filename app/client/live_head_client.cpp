// SPDX-License-Identifier: Apache-2.0
#include "app/client/live_head_client.h"

#include "core/base/wipe.h"
#include "core/transport/transport.h"

#include <QMetaObject>

#include <asio/executor_work_guard.hpp>
#include <asio/io_context.hpp>
#include <asio/post.hpp>

#include <algorithm>
#include <chrono>
#include <future>
#include <map>
#include <thread>
#include <utility>

namespace trialdeck::app::client {

using trialdeck::client::Client;
using trialdeck::client::ConnectionPhase;
using trialdeck::client::ConnectionState;
using trialdeck::client::Subscription;

namespace {
/// The window is closed: so long at most until its connection is.
constexpr std::chrono::milliseconds kPatience{300};
} // namespace

/// Lives on the loop's thread but for construction and destruction. Speaks to the window only by queued
/// calls, which fall away once the window's object is gone.
class LiveHeadClient::Worker final : public trialdeck::client::StateListener {
public:
    Worker(LiveHeadClient& owner, const MakeWay& makeWay, trialdeck::client::ClientOptions options,
           const base::Clock& clock, base::Log& log)
        : Worker(owner, std::make_unique<Questions>(owner), makeWay, std::move(options), clock, log) {}
    ~Worker() override {
        onLoop([this] {
            m_records.clear();
            m_logs.clear();
            m_state.reset();
            if (m_hostWork)
                m_hostWork->endAll();
            m_questions->clear();
            m_client->setStateListener({});
            m_client->stop();
            m_client.reset();
            m_work.reset();
        });
        // What is still waiting then, for the last words of a head that broke down, has nobody to tell them.
        if (m_ended.wait_for(kPatience) != std::future_status::ready)
            m_loop.stop();
        m_thread.join();
    }
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    void start() {
        onLoop([this] { begin(); });
    }

    void reconnect() {
        onLoop([this] {
            if (m_client->state().phase == ConnectionPhase::idle)
                begin();
            else
                m_client->reconnectNow();
        });
    }

    void hangUp() {
        onLoop([this] { m_client->stop(); });
    }

    void testAgain() {
        onLoop([this] {
            if (m_client->state().phase == ConnectionPhase::idle) {
                begin();
                return;
            }
            // A try that is under way is a test already.
            if (m_client->state().phase != ConnectionPhase::connected) {
                m_client->reconnectNow();
                return;
            }
            m_client->stop();
            m_client->start();
        });
    }

    void answerPrompt(int number, std::optional<std::string> answer) {
        // By pointer: each move of a short text would leave its letters behind.
        auto held = std::make_shared<std::optional<std::string>>(std::move(answer));
        base::wipe(answer);
        onLoop([this, number, held] {
            m_questions->answer(number, *held);
            base::wipe(*held);
        });
    }

    [[nodiscard]] HostWork* hostWork() const { return m_hostWork.get(); }

    void follow(const ExperimentId& experiment) {
        onLoop([this, experiment] {
            stopFollowing(experiment);
            auto listener = std::make_unique<Records>(*this, experiment);
            listener->subscription = m_client->followRecords(experiment, {}, *listener);
            m_records.push_back(std::move(listener));
        });
    }

    void unfollow(const ExperimentId& experiment) {
        onLoop([this, experiment] { stopFollowing(experiment); });
    }

    void follow(const protocol::LogAddress& address, uint64_t offset) {
        onLoop([this, address, offset] {
            stopFollowing(address);
            auto listener = std::make_unique<Log>(*this, address);
            listener->subscription = m_client->followLog(address, offset, *listener);
            m_logs.push_back(std::move(listener));
        });
    }

    void unfollow(const protocol::LogAddress& address) {
        onLoop([this, address] { stopFollowing(address); });
    }

    void send(AnyRequest request, AnyAnswer answer) {
        onLoop([this, request = std::move(request), answer = std::move(answer)]() mutable {
            std::visit([&](auto& each) { call(std::move(each), std::move(answer)); }, request);
        });
    }

    void onState(const protocol::StateSubscribeResult& state) override {
        tell([state](LiveHeadClient& owner) { emit owner.stateReceived(state); });
    }
    void onExperimentChanged(const protocol::ExperimentSummary& summary) override {
        tell([summary](LiveHeadClient& owner) { emit owner.experimentChanged(summary); });
    }
    void onNodeChanged(const protocol::NodeState& node) override {
        tell([node](LiveHeadClient& owner) { emit owner.nodeChanged(node); });
    }
    void onRefused(const Error& error) override { m_log.error("window", error); }

private:
    /// Waits for the person's answers. Outlives the loop: what lies on it may still withdraw a question.
    class Questions final : public transport::Prompts {
    public:
        explicit Questions(LiveHeadClient& owner) : m_owner(owner) {}

        void ask(const transport::Prompt& prompt,
                 std::function<void(std::optional<std::string>)> answer) override {
            const int number = ++m_numbers;
            m_answers.emplace(number, std::move(answer));
            tellTo(m_owner, [number, prompt](LiveHeadClient& owner) { owner.takePrompt(number, prompt); });
        }
        void withdraw() override {
            for (const auto& [number, answer] : std::exchange(m_answers, {}))
                tellTo(m_owner, [asked = number](LiveHeadClient& owner) { owner.dropPrompt(asked); });
        }
        void answer(int number, const std::optional<std::string>& text) {
            const auto asked = m_answers.find(number);
            if (asked == m_answers.end())
                return;
            const auto tellAnswer = std::move(asked->second);
            m_answers.erase(asked);
            tellAnswer(text);
        }
        void clear() { m_answers.clear(); }

    private:
        LiveHeadClient& m_owner;
        int m_numbers = 0;
        std::map<int, std::function<void(std::optional<std::string>)>> m_answers;
    };

    Worker(LiveHeadClient& owner, std::unique_ptr<Questions> questions, const MakeWay& makeWay,
           trialdeck::client::ClientOptions options, const base::Clock& clock, base::Log& log)
        : m_owner(owner), m_log(log), m_questions(std::move(questions)),
          m_work(asio::make_work_guard(m_loop)) {
        Way way = makeWay(*m_questions);
        if (way.host)
            m_hostWork = std::make_unique<LiveHostWork>(m_loop, std::move(*way.host));
        m_client = std::make_unique<Client>(m_loop, clock, log, std::move(way.transport), std::move(options));
        m_thread = std::thread([this, ended = std::move(m_end)]() mutable {
            m_loop.run();
            ended.set_value();
        });
    }

    struct Records final : trialdeck::client::RecordsListener {
        Records(Worker& worker, ExperimentId id) : owner(worker), experiment(std::move(id)) {}
        void onSubscribed(const protocol::RecordsSubscribeResult&) override {}
        void onRecords(const protocol::RecordsEvent& event) override {
            owner.tell([id = experiment, records = parsed(event.lines.data, owner.m_log)](
                           LiveHeadClient& to) { emit to.recordsReceived(id, records); });
        }
        protocol::Cursor onRollback(protocol::Cursor) override {
            owner.tell([id = experiment](LiveHeadClient& to) { emit to.recordsRestarted(id); });
            return {};
        }
        void onRefused(const Error& error) override { owner.m_log.error("window", error); }

        Worker& owner;
        ExperimentId experiment;
        Subscription subscription;
    };

    struct Log final : trialdeck::client::LogListener {
        Log(Worker& worker, protocol::LogAddress where) : owner(worker), address(std::move(where)) {}
        void onLog(const protocol::LogEvent& event) override {
            owner.tell([event](LiveHeadClient& to) { emit to.logReceived(event); });
        }
        void onRefused(const Error& error) override { owner.m_log.error("window", error); }

        Worker& owner;
        protocol::LogAddress address;
        Subscription subscription;
    };

    static std::vector<protocol::Record> parsed(std::string_view lines, base::Log& log) {
        std::vector<protocol::Record> records;
        while (!lines.empty()) {
            const size_t end = std::min(lines.find('\n'), lines.size());
            auto record = protocol::parseRecordLine(lines.substr(0, end));
            lines.remove_prefix(std::min(end + 1, lines.size()));
            if (record)
                records.push_back(std::move(*record));
            else
                log.error("window", record.error());
        }
        return records;
    }

    void begin() {
        m_client->setStateListener([this](const ConnectionState& state) {
            tell([state](LiveHeadClient& owner) { owner.takeState(state); });
        });
        if (!std::exchange(m_isFollowing, true))
            m_state = m_client->followState(*this);
        m_client->start();
    }

    template<typename Deed>
    void onLoop(Deed deed) {
        asio::post(m_loop, std::move(deed));
    }

    /// The owner lives until this worker's thread has ended; what it has not run by then Qt drops.
    template<typename Deed>
    static void tellTo(LiveHeadClient& to, Deed deed) {
        QMetaObject::invokeMethod(
            &to, [&to, deed = std::move(deed)] { deed(to); }, Qt::QueuedConnection);
    }
    template<typename Deed>
    void tell(Deed deed) {
        tellTo(m_owner, std::move(deed));
    }

    template<typename Request>
    void call(Request request, AnyAnswer answer) {
        using Result = typename Request::Result;
        m_client->call(std::move(request), [this, answer = std::move(answer)](Expected<Result> result) {
            tell([answer, result = std::move(result)](LiveHeadClient&) {
                answer(result.map([](const Result& value) { return std::any(value); }));
            });
        });
    }

    void stopFollowing(const ExperimentId& experiment) {
        std::erase_if(m_records, [&](const auto& each) { return each->experiment == experiment; });
    }
    void stopFollowing(const protocol::LogAddress& address) {
        std::erase_if(m_logs, [&](const auto& each) { return each->address == address; });
    }

    LiveHeadClient& m_owner;
    base::Log& m_log;
    std::unique_ptr<Questions> m_questions;
    asio::io_context m_loop{1};
    asio::executor_work_guard<asio::io_context::executor_type> m_work;
    std::unique_ptr<LiveHostWork> m_hostWork;
    std::unique_ptr<Client> m_client;
    Subscription m_state;
    bool m_isFollowing = false;
    std::vector<std::unique_ptr<Records>> m_records;
    std::vector<std::unique_ptr<Log>> m_logs;
    std::promise<void> m_end;
    std::future<void> m_ended = m_end.get_future();
    std::thread m_thread;
};

LiveHeadClient::LiveHeadClient(QString name, const MakeWay& makeWay, trialdeck::client::ClientOptions options,
                               const base::Clock& clock, base::Log& log, QObject* parent)
    : HeadClient(std::move(name), parent), m_clock(clock),
      m_worker(std::make_unique<Worker>(*this, makeWay, std::move(options), clock, log)) {}

LiveHeadClient::~LiveHeadClient() = default;

HostWork* LiveHeadClient::hostWork() const {
    return m_worker->hostWork();
}

void LiveHeadClient::start() {
    m_isClosed = false;
    LinkStatus connecting;
    connecting.since = m_clock.wallNow();
    connecting.isTrying = true;
    setStatus(std::move(connecting));
    m_worker->start();
}

void LiveHeadClient::reconnect() {
    m_isClosed = false;
    m_worker->reconnect();
}

void LiveHeadClient::testAgain() {
    m_isClosed = false;
    m_worker->testAgain();
}

void LiveHeadClient::hangUp() {
    m_isClosed = true;
    LinkStatus closed;
    closed.state = LinkStatus::State::closed;
    const bool wasLost =
        status().state == LinkStatus::State::lost || status().state == LinkStatus::State::ended;
    closed.since = wasLost ? status().since : m_clock.wallNow();
    setStatus(std::move(closed));
    m_worker->hangUp();
}

void LiveHeadClient::sendAnswer(int number, std::optional<std::string> answer) {
    m_worker->answerPrompt(number, std::move(answer));
    base::wipe(answer);
}

void LiveHeadClient::takeState(const ConnectionState& state) {
    // What was told before the worker heard of it.
    if (m_isClosed)
        return;
    setSteps(state.steps);
    if (state.phase == ConnectionPhase::connected && state.head)
        setHello(*state.head);
    LinkStatus status;
    status.error = state.error;
    status.since = state.unknownSince.value_or(m_clock.wallNow());
    status.isTrying = state.phase == ConnectionPhase::connecting;
    status.nextTry = state.nextAttempt;
    const bool isShutDown = state.error && state.error->code == ErrorCode::head_shut_down;
    if (state.phase == ConnectionPhase::connected)
        status.state = LinkStatus::State::connected;
    else if (isShutDown && state.phase == ConnectionPhase::waiting)
        status.state = LinkStatus::State::ended;
    else if (state.unknownSince)
        status.state = LinkStatus::State::lost;
    else if (state.error && state.error->code != ErrorCode::head_replaced)
        status.state = LinkStatus::State::failed;
    // Steps are told as well: most of those leave the link as it was.
    if (status.state != this->status().state || status.isTrying != this->status().isTrying ||
        status.error != this->status().error || status.nextTry != this->status().nextTry ||
        (state.unknownSince && status.since != this->status().since))
        setStatus(std::move(status));
}

void LiveHeadClient::subscribeRecords(const ExperimentId& experiment) {
    m_worker->follow(experiment);
}

void LiveHeadClient::unsubscribeRecords(const ExperimentId& experiment) {
    m_worker->unfollow(experiment);
}

void LiveHeadClient::subscribeLog(const protocol::LogAddress& address, uint64_t offset) {
    m_worker->follow(address, offset);
}

void LiveHeadClient::unsubscribeLog(const protocol::LogAddress& address) {
    m_worker->unfollow(address);
}

void LiveHeadClient::send(AnyRequest request, AnyAnswer answer) {
    m_worker->send(std::move(request), std::move(answer));
}

} // namespace trialdeck::app::client
