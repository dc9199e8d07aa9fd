// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/presenters/window_presenter.h"

namespace trialdeck::app::presenters {

/// The hosts that the user connected to: kept between starts, each with its head in the window. Owned by the
/// composition root; goes before the window's presenter.
class ConnectionBook : public QObject {
    Q_OBJECT

public:
    using SavedConnection = trialdeck::client::SavedConnection;
    /// A client of the head on that host; not started.
    using MakeHead = std::function<std::unique_ptr<client::HeadClient>(const SavedConnection&)>;
    /// Names that can be typed as a host, such as those of ~/.ssh/config.
    using ListHosts = std::function<QStringList()>;

    /// What the composition root can do.
    struct Means {
        MakeHead makeHead;
        ListHosts listHosts;
        /// SSH clients that a connection can be pinned to, the default first.
        std::vector<trialdeck::client::SshWay> ways;
    };

    /// @param saved, window  outlive the book
    ConnectionBook(trialdeck::client::SavedConnections& saved, Means means, WindowPresenter& window,
                   QObject* parent = nullptr);
    ~ConnectionBook() override;

    /// Reads what is kept and connects to all of it that the user did not disconnect.
    void open();

    [[nodiscard]] QStringList hostNames() const {
        return m_means.listHosts ? m_means.listHosts() : QStringList();
    }
    [[nodiscard]] const std::vector<trialdeck::client::SshWay>& ways() const { return m_means.ways; }
    /// Of another connection than the one of that id.
    [[nodiscard]] bool isNameTaken(const QString& name, const std::string& id) const;
    /// Keeps the connection and shows its page. A new one, and one whose way has changed, is connected.
    /// @return whether it could be kept; failed() says why not
    bool keep(SavedConnection connection);
    /// To be edited and kept: a new id, a name of its own.
    [[nodiscard]] SavedConnection copyOf(const SavedConnection& connection) const;
    /// Disconnects; it stays so, over starts as well, until somebody reconnects it.
    void hangUp(const client::HeadClient& head);
    /// Asks before remove().
    [[nodiscard]] Confirmation removeQuestion(const client::HeadClient& head);
    void remove(const client::HeadClient& head);

signals:
    /// The list could not be read or written; or it was damaged and set aside.
    void failed(const trialdeck::Error& error);

private:
    struct Entry {
        SavedConnection saved;
        std::unique_ptr<client::HeadClient> head;
    };
    client::HeadClient& connectTo(Entry& entry, std::optional<int> row);
    [[nodiscard]] Entry* entryOf(const client::HeadClient& head);
    /// Keeps a change that is no change of the way.
    void remember(const client::HeadClient& head, const std::function<void(SavedConnection&)>& change);
    void rememberWork(const client::HeadClient& head);

    trialdeck::client::SavedConnections& m_saved;
    Means m_means;
    WindowPresenter& m_window;
    std::vector<Entry> m_entries;
};

} // namespace trialdeck::app::presenters
