// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/messages.h"

#include <functional>
#include <string_view>

namespace trialdeck::client {

/// Asks the head on the present session only: what the client itself needs (hello, subscriptions) is asked
/// anew on each connection, so nothing is sent again and nobody is told of a lost line.
class SessionRequests {
public:
    virtual ~SessionRequests() = default;
    virtual void askInSession(std::string_view method, Object params,
                              std::function<void(Expected<Object>)> answered) = 0;

    template<typename Request>
    void ask(Request request, std::function<void(Expected<typename Request::Result>)> answered) {
        askInSession(Request::kMethod, protocol::encode(std::move(request)),
                     [answered = std::move(answered)](Expected<Object> result) {
                         if (result)
                             answered(protocol::decode<typename Request::Result>(std::move(*result)));
                         else
                             answered(tl::make_unexpected(std::move(result).error()));
                     });
    }
};

} // namespace trialdeck::client
