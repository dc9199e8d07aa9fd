// SPDX-License-Identifier: Apache-2.0
#include "core/client/saved_connections.h"

#include "core/base/enum_names.h"
#include "core/base/host.h"
#include "core/base/json.h"

#include <algorithm>

namespace trialdeck::client {

namespace {

constexpr std::string_view kList = "connections";
constexpr int kVersion = 1;
constexpr int kMostAside = 100;
constexpr uint64_t kMostBytes = uint64_t{4} << 20;

/// The fields that are plain texts, by their keys.
struct TextField {
    const char* key;
    std::string SavedConnection::*field;
};
constexpr TextField kTexts[] = {{"id", &SavedConnection::id},
                                {"name", &SavedConnection::name},
                                {"host", &SavedConnection::host},
                                {"user", &SavedConnection::user},
                                {"identity_file", &SavedConnection::identityFile},
                                {"jump", &SavedConnection::jump},
                                {"remote_home", &SavedConnection::remoteHome},
                                {"package_index", &SavedConnection::packageIndex},
                                {"extra_index", &SavedConnection::extraIndex},
                                {"proxy", &SavedConnection::proxy},
                                {"registry_mirror", &SavedConnection::registryMirror}};

constexpr base::EnumNames<SshWay, 3> kWays({"auto", "system_ssh", "libssh2"});

std::string textAt(const Value& entry, std::string_view key) {
    const Value* value = entry.find(key);
    const std::string* text = value ? value->asString() : nullptr;
    return text ? *text : std::string();
}

std::vector<std::string> textsAt(const Value& entry, std::string_view key) {
    std::vector<std::string> texts;
    const Value* value = entry.find(key);
    if (value && value->isArray()) {
        for (const Value& each : *value->asArray()) {
            if (const std::string* text = each.asString())
                texts.push_back(*text);
        }
    }
    return texts;
}

/// Nothing where the entry names no host.
std::optional<SavedConnection> connectionFrom(const Value& entry) {
    SavedConnection connection;
    for (const TextField& text : kTexts)
        connection.*text.field = textAt(entry, text.key);
    if (connection.host.empty())
        return std::nullopt;
    if (connection.name.empty())
        connection.name = connection.host;
    if (connection.id.empty())
        connection.id = connection.name;
    if (const Value* port = entry.find("port")) {
        const auto number = port->toInteger();
        if (number && *number > 0 && *number <= UINT16_MAX)
            connection.port = static_cast<uint16_t>(*number);
    }
    connection.transport = sshWayFromString(textAt(entry, "transport")).value_or(SshWay::automatic);
    const Value* compression = entry.find("compression");
    if (compression && compression->isBool())
        connection.compression = *compression->asBool();
    const Value* wanted = entry.find("connect");
    if (wanted && wanted->isBool())
        connection.isWanted = *wanted->asBool();
    const Value* forwards = entry.find("forwards");
    if (forwards && forwards->isArray())
        connection.forwards = *forwards->asArray();
    const Value* synced = entry.find("last_sync");
    if (synced && synced->isObject())
        connection.lastSync = SyncedFolders{textAt(*synced, "local"), textAt(*synced, "remote"),
                                            textsAt(*synced, "include"), textsAt(*synced, "exclude")};
    return connection;
}

/// Keys that are not known here keep their values.
void writeInto(Object& entry, const SavedConnection& connection) {
    for (const TextField& text : kTexts) {
        if ((connection.*text.field).empty())
            entry.erase(text.key);
        else
            entry.set(text.key, connection.*text.field);
    }
    const auto setOrErase = [&entry](const char* key, bool isSet, Value value) {
        if (isSet)
            entry.set(key, std::move(value));
        else
            entry.erase(key);
    };
    setOrErase("port", connection.port.has_value(), Value(int64_t{connection.port.value_or(0)}));
    setOrErase("transport", connection.transport != SshWay::automatic, Value(nameOf(connection.transport)));
    setOrErase("compression", connection.compression.has_value(),
               Value(connection.compression.value_or(false)));
    setOrErase("connect", !connection.isWanted, Value(false));
    setOrErase("forwards", !connection.forwards.empty(), Value(connection.forwards));
    const SyncedFolders synced = connection.lastSync.value_or(SyncedFolders());
    setOrErase("last_sync", connection.lastSync.has_value(),
               Value(Object{{"local", synced.local},
                            {"remote", synced.remote},
                            {"include", Value(Array(synced.include.begin(), synced.include.end()))},
                            {"exclude", Value(Array(synced.exclude.begin(), synced.exclude.end()))}}));
}

/// A free name beside the file: connections.json.damaged, .damaged-2 …
base::Path placeAside(base::FileSystem& files, const base::Path& file) {
    base::Path aside = file;
    aside += ".damaged";
    for (int i = 2; base::exists(files, aside) && i <= kMostAside; ++i) {
        aside = file;
        aside += ".damaged-" + std::to_string(i);
    }
    return aside;
}

} // namespace

std::string_view nameOf(SshWay way) {
    return kWays.name(way);
}

std::optional<SshWay> sshWayFromString(std::string_view name) {
    return kWays.find(name);
}

std::optional<transport::SshClient> pinnedClient(SshWay way) {
    if (way == SshWay::automatic)
        return std::nullopt;
    return way == SshWay::libssh2 ? transport::SshClient::libssh2 : transport::SshClient::system_ssh;
}

transport::SshDestination destinationOf(const SavedConnection& connection) {
    transport::SshDestination destination;
    destination.host = connection.host;
    destination.user = connection.user;
    destination.port = connection.port;
    destination.identityFile = connection.identityFile;
    destination.jump = connection.jump;
    destination.compression = connection.compression;
    return destination;
}

Expected<base::Path> savedConnectionsFile(const base::Environment& environment) {
    const auto configured = environment.find("XDG_CONFIG_HOME");
    // A relative one is to be passed over, says the XDG specification.
    if (configured != environment.end() && base::Path(configured->second).is_absolute())
        return base::Path(configured->second) / "trialdeck/connections.json";
    const auto home = environment.find("HOME");
    Expected<base::Path> folder = home != environment.end() && !home->second.empty()
                                      ? Expected<base::Path>(home->second)
                                      : base::homeDirectory();
    return folder.map([](const base::Path& path) { return path / ".config/trialdeck/connections.json"; });
}

SavedConnections::SavedConnections(base::FileSystem& files, base::Path file)
    : m_files(files), m_file(std::move(file)) {}

Expected<void> SavedConnections::load() {
    auto done = read();
    const bool isDamaged =
        !done && (done.error().code == ErrorCode::bad_json || done.error().code == ErrorCode::bad_utf8 ||
                  done.error().code == ErrorCode::too_deep);
    if (!isDamaged)
        return done;
    const base::Path aside = placeAside(m_files, m_file);
    TRIALDECK_TRY(m_files.rename(m_file, aside));
    return base::fail(ErrorCode::connections_set_aside,
                      {{"path", m_file.native()}, {"kept_at", aside.native()}}, done.error().detail);
}

Expected<void> SavedConnections::read() {
    m_document = {};
    m_all.clear();
    const auto text = base::readWholeFile(m_files, m_file, kMostBytes);
    if (!text && text.error().code == ErrorCode::file_not_found)
        return {};
    if (!text)
        return tl::make_unexpected(text.error());
    auto document = base::parseJson(*text);
    if (!document)
        return tl::make_unexpected(std::move(document).error().during("read " + m_file.native()));
    const Value* list = document->find(kList);
    if (!document->isObject() || (list && !list->isArray()))
        return base::fail(ErrorCode::bad_json, {{"path", m_file.native()}, {"offset", "0"}},
                          m_file.native() + " is no map with a list of connections");
    m_document = std::move(*document->asObject());
    if (const Value* kept = m_document.find(kList)) {
        for (const Value& entry : *kept->asArray()) {
            if (auto connection = connectionFrom(entry))
                m_all.push_back(std::move(*connection));
        }
    }
    return {};
}

const SavedConnection* SavedConnections::find(std::string_view idOrName) const {
    for (const auto field : {&SavedConnection::id, &SavedConnection::name}) {
        const auto found = std::find_if(m_all.begin(), m_all.end(),
                                        [&](const SavedConnection& each) { return each.*field == idOrName; });
        if (found != m_all.end())
            return &*found;
    }
    return nullptr;
}

Expected<SavedConnection> SavedConnections::put(SavedConnection connection) {
    if (auto done = read(); !done)
        return tl::make_unexpected(std::move(done).error());
    if (connection.id.empty())
        connection.id = base::newUuid();
    if (connection.name.empty())
        connection.name = connection.host;
    if (!m_document.find(kList)) {
        m_document.set("version", kVersion);
        m_document.set(std::string(kList), Array());
    }
    Array& entries = *m_document.find(kList)->asArray();
    const auto same = std::find_if(entries.begin(), entries.end(), [&](const Value& entry) {
        const auto known = connectionFrom(entry);
        return known && known->id == connection.id;
    });
    Value& entry = same == entries.end() ? entries.emplace_back(Object()) : *same;
    writeInto(*entry.asObject(), connection);
    if (auto done = write(); !done)
        return tl::make_unexpected(std::move(done).error());
    return connection;
}

Expected<void> SavedConnections::remove(std::string_view id) {
    TRIALDECK_TRY(read());
    if (Value* list = m_document.find(kList))
        std::erase_if(*list->asArray(), [&](const Value& entry) {
            const auto known = connectionFrom(entry);
            return known && known->id == id;
        });
    return write();
}

Expected<void> SavedConnections::write() {
    TRIALDECK_TRY(m_files.createDirectories(m_file.parent_path()));
    TRIALDECK_TRY(base::writeFileAtomically(m_files, m_file, base::toPrettyJson(Value(m_document)) + "\n",
                                            base::FileAudience::owner));
    return read();
}

} // namespace trialdeck::client
