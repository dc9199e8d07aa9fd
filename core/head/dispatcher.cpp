// SPDX-License-Identifier: Apache-2.0
#include "core/head/dispatcher.h"

namespace trialdeck::head {

protocol::RequestKind Dispatcher::kindOf(std::string_view method) const {
    const auto found = m_methods.find(method);
    return found == m_methods.end() ? protocol::RequestKind::read : found->second.kind;
}

void Dispatcher::dispatch(protocol::Request request, Reply<Object> reply) const {
    const auto found = m_methods.find(request.method);
    if (found == m_methods.end()) {
        reply(base::fail(ErrorCode::unknown_method, {{"method", request.method}}));
        return;
    }
    found->second.handle(std::move(request.params), std::move(reply));
}

} // namespace trialdeck::head
