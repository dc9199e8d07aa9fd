// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace trialdeck::tests {

/// A port of 127.0.0.1 on which nobody listens, below the range from which the kernel takes ports for
/// outgoing connections: nobody comes to sit there while a server is away. 0 where none is found.
[[nodiscard]] uint16_t freePort();

} // namespace trialdeck::tests
