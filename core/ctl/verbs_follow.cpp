// SPDX-License-Identifier: Apache-2.0
// watch, and what run does after it has started something.
#include "core/ctl/trial_texts.h"
#include "core/ctl/verbs.h"
#include "core/ctl/words.h"

#include <algorithm>

namespace trialdeck::ctl {

namespace {

/// Between two drawings of the live table.
constexpr std::chrono::milliseconds kRedraw{200};
/// A clock in the table goes on when nothing happens.
constexpr std::chrono::milliseconds kTick{1000};

/// Lines at the end of the terminal's output that are drawn again in place.
class LiveLines {
public:
    explicit LiveLines(Terminal& terminal) : m_terminal(terminal) {}

    void draw(const std::string& text) {
        clear();
        m_terminal.print(text);
        m_lines = static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
    }
    void clear() {
        if (m_lines > 0)
            m_terminal.print("\x1b[" + std::to_string(m_lines) + "A\x1b[J");
        m_lines = 0;
    }

private:
    Terminal& m_terminal;
    size_t m_lines = 0;
};

/// The newest summary of one experiment: what records do not say, such as the time that is left.
class SummaryFollower final : public client::StateListener {
public:
    SummaryFollower(Desk& desk, protocol::ExperimentSummary summary)
        : m_desk(desk), m_summary(std::move(summary)), m_subscription(desk.client.followState(*this)) {}
    [[nodiscard]] const protocol::ExperimentSummary& summary() const { return m_summary; }

    void onState(const protocol::StateSubscribeResult& state) override {
        for (const protocol::ExperimentSummary& summary : state.experiments)
            onExperimentChanged(summary);
    }
    void onExperimentChanged(const protocol::ExperimentSummary& summary) override {
        if (summary.experiment != m_summary.experiment)
            return;
        m_summary = summary;
        m_desk.notify();
    }
    void onNodeChanged(const protocol::NodeState&) override {}
    void onRefused(const Error&) override {}

private:
    Desk& m_desk;
    protocol::ExperimentSummary m_summary;
    client::Subscription m_subscription;
};

/// Tells an experiment's course: a live table on a terminal, else a line for each thing that happened.
class Course {
public:
    explicit Course(Desk& desk) : m_desk(desk), m_live(desk.terminal) {}

    void tell(client::ExperimentMirror& mirror, const protocol::ExperimentSummary& summary) {
        const client::MirrorChanges changes = mirror.takeChanges();
        if (m_desk.command.json)
            return;
        tellConnection();
        if (m_desk.terminal.isLive()) {
            m_live.draw(liveText(mirror, summary));
            return;
        }
        const base::WallTime now = m_desk.headNow();
        for (const client::MirrorChanges::Range& range : changes.trials) {
            for (uint32_t i = range.first; i < range.first + range.count; ++i)
                tellEnd(mirror, mirror.trials()[i], summary.metric, now);
        }
        tellReports(mirror, summary.metric);
        for (; m_warningsTold < mirror.warnings().size(); ++m_warningsTold)
            print(warningLine(mirror.warnings()[m_warningsTold]));
        if (const auto state = std::pair(mirror.state(), mirror.reason()); state != m_stateTold) {
            m_stateTold = state;
            print(headline(mirror, summary));
        }
    }

    void end(const client::ExperimentMirror& mirror, const protocol::ExperimentSummary& summary,
             bool withTable) {
        m_live.clear();
        const base::WallTime now = m_desk.headNow();
        if (m_desk.command.json) {
            Array trials;
            for (const client::MirroredTrial& trial : mirror.trials())
                trials.push_back(trialObject(mirror, trial, now, false));
            m_desk.printJson(Object{{"id", summary.experiment.raw()},
                                    {"state", nameOf(mirror.state())},
                                    {"reason", nameOf(mirror.reason())},
                                    {"trials", std::move(trials)}});
            return;
        }
        if (withTable)
            print(trialTable(mirror, summary.metric, now)
                      .text(m_desk.terminal.isLive() ? m_desk.terminal.columns() : 0));
        if (m_desk.terminal.isLive())
            print(headline(mirror, summary));
        if (const Error* error = mirror.error())
            m_desk.terminal.printError(errorText(*error));
    }

    void clear() { m_live.clear(); }

private:
    void print(const std::string& line) { m_desk.terminal.print(line.back() == '\n' ? line : line + "\n"); }

    void tellEnd(const client::ExperimentMirror& mirror, const client::MirroredTrial& trial,
                 const std::string& objective, base::WallTime now) {
        m_ended.resize(std::max<size_t>(m_ended.size(), trial.id.raw() + size_t{1}));
        const bool isEnded = protocol::isFinished(trial.state());
        if (isEnded && !m_ended[trial.id.raw()])
            print(trialLine(mirror, trial, objective, now));
        m_ended[trial.id.raw()] = isEnded;
    }

    /// The newest report of each running trial that has a new one, a few lines at a time: what comes faster
    /// is passed over.
    void tellReports(const client::ExperimentMirror& mirror, const std::string& objective) {
        constexpr std::chrono::milliseconds kReportsEvery{500};
        constexpr size_t kLinesAtOnce = 2;
        const base::SteadyTime now = m_desk.clock.steadyNow();
        const auto& trials = mirror.trials();
        m_reportTold.resize(trials.size());
        if (m_reportsTold && now - *m_reportsTold < kReportsEvery)
            return;
        size_t told = 0;
        for (size_t turn = 0; turn < trials.size() && told < kLinesAtOnce; ++turn) {
            const size_t at = (m_nextReport + turn) % trials.size();
            const client::Reports* reports = trials[at].reports();
            if (trials[at].state() != TrialState::running || !reports || reports->rows.empty() ||
                m_reportTold[at] == reports->rows.back().record)
                continue;
            m_reportTold[at] = reports->rows.back().record;
            print(reportLine(mirror, trials[at], objective));
            if (++told == kLinesAtOnce)
                m_nextReport = at + 1;
        }
        if (told > 0)
            m_reportsTold = now;
    }

    void tellConnection() {
        const bool isConnected = m_desk.client.state().phase == client::ConnectionPhase::connected;
        if (isConnected != m_connectedTold && !m_desk.terminal.isLive())
            m_desk.terminal.printError(isConnected ? "connected again\n"
                                                   : "the connection was lost; trying again\n");
        m_connectedTold = isConnected;
    }

    std::string liveText(const client::ExperimentMirror& mirror,
                         const protocol::ExperimentSummary& summary) const {
        const size_t columns = m_desk.terminal.columns();
        // Headline, bar, table's header, "and more", and the line that the cursor stands on.
        constexpr size_t kOtherLines = 5;
        const size_t room = std::max<size_t>(m_desk.terminal.rows(), kOtherLines + 1) - kOtherLines;
        const std::vector<bool> shown = trialsToShow(mirror, room);
        const TextTable table =
            trialTable(mirror, summary.metric, m_desk.headNow(),
                       [&shown](const client::MirroredTrial& trial) { return shown[trial.id.raw()]; });
        std::string text = fitted(headline(mirror, summary), columns) + "\n";
        if (!m_connectedTold)
            text += "not connected since a moment ago; trying again\n";
        else if (const std::string bar = progressBar(mirror, columns); !bar.empty())
            text += bar + "\n";
        text += table.text(columns);
        if (table.rows() < mirror.trials().size())
            text += "… and " + counted(mirror.trials().size() - table.rows(), "more trial") + "\n";
        return text;
    }

    /// Running trials first, then the best, then the newest.
    static std::vector<bool> trialsToShow(const client::ExperimentMirror& mirror, size_t room) {
        std::vector<bool> shown(mirror.trials().size(), mirror.trials().size() <= room);
        size_t left = shown.empty() || shown.front() ? 0 : room;
        const auto show = [&](const client::MirroredTrial& trial) {
            if (left > 0 && !shown[trial.id.raw()]) {
                shown[trial.id.raw()] = true;
                --left;
            }
        };
        for (const client::MirroredTrial& trial : mirror.trials()) {
            if (trial.state() == TrialState::running)
                show(trial);
        }
        if (const auto best = mirror.best())
            show(*mirror.trial(*best));
        for (auto trial = mirror.trials().rbegin(); trial != mirror.trials().rend(); ++trial)
            show(*trial);
        return shown;
    }

    Desk& m_desk;
    LiveLines m_live;
    std::vector<bool> m_ended;
    /// By trial: the record of the report that was told last.
    std::vector<RecordNumber> m_reportTold;
    std::optional<base::SteadyTime> m_reportsTold;
    /// Whose turn it is, where there are more than fit.
    size_t m_nextReport = 0;
    size_t m_warningsTold = 0;
    bool m_connectedTold = true;
    std::pair<ExperimentState, ExperimentReason> m_stateTold{ExperimentState::running,
                                                             ExperimentReason::none};
};

} // namespace

Ending follow(Desk& desk, protocol::ExperimentSummary summary, bool withTable) {
    const std::string id = summary.experiment.raw();
    Follower records(desk, summary);
    SummaryFollower state(desk, std::move(summary));
    Course course(desk);
    const auto caughtUp = co_await records.catchUp();
    if (!caughtUp && !desk.interrupted())
        co_return desk.fail(caughtUp.error());
    client::ExperimentMirror& mirror = records.mirror();
    for (;;) {
        if (desk.interrupted()) {
            course.clear();
            desk.terminal.printError("The experiment goes on; `trialdeckctl watch " + id +
                                     "` follows it again, `trialdeckctl stop " + id + "` ends it.\n");
            co_return ExitCode::interrupted;
        }
        course.tell(mirror, state.summary());
        if (protocol::isFinished(mirror.state()))
            break;
        if (records.refused())
            co_return desk.fail(*records.refused());
        if (const auto& link = desk.client.state().error; link && link->code == ErrorCode::head_shut_down) {
            course.clear();
            co_return desk.fail(*link);
        }
        if (const auto& now = state.summary(); now.missing && now.error)
            co_return desk.fail(*now.error);
        co_await desk.waitAtMost(desk.terminal.isLive() ? kTick : std::chrono::hours(24));
        // What comes within the same moment is drawn once.
        if (desk.terminal.isLive() && !desk.interrupted())
            co_await desk.pause(kRedraw);
    }
    course.end(mirror, state.summary(), withTable);
    co_return mirror.state() == ExperimentState::completed ? ExitCode::ok : ExitCode::experiment_failed;
}

Ending watchExperiment(Desk& desk) {
    auto summary = co_await desk.findExperiment();
    if (!summary)
        co_return desk.fail(summary.error());
    protocol::ExperimentSummary followed = std::move(*summary);
    co_return co_await follow(desk, std::move(followed), false);
}

} // namespace trialdeck::ctl
