// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

namespace trialdeck::base {

namespace {

constexpr auto kNames = std::to_array<std::string_view>({
#define TRIALDECK_NAME(name) #name,
    TRIALDECK_ERROR_CODES(TRIALDECK_NAME)
#undef TRIALDECK_NAME
});

ErrorCode codeOfErrno(int errnoValue) {
    switch (errnoValue) {
    case ENOENT:
        return ErrorCode::file_not_found;
    case EEXIST:
        return ErrorCode::file_exists;
    case EACCES:
    case EPERM:
        return ErrorCode::file_permission;
    case ENOSPC:
    case EDQUOT:
        return ErrorCode::disk_full;
    case EROFS:
        return ErrorCode::read_only_storage;
    case ENOTDIR:
        return ErrorCode::not_a_directory;
    case ENOLCK:
        return ErrorCode::no_lock_support;
    default:
        return ErrorCode::file_io;
    }
}

} // namespace

std::string_view nameOf(ErrorCode code) {
    return kNames.at(static_cast<size_t>(code));
}

std::optional<ErrorCode> errorCodeFromString(std::string_view name) {
    for (size_t i = 0; i < kNames.size(); ++i) {
        if (kNames[i] == name)
            return static_cast<ErrorCode>(i);
    }
    return std::nullopt;
}

Error Error::during(std::string_view action) && {
    detail = detail.empty() ? std::string(action) : std::string(action) + ": " + detail;
    return std::move(*this);
}

Unexpected fail(ErrorCode code, ErrorArguments arguments, std::string detail) {
    return Unexpected(Error{code, std::move(arguments), std::move(detail)});
}

Error fileError(int errnoValue, std::string_view path, std::string_view action) {
    const std::string reason = std::generic_category().message(errnoValue);
    std::string detail = std::string(action) + " " + std::string(path) + ": " + reason;
    return Error{
        codeOfErrno(errnoValue), {{"path", std::string(path)}, {"reason", reason}}, std::move(detail)};
}

std::string describe(const Error& error) {
    std::string text(nameOf(error.code));
    if (!error.detail.empty())
        text += ": " + error.detail;
    if (error.arguments.empty())
        return text;
    text += " (";
    const char* separator = "";
    for (const auto& [name, value] : error.arguments) {
        text += separator + name + "=" + value;
        separator = ", ";
    }
    return text + ")";
}

} // namespace trialdeck::base
