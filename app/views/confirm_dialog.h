// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/presenters/experiment_presenter.h"

#include <QDialog>

namespace trialdeck::app::views {

/// Asks before work is lost: the sentence names the loss, the button says the deed.
class ConfirmDialog : public QDialog {
    Q_OBJECT

public:
    ConfirmDialog(presenters::Confirmation confirmation, QWidget* parent);

private:
    presenters::Confirmation m_confirmation;
};

} // namespace trialdeck::app::views
