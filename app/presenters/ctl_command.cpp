// SPDX-License-Identifier: Apache-2.0
#include "app/presenters/ctl_command.h"

#include "app/presenters/draft_values.h"

namespace trialdeck::app::presenters {

QString ctlCommand(const client::HeadClient& head) {
    QStringList words = {QStringLiteral("trialdeckctl")};
    if (head.isRemote())
        words << QStringLiteral("--host") << head.name();
    return textFromWords(words);
}

} // namespace trialdeck::app::presenters
