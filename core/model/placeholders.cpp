// SPDX-License-Identifier: Apache-2.0
#include "core/model/placeholders.h"

#include "core/base/json.h"

namespace trialdeck::model {

namespace {

base::Unexpected unclosed(std::string_view argument, size_t offset) {
    return base::fail(ErrorCode::unclosed_placeholder,
                      {{"argument", std::string(argument)}, {"offset", std::to_string(offset)}});
}

/// A parameter, a whole map of parameters, the trial's seed or the path of params.json.
std::optional<std::string> lookUp(std::string_view name, const Configuration& configuration,
                                  const Object& flat, const TrialFacts& facts) {
    if (const Value* value = flat.find(name))
        return argumentText(*value);
    if (const Value* map = configuration.nested().find(name))
        return argumentText(*map);
    if (name == "seed")
        return std::to_string(facts.seed);
    if (name == "config")
        return facts.configPath;
    return std::nullopt;
}

} // namespace

Expected<std::vector<ArgumentPiece>> splitArgument(std::string_view argument) {
    std::vector<ArgumentPiece> pieces;
    std::string text;
    size_t textStart = 0;
    const auto endText = [&](size_t next) {
        if (!text.empty())
            pieces.push_back({ArgumentPiece::Kind::text, std::move(text), textStart});
        text.clear();
        textStart = next;
    };
    for (size_t i = 0; i < argument.size();) {
        const char c = argument[i];
        if ((c == '{' || c == '}') && i + 1 < argument.size() && argument[i + 1] == c) {
            text += c;
            i += 2;
        } else if (c == '{') {
            const size_t end = argument.find_first_of("{}", i + 1);
            if (end == std::string_view::npos || argument[end] == '{')
                return unclosed(argument, i);
            endText(end + 1);
            pieces.push_back(
                {ArgumentPiece::Kind::placeholder, std::string(argument.substr(i + 1, end - i - 1)), i});
            i = end + 1;
        } else if (c == '}') {
            return unclosed(argument, i);
        } else {
            text += c;
            ++i;
        }
    }
    endText(argument.size());
    return pieces;
}

std::string argumentText(const Value& value) {
    const std::string* text = value.asString();
    return text ? *text : base::toJson(value);
}

Expected<std::vector<std::string>> fillCommand(const std::vector<std::string>& command,
                                               const Configuration& configuration, const TrialFacts& facts) {
    const Object flat = configuration.flat();
    std::vector<std::string> filled;
    filled.reserve(command.size());
    for (const std::string& argument : command) {
        auto pieces = splitArgument(argument);
        if (!pieces)
            return tl::make_unexpected(std::move(pieces.error()));
        std::string text;
        for (const ArgumentPiece& piece : *pieces) {
            if (piece.kind == ArgumentPiece::Kind::text) {
                text += piece.text;
                continue;
            }
            const auto value = lookUp(piece.text, configuration, flat, facts);
            if (!value)
                return base::fail(ErrorCode::unknown_placeholder,
                                  {{"placeholder", piece.text}, {"argument", argument}});
            text += *value;
        }
        filled.push_back(std::move(text));
    }
    return filled;
}

} // namespace trialdeck::model
