// SPDX-License-Identifier: Apache-2.0
#include "core/tuner/open_journal.h"

namespace trialdeck::tuner {

using storage::JournalWriter;

Expected<std::unique_ptr<JournalWriter>> createJournal(const Services& services, const base::Path& folder,
                                                       const ExperimentId& experiment) {
    if (services.journals)
        return services.journals->create(folder, experiment);
    return JournalWriter::create(services.files, services.clock, folder, experiment, services.writer, {});
}

Expected<std::unique_ptr<JournalWriter>> resumeJournal(const Services& services,
                                                       const storage::JournalReader& reader,
                                                       const ExperimentId& experiment) {
    if (services.journals)
        return services.journals->resume(reader, experiment);
    return JournalWriter::resume(services.clock, reader, experiment, services.writer, {});
}

} // namespace trialdeck::tuner
