// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/files.h"
#include "core/transport/prompts.h"

#include <asio/any_io_executor.hpp>
#include <functional>
#include <memory>
#include <set>
#include <string>

namespace trialdeck::transport {

/// Where the questions of an ssh child arrive: the client runs trialdeck-askpass for each, which hands the
/// question's text over a unix socket and prints the answer that comes back. Owned by one SystemSshHost, on
/// its loop.
class AskpassServer {
public:
    /// @param socket  the path to listen at, in a folder of this user alone
    /// @param prompts  outlives the server
    /// @param gaveUp  the person does not want to answer: the attempt is to be ended
    [[nodiscard]] static Expected<std::unique_ptr<AskpassServer>>
    listen(const asio::any_io_executor& executor, const base::Path& socket, std::string host,
           Prompts& prompts, std::function<void()> gaveUp);
    ~AskpassServer();
    AskpassServer(const AskpassServer&) = delete;
    AskpassServer& operator=(const AskpassServer&) = delete;

    /// A question waits for its answer.
    [[nodiscard]] bool isAsking() const;
    /// There was a question.
    [[nodiscard]] bool hasAsked() const;

private:
    class State;
    explicit AskpassServer(std::shared_ptr<State> state);
    std::shared_ptr<State> m_state;
};

} // namespace trialdeck::transport
