// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace trialdeck::tests {

/// Writes a file, with the folders that it needs.
void writeFile(const std::filesystem::path& file, const std::string& bytes);
/// Seconds and nanoseconds since 1970 UTC; a link's own.
void setTime(const std::filesystem::path& path, int64_t seconds, int64_t nanoseconds = 0);

/// Everything below a folder, one line each, sorted: name, kind, mode, time, then size and SHA-256 or target.
[[nodiscard]] std::string describeTree(const std::filesystem::path& root);

/// A tree with whatever file systems allow: line breaks, quotes, bytes that are not UTF-8, leading dashes,
/// empty files and folders, links that lead nowhere, modes, holes, folders that cannot be written.
void makeOddTree(const std::filesystem::path& root);

} // namespace trialdeck::tests
