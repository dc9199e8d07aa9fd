// SPDX-License-Identifier: Apache-2.0
#include "core/model/spec_space.h"

#include "core/model/configuration.h"
#include "core/model/spec_bounds.h"
#include "core/model/yaml_writer.h"

#include <algorithm>
#include <array>

namespace trialdeck::model {

namespace {

using Kind = DistributionKind;

/// What may be written, in the order of the documentation.
constexpr std::array<std::string_view, 13> kWords = {
    "uniform",     "quniform", "loguniform", "qloguniform", "randint",     "qrandint", "lograndint",
    "qlograndint", "randn",    "qrandn",     "choice",      "grid_search", "int"};

std::optional<Kind> kindOf(std::string_view word) {
    const auto kind = distributionKindFromString(word);
    return kind == Kind::constant ? std::nullopt : kind;
}

class SpaceReader {
public:
    ReadSpace take() {
        std::vector<std::vector<std::string>> paths;
        for (const Parameter& parameter : m_parameters)
            paths.push_back(parameter.path);
        std::vector<std::string> names = flatNames(paths);
        for (size_t i = 0; i < names.size(); ++i)
            m_parameters[i].name = std::move(names[i]);
        return {{std::move(m_parameters)}, flatNames(m_refused)};
    }

    void readMap(const FieldReader& map) {
        for (SpecEntry& entry : map.node()->entries) {
            const FieldReader field(&entry.node, childPath(map.path(), entry.key), map.problems());
            checkName(field, entry.key);
            m_path.push_back(entry.key);
            const size_t before = m_parameters.size();
            readEntry(field);
            const bool isMap = entry.node.kind == SpecNode::Kind::map && !entry.node.entries.empty();
            if (m_parameters.size() == before && (!isMap || m_refused.empty() || !isInside(m_refused.back())))
                m_refused.push_back(m_path);
            m_path.pop_back();
        }
    }

private:
    /// Whether the path leads to something in the map that is being read.
    [[nodiscard]] bool isInside(const std::vector<std::string>& path) const {
        return path.size() > m_path.size() && std::equal(m_path.begin(), m_path.end(), path.begin());
    }

    static void checkName(const FieldReader& field, const std::string& key) {
        constexpr size_t kLongestName = 256;
        std::optional<FindingReason> reason;
        if (key.empty())
            reason = FindingReason::empty;
        else if (key.size() > kLongestName)
            reason = FindingReason::too_long;
        else if (key.find_first_of("{}") != std::string::npos)
            reason = FindingReason::braces;
        else if (std::any_of(key.begin(), key.end(),
                             [](char c) { return static_cast<unsigned char>(c) < 0x20; }))
            reason = FindingReason::control_character;
        if (reason)
            field.error(ErrorCode::bad_name, {{"name", key}, because(*reason)});
    }

    void add(Kind kind, Distribution distribution) {
        m_parameters.push_back({m_path, {}, std::move(distribution), kind});
    }

    void readEntry(const FieldReader& field) {
        const SpecNode& node = *field.node();
        if (node.kind == SpecNode::Kind::map && !node.entries.empty()) {
            if (!readDistributionMap(field))
                readMap(field);
            return;
        }
        if (const auto call = asCall(node)) {
            field.error(ErrorCode::bad_distribution,
                        {{"text", node.text}, because(FindingReason::written_as_call)}, *call);
            return;
        }
        if (auto value = field.anyValue())
            add(Kind::constant, Constant{std::move(*value)});
    }

    /// Whether the map was meant as a distribution: then it has been read or refused.
    bool readDistributionMap(const FieldReader& field) {
        const std::vector<SpecEntry>& entries = field.node()->entries;
        for (const SpecEntry& entry : entries) {
            if (entry.key != "when" && entry.key != "sample_from")
                continue;
            field.field(entry.key).error(ErrorCode::not_available_yet,
                                         {{"value", entry.key}, {"available", joined(kWords)}});
            return true;
        }
        const auto word = std::find_if(entries.begin(), entries.end(), [&entries](const SpecEntry& entry) {
            return kindOf(entry.key) &&
                   (entries.size() == 1 || entry.node.kind == SpecNode::Kind::list || isSpilt(entries));
        });
        if (word == entries.end())
            return refuseMisspelt(field);
        const Kind kind = *kindOf(word->key);
        if (entries.size() > 1) {
            refuseCompany(field, *word);
            return true;
        }
        if (auto distribution = readDistribution(field.field(word->key), kind))
            add(kind, std::move(*distribution));
        return true;
    }

    /// {uniform: 0.1, 0.9}: brackets forgotten.
    static bool isSpilt(const std::vector<SpecEntry>& entries) {
        return entries.size() > 1 && entries[0].node.value.isNumber() &&
               std::all_of(entries.begin() + 1, entries.end(), [](const SpecEntry& entry) {
                   return entry.node.isNull() && resolvePlain(entry.key).value.isNumber();
               });
    }

    static void refuseCompany(const FieldReader& field, const SpecEntry& word) {
        const std::vector<SpecEntry>& entries = field.node()->entries;
        std::string others;
        for (const SpecEntry& entry : entries) {
            if (entry.key != word.key)
                others += (others.empty() ? "" : ", ") + entry.key;
        }
        std::string suggestion;
        if (isSpilt(entries)) {
            Array bounds = {entries[0].node.value};
            for (size_t i = 1; i < entries.size(); ++i)
                bounds.push_back(resolvePlain(entries[i].key).value);
            suggestion = flowYaml(Object{{word.key, Value(std::move(bounds))}});
        }
        field.error(ErrorCode::bad_distribution,
                    {{"text", word.key}, {"reason", "not_alone"}, {"others", others}}, std::move(suggestion));
    }

    /// A map with one list under a word that is almost a distribution's.
    static bool refuseMisspelt(const FieldReader& field) {
        const std::vector<SpecEntry>& entries = field.node()->entries;
        if (entries.size() != 1 || entries[0].node.kind != SpecNode::Kind::list)
            return false;
        const auto meant = meantWord(entries[0].key, kWords);
        if (!meant)
            return false;
        const FieldReader word = field.field(entries[0].key);
        word.problems().add(word.path(), entries[0].keyPosition, protocol::Severity::error,
                            ErrorCode::bad_distribution,
                            {{"text", entries[0].key},
                             because(FindingReason::unknown),
                             {"nearest", *meant},
                             {"allowed", joined(kWords)}},
                            flowYaml(Object{{*meant, valueOf(entries[0].node)}}));
        return true;
    }

    /// tune.loguniform(1e-5, 1) as text: what to write instead.
    static std::optional<std::string> asCall(const SpecNode& node) {
        if (!node.value.isString() || !node.text.ends_with(')'))
            return std::nullopt;
        std::string_view text = node.text;
        for (const std::string_view prefix : {"ray.", "tune."}) {
            if (text.starts_with(prefix))
                text.remove_prefix(prefix.size());
        }
        const size_t open = text.find('(');
        if (open == std::string_view::npos ||
            !(kindOf(text.substr(0, open)) || text.substr(0, open) == "sample_from"))
            return std::nullopt;
        const std::string_view word = text.substr(0, open);
        std::string_view inside = text.substr(open + 1, text.size() - open - 2);
        Array bounds;
        while (!inside.empty()) {
            const size_t comma = std::min(inside.find(','), inside.size());
            std::string_view part = inside.substr(0, comma);
            part.remove_prefix(std::min(part.find_first_not_of(" ["), part.size()));
            part = part.substr(0, part.find_last_not_of(" ]") + 1);
            bounds.push_back(resolvePlain(part).value);
            inside.remove_prefix(std::min(comma + 1, inside.size()));
        }
        if (!kindOf(word))
            return std::string();
        return flowYaml(Object{{std::string(word), Value(std::move(bounds))}});
    }

    std::vector<std::string> m_path;
    std::vector<Parameter> m_parameters;
    std::vector<std::vector<std::string>> m_refused;
};

} // namespace

ReadSpace readSpace(const FieldReader& space) {
    SpaceReader reader;
    if (space.isMap())
        reader.readMap(space);
    return reader.take();
}

} // namespace trialdeck::model
