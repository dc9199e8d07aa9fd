// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/envelope.h"
#include "core/protocol/messages.h"

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace trialdeck::head {

/// Takes a result now or later, on the loop, once.
template<typename Result>
using Reply = std::function<void(Expected<Result>)>;

/// From method names to typed handlers. Filled once, then read.
class Dispatcher {
public:
    template<typename Request>
    using Handler = std::function<void(Request, Reply<typename Request::Result>)>;

    template<typename Request>
    void add(Handler<Request> handler) {
        m_methods.insert_or_assign(
            std::string(Request::kMethod),
            Method{Request::kKind, [handler = std::move(handler)](Object params, Reply<Object> reply) {
                       auto request = protocol::decode<Request>(std::move(params));
                       if (!request) {
                           reply(tl::make_unexpected(std::move(request).error()));
                           return;
                       }
                       handler(std::move(*request),
                               [reply = std::move(reply)](Expected<typename Request::Result> result) {
                                   if (result)
                                       reply(protocol::encode(std::move(*result)));
                                   else
                                       reply(tl::make_unexpected(std::move(result).error()));
                               });
                   }});
    }

    [[nodiscard]] bool knows(std::string_view method) const {
        return m_methods.find(method) != m_methods.end();
    }
    /// Unknown methods count as reads.
    [[nodiscard]] protocol::RequestKind kindOf(std::string_view method) const;
    /// Replies unknown_method (argument method) where nobody handles it.
    void dispatch(protocol::Request request, Reply<Object> reply) const;

private:
    struct Method {
        protocol::RequestKind kind;
        std::function<void(Object, Reply<Object>)> handle;
    };
    std::map<std::string, Method, std::less<>> m_methods;
};

} // namespace trialdeck::head
