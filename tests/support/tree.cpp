// SPDX-License-Identifier: Apache-2.0
#include "tests/support/tree.h"

#include "core/base/sha256.h"

#include <algorithm>
#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace trialdeck::tests {

namespace fs = std::filesystem;

void writeFile(const fs::path& file, const std::string& bytes) {
    fs::create_directories(file.parent_path());
    std::ofstream out(file, std::ios::binary | std::ios::trunc);
    out << bytes;
    if (!out.flush())
        throw std::runtime_error("cannot write " + file.native());
}

void setTime(const fs::path& path, int64_t seconds, int64_t nanoseconds) {
    const timespec times[2] = {{0, UTIME_OMIT}, {seconds, nanoseconds}};
    utimensat(AT_FDCWD, path.c_str(), times, AT_SYMLINK_NOFOLLOW);
}

std::string describeTree(const fs::path& root) {
    std::vector<std::string> lines;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
        struct stat raw {};
        lstat(entry.path().c_str(), &raw);
        std::string name;
        for (const char letter : entry.path().native().substr(root.native().size() + 1)) {
            char code[8];
            const bool isPlain = letter > ' ' && letter < 127;
            std::snprintf(code, sizeof(code), isPlain ? "%c" : "\\%02x", static_cast<unsigned char>(letter));
            name += code;
        }
        char status[64];
        std::snprintf(status, sizeof(status), " %o %lld.%09ld ", raw.st_mode,
                      static_cast<long long>(raw.st_mtim.tv_sec), raw.st_mtim.tv_nsec);
        std::string line = name + status;
        if (S_ISLNK(raw.st_mode)) {
            line += "-> " + fs::read_symlink(entry.path()).native();
        } else if (S_ISREG(raw.st_mode)) {
            std::ifstream in(entry.path(), std::ios::binary);
            base::Sha256 sum;
            std::string piece(size_t{1} << 20, '\0');
            while (in.read(piece.data(), static_cast<std::streamsize>(piece.size())) || in.gcount() > 0)
                sum.update({piece.data(), static_cast<size_t>(in.gcount())});
            line += std::to_string(raw.st_size) + " " + sum.hexDigest().substr(0, 12);
        }
        lines.push_back(line);
    }
    std::sort(lines.begin(), lines.end());
    std::string text;
    for (const std::string& line : lines)
        text += line + "\n";
    return text;
}

void makeOddTree(const fs::path& root) {
    const std::vector<std::string> names = {"plain.txt",
                                            "new\nline",
                                            "quote's \"two\"",
                                            "-dash",
                                            "--delete",
                                            "sp ace ",
                                            "参数/学习率.py",
                                            "bad\xff\xfe",
                                            "star*[a]?{b}",
                                            "back\\slash",
                                            "\\#012 literal",
                                            "$HOME `id`",
                                            "tab\there",
                                            "~",
                                            "a:b",
                                            "deep/er/est/x",
                                            ".hidden/.file",
                                            "empty/../empty file"};
    for (size_t i = 0; i < names.size(); ++i) {
        writeFile(root / names[i], names[i] == "empty/../empty file" ? "" : std::string(i * 1000, 'a'));
        setTime(root / names[i], 1'600'000'000 + static_cast<int64_t>(i), 123'456'789);
    }
    fs::create_directories(root / "an empty folder/within");
    fs::create_symlink("plain.txt", root / "link");
    fs::create_symlink("/no/where", root / "dangling");
    fs::create_directory_symlink("deep", root / "link to folder");
    writeFile(root / "script.sh", "#!/bin/sh\n");
    chmod((root / "script.sh").c_str(), 0751);
    writeFile(root / "read only/inside", "kept");
    chmod((root / "read only/inside").c_str(), 0400);
    writeFile(root / "holes", std::string(100, 'h'));
    fs::resize_file(root / "holes", uintmax_t{50} << 20);
    {
        std::ofstream out(root / "holes", std::ios::binary | std::ios::app);
        out << "end";
    }
    chmod((root / "read only").c_str(), 0555);
    // rsync leaves the time of folders and links where only the part of a second differs.
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
        if (entry.is_directory() || entry.is_symlink())
            setTime(entry.path(), 1'500'000'000, 500);
    }
}

} // namespace trialdeck::tests
