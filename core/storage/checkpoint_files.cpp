// SPDX-License-Identifier: Apache-2.0
#include "core/storage/checkpoint_files.h"

#include "core/base/json.h"
#include "core/base/sha256.h"

#include <limits>

namespace trialdeck::storage {

namespace {

constexpr size_t kPieceBytes = size_t{1} << 20;
/// What NFS keeps of a file that was removed while somebody had it open.
constexpr std::string_view kSillyRename = ".nfs";

Expected<void> addContent(base::FileSystem& files, const base::Path& root, const std::string& relative,
                          FolderContent& content) {
    const auto names = files.list(root / relative);
    if (!names && names.error().code == ErrorCode::file_not_found && !relative.empty())
        return {};
    if (!names)
        return tl::make_unexpected(names.error());
    for (const std::string& name : *names) {
        if (name.starts_with(kSillyRename))
            continue;
        const std::string path = relative.empty() ? name : relative + "/" + name;
        const auto status = files.status(root / path);
        if (!status && status.error().code == ErrorCode::file_not_found)
            continue;
        if (!status)
            return tl::make_unexpected(status.error());
        if (status->type == base::FileType::directory) {
            TRIALDECK_TRY(addContent(files, root, path, content));
        } else if (status->type == base::FileType::regular) {
            content.filePaths.push_back(path);
            content.bytes += status->bytes;
        } else {
            content.otherPaths.push_back(path);
        }
    }
    content.folderPaths.push_back(relative);
    return {};
}

std::optional<protocol::ManifestEntry> entryOf(const Value& value) {
    const Value* path = value.find("path");
    const Value* bytes = value.find("bytes");
    const Value* sha256 = value.find("sha256");
    const auto count = bytes ? bytes->toInteger() : std::nullopt;
    if (!path || !path->asString() || !count || *count < 0 || !sha256 || !sha256->asString())
        return std::nullopt;
    return protocol::ManifestEntry{*path->asString(), static_cast<uint64_t>(*count), *sha256->asString()};
}

} // namespace

Expected<FolderContent> listContent(base::FileSystem& files, const base::Path& folder) {
    FolderContent content;
    TRIALDECK_TRY(addContent(files, folder, {}, content));
    return content;
}

Expected<HashedFile> hashFile(base::FileSystem& files, const base::Path& path, SyncFile sync,
                              const std::function<bool(uint64_t bytes)>& onRead) {
    auto file = files.open(path, base::OpenMode::read);
    if (!file)
        return tl::make_unexpected(std::move(file).error());
    base::Sha256 hash;
    HashedFile result;
    std::string buffer(kPieceBytes, '\0');
    for (;;) {
        const auto count = (*file)->readAt(result.bytes, buffer);
        if (!count)
            return tl::make_unexpected(count.error());
        if (*count == 0)
            break;
        hash.update(std::string_view(buffer).substr(0, *count));
        result.bytes += *count;
        if (onRead && !onRead(*count))
            return base::fail(ErrorCode::cancelled);
    }
    if (sync == SyncFile::yes)
        TRIALDECK_TRY((*file)->sync());
    TRIALDECK_TRY((*file)->close());
    result.sha256 = hash.hexDigest();
    return result;
}

Expected<void> writeManifest(base::FileSystem& files, const base::Path& path,
                             const CheckpointManifest& manifest) {
    Array entries;
    for (const protocol::ManifestEntry& entry : manifest.entries)
        entries.push_back(Object{{"path", entry.path}, {"bytes", entry.bytes}, {"sha256", entry.sha256}});
    const Object content = {{"version", 1}, {"from", manifest.from}, {"files", std::move(entries)}};
    return base::writeFileAtomically(files, path, base::toPrettyJson(content));
}

Expected<CheckpointManifest> readManifest(base::FileSystem& files, const base::Path& path) {
    auto text = base::readWholeFile(files, path, uint64_t{1} << 30);
    if (!text)
        return tl::make_unexpected(std::move(text).error());
    base::JsonLimits limits;
    limits.maxBytes = text->size();
    auto value = base::parseJson(*text, limits);
    if (!value)
        return tl::make_unexpected(std::move(value).error());
    const Value* from = value->find("from");
    const Value* entries = value->find("files");
    if (!from || !from->asString() || !entries || !entries->asArray())
        return base::fail(ErrorCode::bad_json, {{"path", path.native()}}, "no manifest");
    CheckpointManifest manifest;
    manifest.from = *from->asString();
    for (const Value& element : *entries->asArray()) {
        auto entry = entryOf(element);
        if (!entry)
            return base::fail(ErrorCode::bad_json, {{"path", path.native()}}, "no entry of a manifest");
        manifest.entries.push_back(std::move(*entry));
    }
    return manifest;
}

} // namespace trialdeck::storage
