// SPDX-License-Identifier: Apache-2.0
#include "core/ctl/words.h"

#include "core/base/json.h"
#include "core/ctl/exit_code.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace trialdeck::ctl {

namespace {

struct Sentence {
    ErrorCode code;
    /// With the error's arguments in braces.
    std::string_view text;
    std::string_view advice;
};

constexpr std::array<Sentence, 27> kSentences = {{
    {ErrorCode::head_binary_missing, "there is no trialdeck-head at {path}",
     "install trialdeck-head beside trialdeckctl"},
    {ErrorCode::head_did_not_answer, "the head did not answer", "see `trialdeck-head serve` and its log"},
    {ErrorCode::connection_lost, "the connection to the head was lost", "try again"},
    {ErrorCode::connection_refused, "the head refused the connection", "try again"},
    {ErrorCode::version_mismatch, "trialdeckctl and the head speak different versions of the protocol",
     "use programs of one installation"},
    {ErrorCode::command_unknown_outcome, "the head went away before it said whether the command was done",
     "look with `trialdeckctl show`, then give it again if it is wanted"},
    {ErrorCode::unknown_method, "the head does not know {method}", "it is older than trialdeckctl"},
    {ErrorCode::experiment_not_found, "there is no experiment {experiment}",
     "`trialdeckctl ls` lists those there are"},
    {ErrorCode::trial_not_found, "there is no trial {trial}", "`trialdeckctl show` lists those there are"},
    {ErrorCode::experiment_missing, "the experiment's folder {path} is not there",
     "mount it or bring it back"},
    {ErrorCode::experiment_held,
     "another daemon works on the experiment: process {pid} on {host}, since {since}",
     "use it there, or shut it down"},
    {ErrorCode::experiment_name_taken, "there is an experiment of this name already: {path}",
     "choose another name"},
    {ErrorCode::wrong_state, "that cannot be done in the state it is in",
     "`trialdeckctl show` tells the state"},
    {ErrorCode::no_checkpoint, "there is no checkpoint yet", "wait for one, or use --now"},
    {ErrorCode::file_not_found, "there is no file {path}", ""},
    {ErrorCode::file_permission, "{path} may not be used: {reason}", ""},
    {ErrorCode::file_io, "{path}: {reason}", ""},
    {ErrorCode::disk_full, "the disk is full at {path}", "make room"},
    {ErrorCode::storage_not_writable, "results cannot be written to {path}: {reason}",
     "choose another storage_path"},
    {ErrorCode::too_large, "that is too large to send", ""},
    {ErrorCode::bad_utf8, "{path} is not UTF-8 text", "save it as UTF-8"},
    {ErrorCode::cancelled, "cancelled", ""},
    {ErrorCode::timed_out, "it took too long", "try again"},
    {ErrorCode::missing_key, "{option} is needed", "give it"},
    {ErrorCode::unknown_value, "{experiment} may be any of {candidates}", "give more of the id"},
    {ErrorCode::no_output_yet, "trial {trial} has printed nothing yet", "wait until it runs"},
    {ErrorCode::metric_required, "the experiment names no metric", "give search.metric and search.mode"},
}};

std::string spaced(std::string_view name) {
    std::string text(name);
    std::replace(text.begin(), text.end(), '_', ' ');
    return text;
}

/// The template with its placeholders filled; nothing where an argument is missing.
std::string filled(std::string_view sentence, const base::ErrorArguments& arguments) {
    std::string text;
    for (size_t at = 0; at < sentence.size();) {
        const size_t open = std::min(sentence.find('{', at), sentence.size());
        text += sentence.substr(at, open - at);
        if (open == sentence.size())
            break;
        const size_t close = sentence.find('}', open);
        const auto argument = arguments.find(sentence.substr(open + 1, close - open - 1));
        if (argument != arguments.end())
            text += argument->first == "reason" ? spaced(argument->second) : argument->second;
        at = close + 1;
    }
    return text;
}

std::string argumentsText(const base::ErrorArguments& arguments) {
    std::string text;
    for (const auto& [name, value] : arguments) {
        if (!value.empty())
            text += (text.empty() ? "" : ", ") + name + " " + value;
    }
    return text;
}

std::string twoDigits(int64_t number) {
    return (number < 10 ? "0" : "") + std::to_string(number);
}

} // namespace

ExitCode exitCodeOf(ErrorCode code) {
    switch (code) {
    case ErrorCode::experiment_not_found:
    case ErrorCode::trial_not_found:
    case ErrorCode::file_not_found:
    case ErrorCode::experiment_missing:
        return ExitCode::not_found;
    case ErrorCode::wrong_state:
    case ErrorCode::experiment_name_taken:
    case ErrorCode::experiment_held:
    case ErrorCode::no_checkpoint:
        return ExitCode::refused;
    case ErrorCode::connection_lost:
    case ErrorCode::connection_refused:
    case ErrorCode::head_did_not_answer:
    case ErrorCode::head_binary_missing:
    case ErrorCode::head_replaced:
    case ErrorCode::version_mismatch:
    case ErrorCode::command_unknown_outcome:
        return ExitCode::no_connection;
    case ErrorCode::bad_utf8:
    case ErrorCode::missing_key:
    case ErrorCode::unknown_value:
        return ExitCode::bad_input;
    default:
        return ExitCode::failed;
    }
}

std::string durationText(double seconds) {
    const auto whole = static_cast<int64_t>(std::llround(std::clamp(seconds, 0.0, 1e12)));
    if (whole < 60)
        return std::to_string(whole) + " s";
    if (whole < 3600)
        return std::to_string(whole / 60) + " m " + twoDigits(whole % 60) + " s";
    if (whole < 86400)
        return std::to_string(whole / 3600) + " h " + twoDigits(whole / 60 % 60) + " m";
    return std::to_string(whole / 86400) + " d " + std::to_string(whole / 3600 % 24) + " h";
}

std::string numberText(const Value& value) {
    if (value.isInteger() || !value.isNumber())
        return base::toJson(value);
    const double number = *value.toDouble();
    if (!std::isfinite(number))
        return base::toJson(value);
    std::array<char, 32> buffer;
    std::snprintf(buffer.data(), buffer.size(), "%.4g", number);
    std::string text = buffer.data();
    // "1e-05" becomes "1e-5".
    const size_t exponent = text.find('e');
    if (exponent != std::string::npos) {
        const size_t digits = exponent + 2;
        const size_t zeros = std::min(text.find_first_not_of('0', digits), text.size() - 1);
        text.erase(digits, zeros - digits);
        if (text[exponent + 1] == '+')
            text.erase(exponent + 1, 1);
    }
    return text;
}

std::string valueText(const Value& value) {
    if (value.isNumber())
        return numberText(value);
    const std::string* text = value.asString();
    return text ? visibleText(*text) : base::toJson(value);
}

std::string visibleText(std::string_view text) {
    std::string visible;
    for (const char letter : text) {
        const auto byte = static_cast<unsigned char>(letter);
        if (byte >= 0x20 && byte != 0x7f) {
            visible += letter;
            continue;
        }
        constexpr std::string_view kDigits = "0123456789abcdef";
        if (letter == '\n')
            visible += "\\n";
        else if (letter == '\t')
            visible += "\\t";
        else
            visible += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 0xf]};
    }
    return visible;
}

std::string counted(uint64_t count, std::string_view thing) {
    return std::to_string(count) + " " + std::string(thing) + (count == 1 ? "" : "s");
}

std::string stateText(TrialState state, TrialReason reason) {
    std::string text(nameOf(state));
    if (reason != TrialReason::none && reason != TrialReason::completed)
        text += " (" + spaced(nameOf(reason)) + ")";
    return text;
}

std::string stateText(ExperimentState state, ExperimentReason reason) {
    std::string text(nameOf(state));
    if (reason != ExperimentReason::none)
        text += " (" + spaced(nameOf(reason)) + ")";
    return text;
}

std::string errorText(const Error& error) {
    const auto known = std::find_if(kSentences.begin(), kSentences.end(), [&error](const Sentence& sentence) {
        return sentence.code == error.code;
    });
    std::string text = "error: ";
    if (known != kSentences.end())
        text += filled(known->text, error.arguments);
    else
        text += spaced(nameOf(error.code)) +
                (error.arguments.empty() ? "" : " (" + argumentsText(error.arguments) + ")");
    for (const std::string_view words : {"printed", "output"}) {
        const auto printed = error.arguments.find(words);
        if (known != kSentences.end() && printed != error.arguments.end() && !printed->second.empty())
            text += "; it printed: " + printed->second;
    }
    text += " [" + std::string(nameOf(error.code)) + "]";
    if (!error.detail.empty())
        text += ": " + error.detail;
    if (known != kSentences.end() && !known->advice.empty())
        text += "; " + std::string(known->advice);
    return text + "\n";
}

std::string problemText(std::string_view file, const protocol::Problem& problem) {
    std::string text(file);
    if (problem.line > 0)
        text += ":" + std::to_string(problem.line) + ":" + std::to_string(problem.column);
    text += ": " + std::string(nameOf(problem.severity)) + ": ";
    if (!problem.path.empty())
        text += problem.path + ": ";
    text += spaced(nameOf(problem.code));
    if (!problem.arguments.empty())
        text += " (" + argumentsText(problem.arguments) + ")";
    if (!problem.suggestion.empty())
        text += "; try " + problem.suggestion;
    return text + " [" + std::string(nameOf(problem.code)) + "]\n";
}

std::string lossText(const protocol::WorkAtRiskResult& risk) {
    if (risk.runningTrials == 0)
        return {};
    std::string text = counted(risk.runningTrials, "trial") + " running for " +
                       durationText(risk.runningSeconds) + " would lose " + durationText(risk.lostSeconds) +
                       " of work";
    return text + (risk.withoutCheckpoint.size() == risk.runningTrials
                       ? std::string(": there is no checkpoint yet")
                       : std::string(" since the last checkpoints"));
}

} // namespace trialdeck::ctl
