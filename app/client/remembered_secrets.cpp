// SPDX-License-Identifier: Apache-2.0
#include "app/client/remembered_secrets.h"

#include "core/base/wipe.h"

#include <QPointer>
#include <QTimer>

#include <chrono>
#include <utility>

namespace trialdeck::app::client {

namespace {
/// A keychain that is unlocked answers in milliseconds.
constexpr std::chrono::milliseconds kKeychainPatience{1'500};
} // namespace

std::optional<QString> secretName(const transport::Prompt& prompt) {
    switch (prompt.kind) {
    case transport::Prompt::Kind::passphrase:
        if (prompt.text.empty())
            return std::nullopt;
        return QStringLiteral("passphrase of ") + QString::fromStdString(prompt.text);
    case transport::Prompt::Kind::password:
        if (prompt.host.empty())
            return std::nullopt;
        return QStringLiteral("password of ") +
               QString::fromStdString(prompt.user.empty() ? prompt.host : prompt.user + "@" + prompt.host);
    case transport::Prompt::Kind::host_key:
    case transport::Prompt::Kind::interactive:
        return std::nullopt;
    }
    return std::nullopt;
}

RememberedSecrets::RememberedSecrets(Keychain& keychain, Hooks hooks, QObject* parent)
    : QObject(parent), m_keychain(keychain), m_hooks(std::move(hooks)) {}

RememberedSecrets::~RememberedSecrets() {
    drop();
}

void RememberedSecrets::take(int number, const transport::Prompt& prompt) {
    m_open.insert(number);
    const auto name = secretName(prompt);
    if (!name) {
        m_shown.insert(number);
        return m_hooks.ask({number, prompt, false});
    }
    const bool wasRefused = prompt.again || m_tried.contains(*name);
    if (wasRefused) {
        if (const auto kept = m_toKeep.find(*name); kept != m_toKeep.end()) {
            base::wipe(kept->second);
            m_toKeep.erase(kept);
        }
        if (m_tried.erase(*name) > 0)
            forget(*name);
    }
    // Also where the answer is not wanted: it says whether a keychain works here.
    m_keychain.read(*name, [guard = QPointer(this), number, prompt, wasRefused](Keychain::Answer answer,
                                                                                std::string secret) {
        if (wasRefused)
            base::wipe(secret);
        const bool isWanted = !wasRefused || answer != Keychain::Answer::found;
        if (guard)
            guard->onRead(number, prompt, isWanted ? answer : Keychain::Answer::missing, secret);
        base::wipe(secret);
    });
    QTimer::singleShot(kKeychainPatience, this, [this, number, prompt] {
        if (m_open.contains(number) && m_shown.insert(number).second)
            m_hooks.ask({number, prompt, false});
    });
}

void RememberedSecrets::onRead(int number, const transport::Prompt& prompt, Keychain::Answer answer,
                               const std::string& secret) {
    if (!m_open.contains(number))
        return;
    if (answer == Keychain::Answer::found) {
        const QString name = secretName(prompt).value_or(QString());
        m_tried.insert(name);
        m_known.insert(name);
        m_hooks.answer(number, secret);
        emit changed();
        return;
    }
    if (m_shown.insert(number).second)
        m_hooks.ask({number, prompt, answer != Keychain::Answer::unavailable});
}

void RememberedSecrets::keep(const transport::Prompt& prompt, const std::string& secret) {
    const auto name = secretName(prompt);
    if (!name)
        return;
    std::string& kept = m_toKeep[*name];
    base::wipe(kept);
    kept = secret;
}

void RememberedSecrets::confirm() {
    m_tried.clear();
    if (m_toKeep.empty())
        return;
    for (auto& [name, secret] : std::exchange(m_toKeep, {})) {
        m_keychain.write(name, secret);
        m_known.insert(name);
        base::wipe(secret);
    }
    emit changed();
}

void RememberedSecrets::drop() {
    for (auto& [name, secret] : m_toKeep)
        base::wipe(secret);
    m_toKeep.clear();
}

void RememberedSecrets::forgetAll() {
    for (const QString& name : std::exchange(m_known, {}))
        m_keychain.remove(name);
    m_tried.clear();
    emit changed();
}

void RememberedSecrets::forget(const QString& name) {
    m_keychain.remove(name);
    if (m_known.erase(name) > 0)
        emit changed();
}

} // namespace trialdeck::app::client
