// SPDX-License-Identifier: Apache-2.0
#include "core/base/nearest_word.h"

#include <algorithm>
#include <vector>

namespace trialdeck::base {

namespace {

std::string folded(std::string_view word) {
    std::string plain;
    for (const char c : word) {
        if (c == '_' || c == '-')
            continue;
        plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return plain;
}

size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<size_t> beforeLast(b.size() + 1);
    std::vector<size_t> last(b.size() + 1);
    std::vector<size_t> row(b.size() + 1);
    for (size_t j = 0; j <= b.size(); ++j)
        row[j] = j;
    for (size_t i = 1; i <= a.size(); ++i) {
        beforeLast.swap(last);
        last.swap(row);
        row[0] = i;
        for (size_t j = 1; j <= b.size(); ++j) {
            const size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], beforeLast[j - 2] + 1);
        }
    }
    return row[b.size()];
}

template<typename Text>
std::optional<std::string> nearest(std::string_view typed, std::span<const Text> words) {
    constexpr size_t kLongestWord = 64;
    const std::string wanted = folded(typed);
    if (wanted.empty() || wanted.size() > kLongestWord)
        return std::nullopt;
    std::optional<std::string> best;
    size_t bestDistance = (wanted.size() + 2) / 3 + 1;
    for (const Text& word : words) {
        const size_t distance = editDistance(wanted, folded(word));
        if (distance < bestDistance) {
            bestDistance = distance;
            best = std::string(word);
        }
    }
    return best;
}

} // namespace

std::optional<std::string> nearestWord(std::string_view typed, std::span<const std::string> words) {
    return nearest(typed, words);
}

std::optional<std::string> nearestWord(std::string_view typed, std::span<const std::string_view> words) {
    return nearest(typed, words);
}

} // namespace trialdeck::base
