// SPDX-License-Identifier: Apache-2.0
#include "core/base/utf8.h"
#include "core/ctl/verbs.h"
#include "core/ctl/words.h"

#include <algorithm>

namespace trialdeck::ctl {

namespace {

constexpr uint64_t kReadBytes = uint64_t{128} << 10;
/// Where the last lines are looked for.
constexpr uint64_t kTailBytes = uint64_t{128} << 10;

/// One stream of one worker, to the terminal.
class LogPrinter final : public client::LogListener {
public:
    explicit LogPrinter(Desk& desk) : m_desk(desk) {}

    void print(uint64_t offset, const std::string& data, bool isLast) {
        if (m_desk.command.json)
            m_desk.printJson(
                Object{{"offset", offset}, {"text", base::cleanUtf8(data)}, {"complete", isLast}});
        else
            m_desk.terminal.print(data);
    }
    void onLog(const protocol::LogEvent& event) override {
        print(event.offset, event.data.data, event.complete);
        complete = complete || event.complete;
        m_desk.notify();
    }
    void onRefused(const Error& error) override {
        refused = error;
        m_desk.notify();
    }

    bool complete = false;
    std::optional<Error> refused;

private:
    Desk& m_desk;
};

/// The beginning of the last `lines` lines of the text.
size_t startOfLastLines(const std::string& text, uint32_t lines) {
    size_t at = text.size();
    if (at > 0 && text.back() == '\n')
        --at;
    for (uint32_t found = 0; at > 0; --at) {
        if (text[at - 1] == '\n' && ++found == lines)
            return at;
    }
    return lines == 0 ? text.size() : 0;
}

/// The worker that is meant; wrong_value_type where that is open.
Expected<protocol::LogAddress> addressOf(const Desk& desk, const protocol::ExperimentSummary& summary,
                                         const client::ExperimentMirror& mirror) {
    const Command& command = desk.command;
    if (!command.trial && mirror.trials().size() != 1)
        return base::fail(ErrorCode::missing_key, {{"option", "--trial"}},
                          "the experiment has " + counted(mirror.trials().size(), "trial"));
    const TrialId id(command.trial.value_or(0));
    const client::MirroredTrial* trial = mirror.trial(id);
    if (!trial)
        return base::fail(ErrorCode::trial_not_found, {{"trial", std::to_string(id.raw())}});
    if (trial->attempts.empty())
        return base::fail(ErrorCode::no_output_yet, {{"trial", std::to_string(id.raw())}},
                          "it has not started");
    protocol::LogAddress address;
    address.experiment = summary.experiment;
    address.trial = id;
    address.attempt =
        command.attempt ? AttemptNumber(*command.attempt) : trial->attempts.back().start.attempt;
    address.rank = command.rank;
    address.stream = command.standardError ? protocol::OutputStream::standardError
                                           : protocol::OutputStream::standardOutput;
    return address;
}

/// Prints from `offset` to the present end. @return where that is, or an error
asio::awaitable<Expected<uint64_t>> printToEnd(Desk& desk, LogPrinter& printer, protocol::LogAddress address,
                                               uint64_t offset) {
    for (;;) {
        protocol::LogReadRequest request{address, offset, false, kReadBytes};
        const auto read = co_await desk.ask(std::move(request));
        if (!read)
            co_return tl::make_unexpected(read.error());
        offset = read->offset + read->data.data.size();
        if (!read->data.data.empty())
            printer.print(read->offset, read->data.data, read->complete && offset >= read->end);
        printer.complete = read->complete;
        if (read->data.data.empty() || offset >= read->end)
            co_return offset;
    }
}

asio::awaitable<Expected<uint64_t>> startOfTail(Desk& desk, protocol::LogAddress address) {
    if (!desk.command.lines)
        co_return uint64_t{0};
    protocol::LogReadRequest request{address, kTailBytes, true, kTailBytes};
    const auto read = co_await desk.ask(std::move(request));
    if (!read)
        co_return tl::make_unexpected(read.error());
    co_return read->offset + startOfLastLines(read->data.data, *desk.command.lines);
}

} // namespace

Ending printLogs(Desk& desk) {
    const auto summary = co_await desk.findExperiment();
    if (!summary)
        co_return desk.fail(summary.error());
    Follower follower(desk, *summary);
    const auto caughtUp = co_await follower.catchUp();
    if (!caughtUp)
        co_return desk.fail(caughtUp.error());
    const auto address = addressOf(desk, *summary, follower.mirror());
    if (!address)
        co_return desk.fail(address.error());
    const auto start = co_await startOfTail(desk, *address);
    if (!start)
        co_return desk.fail(start.error());
    LogPrinter printer(desk);
    const auto end = co_await printToEnd(desk, printer, *address, *start);
    if (!end)
        co_return desk.fail(end.error());
    if (!desk.command.follow || printer.complete)
        co_return ExitCode::ok;
    const client::Subscription subscription = desk.client.followLog(*address, *end, printer);
    while (!printer.complete && !printer.refused && !desk.interrupted())
        co_await desk.wait();
    if (printer.refused)
        co_return desk.fail(*printer.refused);
    co_return desk.interrupted() ? ExitCode::interrupted : ExitCode::ok;
}

} // namespace trialdeck::ctl
