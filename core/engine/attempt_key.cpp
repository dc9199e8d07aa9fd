// SPDX-License-Identifier: Apache-2.0
#include "core/engine/engine.h"

namespace trialdeck::engine {

std::string nameOf(const AttemptKey& key) {
    return key.experiment + "/" + std::to_string(key.trial) + "/" + std::to_string(key.attempt);
}

} // namespace trialdeck::engine
