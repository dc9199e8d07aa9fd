// SPDX-License-Identifier: Apache-2.0
#include "trainer/data/idx_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <zlib.h>

namespace trialdeck::trainer::data {

namespace {

constexpr uint32_t kImagesMagic = 0x00000803;
constexpr uint32_t kLabelsMagic = 0x00000801;
/// What a header may promise: larger sets are not what this format is used for, and a damaged header must not
/// fill the memory.
constexpr uint64_t kMaxBytes = uint64_t{8} << 30U;
/// Memory grows as bytes arrive, never by what the header says.
constexpr size_t kPieceBytes = size_t{4} << 20U;

struct GzCloser {
    void operator()(gzFile_s* file) const { gzclose_r(file); }
};

/// One idx file being read from front to back.
class IdxReader {
public:
    static Expected<IdxReader> open(const std::filesystem::path& path) {
        errno = 0;
        gzFile file = gzopen(path.c_str(), "rbe");
        if (file == nullptr)
            return tl::make_unexpected(base::fileError(errno != 0 ? errno : ENOMEM, path.string(), "open"));
        gzbuffer(file, 256U << 10U);
        return IdxReader(path, file);
    }

    /// Magic number and sizes, big-endian.
    template<size_t N>
    Expected<std::array<uint32_t, N>> header(uint32_t magic, const char* content) {
        std::vector<uint8_t> bytes;
        TRIALDECK_TRY(read(bytes, (N + 1) * 4, "header"));
        const auto word = [&bytes](size_t index) {
            const uint8_t* at = bytes.data() + index * 4;
            return uint32_t{at[0]} << 24U | uint32_t{at[1]} << 16U | uint32_t{at[2]} << 8U | uint32_t{at[3]};
        };
        if (word(0) != magic)
            return damaged(std::string("is not an idx file of ") + content);
        std::array<uint32_t, N> sizes{};
        for (size_t i = 0; i < N; ++i)
            sizes[i] = word(i + 1);
        return sizes;
    }

    Expected<std::vector<uint8_t>> body(uint64_t byteCount, const char* content) {
        if (byteCount == 0 || byteCount > kMaxBytes)
            return damaged("promises " + std::to_string(byteCount) + " bytes of " + content +
                           " in its header");
        std::vector<uint8_t> bytes;
        TRIALDECK_TRY(read(bytes, byteCount, content));
        // Reading on to the end is also what makes zlib compare the checksum.
        uint8_t extra = 0;
        const int more = gzread(m_file.get(), &extra, 1);
        if (more > 0)
            return damaged(std::string("goes on behind the ") + content + " that its header promises");
        if (more < 0)
            return readError();
        // Where the stream breaks off behind its last byte, zlib says so only now.
        if (gzclose_r(m_file.release()) != Z_OK)
            return damaged("is cut short: its gzip stream has no end");
        return bytes;
    }

    [[nodiscard]] base::Unexpected damaged(const std::string& reason) const {
        return base::fail(ErrorCode::file_io, {{"path", m_path.string()}, {"reason", reason}},
                          m_path.string() + " " + reason);
    }

private:
    IdxReader(std::filesystem::path path, gzFile file) : m_path(std::move(path)), m_file(file) {}

    Expected<void> read(std::vector<uint8_t>& bytes, uint64_t wanted, const char* content) {
        while (bytes.size() < wanted) {
            const size_t old = bytes.size();
            const size_t piece = std::min<uint64_t>(kPieceBytes, wanted - old);
            bytes.resize(old + piece);
            const int got = gzread(m_file.get(), bytes.data() + old, static_cast<unsigned>(piece));
            if (got < 0)
                return readError();
            bytes.resize(old + static_cast<size_t>(got));
            if (static_cast<size_t>(got) < piece)
                return damaged("is cut short: it ends after " + std::to_string(bytes.size()) + " of " +
                               std::to_string(wanted) + " bytes of " + content);
        }
        return {};
    }

    base::Unexpected readError() {
        int code = Z_OK;
        const std::string text = gzerror(m_file.get(), &code);
        if (code == Z_ERRNO)
            return tl::make_unexpected(base::fileError(errno, m_path.string(), "read"));
        if (code == Z_BUF_ERROR)
            return damaged("is cut short: its gzip stream has no end");
        return damaged("is damaged: gzip says " + text);
    }

    std::filesystem::path m_path;
    std::unique_ptr<gzFile_s, GzCloser> m_file;
};

} // namespace

Expected<Images> readImages(const std::filesystem::path& path) {
    auto reader = IdxReader::open(path);
    if (!reader)
        return tl::make_unexpected(std::move(reader).error());
    const auto sizes = reader->header<3>(kImagesMagic, "images");
    if (!sizes)
        return tl::make_unexpected(sizes.error());
    const auto [count, rows, columns] = *sizes;
    // Each side alone is checked first, so that the product cannot wrap around.
    if (rows > 0xFFFFU || columns > 0xFFFFU)
        return reader->damaged("promises images of " + std::to_string(rows) + " × " +
                               std::to_string(columns) + " pixels in its header");
    auto pixels = reader->body(uint64_t{rows} * columns * count, "pixels");
    if (!pixels)
        return tl::make_unexpected(std::move(pixels).error());
    return Images{count, rows, columns, *std::move(pixels)};
}

Expected<std::vector<uint8_t>> readLabels(const std::filesystem::path& path) {
    auto reader = IdxReader::open(path);
    if (!reader)
        return tl::make_unexpected(std::move(reader).error());
    const auto sizes = reader->header<1>(kLabelsMagic, "labels");
    if (!sizes)
        return tl::make_unexpected(sizes.error());
    return reader->body((*sizes)[0], "labels");
}

} // namespace trialdeck::trainer::data
