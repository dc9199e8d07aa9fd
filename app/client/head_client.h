// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/client/host_work.h"
#include "app/client/remembered_secrets.h"
#include "core/protocol/messages.h"
#include "core/transport/connection_steps.h"
#include "core/transport/prompts.h"

#include <QObject>
#include <QPointer>

#include <any>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace trialdeck::app::client {

/// How things stand with one head.
struct LinkStatus {
    enum class State {
        /// On the way to the first hello.
        connecting,
        connected,
        /// Was connected; everything shown is as of `since`. Reconnecting by itself.
        lost,
        /// Could not be reached, or refused.
        failed,
        /// Somebody shut it down; everything shown is as of `since`. Only reconnect() starts it again.
        ended,
        /// The user wants no connection now; what was seen before is as of `since`. Until reconnect().
        closed,
    };
    State state = State::connecting;
    base::WallTime since;
    std::optional<Error> error;
    /// A try is under way.
    bool isTrying = false;
    /// Missing where nothing happens before reconnect().
    std::optional<base::WallTime> nextTry;
};

/// What the window can ask for.
using AnyRequest =
    std::variant<protocol::SpecCheckRequest, protocol::ExperimentCreateRequest,
                 protocol::ExperimentShowRequest, protocol::WorkAtRiskRequest, protocol::PauseRequest,
                 protocol::ResumeRequest, protocol::StopRequest, protocol::LogReadRequest,
                 protocol::FilesListRequest, protocol::DoctorRequest, protocol::ShutdownRequest>;

/// One head as the window sees it: requests with answers, and signals for what comes by itself. Lives on the
/// window's thread; what works behind it does not. Owned by the composition root.
class HeadClient : public QObject {
    Q_OBJECT

public:
    explicit HeadClient(QString name, QObject* parent = nullptr) : QObject(parent), m_name(std::move(name)) {}

    /// Connects, then says hello and subscribes to the state; returns at once.
    virtual void start() = 0;
    /// Tries now, whatever the back-off says.
    virtual void reconnect() = 0;
    /// Walks the way to the head once more, also where it is connected: what was asked for before comes back.
    virtual void testAgain() = 0;
    /// Ends the connection or the try, or has none made at all; trials go on.
    virtual void hangUp() = 0;
    enum class Remember { no, yes };
    /// Nothing gives the try up. Passed over when the prompt is gone.
    void answerPrompt(int number, std::optional<std::string> answer, Remember remember = Remember::no);
    /// Where passwords and passphrases are looked for and may be kept; it outlives this.
    void setKeychain(Keychain& keychain);
    /// Null where there is no keychain.
    [[nodiscard]] RememberedSecrets* secrets() const { return m_secrets.get(); }

    /// What is done on its host besides; null for this computer.
    [[nodiscard]] virtual HostWork* hostWork() const { return nullptr; }
    /// "This computer", or the name that the user gave.
    [[nodiscard]] const QString& name() const { return m_name; }
    void setName(const QString& name);
    /// Whose files and paths the head speaks of.
    enum class Reach { this_computer, another_host };
    void setReach(Reach reach) { m_reach = reach; }
    [[nodiscard]] bool isRemote() const { return m_reach == Reach::another_host; }
    [[nodiscard]] const LinkStatus& status() const { return m_status; }
    [[nodiscard]] const std::optional<protocol::HelloResult>& hello() const { return m_hello; }
    /// Of the newest try, in their order, as far as it has come.
    [[nodiscard]] const std::vector<transport::StepState>& steps() const { return m_steps; }
    /// The oldest that waits for its answer.
    [[nodiscard]] const AskedPrompt* prompt() const {
        return m_prompts.empty() ? nullptr : &m_prompts.front();
    }
    /// Whether the head said in hello that it has this; false before.
    [[nodiscard]] bool can(std::string_view capability) const;

    /// The answer comes later, on this thread, once, unless `context` is gone by then.
    template<typename Request>
    void ask(QObject* context, Request request,
             std::function<void(Expected<typename Request::Result>)> answer) {
        using Result = typename Request::Result;
        send(AnyRequest(std::move(request)),
             [guard = QPointer<QObject>(context), answer = std::move(answer)](Expected<std::any> result) {
                 if (!guard)
                     return;
                 if (result)
                     answer(std::any_cast<Result>(std::move(*result)));
                 else
                     answer(tl::make_unexpected(std::move(result).error()));
             });
    }

    /// Records come by recordsReceived, all behind (0, 0) first; kept over reconnects.
    virtual void subscribeRecords(const ExperimentId& experiment) = 0;
    virtual void unsubscribeRecords(const ExperimentId& experiment) = 0;
    /// Bytes come by logReceived from `offset` on; kept over reconnects.
    virtual void subscribeLog(const protocol::LogAddress& address, uint64_t offset) = 0;
    virtual void unsubscribeLog(const protocol::LogAddress& address) = 0;

signals:
    void statusChanged(const trialdeck::app::client::LinkStatus& status);
    void helloReceived(const trialdeck::protocol::HelloResult& hello);
    void nameChanged();
    void stepsChanged();
    /// Until it is answered the try stands still.
    void promptAsked(int number, const trialdeck::transport::Prompt& prompt);
    /// It was answered, or the try that asked has ended.
    void promptWithdrawn(int number);
    /// All experiments and nodes, on each connecting.
    void stateReceived(const trialdeck::protocol::StateSubscribeResult& state);
    void experimentChanged(const trialdeck::protocol::ExperimentSummary& summary);
    void nodeChanged(const trialdeck::protocol::NodeState& node);
    void recordsReceived(const trialdeck::ExperimentId& experiment,
                         const std::vector<trialdeck::protocol::Record>& records);
    /// Forget the experiment's records: a crash of the head took some of them; all come again.
    void recordsRestarted(const trialdeck::ExperimentId& experiment);
    void logReceived(const trialdeck::protocol::LogEvent& event);

protected:
    using AnyAnswer = std::function<void(Expected<std::any>)>;
    /// The answer holds the request's Result.
    virtual void send(AnyRequest request, AnyAnswer answer) = 0;

    void setStatus(LinkStatus status);
    void setHello(protocol::HelloResult hello);
    void setSteps(std::vector<transport::StepState> steps);
    void takePrompt(int number, const transport::Prompt& prompt);
    /// Asks the person, whatever a keychain has.
    void showPrompt(AskedPrompt asked);
    void dropPrompt(int number);
    virtual void sendAnswer(int number, std::optional<std::string> answer) = 0;

private:
    QString m_name;
    Reach m_reach = Reach::this_computer;
    LinkStatus m_status;
    std::optional<protocol::HelloResult> m_hello;
    std::vector<transport::StepState> m_steps;
    std::vector<AskedPrompt> m_prompts;
    std::unique_ptr<RememberedSecrets> m_secrets;
};

} // namespace trialdeck::app::client
