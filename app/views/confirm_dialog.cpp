// SPDX-License-Identifier: Apache-2.0
#include "app/views/confirm_dialog.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace trialdeck::app::views {

namespace {
constexpr int kTextWidth = 400;
} // namespace

ConfirmDialog::ConfirmDialog(presenters::Confirmation confirmation, QWidget* parent)
    : QDialog(parent), m_confirmation(std::move(confirmation)) {
    setObjectName(QStringLiteral("confirmDialog"));
    setWindowTitle(m_confirmation.title);
    auto* title = new QLabel(m_confirmation.title);
    title->setProperty("role", QStringLiteral("section"));
    title->setTextFormat(Qt::PlainText);
    auto* sentence = new QLabel(m_confirmation.sentence);
    sentence->setObjectName(QStringLiteral("confirmSentence"));
    sentence->setWordWrap(true);
    sentence->setTextFormat(Qt::PlainText);
    sentence->setFixedWidth(kTextWidth);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch();
    //: Button that leaves everything as it is
    auto* cancel = new QPushButton(tr("Cancel"));
    cancel->setObjectName(QStringLiteral("confirmCancel"));
    buttons->addWidget(cancel);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    const auto addVerb = [&](const QString& verb, const char* name, const char* kind,
                             const std::function<void()>& deed) {
        auto* button = new QPushButton(verb);
        button->setObjectName(QLatin1String(name));
        button->setProperty("kind", QLatin1String(kind));
        button->setAutoDefault(false);
        buttons->addWidget(button);
        connect(button, &QPushButton::clicked, this, [this, deed] {
            accept();
            deed();
        });
    };
    if (!m_confirmation.otherVerb.isEmpty())
        addVerb(m_confirmation.otherVerb, "confirmOther", "danger", m_confirmation.proceedOtherwise);
    addVerb(m_confirmation.verb, "confirmVerb", m_confirmation.otherVerb.isEmpty() ? "danger" : "primary",
            m_confirmation.proceed);
    cancel->setDefault(true);
    cancel->setFocus();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, 20, 24, 16);
    layout->setSpacing(12);
    layout->addWidget(title);
    layout->addWidget(sentence);
    layout->addLayout(buttons);
    layout->setSizeConstraint(QLayout::SetFixedSize);
}

} // namespace trialdeck::app::views
