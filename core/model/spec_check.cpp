// SPDX-License-Identifier: Apache-2.0
#include "core/model/spec_check.h"

#include "core/model/spec_keys.h"
#include "core/model/spec_sections.h"
#include "core/model/spec_space.h"
#include "core/model/yaml_reader.h"

#include <algorithm>

namespace trialdeck::model {

using protocol::Severity;

namespace {

void collectPositions(const SpecNode& node, const std::string& path,
                      std::map<std::string, SourcePosition, std::less<>>& positions) {
    positions.emplace(path, node.position);
    for (size_t i = 0; i < node.items.size(); ++i)
        collectPositions(node.items[i], itemPath(path, i), positions);
    for (const SpecEntry& entry : node.entries)
        collectPositions(entry.node, childPath(path, entry.key), positions);
}

/// The path of the map or list around: "trial.command[0]" is in "trial.command", that in "trial".
std::string_view pathAround(std::string_view path) {
    const size_t end = path.find_last_of(".[");
    return path.substr(0, end == std::string_view::npos ? 0 : end);
}

SourcePosition positionOf(const SpecCheck& check, std::string_view path) {
    for (;;) {
        const auto found = check.positions.find(path);
        if (found != check.positions.end() && found->second.line > 0)
            return found->second;
        if (path.empty())
            return {};
        path = pathAround(path);
    }
}

ExperimentSpec readSections(const FieldReader& root, std::string_view yaml) {
    ExperimentSpec spec;
    readName(root.field("name"), spec.name);
    readTrial(root.field("trial"), spec.trial);
    const ReadSpace space = readSpace(root.field("param_space"));
    spec.space = space.space;
    readSearch(root.field("search"), space, spec.search);
    readScheduler(root.field("scheduler"), spec.scheduler);
    readStop(root.field("stop"), spec.search.metric, spec.stop);
    readFailure(root.field("failure_config"), spec.failure);
    readCheckpoint(root.field("checkpoint_config"), spec.checkpoint);
    readStoragePath(root.field("storage_path"), spec.storagePath);
    readSync(root.field("sync"), spec.sync);
    readEngine(root.field("engine"), spec.engine);
    checkPlaceholders(root, space, yaml);
    checkUnfilled(root);
    checkTogether(root, spec);
    return spec;
}

/// Everything behind the reading of the text: fills form, problems, preview and spec.
void checkTree(SpecNode root, std::string_view yaml, ProblemList& problems, SpecCheck& check) {
    if (root.kind != SpecNode::Kind::map) {
        problems.add("", root.position, Severity::error, ErrorCode::yaml_not_a_map, {}, {});
        check.result.form = Value(Object());
        return;
    }
    canonicalise(root, problems);
    ExperimentSpec spec = readSections(FieldReader(&root, "", problems), yaml);
    check.result.form = valueOf(root);
    check.result.preview = previewOf(spec, problems.errorCount() == 0);
    if (!yaml.empty())
        collectPositions(root, "", check.positions);
    if (problems.errorCount() == 0)
        check.spec = std::move(spec);
}

/// Problems in the order of the text; those of missing keys stand where the map around them begins.
void finish(const ProblemList& problems, SpecCheck& check) {
    check.result.problems = problems.all();
    for (protocol::Problem& problem : check.result.problems) {
        if (problem.line > 0)
            continue;
        const SourcePosition position = positionOf(check, problem.path);
        problem.line = position.line;
        problem.column = position.column;
    }
    std::stable_sort(check.result.problems.begin(), check.result.problems.end(),
                     [](const protocol::Problem& left, const protocol::Problem& right) {
                         return std::pair(left.line, left.column) < std::pair(right.line, right.column);
                     });
}

} // namespace

bool SpecCheck::hasErrors() const {
    return !spec.has_value();
}

void SpecCheck::addProblem(std::string path, Severity severity, ErrorCode code,
                           base::ErrorArguments arguments, std::string suggestion) {
    const SourcePosition position = positionOf(*this, path);
    protocol::Problem problem;
    problem.path = std::move(path);
    problem.line = position.line;
    problem.column = position.column;
    problem.severity = severity;
    problem.code = code;
    problem.arguments = std::move(arguments);
    problem.suggestion = std::move(suggestion);
    result.problems.push_back(std::move(problem));
    if (severity == Severity::error)
        spec.reset();
}

SpecCheck checkYaml(std::string_view text) {
    SpecCheck check;
    check.result.yaml = std::string(text);
    ProblemList problems;
    YamlText read = readYaml(text);
    for (YamlProblem& problem : read.problems)
        problems.add("", problem.position, Severity::error, problem.code, std::move(problem.arguments),
                     std::move(problem.suggestion));
    if (read.root)
        checkTree(std::move(*read.root), text, problems, check);
    else
        check.result.form = Value(Object());
    finish(problems, check);
    return check;
}

SpecCheck checkForm(const Value& form) {
    SpecCheck check;
    ProblemList problems;
    auto root = nodeOf(form);
    if (root) {
        checkTree(std::move(*root), {}, problems, check);
    } else {
        problems.add("", {}, Severity::error, root.error().code, std::move(root.error().arguments), {});
        check.result.form = Value(Object());
    }
    check.result.yaml = writeYaml(check.result.form);
    finish(problems, check);
    return check;
}

} // namespace trialdeck::model
