// SPDX-License-Identifier: Apache-2.0
#include "core/head/builds_in_use.h"

#include <fcntl.h>
#include <set>
#include <sys/stat.h>

namespace trialdeck::head {

void markBuildsInUse(const base::Path& program, const base::Path& processes) {
    const base::Path heads = program.parent_path().parent_path();
    if (heads.filename() != "heads")
        return;
    std::set<base::Path> builds = {program.parent_path()};
    std::error_code failure;
    for (std::filesystem::directory_iterator each(processes, failure), end; !failure && each != end;
         each.increment(failure)) {
        std::error_code unreadable;
        const base::Path file = std::filesystem::read_symlink(each->path() / "exe", unreadable);
        if (!unreadable && file.parent_path().parent_path() == heads)
            builds.insert(file.parent_path());
    }
    for (const base::Path& build : builds)
        utimensat(AT_FDCWD, (build / "used").c_str(), nullptr, 0);
}

} // namespace trialdeck::head
