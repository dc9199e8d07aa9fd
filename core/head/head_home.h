// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/files.h"

#include <string>

namespace trialdeck::head {

/// Where one user's daemon on one host keeps its state: TRIALDECK_HOME/hosts/<host>-<machine id>/. Homes are
/// shared by several login hosts, so each host has a folder of its own.
class HeadHome {
public:
    /// Creates the folder, readable by the user alone. @return file_permission, disk_full, …
    [[nodiscard]] static Expected<HeadHome> open(base::FileSystem& files);

    /// TRIALDECK_HOME, absolute.
    [[nodiscard]] const base::Path& home() const { return m_home; }
    [[nodiscard]] const base::Path& folder() const { return m_folder; }
    [[nodiscard]] base::Path log() const { return m_folder / "head.log"; }
    [[nodiscard]] base::Path index() const { return m_folder / "experiments.jsonl"; }
    /// Left by `shutdown`, and for a moment by a hand-over: supervisors then start no daemon again.
    [[nodiscard]] base::Path restForbidden() const { return m_folder / "stay-down"; }

    /// Lock and socket lie here: the folder itself, or a folder in /tmp that belongs to this user where the
    /// home's file system has no locks.
    [[nodiscard]] const base::Path& runtimeFolder() const { return m_runtime; }
    [[nodiscard]] base::Path lock() const { return m_runtime / "head.lock"; }
    [[nodiscard]] base::Path socket() const { return m_runtime / "head.sock"; }
    [[nodiscard]] bool locksInHome() const { return m_runtime == m_folder; }

    /// Moves runtimeFolder() to /tmp. @return file_permission where that folder is someone else's.
    [[nodiscard]] Expected<void> useTemporaryRuntimeFolder(base::FileSystem& files);

private:
    HeadHome(base::Path home, base::Path folder);

    base::Path m_home;
    base::Path m_folder;
    base::Path m_runtime;
};

} // namespace trialdeck::head
