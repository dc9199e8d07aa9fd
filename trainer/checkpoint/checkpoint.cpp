// SPDX-License-Identifier: Apache-2.0
#include "trainer/checkpoint/checkpoint.h"

#include "core/base/sha256.h"

#include <bit>
#include <cstring>
#include <numeric>
#include <string>

namespace trialdeck::trainer::checkpoint {

namespace {

// The file, little-endian, without gaps:
//   8 bytes   "TDTRAIN" and a zero byte
//   uint32    version
//   uint32    number of widths
//   uint64    seed
//   uint64    epochs done
//   uint64    widths, one after the other
//   uint64    number of parameters
//   float32   parameters
//   float32   velocity
//   64 bytes  SHA-256 of everything before, in lower-case hex digits
constexpr std::string_view kMagic("TDTRAIN\0", 8);
constexpr uint32_t kVersion = 1;
constexpr size_t kDigestBytes = 64;
constexpr uint64_t kMaxBytes = uint64_t{16} << 30U;

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

template<typename T>
void put(std::string& out, const T* values, size_t count) {
    out.append(reinterpret_cast<const char*>(values), count * sizeof(T));
}

template<typename T>
void put(std::string& out, T value) {
    put(out, &value, 1);
}

/// Takes values off the front; once something was missing, everything later is.
class Taker {
public:
    explicit Taker(std::string_view bytes) : m_bytes(bytes) {}

    template<typename T>
    T value() {
        T result{};
        if (const auto piece = bytes(sizeof(T)); piece.size() == sizeof(T))
            std::memcpy(&result, piece.data(), sizeof(T));
        return result;
    }

    template<typename T>
    std::vector<T> values(uint64_t count) {
        // Divided, not multiplied: a damaged count must not wrap around.
        if (count > m_bytes.size() / sizeof(T)) {
            m_failed = true;
            return {};
        }
        std::vector<T> result(count);
        const auto piece = bytes(count * sizeof(T));
        if (count > 0)
            std::memcpy(result.data(), piece.data(), piece.size());
        return result;
    }

    [[nodiscard]] bool usedUp() const { return !m_failed && m_bytes.empty(); }

private:
    std::string_view bytes(size_t count) {
        m_failed = m_failed || count > m_bytes.size();
        if (m_failed)
            return {};
        const std::string_view piece = m_bytes.substr(0, count);
        m_bytes.remove_prefix(count);
        return piece;
    }

    std::string_view m_bytes;
    bool m_failed = false;
};

std::string encode(const Checkpoint& checkpoint) {
    std::string bytes(kMagic);
    put(bytes, kVersion);
    put(bytes, static_cast<uint32_t>(checkpoint.widths.size()));
    put(bytes, checkpoint.seed);
    put(bytes, checkpoint.epoch);
    put(bytes, checkpoint.widths.data(), checkpoint.widths.size());
    put(bytes, static_cast<uint64_t>(checkpoint.parameters.size()));
    put(bytes, checkpoint.parameters.data(), checkpoint.parameters.size());
    put(bytes, checkpoint.velocity.data(), checkpoint.velocity.size());
    return bytes + base::sha256Hex(bytes);
}

base::Unexpected unreadable(const base::Path& path, const std::string& reason) {
    return base::fail(ErrorCode::checkpoint_unreadable, {{"path", path.string()}, {"reason", reason}},
                      "checkpoint " + path.string() + " " + reason);
}

/// Number of parameters of a network of these widths.
uint64_t parameterCount(const std::vector<uint64_t>& widths) {
    uint64_t count = 0;
    for (size_t i = 1; i < widths.size(); ++i)
        count += (widths[i - 1] + 1) * widths[i];
    return count;
}

} // namespace

Expected<void> save(base::FileSystem& files, const base::Path& folder, const Checkpoint& checkpoint) {
    const base::Path partial = folder.parent_path() / ("." + folder.filename().string() + ".partial");
    for (const base::Path& old : {partial, folder}) {
        if (base::exists(files, old))
            TRIALDECK_TRY(files.removeAll(old));
    }
    TRIALDECK_TRY(files.createDirectories(partial));
    TRIALDECK_TRY(base::writeFileAtomically(files, partial / kFileName, encode(checkpoint)));
    TRIALDECK_TRY(files.rename(partial, folder));
    return files.syncDirectory(folder.parent_path());
}

Expected<Checkpoint> load(base::FileSystem& files, const base::Path& folder) {
    const base::Path path = folder / kFileName;
    const auto bytes = base::readWholeFile(files, path, kMaxBytes);
    if (!bytes)
        return unreadable(path, "cannot be read: " + bytes.error().detail);
    const std::string_view all = *bytes;
    if (all.substr(0, kMagic.size()) != kMagic)
        return unreadable(path, "is no checkpoint of trialdeck-train");
    Taker header(all.substr(kMagic.size()));
    const auto version = header.value<uint32_t>();
    if (version != kVersion)
        return unreadable(path, "has version " + std::to_string(version) +
                                    ", but this trialdeck-train reads version " + std::to_string(kVersion));
    if (all.size() < kMagic.size() + kDigestBytes)
        return unreadable(path, "is cut short");
    const std::string_view content = all.substr(0, all.size() - kDigestBytes);
    if (base::sha256Hex(content) != all.substr(content.size()))
        return unreadable(path, "is damaged: its bytes are not those that were written");

    Taker taker(content.substr(kMagic.size() + sizeof version));
    Checkpoint checkpoint;
    const auto widths = taker.value<uint32_t>();
    checkpoint.seed = taker.value<uint64_t>();
    checkpoint.epoch = taker.value<uint64_t>();
    checkpoint.widths = taker.values<uint64_t>(widths);
    const auto count = taker.value<uint64_t>();
    checkpoint.parameters = taker.values<float>(count);
    checkpoint.velocity = taker.values<float>(count);
    if (!taker.usedUp() || widths < 2 || count != parameterCount(checkpoint.widths))
        return unreadable(path, "contradicts itself");
    return checkpoint;
}

} // namespace trialdeck::trainer::checkpoint
