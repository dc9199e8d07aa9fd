// SPDX-License-Identifier: Apache-2.0
#include "core/ctl/words.h"

#include "core/base/json.h"
#include "core/base/utf8.h"
#include "core/ctl/exit_code.h"
#include "core/ctl/sentences.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace trialdeck::ctl {

namespace {

/// How long the character is that begins there; 1 where none does.
size_t letterBytes(std::string_view text, size_t at) {
    const auto first = static_cast<unsigned char>(text[at]);
    const size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
    return base::firstInvalidUtf8(text.substr(at, bytes)) ? 1 : std::min(bytes, text.size() - at);
}

/// Nothing for a byte that is not UTF-8.
std::optional<uint32_t> codePointOf(std::string_view letter) {
    const auto first = static_cast<unsigned char>(letter.front());
    if (letter.size() == 1)
        return first < 0x80 ? std::optional<uint32_t>(first) : std::nullopt;
    uint32_t code = first & (0xffU >> (letter.size() + 1));
    for (const char byte : letter.substr(1))
        code = code << 6 | (static_cast<unsigned char>(byte) & 0x3fU);
    return code;
}

/// C0 and C1, and what turns the direction of text or breaks lines without being seen.
/// Source: Unicode 15, Bidi_Control and the separators U+2028 and U+2029; U+FEFF.
bool isControl(uint32_t code) {
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c || code == 0x200e ||
           code == 0x200f || (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) ||
           code == 0xfeff;
}

void appendHex(std::string& text, std::string_view prefix, uint32_t code, int digits) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    text += prefix;
    for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4)
        text += kDigits[code >> shift & 0xfU];
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
    case ErrorCode::tensorboard_missing:
    case ErrorCode::jupyter_missing:
        return ExitCode::not_found;
    case ErrorCode::wrong_state:
    case ErrorCode::experiment_name_taken:
    case ErrorCode::file_exists:
    case ErrorCode::experiment_held:
    case ErrorCode::no_checkpoint:
    case ErrorCode::port_taken:
        return ExitCode::refused;
    case ErrorCode::connection_lost:
    case ErrorCode::connection_refused:
    case ErrorCode::head_did_not_answer:
    case ErrorCode::head_binary_missing:
    case ErrorCode::head_replaced:
    case ErrorCode::head_shut_down:
    case ErrorCode::version_mismatch:
    case ErrorCode::command_unknown_outcome:
    case ErrorCode::ssh_missing:
    case ErrorCode::ssh_configuration:
    case ErrorCode::host_not_found:
    case ErrorCode::host_unreachable:
    case ErrorCode::host_refused:
    case ErrorCode::not_an_ssh_server:
    case ErrorCode::no_common_algorithm:
    case ErrorCode::host_key_changed:
    case ErrorCode::host_key_revoked:
    case ErrorCode::host_key_refused:
    case ErrorCode::login_refused:
    case ErrorCode::too_many_logins:
    case ErrorCode::key_unusable:
    case ErrorCode::too_many_sessions:
    case ErrorCode::shell_blocked:
    case ErrorCode::account_closed:
    case ErrorCode::unsupported_system:
    case ErrorCode::no_place_for_head:
    case ErrorCode::head_does_not_run:
    case ErrorCode::upload_damaged:
    case ErrorCode::forwarding_refused:
    case ErrorCode::port_not_listening:
    case ErrorCode::daemon_elsewhere:
    case ErrorCode::ends_at_logout:
    case ErrorCode::clock_differs:
        return ExitCode::no_connection;
    case ErrorCode::bad_utf8:
    case ErrorCode::too_large:
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
    for (size_t at = 0; at < text.size();) {
        const size_t bytes = letterBytes(text, at);
        const std::string_view letter = text.substr(at, bytes);
        at += bytes;
        if (letter == "\n")
            visible += "\\n";
        else if (letter == "\t")
            visible += "\\t";
        else if (const auto code = codePointOf(letter); !code)
            appendHex(visible, "\\x", static_cast<unsigned char>(letter.front()), 2);
        else if (isControl(*code))
            appendHex(visible, *code < 0x80 ? "\\x" : "\\u", *code, *code < 0x80 ? 2 : 4);
        else
            visible += letter;
    }
    return visible;
}

std::string spacedText(std::string_view name) {
    std::string text(name);
    std::replace(text.begin(), text.end(), '_', ' ');
    return text;
}

std::string counted(uint64_t count, std::string_view thing) {
    return std::to_string(count) + " " + std::string(thing) + (count == 1 ? "" : "s");
}

std::string stateText(TrialState state, TrialReason reason) {
    std::string text(nameOf(state));
    if (reason != TrialReason::none && reason != TrialReason::completed)
        text += " (" + spacedText(nameOf(reason)) + ")";
    return text;
}

std::string stateText(ExperimentState state, ExperimentReason reason) {
    std::string text(nameOf(state));
    if (reason != ExperimentReason::none)
        text += " (" + spacedText(nameOf(reason)) + ")";
    return text;
}

std::string toldText(const Error& error) {
    std::string text = sentenceOf(error.code, error.arguments) + " [" + std::string(nameOf(error.code)) + "]";
    if (!error.detail.empty())
        text += ": " + visibleText(error.detail);
    if (const std::string advice = adviceOn(error.code, error.arguments); !advice.empty())
        text += "; " + advice;
    return text;
}

std::string errorText(const Error& error) {
    return "error: " + toldText(error) + "\n";
}

std::string problemText(std::string_view file, const protocol::Problem& problem) {
    std::string text = visibleText(file);
    if (problem.line > 0)
        text += ":" + std::to_string(problem.line) + ":" + std::to_string(problem.column);
    text += ": " + std::string(nameOf(problem.severity)) + ": ";
    if (!problem.path.empty())
        text += visibleText(problem.path) + ": ";
    text += sentenceOf(problem.code, problem.arguments);
    if (!problem.suggestion.empty())
        text += "; try " + visibleText(problem.suggestion);
    else if (const std::string advice = adviceOn(problem.code, problem.arguments); !advice.empty())
        text += "; " + advice;
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
