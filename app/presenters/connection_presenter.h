// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/models/connection_tree_model.h"
#include "app/presenters/host_work_presenter.h"
#include "core/client/saved_connections.h"

#include <QString>

#include <optional>
#include <vector>

namespace trialdeck::app::presenters {

/// One step of the way to a head, as its page lists it.
struct StepRow {
    enum class Mark {
        /// The newest try has not come so far.
        waiting,
        running,
        done,
        failed,
        /// Passed over by the newest try, because an earlier login still holds.
        kept,
    };
    transport::ConnectionStep step = transport::ConnectionStep::name;
    Mark mark = Mark::waiting;
    QString name;
    /// "done", for whoever does not see the mark.
    QString markWord;
    /// "21 ms"; empty where none was measured.
    QString time;
    QString detail;
    /// Why it failed, and what to do.
    QString error;
};

/// What is being sent to the host.
struct UploadRow {
    uint64_t done = 0;
    uint64_t total = 0;
    /// "3.1 MiB of 11.8 MiB"
    QString text;
};

/// A question of the connection, in the user's words.
struct PromptWords {
    int number = 0;
    transport::Prompt::Kind kind = transport::Prompt::Kind::interactive;
    QString title;
    /// What the host said, or what is asked for.
    QString sentence;
    /// "ED25519 SHA256:…"; empty for all but host keys.
    QString key;
    /// That the answer before was refused; empty for a first one.
    QString refusal;
    /// The button that answers.
    QString verb;
    /// For the window's notice while another page is shown.
    QString notice;
    /// The field's name; empty where there is none.
    QString field;
    bool echo = false;
    /// The answer may be kept in the desktop's keychain.
    bool canRemember = false;
};

struct FactRow {
    QString name;
    QString value;
};

/// What a node has, as texts under the headers of its list.
struct NodeRow {
    QString name;
    QString cpus;
    QString memory;
    QString gpus;
};

/// One connection's page: how it stands, the way to it step by step, what the head says of itself, and the
/// question that it waits with. Owned by the window's presenter, from the head's coming to its going.
class ConnectionPresenter : public QObject {
    Q_OBJECT

public:
    /// @param tree, clock  outlive this
    ConnectionPresenter(client::HeadClient& head, const models::ConnectionTreeModel& tree,
                        const base::Clock& clock, QObject* parent = nullptr);

    [[nodiscard]] client::HeadClient& head() const { return m_head; }
    [[nodiscard]] QString name() const { return m_head.name(); }
    [[nodiscard]] client::LinkStatus::State state() const { return m_head.status().state; }
    /// What is kept of it; nothing for this computer.
    [[nodiscard]] const std::optional<trialdeck::client::SavedConnection>& saved() const { return m_saved; }
    void setSaved(trialdeck::client::SavedConnection saved);
    /// What else is done there; null for this computer.
    [[nodiscard]] HostWorkPresenter* work() const { return m_work.get(); }

    /// "Connected", "Unknown since 14:05:09, next try in 8 s".
    [[nodiscard]] QString stateText() const;
    /// What everything below is as of; empty while connected.
    [[nodiscard]] QString staleText() const;
    /// Why there is no connection; empty while there is one or a first try is under way.
    [[nodiscard]] QString errorSentence() const;
    /// "ada@gpu-head:2222 via login.lab"; empty for this computer.
    [[nodiscard]] QString address() const;
    /// All steps of its kind of way, in their order.
    [[nodiscard]] std::vector<StepRow> steps() const;
    [[nodiscard]] std::optional<UploadRow> upload() const;
    /// Version, build, host, home, log of the head as it said last; empty before.
    [[nodiscard]] std::vector<FactRow> facts() const;
    [[nodiscard]] std::vector<NodeRow> nodes() const;
    /// What is known of head and nodes may not be so any more.
    [[nodiscard]] bool isStale() const { return state() != client::LinkStatus::State::connected; }
    [[nodiscard]] std::optional<PromptWords> prompt() const;
    /// Walking the way again would bring something that is not under way already.
    [[nodiscard]] bool canTest() const { return !m_head.status().isTrying; }
    /// A password or passphrase of it is in the desktop's keychain.
    [[nodiscard]] bool hasRememberedSecrets() const;
    /// The user disconnected it.
    [[nodiscard]] bool isClosed() const { return state() == client::LinkStatus::State::closed; }
    /// Everything for a report about a connection that does not work, in English. No secrets, and no
    /// addresses of proxies and indexes, which may hold some.
    [[nodiscard]] QString diagnostics() const;

public slots:
    void reconnect();
    void testAgain();
    /// To the question that prompt() shows; its letters are overwritten here.
    /// @param remember  keep it in the keychain once it has let in
    void answer(QString& text, trialdeck::app::client::HeadClient::Remember remember);
    void forgetSecrets();
    /// Gives the try up.
    void cancel();

signals:
    void changed();
    /// Another question than before, or none.
    void promptChanged();

private:
    [[nodiscard]] bool isLocal() const { return !m_saved; }

    client::HeadClient& m_head;
    const models::ConnectionTreeModel& m_tree;
    const base::Clock& m_clock;
    std::optional<trialdeck::client::SavedConnection> m_saved;
    std::unique_ptr<HostWorkPresenter> m_work;
};

} // namespace trialdeck::app::presenters
