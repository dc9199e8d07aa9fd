// SPDX-License-Identifier: Apache-2.0
#include "core/base/utf8.h"
#include "core/ctl/log_filter.h"
#include "core/ctl/verbs.h"
#include "core/ctl/words.h"

#include <algorithm>
#include <charconv>

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
            m_desk.terminal.print(m_desk.terminal.isLive() ? m_filter.take(data) : data);
    }
    /// Nothing more will come: leaves the terminal in its own colours.
    void end() {
        if (!m_desk.command.json && m_desk.terminal.isLive())
            m_desk.terminal.print(m_filter.end());
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
    LogFilter m_filter;
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

/// As storage names it: a part of the layout that is written down for users.
std::string trialFolder(TrialId trial) {
    constexpr size_t kDigits = 5;
    const std::string number = std::to_string(trial.raw());
    return "trial_" + std::string(kDigits - std::min(number.size(), kDigits), '0') + number;
}

std::optional<uint32_t> attemptOf(std::string_view folder) {
    constexpr std::string_view kPrefix = "attempt_";
    uint32_t number = 0;
    if (!folder.starts_with(kPrefix))
        return std::nullopt;
    folder.remove_prefix(kPrefix.size());
    const auto read = std::from_chars(folder.data(), folder.data() + folder.size(), number);
    const bool isWhole = read.ec == std::errc() && read.ptr == folder.data() + folder.size();
    return isWhole ? std::optional(number) : std::nullopt;
}

/// The newest attempt that has a folder: an experiment may have a million records, and none is needed here.
asio::awaitable<Expected<AttemptNumber>> newestAttempt(Desk& desk, ExperimentId experiment, TrialId trial) {
    const std::string number = std::to_string(trial.raw());
    protocol::FilesListRequest request{std::move(experiment), trialFolder(trial)};
    const auto listed = co_await desk.ask(std::move(request));
    if (!listed && listed.error().code != ErrorCode::file_not_found)
        co_return tl::make_unexpected(listed.error());
    std::optional<uint32_t> newest;
    if (listed) {
        for (const protocol::FileEntry& entry : listed->entries)
            newest = std::max(newest, attemptOf(entry.name));
    }
    if (!newest)
        co_return base::fail(ErrorCode::no_output_yet, {{"trial", number}}, "it has not started");
    co_return AttemptNumber(*newest);
}

/// The worker that is meant; missing_key where that is open.
asio::awaitable<Expected<protocol::LogAddress>> addressOf(Desk& desk, protocol::ExperimentSummary summary) {
    const Command& command = desk.command;
    if (!command.trial && summary.trials != 1)
        co_return base::fail(ErrorCode::missing_key, {{"option", "--trial"}},
                             "the experiment has " + counted(summary.trials, "trial"));
    const TrialId id(command.trial.value_or(0));
    if (id.raw() >= summary.trials)
        co_return base::fail(ErrorCode::trial_not_found, {{"trial", std::to_string(id.raw())}});
    protocol::LogAddress address;
    address.experiment = summary.experiment;
    address.trial = id;
    address.rank = command.rank;
    address.stream = command.standardError ? protocol::OutputStream::standardError
                                           : protocol::OutputStream::standardOutput;
    if (command.attempt) {
        address.attempt = AttemptNumber(*command.attempt);
        co_return address;
    }
    const auto newest = co_await newestAttempt(desk, summary.experiment, id);
    if (!newest)
        co_return tl::make_unexpected(newest.error());
    address.attempt = *newest;
    co_return address;
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
    const auto address = co_await addressOf(desk, *summary);
    if (!address)
        co_return desk.fail(address.error());
    const auto start = co_await startOfTail(desk, *address);
    if (!start)
        co_return desk.fail(start.error());
    LogPrinter printer(desk);
    const auto end = co_await printToEnd(desk, printer, *address, *start);
    std::optional<Error> shutDown;
    if (end && desk.command.follow && !printer.complete) {
        const client::Subscription subscription = desk.client.followLog(*address, *end, printer);
        while (!printer.complete && !printer.refused && !desk.interrupted() && !shutDown) {
            co_await desk.wait();
            if (const auto& link = desk.client.state().error; link && link->code == ErrorCode::head_shut_down)
                shutDown = link;
        }
    }
    printer.end();
    if (!end)
        co_return desk.fail(end.error());
    if (shutDown)
        co_return desk.fail(*shutDown);
    if (printer.refused)
        co_return desk.fail(*printer.refused);
    co_return desk.interrupted() ? ExitCode::interrupted : ExitCode::ok;
}

} // namespace trialdeck::ctl
