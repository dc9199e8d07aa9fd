// SPDX-License-Identifier: Apache-2.0
// A file system in memory that knows what has reached the disk: powerCut() leaves what was synced, as the
// strictest real one would. Quick enough for fuzzing. Callable from every thread.
#pragma once

#include "core/base/files.h"

#include <algorithm>
#include <cerrno>
#include <functional>
#include <map>
#include <mutex>

namespace trialdeck::tests {

class MemoryFileSystem final : public base::FileSystem {
public:
    MemoryFileSystem() : m_root(std::make_shared<Node>()) { m_root->type = base::FileType::directory; }

    /// Forgets everything that was not synced: contents to the last sync of their file, names to the last
    /// sync of their directory. Open files answer EIO from then on.
    /// @param keep  how many of the unsynced bytes at the end of a file happened to be written out; none
    ///              where it is missing
    void powerCut(const std::function<size_t(size_t unsynced)>& keep = {}) {
        const std::lock_guard lock(m_mutex);
        ++m_generation;
        cut(*m_root, keep);
    }

    /// What lies in the file, or nothing where there is none.
    [[nodiscard]] std::optional<std::string> content(const base::Path& path) {
        const std::lock_guard lock(m_mutex);
        const auto node = find(path);
        return node ? std::optional(node->content) : std::nullopt;
    }
    /// Creates or replaces the file with its folders, all of it durable.
    void put(const base::Path& path, std::string content) {
        const std::lock_guard lock(m_mutex);
        const auto directory = makeDirectories(path.parent_path(), true);
        auto& node = directory->entries[path.filename().native()];
        if (!node)
            node = newNode(base::FileType::regular);
        node->content = node->durableContent = std::move(content);
        directory->durableEntries = directory->entries;
    }
    /// A link or a socket: something that is neither file nor folder.
    void putOther(const base::Path& path, base::FileType type) {
        const std::lock_guard lock(m_mutex);
        const auto directory = makeDirectories(path.parent_path(), true);
        directory->entries[path.filename().native()] = newNode(type);
        directory->durableEntries = directory->entries;
    }
    /// All files and folders below, relative, sorted; folders end with "/".
    [[nodiscard]] std::vector<std::string> tree(const base::Path& directory = "/") {
        const std::lock_guard lock(m_mutex);
        std::vector<std::string> names;
        if (const auto node = find(directory))
            addNames(*node, "", names);
        return names;
    }

    Expected<std::unique_ptr<base::File>> open(const base::Path& path, base::OpenMode mode) override {
        const std::lock_guard lock(m_mutex);
        auto node = find(path);
        const bool mayCreate = mode != base::OpenMode::read && mode != base::OpenMode::append;
        if (!node && !mayCreate)
            return failed(ENOENT, path, "open");
        if (node && mode == base::OpenMode::createNew)
            return failed(EEXIST, path, "open for writing");
        if (node && node->type == base::FileType::directory && mode != base::OpenMode::read)
            return failed(EISDIR, path, "open for writing");
        if (!node) {
            const auto directory = find(path.parent_path());
            if (!directory || directory->type != base::FileType::directory)
                return failed(ENOENT, path, "open for writing");
            node = newNode(base::FileType::regular);
            directory->entries[path.filename().native()] = node;
        }
        if (mode == base::OpenMode::replace || mode == base::OpenMode::replacePrivate)
            node->content.clear();
        return std::make_unique<Handle>(*this, node, path);
    }

    Expected<base::FileStatus> status(const base::Path& path) override {
        const std::lock_guard lock(m_mutex);
        const auto node = find(path);
        if (!node)
            return failed(ENOENT, path, "look at");
        return statusOf(*node);
    }

    Expected<std::vector<std::string>> list(const base::Path& directory) override {
        const std::lock_guard lock(m_mutex);
        const auto node = find(directory);
        if (!node || node->type != base::FileType::directory)
            return failed(node ? ENOTDIR : ENOENT, directory, "list");
        std::vector<std::string> names;
        for (const auto& [name, entry] : node->entries)
            names.push_back(name);
        return names;
    }

    Expected<void> createDirectories(const base::Path& directory) override {
        const std::lock_guard lock(m_mutex);
        if (!makeDirectories(directory, false))
            return failed(ENOTDIR, directory, "create directory");
        return {};
    }

    Expected<void> rename(const base::Path& from, const base::Path& to) override {
        const std::lock_guard lock(m_mutex);
        const auto source = find(from.parent_path());
        const auto target = find(to.parent_path());
        const auto node = find(from);
        const auto present = find(to);
        if (!source || !target || !node)
            return failed(ENOENT, to, "rename to");
        if (present && present->type == base::FileType::directory && !present->entries.empty())
            return failed(ENOTEMPTY, to, "rename to");
        source->entries.erase(from.filename().native());
        target->entries[to.filename().native()] = node;
        return {};
    }

    Expected<void> remove(const base::Path& file) override {
        const std::lock_guard lock(m_mutex);
        const auto node = find(file);
        if (!node || node->type == base::FileType::directory)
            return failed(node ? EISDIR : ENOENT, file, "remove");
        find(file.parent_path())->entries.erase(file.filename().native());
        return {};
    }

    Expected<void> removeAll(const base::Path& directory) override {
        const std::lock_guard lock(m_mutex);
        if (find(directory))
            find(directory.parent_path())->entries.erase(directory.filename().native());
        return {};
    }

    Expected<void> syncDirectory(const base::Path& directory) override {
        const std::lock_guard lock(m_mutex);
        const auto node = find(directory);
        if (!node)
            return failed(ENOENT, directory, "open directory");
        // A rename is one step of the disk: it becomes durable on both sides.
        settleRenames(*m_root, *node);
        node->durableEntries = node->entries;
        return {};
    }

    Expected<uint64_t> freeBytes(const base::Path&) override { return uint64_t{1} << 40; }

private:
    struct Node {
        base::FileType type = base::FileType::regular;
        uint64_t inode = 1;
        std::string content;
        std::string durableContent;
        std::map<std::string, std::shared_ptr<Node>> entries;
        std::map<std::string, std::shared_ptr<Node>> durableEntries;
    };

    class Handle final : public base::File {
    public:
        Handle(MemoryFileSystem& files, std::shared_ptr<Node> node, base::Path path)
            : m_files(files), m_node(std::move(node)), m_path(std::move(path)),
              m_generation(files.m_generation) {}

        Expected<size_t> readAt(uint64_t offset, std::span<char> buffer) override {
            const std::lock_guard lock(m_files.m_mutex);
            if (!alive() || m_node->type == base::FileType::directory)
                return failed(alive() ? EISDIR : EIO, m_path, "read");
            const std::string& content = m_node->content;
            if (offset >= content.size())
                return size_t{0};
            return content.copy(buffer.data(), buffer.size(), static_cast<size_t>(offset));
        }
        Expected<void> append(std::string_view bytes) override {
            const std::lock_guard lock(m_files.m_mutex);
            if (!alive())
                return failed(EIO, m_path, "write");
            m_node->content += bytes;
            return {};
        }
        Expected<void> sync() override {
            const std::lock_guard lock(m_files.m_mutex);
            if (!alive())
                return failed(EIO, m_path, "sync");
            m_node->durableContent = m_node->content;
            return {};
        }
        Expected<void> truncate(uint64_t bytes) override {
            const std::lock_guard lock(m_files.m_mutex);
            m_node->content.resize(static_cast<size_t>(bytes));
            return {};
        }
        Expected<base::FileStatus> status() override {
            const std::lock_guard lock(m_files.m_mutex);
            return statusOf(*m_node);
        }
        Expected<void> close() override { return {}; }

    private:
        [[nodiscard]] bool alive() const { return m_generation == m_files.m_generation; }

        MemoryFileSystem& m_files;
        std::shared_ptr<Node> m_node;
        base::Path m_path;
        uint64_t m_generation;
    };

    static base::Unexpected failed(int error, const base::Path& path, std::string_view action) {
        return base::Unexpected(base::fileError(error, path.native(), action));
    }

    static base::FileStatus statusOf(const Node& node) {
        base::FileStatus status;
        status.type = node.type;
        status.bytes = node.content.size();
        status.device = 1;
        status.inode = node.inode;
        status.mode = 0644;
        return status;
    }

    std::shared_ptr<Node> newNode(base::FileType type) {
        auto node = std::make_shared<Node>();
        node->type = type;
        node->inode = ++m_lastInode;
        return node;
    }

    [[nodiscard]] std::shared_ptr<Node> find(const base::Path& path) const {
        std::shared_ptr<Node> node = m_root;
        for (const auto& part : path.relative_path()) {
            if (part.empty() || part == ".")
                continue;
            const auto entry = node->entries.find(part.native());
            if (entry == node->entries.end())
                return nullptr;
            node = entry->second;
        }
        return node;
    }

    std::shared_ptr<Node> makeDirectories(const base::Path& path, bool durable) {
        std::shared_ptr<Node> node = m_root;
        for (const auto& part : path.relative_path()) {
            if (part.empty() || part == ".")
                continue;
            auto& entry = node->entries[part.native()];
            if (!entry)
                entry = newNode(base::FileType::directory);
            if (entry->type != base::FileType::directory)
                return nullptr;
            if (durable)
                node->durableEntries[part.native()] = entry;
            node = entry;
        }
        return node;
    }

    static bool has(const std::map<std::string, std::shared_ptr<Node>>& entries,
                    const std::shared_ptr<Node>& node) {
        return std::any_of(entries.begin(), entries.end(),
                           [&node](const auto& entry) { return entry.second == node; });
    }

    /// What moved between `synced` and any other directory is durable there, too.
    static void settleRenames(Node& other, const Node& synced) {
        if (&other != &synced) {
            std::erase_if(other.durableEntries, [&](const auto& entry) {
                return has(synced.entries, entry.second) && !has(other.entries, entry.second);
            });
            for (const auto& [name, node] : other.entries) {
                if (has(synced.durableEntries, node) && !has(synced.entries, node))
                    other.durableEntries[name] = node;
            }
        }
        for (const auto& [name, entry] : other.entries)
            settleRenames(*entry, synced);
    }

    static void cut(Node& node, const std::function<size_t(size_t)>& keep) {
        if (node.content.size() > node.durableContent.size() && keep) {
            const size_t synced = node.durableContent.size();
            const size_t kept = std::min(keep(node.content.size() - synced), node.content.size() - synced);
            node.durableContent = node.content.substr(0, synced + kept);
        }
        node.content = node.durableContent;
        node.entries = node.durableEntries;
        for (const auto& [name, entry] : node.entries)
            cut(*entry, keep);
    }

    static void addNames(const Node& node, const std::string& before, std::vector<std::string>& names) {
        for (const auto& [name, entry] : node.entries) {
            const bool folder = entry->type == base::FileType::directory;
            names.push_back(before + name + (folder ? "/" : ""));
            if (folder)
                addNames(*entry, before + name + "/", names);
        }
    }

    mutable std::mutex m_mutex;
    std::shared_ptr<Node> m_root;
    uint64_t m_lastInode = 1;
    uint64_t m_generation = 0;
};

} // namespace trialdeck::tests
