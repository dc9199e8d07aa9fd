// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/attach_failure.h"

#include "core/base/json.h"

namespace trialdeck::protocol {

namespace {

std::string failureStart(std::string_view nonce) {
    return "trialdeck-head " + std::string(nonce) + " failed ";
}

std::string textOf(const Value* value) {
    const std::string* text = value ? value->asString() : nullptr;
    return text ? *text : std::string();
}

} // namespace

std::string attachFailureLine(std::string_view nonce, const Error& error) {
    Object arguments;
    for (const auto& [name, value] : error.arguments)
        arguments.append(name, Value(value));
    const Value json(Object{{"code", Value(nameOf(error.code))},
                            {"arguments", Value(std::move(arguments))},
                            {"detail", Value(error.detail)}});
    return "\n" + failureStart(nonce) + base::toJson(json) + "\n";
}

std::optional<Error> findAttachFailure(std::string_view printed, std::string_view nonce) {
    const std::string start = failureStart(nonce);
    const size_t at = printed.find(start);
    if (at == std::string_view::npos)
        return std::nullopt;
    std::string_view line = printed.substr(at + start.size());
    line = line.substr(0, line.find_first_of("\r\n"));
    const auto json = base::parseJson(line);
    if (!json || !json->isObject())
        return std::nullopt;
    const std::string code = textOf(json->find("code"));
    Error error;
    error.code = base::errorCodeFromString(code).value_or(ErrorCode::internal);
    error.detail = textOf(json->find("detail"));
    if (error.code == ErrorCode::internal)
        error.detail += code;
    const Value* arguments = json->find("arguments");
    if (arguments && arguments->asObject()) {
        for (const auto& [name, value] : *arguments->asObject())
            error.arguments[name] = textOf(&value);
    }
    return error;
}

} // namespace trialdeck::protocol
