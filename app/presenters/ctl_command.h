// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/client/head_client.h"

namespace trialdeck::app::presenters {

/// "trialdeckctl", or "trialdeckctl --host 'GPU head'" where the head is another host's: the beginning of
/// every command that is copied.
[[nodiscard]] QString ctlCommand(const client::HeadClient& head);

} // namespace trialdeck::app::presenters
