// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/log.h"
#include "core/ctl/verbs.h"
#include "tests/fakes/scripted_head.h"

#include <QString>

/// What tests of the verbs have in common: a terminal made of text, and a scripted head with an experiment.
namespace trialdeck::tests {

using ctl::Desk;
using ctl::Terminal;

inline const ExperimentId kExperiment("4f1c0000-0000-4000-8000-000000000000");

class FakeTerminal final : public Terminal {
public:
    bool isLive() const override { return live; }
    bool canAsk() const override { return answer.has_value(); }
    size_t columns() const override { return 100; }
    size_t rows() const override { return 24; }
    void print(std::string_view text) override { out += text; }
    void printError(std::string_view text) override { errors += text; }
    std::optional<std::string> ask(std::string_view question) override {
        errors += std::string(question) + "\n";
        return answer;
    }

    bool live = false;
    /// To every question; without one there is nobody.
    std::optional<std::string> answer;
    std::string out;
    std::string errors;
};

/// A head with one experiment of two trials, one of which ends and one of which runs.
struct Scene {
    Scene();

    void record(const std::string& fields);
    void startTrial(int trial, const std::string& rate);
    void report(int trial, int iteration, const std::string& loss);
    /// A report with ' for ", and ~ for the " within a text.
    void say(int trial, int iteration, const std::string& metrics);
    /// Trial 1 has the folders of so many attempts.
    void hasAttempts(int count);
    void endExperiment(const std::string& state);
    /// Runs one command line. @return the exit code
    int run(const QString& line);
    int run(std::vector<std::string> words);
    /// The head says that it ends as soon as records are followed.
    void shutDownWhenFollowed();
    [[nodiscard]] bool wasAsked(const std::string& method) const;

    asio::io_context loop;
    base::ManualClock clock{base::parseIso8601("2026-11-30T14:05:00.000Z").value()};
    base::NullLog log;
    ScriptedHead head;
    FakeTerminal terminal;
    protocol::WorkAtRiskResult risk;
    bool pausedAtOnce = false;
    bool interrupt = false;
    int records = 0;

private:
    void answerCommands();
    /// Ctrl-C as soon as records are followed.
    void interruptWhenAsked(Desk& desk);
};

} // namespace trialdeck::tests
