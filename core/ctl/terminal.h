// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace trialdeck::ctl {

/// Where trialdeckctl speaks and asks. Tests put text in its place.
class Terminal {
public:
    virtual ~Terminal() = default;
    /// Standard output is a terminal: tables may be drawn anew in place.
    [[nodiscard]] virtual bool isLive() const = 0;
    /// Somebody can answer a question.
    [[nodiscard]] virtual bool canAsk() const = 0;
    [[nodiscard]] virtual size_t columns() const = 0;
    [[nodiscard]] virtual size_t rows() const = 0;
    virtual void print(std::string_view text) = 0;
    virtual void printError(std::string_view text) = 0;
    /// Waits for a line. @return nothing at the end of input
    [[nodiscard]] virtual std::optional<std::string> ask(std::string_view question) = 0;
};

[[nodiscard]] std::unique_ptr<Terminal> makeSystemTerminal();

} // namespace trialdeck::ctl
