// SPDX-License-Identifier: Apache-2.0
// run and check: from a file to the head.
#include "core/base/files.h"
#include "core/base/utf8.h"
#include "core/ctl/verbs.h"
#include "core/ctl/words.h"

#include <algorithm>
#include <iostream>
#include <iterator>

namespace trialdeck::ctl {

namespace {

struct Draft {
    std::string name;
    std::string yaml;
    std::string baseDirectory;
};

/// A message holds text only: other bytes would reach the head as marks, and the file's own names with them.
Expected<Draft> checkText(Draft draft) {
    const auto bad = base::firstInvalidUtf8(draft.yaml);
    if (!bad)
        return draft;
    const auto before = draft.yaml.begin() + static_cast<std::ptrdiff_t>(*bad);
    const auto line = std::to_string(1 + std::count(draft.yaml.begin(), before, '\n'));
    return base::fail(ErrorCode::bad_utf8, {{"path", draft.name + ":" + line}});
}

Expected<Draft> readDraft(const std::string& file) {
    std::error_code failure;
    if (file == "-") {
        Draft draft{"standard input", {std::istreambuf_iterator<char>(std::cin), {}}, {}};
        draft.baseDirectory = std::filesystem::current_path(failure).native();
        return checkText(std::move(draft));
    }
    base::PosixFileSystem files;
    auto yaml = base::readWholeFile(files, file, uint64_t{1} << 20);
    if (!yaml)
        return tl::make_unexpected(std::move(yaml).error());
    const base::Path absolute = std::filesystem::absolute(file, failure);
    return checkText({file, std::move(*yaml), absolute.parent_path().native()});
}

bool hasErrors(const std::vector<protocol::Problem>& problems) {
    for (const protocol::Problem& problem : problems) {
        if (problem.severity == protocol::Severity::error)
            return true;
    }
    return false;
}

void printProblems(Desk& desk, const Draft& draft, const std::vector<protocol::Problem>& problems) {
    for (const protocol::Problem& problem : problems)
        desk.terminal.printError(problemText(draft.name, problem));
}

Array problemsArray(const std::vector<protocol::Problem>& problems) {
    Array array;
    for (const protocol::Problem& problem : problems)
        array.push_back(protocol::encode(problem));
    return array;
}

/// A folder of this computer says nothing to another host: relative paths start in the home there.
std::string headsDirectory(const Desk& desk, const Draft& draft) {
    return desk.command.host.empty() ? draft.baseDirectory : std::string();
}

} // namespace

Ending runExperiment(Desk& desk) {
    auto draft = readDraft(desk.command.file);
    if (!draft)
        co_return desk.fail(draft.error());
    protocol::ExperimentCreateRequest request;
    request.yaml = draft->yaml;
    request.baseDirectory = headsDirectory(desk, *draft);
    request.single = desk.command.single;
    const auto created = co_await desk.ask(std::move(request));
    if (!created)
        co_return desk.fail(created.error());
    const std::string& id = created->experiment.raw();
    printProblems(desk, *draft, created->problems);
    if (id.empty()) {
        if (desk.command.json)
            desk.printJson(Object{{"id", nullptr}, {"problems", problemsArray(created->problems)}});
        co_return ExitCode::bad_input;
    }
    if (desk.command.json)
        desk.printJson(Object{{"id", id}});
    else if (desk.command.detach)
        desk.terminal.print(id + "\n");
    else
        desk.terminal.print("Started " + id + " in " + visibleText(created->folder) + "\n");
    if (desk.command.detach)
        co_return ExitCode::ok;
    desk.command.experiment = id;
    auto summary = co_await desk.findExperiment();
    if (!summary)
        co_return desk.fail(summary.error());
    protocol::ExperimentSummary followed = std::move(*summary);
    co_return co_await follow(desk, std::move(followed), true);
}

Ending checkFile(Desk& desk) {
    auto draft = readDraft(desk.command.file);
    if (!draft)
        co_return desk.fail(draft.error());
    protocol::SpecCheckRequest request;
    request.yaml = draft->yaml;
    request.baseDirectory = headsDirectory(desk, *draft);
    const auto checked = co_await desk.ask(std::move(request));
    if (!checked)
        co_return desk.fail(checked.error());
    const bool isWrong = hasErrors(checked->problems);
    if (desk.command.json) {
        desk.printJson(Object{{"ok", !isWrong},
                              {"problems", problemsArray(checked->problems)},
                              {"preview", protocol::encode(checked->preview)}});
        co_return isWrong ? ExitCode::bad_input : ExitCode::ok;
    }
    printProblems(desk, *draft, checked->problems);
    if (isWrong)
        co_return ExitCode::bad_input;
    const protocol::SpecPreview& preview = checked->preview;
    desk.terminal.print(
        visibleText(draft->name) + ": " +
        (preview.trials ? counted(*preview.trials, "trial") : std::string("trials until it is stopped")) +
        (preview.concurrentTrials ? ", " + std::to_string(*preview.concurrentTrials) + " at a time"
                                  : std::string()) +
        "\n");
    std::string words;
    for (const std::string& word : preview.firstCommand)
        words += " " + visibleText(word);
    if (!words.empty())
        desk.terminal.print("first trial:" + words + "\n");
    co_return ExitCode::ok;
}

} // namespace trialdeck::ctl
