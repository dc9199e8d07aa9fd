// SPDX-License-Identifier: Apache-2.0
#include "core/tuner/replay.h"

#include "core/base/host.h"
#include "core/model/spec_check.h"

namespace trialdeck::tuner {

namespace {

Expected<std::shared_ptr<const model::ExperimentSpec>> readSpec(base::FileSystem& files,
                                                                const base::Path& folder) {
    const base::Path path = folder / kExperimentFile;
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

/// A folder that was copied beside the one it came from must not go on under the same id.
ExperimentId idFor(const Services& services, const base::Path& folder, const storage::JournalReader& reader,
                   const protocol::ExperimentCreated& created) {
    const ExperimentId& id = reader.lastHeader().experiment;
    const base::Path recorded(created.folder);
    if (recorded.lexically_normal() == folder.lexically_normal())
        return id;
    const auto other = storage::JournalReader::open(services.files, recorded);
    return other && other->lastHeader().experiment == id ? ExperimentId(base::newUuid()) : id;
}

Expected<protocol::ExperimentCreated> readFirst(const storage::JournalReader& reader) {
    std::optional<protocol::ExperimentCreated> created;
    const auto stop = base::fail(ErrorCode::cancelled);
    (void)reader.forEach([&](const protocol::Record& record, std::string_view) -> Expected<void> {
        if (const auto* first = std::get_if<protocol::ExperimentCreated>(&record.body))
            created = *first;
        return stop;
    });
    if (!created)
        return damaged(reader, "the first record is none of an experiment");
    return *created;
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
    const auto created = readFirst(*reader);
    if (!created)
        return tl::make_unexpected(created.error());
    const ExperimentId id = idFor(services, folder, *reader, *created);
    auto ledger = replayJournal(*reader, id, std::move(spec), services.log);
    if (!ledger)
        return tl::make_unexpected(std::move(ledger).error());
    TunerLoop::Opened opened;
    opened.ledger = std::move(*ledger);
    TRIALDECK_TRY(opened.compilePattern());
    opened.files = std::make_unique<ExperimentFiles>(services.files, std::move(folder));
    opened.loginEnvironment = std::move(loginEnvironment);
    opened.reader = std::move(*reader);
    return opened;
}

} // namespace trialdeck::tuner
