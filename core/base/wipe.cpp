// SPDX-License-Identifier: Apache-2.0
#include "core/base/wipe.h"

#include <cstring>

namespace trialdeck::base {

void wipe(std::string& secret) {
    // Within its capacity a text grows where it lies.
    secret.resize(secret.capacity());
    explicit_bzero(secret.data(), secret.size());
    secret.clear();
}

void wipe(std::optional<std::string>& secret) {
    if (secret)
        wipe(*secret);
    secret.reset();
}

} // namespace trialdeck::base
