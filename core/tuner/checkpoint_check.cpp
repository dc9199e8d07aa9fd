// SPDX-License-Identifier: Apache-2.0
#include "core/tuner/checkpoint_check.h"

#include "core/storage/checkpoints.h"
#include "core/storage/folder_names.h"

namespace trialdeck::tuner {

struct CheckpointCheck::Found {
    TrialId trial;
    CheckpointIndex index;
    std::vector<storage::CheckpointDamage> damage;
};

CheckpointCheck::CheckpointCheck(Ledger& ledger, RecordLog& records, WarningLog& warnings,
                                 ExperimentFiles& files, const Services& services)
    : m_ledger(ledger), m_records(records), m_warnings(warnings), m_files(files), m_services(services),
      m_self(std::make_shared<CheckpointCheck*>(this)) {}

bool CheckpointCheck::passed(TrialId trial) {
    const model::Checkpoint* checkpoint = m_ledger.trial(trial).newestCheckpoint();
    if (!checkpoint)
        return true;
    const auto look = m_looks.find(trial);
    if (look == m_looks.end() || look->second.first != checkpoint->index) {
        begin(trial, checkpoint->index);
        return false;
    }
    return look->second.second == Look::whole;
}

void CheckpointCheck::begin(TrialId trial, CheckpointIndex index) {
    m_looks.insert_or_assign(trial, std::pair(index, Look::underWay));
    auto found = std::make_shared<Found>();
    found->trial = trial;
    found->index = index;
    const base::Path folder = m_files.folder() / ExperimentFiles::trialFolder(trial);
    m_services.background.run(
        [found, folder, &files = m_files.files()] {
            found->damage = storage::verifyCommitted(files, folder, found->index);
        },
        [self = m_self, found] {
            if (*self)
                (*self)->finish(*found);
        });
}

void CheckpointCheck::finish(const Found& found) {
    const auto look = m_looks.find(found.trial);
    if (look == m_looks.end() || look->second.first != found.index)
        return;
    look->second.second = Look::whole;
    if (!found.damage.empty() && !m_ledger.finished()) {
        m_looks.erase(look);
        const storage::CheckpointDamage& first = found.damage.front();
        const Error error{ErrorCode::checkpoint_damaged,
                          {{"checkpoint", storage::checkpointFolderName(found.index)},
                           {"path", first.path},
                           {"damage", std::string(storage::nameOf(first.kind))}},
                          std::to_string(found.damage.size()) + " of its files differ from its manifest"};
        m_warnings.raise(found.trial, error);
        m_records.add(protocol::CheckpointUnusable{found.trial, found.index, error});
    }
    if (m_onDone)
        m_onDone();
}

} // namespace trialdeck::tuner
