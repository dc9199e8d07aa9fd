// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/client/keychain.h"
#include "core/transport/prompts.h"

#include <QObject>

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace trialdeck::app::client {

/// What only a person can answer while a connection is made; numbered anew by each client.
struct AskedPrompt {
    int number = 0;
    transport::Prompt prompt;
    /// A keychain works here and may keep the answer.
    bool canRemember = false;
};

/// The name under which the answer to a question is kept in a keychain: by key file or by user and host, so
/// that connections share it. Nothing for what is no secret or good only once.
[[nodiscard]] std::optional<QString> secretName(const transport::Prompt& prompt);

/// The secrets of one connection in the desktop's keychain. It is asked before a person is; what the person
/// wants to be remembered goes there once it has let in; what was refused is removed and never tried twice,
/// so that no account gets locked. Owned by a HeadClient, on the window's thread.
class RememberedSecrets : public QObject {
    Q_OBJECT

public:
    struct Hooks {
        /// A secret that was found.
        std::function<void(int number, const std::string& secret)> answer;
        std::function<void(AskedPrompt asked)> ask;
    };

    /// @param keychain  outlives this
    RememberedSecrets(Keychain& keychain, Hooks hooks, QObject* parent = nullptr);
    ~RememberedSecrets() override;

    /// A question has come: one of the hooks follows, at once or later. A keychain that is locked is waited
    /// for only a moment before the person is asked; it may still answer while the question is open.
    void take(int number, const transport::Prompt& prompt);
    /// The question was answered, or nobody waits for the answer any more.
    void close(int number) { m_open.erase(number); }
    /// To be kept when it has let in.
    void keep(const transport::Prompt& prompt, const std::string& secret);
    /// The login is over: what was to be kept is kept now.
    void confirm();
    /// The try has failed: what was to be kept is overwritten.
    void drop();

    /// Secrets of this connection that are known to be in the keychain.
    [[nodiscard]] bool hasAny() const { return !m_known.empty(); }
    void forgetAll();

signals:
    /// hasAny() may be another.
    void changed();

private:
    void onRead(int number, const transport::Prompt& prompt, Keychain::Answer answer,
                const std::string& secret);
    void forget(const QString& name);

    Keychain& m_keychain;
    Hooks m_hooks;
    /// Questions without an answer, and those of them that a person sees.
    std::set<int> m_open;
    std::set<int> m_shown;
    std::map<QString, std::string> m_toKeep;
    /// Answered from the keychain since the last login.
    std::set<QString> m_tried;
    std::set<QString> m_known;
};

} // namespace trialdeck::app::client
