// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trialdeck::transport {

/// One of rsync's patterns: "*" and "?" within a name, "**" across folders, "[a-z]" and "[!a-z]", "\" before
/// a letter that is meant itself (where there is a wildcard). A "/" at the end fits folders alone, one at the
/// beginning fits from the top; a pattern with another "/" or "**" fits the end of a path, any other one a
/// name. "x/***" is the folder x and all that is in it.
class SyncPattern {
public:
    explicit SyncPattern(std::string_view pattern);

    /// @param path  from the top, without a slash at its beginning or end
    [[nodiscard]] bool fits(std::string_view path, bool isFolder) const;

private:
    std::string m_pattern;
    bool m_isForFolders = false;
    bool m_isAnchored = false;
    bool m_isForPaths = false;
    bool m_hasWildcard = false;
    bool m_withContents = false;
};

/// Which entries of a tree are synced: the first pattern that fits decides, includes before excludes, and
/// what none fits is taken. Whoever walks a tree does not enter folders that are not taken.
class SyncFilter {
public:
    SyncFilter(const std::vector<std::string>& include, const std::vector<std::string>& exclude);

    [[nodiscard]] bool takes(std::string_view path, bool isFolder) const;

private:
    std::vector<SyncPattern> m_include;
    std::vector<SyncPattern> m_exclude;
};

} // namespace trialdeck::transport
