// SPDX-License-Identifier: Apache-2.0
// A head that is not there: answers as told, remembers what it was asked.
#pragma once

#include "app/client/head_client.h"
#include "tests/fakes/app/fake_host_work.h"
#include "tests/fakes/app/replayed_experiment.h"

#include <map>
#include <string>
#include <vector>

namespace trialdeck::fakes {

class FakeHeadClient : public app::client::HeadClient {
    Q_OBJECT

public:
    explicit FakeHeadClient(const QString& name = QStringLiteral("This computer"), QObject* parent = nullptr);

    [[nodiscard]] app::client::HostWork* hostWork() const override { return m_work.get(); }
    [[nodiscard]] FakeHostWork& work() const { return *m_work; }
    void start() override;
    void reconnect() override;
    void testAgain() override;
    void hangUp() override;
    void subscribeRecords(const ExperimentId& experiment) override;
    void unsubscribeRecords(const ExperimentId& experiment) override;
    void subscribeLog(const protocol::LogAddress& address, uint64_t offset) override;
    void unsubscribeLog(const protocol::LogAddress& address) override;

    /// Shown from the next start on, or at once when started.
    void add(ReplayedExperiment experiment);
    void sendRecords(const ExperimentId& experiment, const std::vector<protocol::Record>& records);
    void changeSummary(const protocol::ExperimentSummary& summary);
    void setLog(const std::string& text) { m_log = text; }
    /// What hello will say; pause and files unless told otherwise.
    void setCapabilities(std::vector<std::string> capabilities) { m_capabilities = std::move(capabilities); }
    void lose(base::WallTime since);
    void fail(Error error);
    /// A first try is under way.
    void beginTry();
    using HeadClient::dropPrompt;
    using HeadClient::takePrompt;
    void takeSteps(std::vector<transport::StepState> steps) { setSteps(std::move(steps)); }
    /// Somebody shuts the head down.
    void end(base::WallTime since);

    /// The answer of the next request of that kind, in place of the usual one.
    template<typename Request>
    void answerWith(Expected<typename Request::Result> answer) {
        m_answers.insert_or_assign(std::string(Request::kMethod),
                                   answer.map([](auto result) { return std::any(std::move(result)); }));
    }
    /// "experiment.pause 3f1b… trial 2", one line a request.
    [[nodiscard]] const std::vector<std::string>& asked() const { return m_asked; }
    [[nodiscard]] const std::vector<std::string>& subscriptions() const { return m_subscriptions; }

protected:
    void send(app::client::AnyRequest request, AnyAnswer answer) override;
    /// Told in asked(): "answer 1 yes", "answer 1 -" where the try is given up.
    void sendAnswer(int number, std::optional<std::string> answer) override;

private:
    [[nodiscard]] Expected<std::any> answerFor(const app::client::AnyRequest& request) const;
    [[nodiscard]] const ReplayedExperiment* find(const ExperimentId& experiment) const;

    std::vector<ReplayedExperiment> m_experiments;
    std::map<std::string, Expected<std::any>> m_answers;
    std::vector<std::string> m_asked;
    std::vector<std::string> m_subscriptions;
    std::string m_log;
    bool m_started = false;
    std::unique_ptr<FakeHostWork> m_work = std::make_unique<FakeHostWork>();
    std::vector<std::string> m_capabilities = {"experiments", "pause", "files"};
};

} // namespace trialdeck::fakes
