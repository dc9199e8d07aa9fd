// SPDX-License-Identifier: Apache-2.0
#include "core/tuner/replay.h"

#include "core/base/host.h"
#include "core/model/spec_check.h"
#include "core/storage/experiment_folder.h"
#include "core/storage/folder_names.h"

namespace trialdeck::tuner {

namespace {

Expected<std::shared_ptr<const model::ExperimentSpec>> readSpec(base::FileSystem& files,
                                                                const base::Path& folder) {
    const base::Path path = folder / storage::kExperimentFile;
    const auto text = base::readWholeFile(files, path);
    if (!text)
        return tl::make_unexpected(text.error());
    model::SpecCheck check = model::checkYaml(*text);
    if (check.spec)
        return std::make_shared<const model::ExperimentSpec>(std::move(*check.spec));
    base::ErrorArguments arguments = {{"path", path.native()}};
    for (const protocol::Problem& problem : check.result.problems) {
        if (problem.severity != protocol::Severity::error)
            continue;
        arguments["problem"] = std::string(base::nameOf(problem.code));
        arguments["line"] = std::to_string(problem.line);
        break;
    }
    return base::fail(ErrorCode::bad_configuration, std::move(arguments));
}

base::Unexpected damaged(const storage::JournalReader& reader, std::string detail) {
    return base::fail(ErrorCode::journal_damaged, {{"experiment", reader.lastHeader().experiment.raw()}},
                      std::move(detail));
}

} // namespace

Expected<std::unique_ptr<Ledger>>
replayJournal(const storage::JournalReader& reader, const ExperimentId& id,
              std::shared_ptr<const model::ExperimentSpec> spec, base::Log& log,
              const std::function<bool(const Ledger&, const protocol::Record&)>& before) {
    std::unique_ptr<Ledger> ledger;
    const auto visit = [&](const protocol::Record& record, std::string_view) -> Expected<void> {
        if (!ledger) {
            const auto* created = std::get_if<protocol::ExperimentCreated>(&record.body);
            if (!created)
                return damaged(reader, "the first record is none of an experiment");
            auto opened = Ledger::open(id, *created, record.time, std::move(spec));
            if (!opened)
                return tl::make_unexpected(std::move(opened).error());
            ledger = std::move(*opened);
            return {};
        }
        if (before && !before(*ledger, record))
            return base::fail(ErrorCode::cancelled);
        const auto taken = ledger->take(record.body, record.time);
        if (taken)
            return {};
        if (std::holds_alternative<protocol::TrialCreated>(record.body))
            return damaged(reader, base::describe(taken.error()));
        // A line before it was lost; what is left still says more than nothing.
        log.warning("tuner", "record " + std::to_string(record.number.raw()) +
                                 " cannot follow: " + base::describe(taken.error()));
        return {};
    };
    if (auto read = reader.forEach(visit); !read && read.error().code != ErrorCode::cancelled)
        return tl::make_unexpected(std::move(read).error());
    if (!ledger)
        return damaged(reader, "no record");
    return ledger;
}

Expected<TunerLoop::Opened> readExperiment(const Services& services, base::Path folder,
                                           base::Environment loginEnvironment,
                                           std::shared_ptr<const model::ExperimentSpec> spec) {
    if (!base::exists(services.files, folder))
        return base::fail(ErrorCode::experiment_missing, {{"path", folder.native()}});
    auto reader = storage::JournalReader::open(services.files, folder);
    if (!reader)
        return tl::make_unexpected(std::move(reader).error());
    if (!spec) {
        auto read = readSpec(services.files, folder);
        if (!read)
            return tl::make_unexpected(std::move(read).error());
        spec = std::move(*read);
    }
    const ExperimentId& id = reader->lastHeader().experiment;
    auto ledger = replayJournal(*reader, id, spec, services.log);
    if (!ledger)
        return tl::make_unexpected(std::move(ledger).error());
    auto identity =
        storage::identityAt(services.files, folder, (*ledger)->created(), ExperimentId(base::newUuid()));
    if (identity && identity->experiment != id) {
        ledger = replayJournal(*reader, identity->experiment, spec, services.log);
        if (!ledger)
            return tl::make_unexpected(std::move(ledger).error());
    }
    TunerLoop::Opened opened;
    opened.ledger = std::move(*ledger);
    opened.identity = std::move(identity);
    TRIALDECK_TRY(opened.compilePattern());
    opened.files = std::make_unique<ExperimentFiles>(services.files, std::move(folder));
    opened.loginEnvironment = std::move(loginEnvironment);
    opened.reader = std::move(*reader);
    return opened;
}

} // namespace trialdeck::tuner
