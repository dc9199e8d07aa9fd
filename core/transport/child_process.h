// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/process.h"

#include <asio/awaitable.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace trialdeck::transport {

/// A program whose standard input and output are one socket and whose standard error is kept as text: the
/// head's relay or ssh. Leads a session of its own, so that a Ctrl-C meant for us does not reach it. Owned
/// by a channel, on its event loop; killed and reaped at the latest when destroyed.
class ChildProcess {
public:
    /// The errors that people see come last: so much of the end is kept, in bytes.
    static constexpr size_t kKeptErrorBytes = size_t{16} << 10;

    struct Started;
    /// @return what base::spawn() returns.
    /// @param onErrors  called with what comes on standard error, as it comes; not after the destructor
    /// @param descriptors  (here, in the child) besides 0, 1 and 2
    [[nodiscard]] static Expected<Started> start(const asio::any_io_executor& executor,
                                                 std::vector<std::string> command,
                                                 base::Environment environment,
                                                 std::function<void(std::string_view)> onErrors = {},
                                                 std::vector<std::pair<int, int>> descriptors = {});
    ChildProcess(ChildProcess&&) noexcept;
    ChildProcess& operator=(ChildProcess&&) noexcept;
    ~ChildProcess();

    /// What it has written to standard error so far, cleaned.
    [[nodiscard]] std::string errors() const;

    /// Hears what has come on standard error and what comes.
    void setErrorListener(std::function<void(std::string_view)> onErrors);

    /// Waits for its end and the last of its errors; kills it when it lives on after the timeout.
    [[nodiscard]] asio::awaitable<base::ProcessExit> finish(std::chrono::milliseconds timeout);

private:
    class State;
    explicit ChildProcess(std::shared_ptr<State> state);
    std::shared_ptr<State> m_state;
};

struct ChildProcess::Started {
    ChildProcess child;
    /// Our end of its standard input and output.
    base::UniqueFd socket;
};

} // namespace trialdeck::transport
