// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/fields.h"
#include "core/protocol/messages.h"

namespace trialdeck::protocol {

#define TRIALDECK_INSTANCE(Message)                                                                          \
    template Object encode(Message);                                                                         \
    template Expected<Message> decode(Object);

TRIALDECK_RESULTS(TRIALDECK_INSTANCE)

} // namespace trialdeck::protocol
