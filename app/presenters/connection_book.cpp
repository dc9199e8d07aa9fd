// SPDX-License-Identifier: Apache-2.0
#include "app/presenters/connection_book.h"

#include <algorithm>

namespace trialdeck::app::presenters {

namespace {

/// The same way to the same head: what else may differ needs no new connection.
bool isSameWay(const ConnectionBook::SavedConnection& left, ConnectionBook::SavedConnection right) {
    right.name = left.name;
    right.lastSync = left.lastSync;
    right.forwards = left.forwards;
    right.isWanted = left.isWanted;
    return left == right;
}

} // namespace

ConnectionBook::ConnectionBook(trialdeck::client::SavedConnections& saved, Means means,
                               WindowPresenter& window, QObject* parent)
    : QObject(parent), m_saved(saved), m_means(std::move(means)), m_window(window) {}

ConnectionBook::~ConnectionBook() {
    for (const Entry& entry : m_entries)
        m_window.removeHead(*entry.head);
}

void ConnectionBook::open() {
    if (const auto loaded = m_saved.load(); !loaded)
        emit failed(loaded.error());
    for (const SavedConnection& connection : m_saved.all())
        connectTo(m_entries.emplace_back(Entry{connection, nullptr}), std::nullopt);
}

client::HeadClient& ConnectionBook::connectTo(Entry& entry, std::optional<int> row) {
    entry.head = m_means.makeHead(entry.saved);
    client::HeadClient& head = *entry.head;
    head.setReach(client::HeadClient::Reach::another_host);
    m_window.addHead(head, row).setSaved(entry.saved);
    if (entry.saved.isWanted)
        head.start();
    else
        head.hangUp();
    connect(&head, &client::HeadClient::statusChanged, this, [this, &head](const client::LinkStatus& status) {
        remember(head, [&](SavedConnection& saved) {
            saved.isWanted = status.state != client::LinkStatus::State::closed;
        });
    });
    rememberWork(head);
    return head;
}

ConnectionBook::Entry* ConnectionBook::entryOf(const client::HeadClient& head) {
    const auto known = std::find_if(m_entries.begin(), m_entries.end(),
                                    [&](const Entry& entry) { return entry.head.get() == &head; });
    return known == m_entries.end() ? nullptr : &*known;
}

void ConnectionBook::remember(const client::HeadClient& head,
                              const std::function<void(SavedConnection&)>& change) {
    Entry* entry = entryOf(head);
    if (!entry)
        return;
    SavedConnection changed = entry->saved;
    change(changed);
    if (changed == entry->saved)
        return;
    entry->saved = changed;
    if (const auto kept = m_saved.put(std::move(changed)); !kept)
        emit failed(kept.error());
    m_window.connectionOf(head)->setSaved(entry->saved);
}

void ConnectionBook::rememberWork(const client::HeadClient& head) {
    const HostWorkPresenter* work = m_window.connectionOf(head)->work();
    if (!work)
        return;
    connect(work, &HostWorkPresenter::forwardsToKeep, this, [this, &head](const Array& forwards) {
        remember(head, [&](SavedConnection& saved) { saved.forwards = forwards; });
    });
    connect(work, &HostWorkPresenter::syncToKeep, this,
            [this, &head](const trialdeck::client::SyncedFolders& folders) {
                remember(head, [&](SavedConnection& saved) { saved.lastSync = folders; });
            });
}

void ConnectionBook::hangUp(const client::HeadClient& head) {
    if (const Entry* entry = entryOf(head))
        entry->head->hangUp();
}

bool ConnectionBook::isNameTaken(const QString& name, const std::string& id) const {
    const std::string text = name.trimmed().toStdString();
    return std::any_of(m_entries.begin(), m_entries.end(),
                       [&](const Entry& entry) { return entry.saved.name == text && entry.saved.id != id; });
}

bool ConnectionBook::keep(SavedConnection connection) {
    auto kept = m_saved.put(std::move(connection));
    if (!kept) {
        emit failed(kept.error());
        return false;
    }
    const auto known = std::find_if(m_entries.begin(), m_entries.end(),
                                    [&](const Entry& entry) { return entry.saved.id == kept->id; });
    if (known == m_entries.end()) {
        m_window.showConnection(connectTo(m_entries.emplace_back(Entry{*kept, nullptr}), std::nullopt));
        return true;
    }
    const bool isSame = isSameWay(known->saved, *kept);
    // The button says that it connects.
    kept->isWanted = true;
    known->saved = *kept;
    if (isSame) {
        known->head->setName(QString::fromStdString(kept->name));
        m_window.connectionOf(*known->head)->setSaved(*kept);
        if (known->head->status().state == client::LinkStatus::State::closed)
            known->head->reconnect();
    } else {
        const std::vector<client::HeadClient*> heads = m_window.heads();
        const auto place = std::find(heads.begin(), heads.end(), known->head.get());
        m_window.removeHead(*known->head);
        connectTo(*known, static_cast<int>(place - heads.begin()));
    }
    m_window.showConnection(*known->head);
    return true;
}

ConnectionBook::SavedConnection ConnectionBook::copyOf(const SavedConnection& connection) const {
    SavedConnection copy = connection;
    copy.id.clear();
    copy.lastSync.reset();
    copy.forwards.clear();
    for (int number = 2; isNameTaken(QString::fromStdString(copy.name), copy.id); ++number)
        copy.name = connection.name + " " + std::to_string(number);
    return copy;
}

Confirmation ConnectionBook::removeQuestion(const client::HeadClient& head) {
    Confirmation question;
    //: Title of a question; %1 is a connection
    question.title = tr("Remove \"%1\"?").arg(head.name());
    question.sentence =
        tr("Only this list forgets it. Nothing on the host is deleted, and trials there go on; "
           "connect again to see them.");
    //: Button: removes a connection from the list
    question.verb = tr("Remove from the list");
    question.proceed = [this, removed = QPointer<const client::HeadClient>(&head)] {
        if (removed)
            remove(*removed);
    };
    return question;
}

void ConnectionBook::remove(const client::HeadClient& head) {
    const Entry* known = entryOf(head);
    if (!known)
        return;
    if (const auto removed = m_saved.remove(known->saved.id); !removed) {
        emit failed(removed.error());
        return;
    }
    m_window.removeHead(head);
    std::erase_if(m_entries, [&](const Entry& entry) { return entry.head.get() == &head; });
}

} // namespace trialdeck::app::presenters
