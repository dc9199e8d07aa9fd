// SPDX-License-Identifier: Apache-2.0
#include "core/model/yaml_reader.h"

#include "core/base/utf8.h"
#include "core/model/text_positions.h"
#include "core/model/yaml_quotes.h"
#include "core/protocol/finding_words.h"

#include <algorithm>
#include <exception>
#include <sstream>
#include <unordered_map>
#include <utility>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

namespace trialdeck::model {

namespace {

/// yaml-cpp 0.7 makes the single bytes A0 and 85 of the escapes \_ and \N. The file itself was UTF-8, so such
/// a byte alone can be nothing else.
std::string withWholeEscapes(const std::string& text) {
    std::string whole;
    std::string_view rest = text;
    while (const auto bad = base::firstInvalidUtf8(rest)) {
        whole += rest.substr(0, *bad);
        whole += rest[*bad] == '\x85' ? "\xC2\x85" : "\xC2\xA0";
        rest.remove_prefix(*bad + 1);
    }
    whole += rest;
    return whole;
}

/// Values that aliases may blow the text up to.
constexpr size_t kMaxNodes = 100'000;
constexpr std::string_view kTagPrefix = "tag:yaml.org,2002:";

/// Ends the parser from inside one of its events.
struct Refused {
    YamlProblem problem;
};

std::string lineText(SourcePosition position) {
    return std::to_string(position.line);
}

/// Builds the tree from yaml-cpp's events.
class TreeBuilder : public YAML::EventHandler {
public:
    TreeBuilder(std::string_view text, const TextPositions& positions, std::vector<YamlProblem>& problems)
        : m_text(text), m_positions(positions), m_problems(problems) {}

    void OnDocumentStart(const YAML::Mark& mark) override {
        m_documentStart = at(mark);
        m_anchors.clear();
        m_open.clear();
    }
    void OnDocumentEnd() override { ++m_documents; }

    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        SpecNode node;
        node.position = at(mark);
        node.text = nullWord(static_cast<size_t>(std::max(mark.pos, 0)));
        add(std::move(node), anchor);
    }

    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  const std::string& raw) override {
        const std::string value = withWholeEscapes(raw);
        SpecNode node;
        node.position = at(mark);
        node.text = value;
        checkQuotes(mark, tag);
        const bool plain = tag == "?" || tag.empty();
        const std::string_view type = std::string_view(tag).starts_with(kTagPrefix)
                                          ? std::string_view(tag).substr(kTagPrefix.size())
                                          : "";
        if (tag == "!" || type == "str") {
            node.value = Value(value);
        } else if (plain || type == "int" || type == "float" || type == "bool" || type == "null") {
            ResolvedScalar scalar = resolvePlain(value);
            node.value = std::move(scalar.value);
            node.writing = scalar.writing;
        } else {
            refuseTag(node.position, tag);
            node.value = Value(value);
        }
        add(std::move(node), anchor, plain);
    }

    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        const auto found = m_anchors.find(anchor);
        if (found == m_anchors.end())
            throw Refused{{at(mark), ErrorCode::yaml_syntax, {because(FindingReason::self_reference)}}};
        count(found->second.nodes, at(mark));
        add(SpecNode(found->second.node), 0);
    }

    void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) override {
        open(SpecNode::Kind::list, mark, tag, anchor);
    }
    void OnSequenceEnd() override { close(); }

    void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value) override {
        refuseMapAsKey(static_cast<size_t>(std::max(mark.pos, 0)));
        open(SpecNode::Kind::map, mark, tag, anchor);
    }
    void OnMapEnd() override {
        applyMerges(m_open.back());
        close();
    }

    [[nodiscard]] int documents() const { return m_documents; }
    [[nodiscard]] SourcePosition documentStart() const { return m_documentStart; }
    SpecNode takeRoot() { return std::exchange(m_root, {}); }

private:
    struct Open {
        SpecNode node;
        YAML::anchor_t anchor = 0;
        /// Nodes that had been counted when it began.
        size_t nodesBefore = 0;
        /// In a map: the key was read, its value comes next.
        bool hasKey = false;
        bool keyMerges = false;
        std::string key;
        SourcePosition keyPosition;
        /// Values of "<<" keys, in order.
        std::vector<SpecNode> merges;
    };
    struct Anchored {
        SpecNode node;
        size_t nodes = 0;
    };

    [[nodiscard]] SourcePosition at(const YAML::Mark& mark) const {
        return m_positions.at(static_cast<size_t>(std::max(mark.pos, 0)));
    }

    /// The parser does not tell how a null was written.
    [[nodiscard]] std::string nullWord(size_t offset) const {
        const std::string_view rest = m_text.substr(std::min(offset, m_text.size()));
        for (const std::string_view word : {"~", "null", "Null", "NULL"}) {
            if (rest.starts_with(word))
                return std::string(word);
        }
        return {};
    }

    void count(size_t nodes, SourcePosition position) {
        m_nodes += nodes;
        if (m_nodes > kMaxNodes)
            throw Refused{
                {position, ErrorCode::too_large, {{"limit", std::to_string(kMaxNodes)}, {"unit", "values"}}}};
    }

    /// yaml-cpp takes the end of the text for the closing quote.
    void checkQuotes(const YAML::Mark& mark, const std::string& tag) {
        auto start = static_cast<size_t>(std::max(mark.pos, 0));
        if (tag == "?")
            return;
        // A tag and an anchor may stand before the quote.
        while (start < m_text.size() && (m_text[start] == '&' || m_text[start] == '!')) {
            start = std::min(m_text.find_first_of(" \t\n", start), m_text.size());
            start = std::min(m_text.find_first_not_of(" \t\n\r", start), m_text.size());
        }
        if (start < m_text.size() && (m_text[start] == '"' || m_text[start] == '\'') &&
            !endOfQuoted(m_text, start))
            throw Refused{{m_positions.at(start), ErrorCode::yaml_unclosed_quote, {}}};
    }

    void refuseTag(SourcePosition position, const std::string& tag) {
        m_problems.push_back({position, ErrorCode::yaml_syntax, {because(FindingReason::tag), {"tag", tag}}});
    }

    /// {{ name }} is a map whose key is a map.
    void refuseMapAsKey(size_t offset) {
        if (m_open.empty() || m_open.back().node.kind != SpecNode::Kind::map || m_open.back().hasKey)
            return;
        if (offset > 0 && m_text.substr(offset - 1).starts_with("{{"))
            throw Refused{{m_positions.at(offset - 1), ErrorCode::yaml_template, {{"text", "{{"}}}};
        refuseKey(m_positions.at(offset));
    }

    [[noreturn]] static void refuseKey(SourcePosition position) {
        throw Refused{{position, ErrorCode::yaml_syntax, {because(FindingReason::key_not_text)}}};
    }

    void open(SpecNode::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
        const SourcePosition position = at(mark);
        if (m_open.size() >= static_cast<size_t>(kMaxSpecDepth))
            throw Refused{{position, ErrorCode::too_deep, {{"limit", std::to_string(kMaxSpecDepth)}}}};
        if (tag != "?" && !tag.empty() && tag != "!" && tag != std::string(kTagPrefix) + "map" &&
            tag != std::string(kTagPrefix) + "seq")
            refuseTag(position, tag);
        Open opened;
        opened.node.kind = kind;
        opened.node.position = position;
        opened.anchor = anchor;
        opened.nodesBefore = m_nodes;
        m_open.push_back(std::move(opened));
    }

    void close() {
        Open closed = std::move(m_open.back());
        m_open.pop_back();
        const size_t inside = m_nodes - closed.nodesBefore;
        if (closed.anchor != 0) {
            count(inside + 1, closed.node.position);
            m_anchors[closed.anchor] = {closed.node, inside + 1};
        }
        add(std::move(closed.node), 0);
    }

    void add(SpecNode node, YAML::anchor_t anchor, bool plain = false) {
        count(1, node.position);
        if (anchor != 0)
            m_anchors[anchor] = {node, 1};
        if (m_open.empty()) {
            m_root = std::move(node);
            return;
        }
        Open& around = m_open.back();
        if (around.node.kind == SpecNode::Kind::list) {
            around.node.items.push_back(std::move(node));
        } else if (!around.hasKey) {
            if (node.kind != SpecNode::Kind::scalar)
                refuseKey(node.position);
            around.hasKey = true;
            around.keyMerges = plain && node.text == "<<";
            around.key = std::move(node.text);
            around.keyPosition = node.position;
        } else {
            around.hasKey = false;
            addEntry(around, std::move(node));
        }
    }

    void addEntry(Open& around, SpecNode node) {
        if (around.keyMerges) {
            around.merges.push_back(std::move(node));
            return;
        }
        around.node.entries.push_back({std::move(around.key), around.keyPosition, std::move(node)});
    }

    /// Keys of the map itself win over merged ones, earlier merges over later ones; merged keys follow
    /// behind.
    void applyMerges(Open& map) {
        dropRepeatedKeys(map.node);
        if (map.merges.empty())
            return;
        std::unordered_map<std::string, bool> known;
        for (const SpecEntry& entry : map.node.entries)
            known[entry.key] = true;
        const auto merge = [&](const SpecNode& source) {
            if (source.kind != SpecNode::Kind::map)
                throw Refused{
                    {source.position, ErrorCode::yaml_syntax, {because(FindingReason::merge_not_map)}}};
            for (const SpecEntry& entry : source.entries) {
                if (known.try_emplace(entry.key, true).second)
                    map.node.entries.push_back(entry);
            }
        };
        for (const SpecNode& source : map.merges) {
            if (source.kind == SpecNode::Kind::list)
                std::for_each(source.items.begin(), source.items.end(), merge);
            else
                merge(source);
        }
    }

    void dropRepeatedKeys(SpecNode& map) {
        std::unordered_map<std::string, SourcePosition> first;
        std::vector<SpecEntry> once;
        once.reserve(map.entries.size());
        for (SpecEntry& entry : map.entries) {
            const auto [place, isNew] = first.try_emplace(entry.key, entry.keyPosition);
            if (isNew) {
                once.push_back(std::move(entry));
                continue;
            }
            m_problems.push_back({entry.keyPosition,
                                  ErrorCode::yaml_duplicate_key,
                                  {{"key", entry.key},
                                   {"first_line", lineText(place->second)},
                                   {"line", lineText(entry.keyPosition)}}});
        }
        map.entries = std::move(once);
    }

    std::string_view m_text;
    const TextPositions& m_positions;
    std::vector<YamlProblem>& m_problems;
    std::vector<Open> m_open;
    std::unordered_map<YAML::anchor_t, Anchored> m_anchors;
    SpecNode m_root;
    SourcePosition m_documentStart;
    size_t m_nodes = 0;
    int m_documents = 0;
};

std::optional<YamlProblem> unreadableBytes(std::string_view text, const TextPositions& positions) {
    if (text.size() > kMaxYamlBytes)
        return YamlProblem{
            {},
            ErrorCode::too_large,
            {{"bytes", std::to_string(text.size())}, {"limit", std::to_string(kMaxYamlBytes)}}};
    if (const auto bad = base::firstInvalidUtf8(text))
        return YamlProblem{positions.at(*bad), ErrorCode::bad_utf8, {{"offset", std::to_string(*bad)}}};
    // yaml-cpp takes the byte 4 for the end of the text.
    const auto control = std::find_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\r' && c != '\t') || c == 0x7F;
    });
    if (control != text.end())
        return YamlProblem{positions.at(static_cast<size_t>(control - text.begin())),
                           ErrorCode::yaml_syntax,
                           {because(FindingReason::control_character)}};
    return std::nullopt;
}

/// The first line that only a template has: one that begins with its braces or, `anywhere`, one that holds
/// them. Inside a line braces may be data, so that is asked for only where the text is known to be no YAML.
std::optional<YamlProblem> templateLine(const TextPositions& positions, bool anywhere) {
    for (int number = 1; number <= positions.lineCount(); ++number) {
        const std::string_view line = positions.line(number);
        const size_t start = std::min(line.find_first_not_of(" \t-"), line.size());
        const std::string_view rest = line.substr(start);
        size_t column = start;
        bool found = rest.starts_with("{%") || rest.starts_with("{{");
        if (!found && anywhere) {
            column = std::min(line.find("{%"), line.find("{{"));
            found = column != std::string_view::npos;
        }
        if (found)
            return YamlProblem{{number, static_cast<int>(column) + 1},
                               ErrorCode::yaml_template,
                               {{"text", std::string(line.substr(column, 2))}}};
    }
    return std::nullopt;
}

/// --lr={lr} without quotes inside a list: a map begins in the middle of a word.
std::optional<YamlProblem> bareBraces(std::string_view text, size_t offset, SourcePosition position) {
    constexpr std::string_view kEnds = " ,[]\n\r";
    if (offset == 0 || offset >= text.size() || text[offset] != '{' ||
        kEnds.find(text[offset - 1]) != std::string_view::npos)
        return std::nullopt;
    const size_t start = text.find_last_of(kEnds, offset);
    const size_t first = start == std::string_view::npos ? 0 : start + 1;
    const size_t end = std::min(text.find_first_of(kEnds, offset), text.size());
    return YamlProblem{position,
                       ErrorCode::yaml_syntax,
                       {because(FindingReason::bare_braces)},
                       yamlText(text.substr(first, end - first))};
}

/// What the parser says, in words of our own where it says it often.
base::ErrorArguments reasonOf(const YAML::Exception& exception) {
    using Said = std::pair<std::string_view, FindingReason>;
    static const Said kSaid[] = {
        {YAML::ErrorMsg::END_OF_MAP, FindingReason::unfinished_map},
        {YAML::ErrorMsg::END_OF_MAP_FLOW, FindingReason::unfinished_map},
        {YAML::ErrorMsg::END_OF_SEQ, FindingReason::unfinished_list},
        {YAML::ErrorMsg::END_OF_SEQ_FLOW, FindingReason::unfinished_list},
        {YAML::ErrorMsg::MAP_KEY, FindingReason::misplaced_value},
        {YAML::ErrorMsg::MAP_VALUE, FindingReason::misplaced_value},
        {YAML::ErrorMsg::BLOCK_ENTRY, FindingReason::misplaced_value},
        {YAML::ErrorMsg::TAB_IN_INDENTATION, FindingReason::tab_in_indentation},
        {YAML::ErrorMsg::UNKNOWN_ANCHOR, FindingReason::unknown_anchor},
    };
    for (const auto& [said, reason] : kSaid) {
        if (exception.msg == said)
            return {because(reason)};
    }
    return {because(FindingReason::unreadable), {"parser", exception.msg}};
}

YamlProblem parserProblem(const YAML::Exception& exception, std::string_view text,
                          const TextPositions& positions) {
    if (auto found = templateLine(positions, true))
        return std::move(*found);
    if (const auto quote = suspiciousQuote(text))
        return {positions.at(*quote), ErrorCode::yaml_unclosed_quote, {}};
    const auto offset = std::min(static_cast<size_t>(std::max(exception.mark.pos, 0)), text.size());
    const SourcePosition position = positions.at(offset);
    if (auto problem = bareBraces(text, offset, position))
        return std::move(*problem);
    const std::string_view line = positions.line(position.line);
    if (line.substr(0, line.find_first_not_of(" \t")).find('\t') != std::string_view::npos)
        return {position, ErrorCode::yaml_syntax, {because(FindingReason::tab_in_indentation)}};
    return {position, ErrorCode::yaml_syntax, reasonOf(exception)};
}

} // namespace

YamlText readYaml(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF"))
        text.remove_prefix(3);
    const TextPositions positions(text);
    YamlText result;
    if (auto problem = unreadableBytes(text, positions)) {
        result.problems.push_back(std::move(*problem));
        return result;
    }
    if (templateLine(positions, false)) {
        result.problems.push_back(*templateLine(positions, true));
        return result;
    }
    try {
        std::istringstream stream{std::string(text)};
        YAML::Parser parser(stream);
        TreeBuilder builder(text, positions, result.problems);
        if (parser.HandleNextDocument(builder))
            result.root = builder.takeRoot();
        while (parser.HandleNextDocument(builder)) {
            if (!builder.takeRoot().isNull())
                throw Refused{{builder.documentStart(), ErrorCode::yaml_several_documents, {}}};
        }
        if (!result.root)
            result.root = SpecNode();
    } catch (Refused& refused) {
        result.root.reset();
        result.problems.push_back(std::move(refused.problem));
    } catch (const YAML::Exception& exception) {
        result.root.reset();
        result.problems.push_back(parserProblem(exception, text, positions));
    } catch (const std::exception& exception) {
        result.root.reset();
        result.problems.push_back(
            {{}, ErrorCode::yaml_syntax, {because(FindingReason::unreadable), {"parser", exception.what()}}});
    }
    return result;
}

} // namespace trialdeck::model
