// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error_code.h"

#include <map>
#include <string>
#include <tl/expected.hpp>

namespace trialdeck::base {

/// Values for the sentence that a person reads, by name: {"path", "/data/x"}.
using ErrorArguments = std::map<std::string, std::string, std::less<>>;

/// Something the world did. A bug of ours is an assert, never an Error.
/// Carries no sentence: the window writes that in the user's language from code and arguments.
struct Error {
    ErrorCode code = ErrorCode::internal;
    ErrorArguments arguments = {};
    /// English, for logs and trialdeckctl: what was being done, then what the system said.
    std::string detail = {};

    /// The same error with what this layer was doing put before the detail. Each layer adds itself once.
    [[nodiscard]] Error during(std::string_view action) &&;

    friend bool operator==(const Error&, const Error&) = default;
};

template<typename T>
using Expected = tl::expected<T, Error>;
using Unexpected = tl::unexpected<Error>;

[[nodiscard]] Unexpected fail(ErrorCode code, ErrorArguments arguments = {}, std::string detail = {});

/// The error for an errno of a file operation; picks the code (disk_full, file_permission, ...) and fills
/// the arguments path and reason.
[[nodiscard]] Error fileError(int errnoValue, std::string_view path, std::string_view action);

/// "code: detail (name=value, ...)" in English, for logs and terminals.
[[nodiscard]] std::string describe(const Error& error);

} // namespace trialdeck::base

namespace trialdeck {
using base::Error;
using base::ErrorCode;
using base::Expected;
} // namespace trialdeck

/// Returns the error of an Expected<void>-like expression to the caller.
#define TRIALDECK_TRY(expression)                                                                            \
    do {                                                                                                     \
        if (auto trialdeckResult = (expression); !trialdeckResult)                                           \
            return tl::make_unexpected(std::move(trialdeckResult).error());                                  \
    } while (false)
