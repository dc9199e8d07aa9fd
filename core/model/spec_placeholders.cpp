// SPDX-License-Identifier: Apache-2.0
#include "core/model/placeholders.h"
#include "core/model/spec_sections.h"
#include "core/model/text_positions.h"
#include "core/model/yaml_writer.h"

#include <algorithm>
#include <set>

namespace trialdeck::model {

namespace {

/// Names that fill a placeholder: parameters, maps of parameters, seed and config.
std::set<std::string, std::less<>> knownNames(const ReadSpace& space) {
    std::set<std::string, std::less<>> names = {"seed", "config"};
    names.insert(space.refused.begin(), space.refused.end());
    for (const Parameter& parameter : space.space.parameters) {
        names.insert(parameter.name);
        names.insert(parameter.path.front());
    }
    return names;
}

/// Columns between the beginning of the argument's text in the file and the offset in its value; nothing
/// where quotes or escapes make the two differ.
int columnsInto(std::string_view yaml, SourcePosition position, std::string_view argument, size_t offset) {
    if (position.line == 0)
        return 0;
    const TextPositions positions(yaml);
    std::string_view line = positions.line(position.line);
    // Columns count characters: walk to the byte.
    size_t byte = 0;
    for (int column = 1; column < position.column && byte < line.size(); ++column) {
        ++byte;
        while (byte < line.size() && (static_cast<unsigned char>(line[byte]) & 0xC0U) == 0x80U)
            ++byte;
    }
    line.remove_prefix(std::min(byte, line.size()));
    const int quote = line.starts_with('"') || line.starts_with('\'') ? 1 : 0;
    if (!line.substr(std::min(static_cast<size_t>(quote), line.size())).starts_with(argument))
        return 0;
    const std::string_view before = argument.substr(0, offset);
    return quote + static_cast<int>(std::count_if(before.begin(), before.end(), [](char c) {
               return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
           }));
}

class PlaceholderCheck {
public:
    PlaceholderCheck(const ReadSpace& space, std::string_view yaml)
        : m_names(knownNames(space)), m_yaml(yaml) {
        m_words.assign(m_names.begin(), m_names.end());
    }

    void check(const FieldReader& item) {
        const std::string& argument = item.node()->text;
        const auto pieces = splitArgument(argument);
        if (!pieces) {
            const size_t offset = std::stoul(pieces.error().arguments.at("offset"));
            report(item, offset, ErrorCode::unclosed_placeholder, pieces.error().arguments, {});
            return;
        }
        for (const ArgumentPiece& piece : *pieces) {
            if (piece.kind != ArgumentPiece::Kind::placeholder)
                continue;
            ++m_placeholders;
            m_used.insert(piece.text);
            if (!m_names.contains(piece.text))
                refuse(item, piece);
        }
    }

    [[nodiscard]] bool isUsed(const Parameter& parameter) const {
        return m_used.contains(parameter.name) || m_used.contains(parameter.path.front());
    }
    [[nodiscard]] bool usesConfig() const { return m_used.contains("config"); }
    [[nodiscard]] size_t placeholders() const { return m_placeholders; }

private:
    void refuse(const FieldReader& item, const ArgumentPiece& piece) const {
        const auto meant = meantWord(piece.text, m_words);
        // JSON and the like: braces that were meant as such.
        const bool isNoName = piece.text.empty() || piece.text.find_first_of(" :\"',$") != std::string::npos;
        std::string suggestion;
        if (meant)
            suggestion = flowYaml(Value('{' + *meant + '}'));
        else if (isNoName)
            suggestion = flowYaml(Value("{{" + piece.text + "}}"));
        report(item, piece.offset, ErrorCode::unknown_placeholder,
               {{"placeholder", piece.text},
                {"argument", item.node()->text},
                {"nearest", meant.value_or("")},
                {"allowed", joined(m_words)}},
               std::move(suggestion));
    }

    void report(const FieldReader& item, size_t offset, ErrorCode code, base::ErrorArguments arguments,
                std::string suggestion) const {
        SourcePosition position = item.node()->position;
        position.column += columnsInto(m_yaml, position, item.node()->text, offset);
        item.problems().add(item.path(), position, protocol::Severity::error, code, std::move(arguments),
                            std::move(suggestion));
    }

    std::set<std::string, std::less<>> m_names;
    std::vector<std::string_view> m_words;
    std::set<std::string, std::less<>> m_used;
    std::string_view m_yaml;
    size_t m_placeholders = 0;
};

void reportUnused(const FieldReader& root, const SearchSpace& space, const PlaceholderCheck& check) {
    constexpr size_t kNamed = 5;
    std::vector<std::string_view> unused;
    for (const Parameter& parameter : space.parameters) {
        if (check.isUsed(parameter))
            continue;
        unused.push_back(parameter.name);
        if (check.placeholders() == 0)
            continue;
        FieldReader place = root.field("param_space");
        for (const std::string& key : parameter.path)
            place = place.field(key);
        place.warning(ErrorCode::unused_parameter, {{"parameter", parameter.name}});
    }
    if (unused.empty() || check.placeholders() > 0)
        return;
    // A program may read TRIALDECK_CONFIG: then no placeholder is needed.
    std::string names = joined(std::span(unused).first(std::min(unused.size(), kNamed)));
    if (unused.size() > kNamed)
        names += ", …";
    root.field("trial").field("command").note(
        ErrorCode::unused_parameter, {{"parameter", names}, {"count", std::to_string(unused.size())}},
        "\"{config}\"");
}

} // namespace

void checkPlaceholders(const FieldReader& root, const ReadSpace& space, std::string_view yaml) {
    const FieldReader command = root.field("trial").field("command");
    if (!command.node() || command.node()->kind != SpecNode::Kind::list)
        return;
    PlaceholderCheck check(space, yaml);
    for (size_t i = 0; i < command.size(); ++i) {
        const FieldReader item = command.item(i);
        if (item.node()->kind == SpecNode::Kind::scalar)
            check.check(item);
    }
    if (!check.usesConfig())
        reportUnused(root, space.space, check);
}

} // namespace trialdeck::model
