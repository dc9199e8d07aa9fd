// SPDX-License-Identifier: Apache-2.0
#include "core/storage/checkpoints.h"

#include "core/storage/checkpoint_files.h"
#include "core/storage/folder_names.h"

#include <algorithm>
#include <array>
#include <optional>

namespace trialdeck::storage {

namespace {

/// One run of commitCheckpoint.
class Commit {
public:
    Commit(base::FileSystem& files, const CheckpointOrder& order)
        : m_files(files), m_order(order), m_target(order.trialFolder / checkpointFolderName(order.index)),
          m_manifestPath(order.trialFolder / checkpointManifestName(order.index)) {}

    Expected<std::vector<protocol::ManifestEntry>> run();

private:
    /// A source that still lies in its rank's folder, or one that an earlier run has moved.
    struct Part {
        const CheckpointSource* source = nullptr;
        base::Path folder;
        bool moved = false;
        FolderContent content = {};
    };

    Expected<void> findParts();
    Expected<Part> findPart(const CheckpointSource& source);
    Expected<void> list();
    Expected<void> hashParts();
    Expected<void> hashPart(const Part& part);
    Expected<void> moveRanks();
    Expected<void> moveRankZero();
    Expected<void> setTargetAside();

    [[nodiscard]] std::string fromOf(const CheckpointSource& source) const {
        return (source.rankFolder / source.name).lexically_relative(m_order.trialFolder).generic_string();
    }
    [[nodiscard]] static std::string prefixOf(const CheckpointSource& source) {
        return source.rank == 0 ? std::string() : rankFolderName(source.rank) + "/";
    }
    [[nodiscard]] bool isListed(const std::string& prefix) const;
    [[nodiscard]] base::Unexpected unreadable(const Part& part, const std::string& path, Error error) const;

    base::FileSystem& m_files;
    const CheckpointOrder& m_order;
    base::Path m_target;
    base::Path m_manifestPath;
    /// Where rank 0's part is now: its source, or the target.
    base::Path m_body;
    std::vector<Part> m_parts;
    CheckpointManifest m_manifest;
    uint64_t m_done = 0;
    uint64_t m_total = 0;
};

base::Unexpected badName(const CheckpointSource& source, std::string reason) {
    return base::fail(ErrorCode::checkpoint_bad_name, {{"name", source.name}, {"reason", std::move(reason)}});
}

/// The folder of a name that a worker chose, and whether it is there. No part of it may be a link: renaming
/// would take away what lies elsewhere.
Expected<std::optional<base::Path>> resolve(base::FileSystem& files, const CheckpointSource& source) {
    const base::Path name = base::Path(source.name).lexically_normal();
    if (name.empty() || name.is_absolute() || name == "." || *name.begin() == "..")
        return badName(source, "leads out of the folder");
    base::Path folder = source.rankFolder;
    for (const auto& part : name) {
        if (part.empty())
            continue;
        folder /= part;
        const auto status = files.status(folder);
        if (!status && status.error().code == ErrorCode::file_not_found)
            return std::nullopt;
        if (!status)
            return tl::make_unexpected(status.error());
        if (status->type != base::FileType::directory)
            return badName(source, "not a folder");
    }
    return folder;
}

base::Unexpected Commit::unreadable(const Part& part, const std::string& path, Error error) const {
    if (error.code == ErrorCode::cancelled || error.code == ErrorCode::disk_full)
        return base::Unexpected(std::move(error));
    const auto reason = error.arguments.find("reason");
    return base::fail(ErrorCode::checkpoint_unreadable,
                      {{"name", part.source->name},
                       {"path", path},
                       {"reason", reason == error.arguments.end() ? std::string() : reason->second}},
                      std::move(error.detail));
}

bool Commit::isListed(const std::string& prefix) const {
    return std::any_of(
        m_manifest.entries.begin(), m_manifest.entries.end(),
        [&prefix](const protocol::ManifestEntry& entry) { return entry.path.starts_with(prefix); });
}

Expected<Commit::Part> Commit::findPart(const CheckpointSource& source) {
    auto folder = resolve(m_files, source);
    if (!folder)
        return tl::make_unexpected(std::move(folder).error());
    const base::Path place = m_body / rankFolderName(source.rank);
    const bool placed = base::exists(m_files, place);
    if (*folder && placed)
        return badName(source, "the checkpoint has a " + rankFolderName(source.rank) + " of its own");
    if (*folder)
        return Part{&source, std::move(**folder)};
    if (placed)
        return Part{&source, place, true};
    return base::fail(ErrorCode::checkpoint_missing, {{"name", source.name}, {"path", fromOf(source)}});
}

Expected<void> Commit::findParts() {
    const bool targetThere = base::exists(m_files, m_target);
    if (auto manifest = readManifest(m_files, m_manifestPath); manifest && targetThere)
        m_manifest = std::move(*manifest);
    const auto zero = std::find_if(m_order.sources.begin(), m_order.sources.end(),
                                   [](const CheckpointSource& source) { return source.rank == 0; });
    m_body = m_target;
    if (zero != m_order.sources.end()) {
        auto folder = resolve(m_files, *zero);
        if (!folder)
            return tl::make_unexpected(std::move(folder).error());
        const bool completed = targetThere && m_manifest.from == fromOf(*zero);
        if (!*folder && !completed)
            return base::fail(ErrorCode::checkpoint_missing, {{"name", zero->name}, {"path", fromOf(*zero)}});
        if (*folder) {
            m_manifest = {fromOf(*zero), {}};
            m_body = **folder;
            m_parts.push_back({&*zero, std::move(**folder)});
        }
    } else if (!targetThere) {
        return base::fail(ErrorCode::checkpoint_missing,
                          {{"name", m_target.filename().native()}, {"path", m_target.native()}});
    }
    for (const CheckpointSource& source : m_order.sources) {
        if (source.rank == 0)
            continue;
        auto part = findPart(source);
        if (!part)
            return tl::make_unexpected(std::move(part).error());
        // What an earlier run moved into rank 0's part is found there, or is in the manifest.
        if (!part->moved || (m_body == m_target && !isListed(prefixOf(source))))
            m_parts.push_back(std::move(*part));
    }
    return {};
}

Expected<void> Commit::list() {
    for (Part& part : m_parts) {
        auto content = listContent(m_files, part.folder);
        if (!content)
            return unreadable(part, fromOf(*part.source), std::move(content).error());
        m_total += content->bytes;
        for (const std::string& path : content->otherPaths) {
            if (m_order.leftOut)
                m_order.leftOut(prefixOf(*part.source) + path);
        }
        part.content = std::move(*content);
    }
    return {};
}

Expected<void> Commit::hashPart(const Part& part) {
    const auto onRead = [this](uint64_t bytes) {
        m_done += bytes;
        return !m_order.progress || m_order.progress(m_done, std::max(m_done, m_total));
    };
    for (const std::string& path : part.content.filePaths) {
        auto hashed = hashFile(m_files, part.folder / path, SyncFile::yes, onRead);
        if (!hashed && hashed.error().code == ErrorCode::file_not_found)
            continue;
        if (!hashed)
            return unreadable(part, path, std::move(hashed).error());
        m_manifest.entries.push_back(
            {prefixOf(*part.source) + path, hashed->bytes, std::move(hashed->sha256)});
    }
    for (const std::string& path : part.content.folderPaths) {
        if (auto synced = m_files.syncDirectory(part.folder / path); !synced)
            return unreadable(part, path, std::move(synced).error());
    }
    return {};
}

Expected<void> Commit::hashParts() {
    for (const Part& part : m_parts)
        TRIALDECK_TRY(hashPart(part));
    std::sort(m_manifest.entries.begin(), m_manifest.entries.end(),
              [](const auto& left, const auto& right) { return left.path < right.path; });
    return {};
}

Expected<void> Commit::moveRanks() {
    bool any = false;
    for (const Part& part : m_parts) {
        if (part.source->rank == 0 || part.moved)
            continue;
        TRIALDECK_TRY(m_files.rename(part.folder, m_body / rankFolderName(part.source->rank)));
        TRIALDECK_TRY(m_files.syncDirectory(part.folder.parent_path()));
        any = true;
    }
    return any ? m_files.syncDirectory(m_body) : Expected<void>();
}

Expected<void> Commit::setTargetAside() {
    if (!base::exists(m_files, m_target))
        return {};
    for (uint32_t i = 0;; ++i) {
        const base::Path aside =
            m_order.trialFolder / ("orphan_" + m_target.filename().native() + "_" + std::to_string(i));
        if (!base::exists(m_files, aside))
            return m_files.rename(m_target, aside);
    }
}

Expected<void> Commit::moveRankZero() {
    if (m_body != m_target) {
        TRIALDECK_TRY(setTargetAside());
        TRIALDECK_TRY(m_files.rename(m_body, m_target));
        TRIALDECK_TRY(m_files.syncDirectory(m_body.parent_path()));
    }
    return m_files.syncDirectory(m_order.trialFolder);
}

Expected<std::vector<protocol::ManifestEntry>> Commit::run() {
    TRIALDECK_TRY(findParts());
    TRIALDECK_TRY(list());
    TRIALDECK_TRY(hashParts());
    TRIALDECK_TRY(moveRanks());
    if (!m_parts.empty())
        TRIALDECK_TRY(writeManifest(m_files, m_manifestPath, m_manifest));
    TRIALDECK_TRY(moveRankZero());
    return std::move(m_manifest.entries);
}

std::optional<CheckpointDamageKind> damageOf(base::FileSystem& files, const base::Path& folder,
                                             const protocol::ManifestEntry& entry) {
    const auto status = files.status(folder / entry.path);
    if (!status && status.error().code != ErrorCode::file_not_found)
        return CheckpointDamageKind::unreadable;
    if (!status || status->type != base::FileType::regular)
        return CheckpointDamageKind::missing;
    if (status->bytes != entry.bytes)
        return CheckpointDamageKind::other_size;
    const auto hashed = hashFile(files, folder / entry.path, SyncFile::no, {});
    if (!hashed)
        return CheckpointDamageKind::unreadable;
    if (hashed->sha256 != entry.sha256)
        return CheckpointDamageKind::other_content;
    return std::nullopt;
}

} // namespace

std::string_view nameOf(CheckpointDamageKind kind) {
    static constexpr std::array<std::string_view, 4> kNames = {"missing", "other_size", "other_content",
                                                               "unreadable"};
    return kNames.at(static_cast<size_t>(kind));
}

Expected<std::vector<protocol::ManifestEntry>> commitCheckpoint(base::FileSystem& files,
                                                                const CheckpointOrder& order) {
    return Commit(files, order).run();
}

std::vector<CheckpointDamage> verifyCheckpoint(base::FileSystem& files, const base::Path& folder,
                                               const std::vector<protocol::ManifestEntry>& manifest) {
    std::vector<CheckpointDamage> damage;
    for (const protocol::ManifestEntry& entry : manifest) {
        if (const auto kind = damageOf(files, folder, entry))
            damage.push_back({*kind, entry.path});
    }
    return damage;
}

std::vector<CheckpointDamage> verifyCommitted(base::FileSystem& files, const base::Path& trialFolder,
                                              CheckpointIndex index) {
    const std::string name = checkpointManifestName(index);
    const auto manifest = readManifest(files, trialFolder / name);
    if (!manifest) {
        const bool gone = manifest.error().code == ErrorCode::file_not_found;
        return {{gone ? CheckpointDamageKind::missing : CheckpointDamageKind::unreadable, name}};
    }
    const base::Path folder = trialFolder / checkpointFolderName(index);
    if (!base::exists(files, folder))
        return {{CheckpointDamageKind::missing, checkpointFolderName(index)}};
    return verifyCheckpoint(files, folder, manifest->entries);
}

Expected<void> removeCheckpoint(base::FileSystem& files, const base::Path& trialFolder,
                                CheckpointIndex index) {
    const auto unlessGone = [](Expected<void> removed) {
        return removed || removed.error().code == ErrorCode::file_not_found ? Expected<void>() : removed;
    };
    const base::Path folder = trialFolder / checkpointFolderName(index);
    if (base::exists(files, folder))
        TRIALDECK_TRY(unlessGone(files.removeAll(folder)));
    return unlessGone(files.remove(trialFolder / checkpointManifestName(index)));
}

} // namespace trialdeck::storage
