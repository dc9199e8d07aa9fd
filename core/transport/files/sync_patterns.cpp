// SPDX-License-Identifier: Apache-2.0
#include "core/transport/files/sync_patterns.h"

#include "core/transport/files/sync_names.h"

#include <algorithm>
#include <cctype>
#include <optional>

namespace trialdeck::transport {

namespace {

bool isInClass(std::string_view name, unsigned char letter) {
    static constexpr std::pair<std::string_view, int (*)(int)> kClasses[] = {
        {"alnum", std::isalnum}, {"alpha", std::isalpha}, {"blank", std::isblank}, {"cntrl", std::iscntrl},
        {"digit", std::isdigit}, {"graph", std::isgraph}, {"lower", std::islower}, {"print", std::isprint},
        {"punct", std::ispunct}, {"space", std::isspace}, {"upper", std::isupper}, {"xdigit", std::isxdigit}};
    for (const auto& [known, test] : kClasses) {
        if (known == name)
            return test(letter) != 0;
    }
    return false;
}

/// "[…]" at the beginning of a pattern: whether the letter is one of it, and how long it is.
struct SetAnswer {
    bool isIn = false;
    size_t length = 0;
};
/// @return nothing where the set has no end
std::optional<SetAnswer> readSet(std::string_view pattern, unsigned char letter) {
    size_t at = 1;
    const bool isNegated = at < pattern.size() && (pattern[at] == '!' || pattern[at] == '^');
    at += isNegated ? 1 : 0;
    bool isIn = false;
    for (bool isFirst = true;; isFirst = false) {
        if (at >= pattern.size())
            return std::nullopt;
        if (pattern[at] == ']' && !isFirst)
            return SetAnswer{isIn != isNegated, at + 1};
        if (pattern.substr(at).starts_with("[:")) {
            const size_t end = pattern.find(":]", at + 2);
            if (end != std::string_view::npos) {
                isIn = isIn || isInClass(pattern.substr(at + 2, end - at - 2), letter);
                at = end + 2;
                continue;
            }
        }
        const auto next = [&]() -> std::optional<unsigned char> {
            if (at < pattern.size() && pattern[at] == '\\')
                ++at;
            return at < pattern.size() ? std::optional(static_cast<unsigned char>(pattern[at++]))
                                       : std::nullopt;
        };
        const auto low = next();
        if (!low)
            return std::nullopt;
        unsigned char high = *low;
        if (at + 1 < pattern.size() && pattern[at] == '-' && pattern[at + 1] != ']') {
            ++at;
            const auto end = next();
            if (!end)
                return std::nullopt;
            high = *end;
        }
        isIn = isIn || (*low <= letter && letter <= high);
    }
}

/// Where a wildcard stands, and what it may take next, for going back to it.
struct Star {
    std::string_view pattern;
    std::string_view text;
    bool crossesFolders = false;
};

/// Takes one letter of the text by the beginning of the pattern.
bool takeOne(std::string_view& pattern, std::string_view& text) {
    if (pattern.empty() || text.empty())
        return false;
    const char letter = text.front();
    size_t length = 1;
    bool fits = false;
    if (pattern.front() == '?') {
        fits = letter != '/';
    } else if (pattern.front() == '[') {
        const auto set = readSet(pattern, static_cast<unsigned char>(letter));
        fits = set && set->isIn && letter != '/';
        length = set ? set->length : 1;
    } else if (pattern.front() == '\\' && pattern.size() > 1) {
        fits = pattern[1] == letter;
        length = 2;
    } else {
        fits = pattern.front() == letter;
    }
    if (!fits)
        return false;
    pattern.remove_prefix(length);
    text.remove_prefix(1);
    return true;
}

/// Going back to the last "*", else to the last "**", is enough: what an earlier one of the same kind could
/// take the later one can take too.
bool fitsAll(std::string_view pattern, std::string_view text) {
    std::optional<Star> single;
    std::optional<Star> twofold;
    for (;;) {
        if (pattern.starts_with('*')) {
            Star star;
            star.crossesFolders = pattern.starts_with("**");
            pattern.remove_prefix(std::min(pattern.find_first_not_of('*'), pattern.size()));
            star.pattern = pattern;
            star.text = text;
            if (star.crossesFolders) {
                twofold = star;
                single.reset();
            } else {
                single = star;
            }
            continue;
        }
        if (pattern.empty() && text.empty())
            return true;
        if (takeOne(pattern, text))
            continue;
        if (single && !single->text.empty() && single->text.front() != '/') {
            single->text.remove_prefix(1);
            pattern = single->pattern;
            text = single->text;
            continue;
        }
        single.reset();
        if (!twofold || twofold->text.empty())
            return false;
        twofold->text.remove_prefix(1);
        pattern = twofold->pattern;
        text = twofold->text;
    }
}

} // namespace

SyncPattern::SyncPattern(std::string_view pattern) {
    if (pattern.size() > 1 && pattern.ends_with('/')) {
        m_isForFolders = true;
        pattern.remove_suffix(1);
    }
    m_isAnchored = pattern.starts_with('/');
    if (m_isAnchored)
        pattern.remove_prefix(1);
    m_hasWildcard = pattern.find_first_of("*?[") != std::string_view::npos;
    m_withContents = pattern.ends_with("/***");
    m_isForPaths = m_isAnchored || pattern.find('/') != std::string_view::npos ||
                   pattern.find("**") != std::string_view::npos;
    m_pattern = pattern;
}

bool SyncPattern::fits(std::string_view path, bool isFolder) const {
    if (m_isForFolders && !isFolder)
        return false;
    const auto fitsText = [this](std::string_view text) {
        return m_hasWildcard ? fitsAll(m_pattern, text) : m_pattern == text;
    };
    if (!m_isForPaths)
        return fitsText(path.substr(path.rfind('/') + 1));
    // "x/***" fits x as "x/".
    const std::string whole = std::string(path) + (m_withContents && isFolder ? "/" : "");
    if (fitsText(whole))
        return true;
    if (m_isAnchored)
        return false;
    // "**/x" fits x at the top.
    if (m_pattern.starts_with("**"))
        return fitsText("/" + whole);
    for (size_t slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/', slash + 1)) {
        if (fitsText(std::string_view(whole).substr(slash + 1)))
            return true;
    }
    return false;
}

SyncFilter::SyncFilter(const std::vector<std::string>& include, const std::vector<std::string>& exclude) {
    for (const std::string& pattern : include) {
        if (!pattern.empty())
            m_include.emplace_back(pattern);
    }
    for (const std::string& pattern : exclude) {
        if (!pattern.empty())
            m_exclude.emplace_back(pattern);
    }
}

bool SyncFilter::takes(std::string_view path, bool isFolder) const {
    if (isFolder && path.substr(path.rfind('/') + 1) == kPartFolder)
        return false;
    const auto fits = [&](const SyncPattern& pattern) { return pattern.fits(path, isFolder); };
    return std::any_of(m_include.begin(), m_include.end(), fits) ||
           std::none_of(m_exclude.begin(), m_exclude.end(), fits);
}

} // namespace trialdeck::transport
