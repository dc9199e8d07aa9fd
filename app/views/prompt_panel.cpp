// SPDX-License-Identifier: Apache-2.0
#include "app/views/prompt_panel.h"

#include "app/views/appearance.h"

#include <QCheckBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace trialdeck::app::views {

namespace {
constexpr int kFieldWidth = 320;
} // namespace

PromptPanel::PromptPanel(presenters::ConnectionPresenter& connection, QWidget* parent)
    : QFrame(parent), m_connection(connection), m_title(new QLabel), m_sentence(new QLabel),
      m_key(new QLabel), m_refusal(new QLabel), m_field(new QLineEdit), m_remember(new QCheckBox),
      m_cancel(new QPushButton), m_verb(new QPushButton) {
    setObjectName(QStringLiteral("promptPanel"));
    setProperty("role", QStringLiteral("notice"));
    m_title->setProperty("role", QStringLiteral("section"));
    m_title->setObjectName(QStringLiteral("promptTitle"));
    m_sentence->setObjectName(QStringLiteral("promptSentence"));
    m_sentence->setWordWrap(true);
    m_key->setObjectName(QStringLiteral("promptKey"));
    m_key->setFont(Appearance::fixedFont());
    m_key->setWordWrap(true);
    m_refusal->setObjectName(QStringLiteral("promptRefusal"));
    m_refusal->setProperty("role", QStringLiteral("bad"));
    m_field->setObjectName(QStringLiteral("promptField"));
    m_field->setMaximumWidth(kFieldWidth);
    m_remember->setObjectName(QStringLiteral("promptRemember"));
    m_cancel->setObjectName(QStringLiteral("promptCancel"));
    m_verb->setObjectName(QStringLiteral("promptAnswer"));
    m_verb->setProperty("kind", QStringLiteral("primary"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(8);
    for (QLabel* label : {m_title, m_sentence, m_key, m_refusal}) {
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        layout->addWidget(label);
    }
    layout->addWidget(m_field);
    layout->addWidget(m_remember);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_verb);
    buttons->addWidget(m_cancel);
    buttons->addStretch();
    layout->addLayout(buttons);
    connect(m_field, &QLineEdit::returnPressed, this, &PromptPanel::answer);
    connect(m_verb, &QPushButton::clicked, this, &PromptPanel::answer);
    connect(m_cancel, &QPushButton::clicked, &connection, &presenters::ConnectionPresenter::cancel);
    connect(&connection, &presenters::ConnectionPresenter::promptChanged, this, &PromptPanel::refresh);
    refresh();
}

PromptPanel::~PromptPanel() {
    clearField();
}

void PromptPanel::refresh() {
    const auto prompt = m_connection.prompt();
    const int number = prompt ? prompt->number : 0;
    const bool isNew = number != m_number;
    m_number = number;
    if (isNew) {
        clearField();
        m_remember->setChecked(false);
    }
    setVisible(prompt.has_value());
    if (!prompt)
        return;
    const auto show = [](QLabel* label, const QString& text) {
        label->setText(text);
        label->setVisible(!text.isEmpty());
    };
    show(m_title, prompt->title);
    show(m_sentence, prompt->sentence);
    show(m_key, prompt->key);
    show(m_refusal, prompt->refusal);
    m_field->setVisible(!prompt->field.isEmpty());
    m_field->setAccessibleName(prompt->field);
    m_field->setAccessibleDescription(prompt->title + QLatin1Char(' ') + prompt->sentence);
    m_field->setPlaceholderText(prompt->field);
    m_field->setEchoMode(prompt->echo ? QLineEdit::Normal : QLineEdit::Password);
    if (!prompt->echo)
        m_field->setInputMethodHints(Qt::ImhHiddenText | Qt::ImhSensitiveData | Qt::ImhNoPredictiveText |
                                     Qt::ImhNoAutoUppercase);
    m_remember->setVisible(prompt->canRemember);
    //: Check box: keep a password or passphrase in the desktop's keychain
    m_remember->setText(tr("Remember in the keychain"));
    m_verb->setText(prompt->verb);
    //: Button that gives a connection up
    m_cancel->setText(tr("Cancel"));
    setAccessibleName(prompt->title);
    if (isNew)
        takeFocus();
}

void PromptPanel::takeFocus() {
    if (m_field->isVisibleTo(this))
        m_field->setFocus();
    else
        m_cancel->setFocus();
}

void PromptPanel::answer() {
    QString text = m_field->text();
    clearField();
    using Remember = client::HeadClient::Remember;
    m_connection.answer(text, m_remember->isVisibleTo(this) && m_remember->isChecked() ? Remember::yes
                                                                                       : Remember::no);
}

void PromptPanel::clearField() {
    // So that nothing is left to be undone.
    m_field->setText(QString());
}

void PromptPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        refresh();
    QFrame::changeEvent(event);
}

} // namespace trialdeck::app::views
