// SPDX-License-Identifier: Apache-2.0
#include "trainer/contract/trial_contract.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace trialdeck::trainer::contract {

namespace {

std::string valueOf(const base::Environment& environment, std::string_view name) {
    const auto found = environment.find(name);
    return found == environment.end() ? std::string() : found->second;
}

std::optional<base::Path> pathOf(const base::Environment& environment, std::string_view name) {
    const std::string value = valueOf(environment, name);
    return value.empty() ? std::nullopt : std::optional<base::Path>(value);
}

base::Unexpected badValue(const std::string& name, const std::string& value, const std::string& expected) {
    return base::fail(ErrorCode::value_out_of_range, {{"name", name}, {"value", value}},
                      name + " is \"" + value + "\", not " + expected);
}

bool isOneOf(std::string_view text, std::array<std::string_view, 4> words) {
    return std::find(words.begin(), words.end(), text) != words.end();
}

} // namespace

bool TrialContract::wantsCheckpoint(uint64_t epoch, uint64_t lastEpoch) const {
    if (!checkpointFolder)
        return false;
    const bool due = checkpointFrequency > 0 && epoch % checkpointFrequency == 0;
    return due || (checkpointAtEnd && epoch == lastEpoch);
}

Expected<TrialContract> contractFromEnvironment(const base::Environment& environment) {
    TrialContract contract;
    const std::string trial = valueOf(environment, "TRIALDECK_TRIAL_ID");
    contract.group = trial + "/" + valueOf(environment, "TRIALDECK_ATTEMPT");
    contract.reportFile = pathOf(environment, "TRIALDECK_REPORT");
    contract.checkpointFolder = pathOf(environment, "TRIALDECK_CHECKPOINT_DIR");
    contract.resumeFrom = pathOf(environment, "TRIALDECK_RESUME_FROM");

    const std::string frequencyName = "TRIALDECK_CHECKPOINT_FREQUENCY";
    const std::string frequency = valueOf(environment, frequencyName);
    if (!frequency.empty()) {
        const char* end = frequency.data() + frequency.size();
        const auto result = std::from_chars(frequency.data(), end, contract.checkpointFrequency);
        if (result.ec != std::errc() || result.ptr != end)
            return badValue(frequencyName, frequency, "a number of epochs");
    }
    const std::string atEndName = "TRIALDECK_CHECKPOINT_AT_END";
    const std::string atEnd = valueOf(environment, atEndName);
    if (isOneOf(atEnd, {"1", "true", "True", "yes"}))
        contract.checkpointAtEnd = true;
    else if (!isOneOf(atEnd, {"", "0", "false", "False"}))
        return badValue(atEndName, atEnd, "1 or 0");
    return contract;
}

} // namespace trialdeck::trainer::contract
