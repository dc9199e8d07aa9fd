// SPDX-License-Identifier: Apache-2.0
#include "trainer/command_line/command_line.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace trialdeck::trainer::command_line {

namespace {

constexpr size_t kMaxBatch = 1'000'000;
constexpr size_t kMaxEpochs = 1'000'000;
constexpr size_t kMaxUnits = 65'536;
constexpr size_t kMaxHiddenLayers = 64;

/// The arguments as they were written; defaults are Settings'.
struct Texts {
    std::string data, lr, momentum, batch, epochs, hidden, dropout, seed, transport;
};

template<typename T>
std::optional<T> exactly(std::string_view text) {
    T value{};
    const char* end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value);
    return result.ec == std::errc() && result.ptr == end ? std::optional(value) : std::nullopt;
}

std::optional<uint64_t> wholeNumber(std::string_view text) {
    if (const auto whole = exactly<uint64_t>(text))
        return whole;
    const auto number = exactly<double>(text);
    // Beyond 2^53 a double no longer says which whole number was meant.
    if (number && *number >= 0 && *number <= 0x1p53 && *number == std::floor(*number))
        return static_cast<uint64_t>(*number);
    return std::nullopt;
}

/// The first problem wins: one sentence is what a person can act on.
class Reader {
public:
    void number(double& target, const char* option, const std::string& text, double low, bool lowIncluded,
                double high, const std::string& expected) {
        if (text.empty())
            return;
        const auto value = exactly<double>(text);
        const bool fits =
            value && std::isfinite(*value) && (lowIncluded ? *value >= low : *value > low) && *value < high;
        if (fits)
            target = *value;
        else
            complain(option, text, expected);
    }

    template<typename T>
    void whole(T& target, const char* option, const std::string& text, uint64_t low, uint64_t high,
               const std::string& expected) {
        if (text.empty())
            return;
        const auto value = wholeNumber(text);
        if (value && *value >= low && *value <= high)
            target = static_cast<T>(*value);
        else
            complain(option, text, expected);
    }

    void hidden(std::vector<size_t>& target, const std::string& text) {
        if (text.empty())
            return;
        target.clear();
        for (size_t at = 0; at <= text.size();) {
            const size_t comma = std::min(text.find(',', at), text.size());
            const auto units = wholeNumber(std::string_view(text).substr(at, comma - at));
            if (!units || *units < 1 || *units > kMaxUnits || target.size() == kMaxHiddenLayers)
                return complain("--hidden", text,
                                fmt::format("the units of up to {} layers, each 1 to {}, such as 512,512",
                                            kMaxHiddenLayers, kMaxUnits));
            target.push_back(*units);
            at = comma + 1;
        }
    }

    void transport(collective::Transport& target, const std::string& text) {
        if (text.empty())
            return;
        const auto found = collective::transportFromString(text);
        if (found)
            target = *found;
        else
            complain("--collective", text, "auto or tcp");
    }

    [[nodiscard]] const std::string& problem() const { return m_problem; }

private:
    void complain(const char* option, const std::string& text, const std::string& expected) {
        if (m_problem.empty())
            m_problem = fmt::format("{} is \"{}\"; it must be {}", option, text, expected);
    }

    std::string m_problem;
};

Ending usageError(const std::string& sentence) {
    return {"trialdeck-train: " + sentence + " (see --help)\n", kUsageExitCode};
}

void declare(CLI::App& app, Texts& texts) {
    app.add_option("--data", texts.data, "Folder with the four idx files [/usr/share/datasets/fashion-mnist]")
        ->type_name("FOLDER");
    app.add_option("--lr", texts.lr, "Learning rate, above 0 [0.001]")->type_name("NUMBER");
    app.add_option("--momentum", texts.momentum, "Momentum, 0 to below 1 [0.9]")->type_name("NUMBER");
    app.add_option("--batch", texts.batch, "Samples a step, over all workers together [32]")
        ->type_name("COUNT");
    app.add_option("--epochs", texts.epochs, "Epochs in all, counting those before a resume [10]")
        ->type_name("COUNT");
    app.add_option("--hidden", texts.hidden, "Units of the hidden layers [512,512]")->type_name("COUNT,...");
    app.add_option("--dropout", texts.dropout,
                   "Chance of a hidden unit to be dropped, 0 to below 0.999 [0.25]")
        ->type_name("NUMBER");
    app.add_option("--seed", texts.seed, "Seed of all randomness [TRIALDECK_SEED, else 1]")
        ->type_name("COUNT");
    app.add_option("--collective", texts.transport,
                   "auto: shared memory where all workers run on one host, else TCP; tcp: always TCP [auto]")
        ->type_name("auto|tcp");
    app.footer(
        "Workers are told apart by RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT, as torchrun sets "
        "them; without\n"
        "them one worker trains alone. OMP_NUM_THREADS: threads a worker, else 1. Each epoch is one line on "
        "standard\n"
        "output and, where TRIALDECK_REPORT names a file, one line of JSON in it.\n"
        "Exit codes: 0 done, 1 failed, 2 bad usage, 143 or 130 ended by SIGTERM or SIGINT.");
}

} // namespace

std::string Settings::agreement() const {
    const train_loop::Hyperparameters& h = hyperparameters;
    return fmt::format("lr {} momentum {} batch {} epochs {} hidden {} dropout {} seed {} collective {}",
                       h.learningRate, h.momentum, h.batch, h.epochs, fmt::join(h.hidden, ","), h.dropout,
                       h.seed, nameOf(transport));
}

std::variant<Settings, Ending> parse(std::span<const std::string> arguments, const std::string& defaultSeed) {
    CLI::App app("Trains a multi-layer perceptron on Fashion-MNIST, alone or with other workers.",
                 "trialdeck-train");
    Texts texts;
    declare(app, texts);
    try {
        // CLI11 takes them from the back.
        app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    } catch (const CLI::CallForHelp&) {
        return Ending{app.help(), 0};
    } catch (const CLI::ParseError& error) {
        return usageError(error.what());
    }

    Settings settings;
    train_loop::Hyperparameters& h = settings.hyperparameters;
    Reader reader;
    if (!texts.data.empty())
        settings.data = texts.data;
    constexpr double kNoLimit = std::numeric_limits<double>::infinity();
    reader.number(h.learningRate, "--lr", texts.lr, 0, false, kNoLimit, "a number above 0");
    reader.number(h.momentum, "--momentum", texts.momentum, 0, true, 1, "a number from 0 to below 1");
    // What is kept is divided by 1 - dropout, which single precision takes for 0 close to 1.
    constexpr double kDropoutLimit = 0.999;
    reader.number(h.dropout, "--dropout", texts.dropout, 0, true, kDropoutLimit,
                  "a number from 0 to below 0.999");
    reader.whole(h.batch, "--batch", texts.batch, 1, kMaxBatch,
                 fmt::format("a whole number from 1 to {}", kMaxBatch));
    reader.whole(h.epochs, "--epochs", texts.epochs, 1, kMaxEpochs,
                 fmt::format("a whole number from 1 to {}", kMaxEpochs));
    const std::string seedExpected = "a whole number from 0 to 18446744073709551615";
    reader.whole(h.seed, "TRIALDECK_SEED", defaultSeed, 0, UINT64_MAX, seedExpected);
    reader.whole(h.seed, "--seed", texts.seed, 0, UINT64_MAX, seedExpected);
    reader.hidden(h.hidden, texts.hidden);
    reader.transport(settings.transport, texts.transport);
    if (!reader.problem().empty())
        return usageError(reader.problem());
    return settings;
}

} // namespace trialdeck::trainer::command_line
