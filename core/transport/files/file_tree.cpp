// SPDX-License-Identifier: Apache-2.0
#include "core/transport/files/file_tree.h"

#include "core/transport/files/sync_names.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <system_error>

namespace trialdeck::transport {

namespace {

constexpr uint32_t kPermissionBits = 07777;

std::string belowPath(const std::string& folder, const std::string& name) {
    return folder.empty() ? name : folder + "/" + name;
}

std::vector<std::string> namesIn(base::UniqueFd folder) {
    std::vector<std::string> names;
    const std::unique_ptr<DIR, int (*)(DIR*)> stream(fdopendir(folder.get()), closedir);
    if (!stream)
        return names;
    (void)folder.release();
    while (const dirent* entry = readdir(stream.get())) {
        const std::string_view name = entry->d_name;
        if (name != "." && name != "..")
            names.emplace_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
}

/// Reads one tree, folder by folder.
class TreeReader {
public:
    TreeReader(int root, const SyncFilter& filter) : m_root(root), m_filter(filter) {}

    FileTree run() {
        // The last one is next, so that what is in a folder comes behind it at once.
        readFolder({});
        while (!m_waiting.empty()) {
            FileEntry entry = std::move(m_waiting.back());
            m_waiting.pop_back();
            const bool isFolder = entry.kind == FileEntry::Kind::folder;
            const std::string path = entry.path;
            m_tree.entries.push_back(std::move(entry));
            if (isFolder)
                readFolder(path);
        }
        return std::move(m_tree);
    }

private:
    void readFolder(const std::string& path) {
        base::UniqueFd folder = openFolderBelow(m_root, path);
        base::UniqueFd listed(folder ? openat(folder.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1);
        if (!listed) {
            m_tree.failures.push_back({path, reasonOf(errno)});
            return;
        }
        const std::vector<std::string> names = namesIn(std::move(listed));
        for (auto name = names.rbegin(); name != names.rend(); ++name)
            readEntry(folder.get(), path, *name);
    }

    void readEntry(int folder, const std::string& folderPath, const std::string& name) {
        struct stat raw {};
        const std::string path = belowPath(folderPath, name);
        if (fstatat(folder, name.c_str(), &raw, AT_SYMLINK_NOFOLLOW) != 0) {
            if (errno != ENOENT)
                m_tree.failures.push_back({path, reasonOf(errno)});
            return;
        }
        if (S_ISDIR(raw.st_mode) && name == kPartFolder) {
            readKept(folder, folderPath);
            return;
        }
        if (!m_filter.takes(path, S_ISDIR(raw.st_mode)))
            return;
        FileEntry entry;
        entry.path = path;
        entry.mode = raw.st_mode & kPermissionBits;
        entry.nanoseconds = int64_t{raw.st_mtim.tv_sec} * 1'000'000'000 + raw.st_mtim.tv_nsec;
        if (S_ISDIR(raw.st_mode)) {
            entry.kind = FileEntry::Kind::folder;
        } else if (S_ISLNK(raw.st_mode)) {
            entry.kind = FileEntry::Kind::link;
            entry.target.resize(PATH_MAX);
            const ssize_t length = readlinkat(folder, name.c_str(), entry.target.data(), entry.target.size());
            entry.target.resize(static_cast<size_t>(std::max<ssize_t>(length, 0)));
        } else if (S_ISREG(raw.st_mode)) {
            entry.bytes = static_cast<uint64_t>(raw.st_size);
        } else {
            m_tree.failures.push_back({path, "not a file, folder or link", false});
            return;
        }
        m_waiting.push_back(std::move(entry));
    }

    void readKept(int folder, const std::string& folderPath) {
        const base::UniqueFd parts(openat(folder, std::string(kPartFolder).c_str(),
                                          O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
        if (!parts)
            return;
        for (const std::string& name : namesIn(base::UniqueFd(fcntl(parts.get(), F_DUPFD_CLOEXEC, 0)))) {
            struct stat raw {};
            if (fstatat(parts.get(), name.c_str(), &raw, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(raw.st_mode))
                m_tree.kept[belowPath(folderPath, name)] = static_cast<uint64_t>(raw.st_size);
        }
    }

    int m_root;
    const SyncFilter& m_filter;
    FileTree m_tree;
    std::vector<FileEntry> m_waiting;
};

} // namespace

FileTree readFileTree(int root, const SyncFilter& filter) {
    return TreeReader(root, filter).run();
}

base::UniqueFd openFolderBelow(int root, std::string_view path) {
    base::UniqueFd folder(openat(root, ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
    while (folder && !path.empty()) {
        const size_t slash = path.find('/');
        const std::string name(path.substr(0, slash));
        path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
        if (name.empty() || name == "." || name == "..") {
            errno = EINVAL;
            return {};
        }
        base::UniqueFd next(
            openat(folder.get(), name.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
        folder = std::move(next);
    }
    return folder;
}

SplitPath splitPath(std::string_view path) {
    const size_t slash = path.rfind('/');
    if (slash == std::string_view::npos)
        return {{}, std::string(path)};
    return {path.substr(0, slash), std::string(path.substr(slash + 1))};
}

std::string reasonOf(int errnoValue) {
    return std::generic_category().message(errnoValue);
}

} // namespace trialdeck::transport
