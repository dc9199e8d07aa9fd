// SPDX-License-Identifier: Apache-2.0
#include "core/transport/files/sync_plan.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace trialdeck::transport {

namespace {

using Kind = FileEntry::Kind;
using EntriesByPath = std::unordered_map<std::string_view, const FileEntry*>;

bool isSameTime(int64_t one, int64_t other) {
    constexpr int64_t kSecond = 1'000'000'000;
    if (one % kSecond == 0 || other % kSecond == 0)
        return one / kSecond == other / kSecond;
    return one == other;
}

EntriesByPath byPath(const FileTree& tree) {
    EntriesByPath entries;
    entries.reserve(tree.entries.size());
    for (const FileEntry& entry : tree.entries)
        entries.emplace(entry.path, &entry);
    return entries;
}

/// Compares the trees entry by entry.
class Planner {
public:
    Planner(const FileTree& source, const FileTree& destination, bool removeExtra)
        : m_source(source), m_destination(destination), m_sources(byPath(source)),
          m_destinations(byPath(destination)), m_removeExtra(removeExtra) {}

    SyncPlan run() {
        m_plan.totalEntries = m_source.entries.size();
        // A folder that could not be read looks empty.
        m_plan.keepsExtras =
            m_removeExtra && std::any_of(m_source.failures.begin(), m_source.failures.end(),
                                         [](const FileTree::Failure& failure) { return failure.isUnread; });
        for (auto entry = m_destination.entries.rbegin(); entry != m_destination.entries.rend(); ++entry)
            removeWhereWrong(*entry);
        for (const FileEntry& entry : m_source.entries)
            compare(entry);
        for (auto entry = m_source.entries.rbegin(); entry != m_source.entries.rend(); ++entry) {
            if (entry->kind == Kind::folder)
                settle(*entry);
        }
        return std::move(m_plan);
    }

private:
    void removeWhereWrong(const FileEntry& entry) {
        const auto wanted = m_sources.find(entry.path);
        const bool isExtra = wanted == m_sources.end();
        // A file over a link, or the other way, is simply replaced.
        const bool isInTheWay = !isExtra && entry.kind != wanted->second->kind &&
                                (entry.kind == Kind::folder || wanted->second->kind == Kind::folder);
        if (isInTheWay || (isExtra && m_removeExtra && !m_plan.keepsExtras))
            add(SyncStep::Kind::remove, entry);
    }

    void compare(const FileEntry& entry) {
        const auto there = m_destinations.find(entry.path);
        const FileEntry* known =
            there == m_destinations.end() || there->second->kind != entry.kind ? nullptr : there->second;
        switch (entry.kind) {
        case Kind::folder:
            if (known == nullptr)
                add(SyncStep::Kind::folder, entry);
            return;
        case Kind::link:
            if (known == nullptr || known->target != entry.target)
                add(SyncStep::Kind::link, entry);
            else if (!isSameTime(known->nanoseconds, entry.nanoseconds))
                m_plan.steps.push_back({SyncStep::Kind::adjust, entry});
            return;
        case Kind::file:
            break;
        }
        if (known == nullptr || known->bytes != entry.bytes ||
            !isSameTime(known->nanoseconds, entry.nanoseconds)) {
            m_plan.totalBytes += entry.bytes;
            add(SyncStep::Kind::file, entry);
            return;
        }
        ++m_plan.unchangedFiles;
        if (known->mode != entry.mode)
            m_plan.steps.push_back({SyncStep::Kind::adjust, entry});
    }

    void settle(const FileEntry& entry) {
        const auto there = m_destinations.find(entry.path);
        const bool isNew = there == m_destinations.end() || there->second->kind != Kind::folder;
        const bool differs = !isNew && (there->second->mode != entry.mode ||
                                        !isSameTime(there->second->nanoseconds, entry.nanoseconds));
        if (isNew || differs || m_touched.count(entry.path) > 0) {
            SyncStep step{SyncStep::Kind::adjust, entry};
            step.isRepair = !differs;
            m_plan.steps.push_back(std::move(step));
        }
    }

    void add(SyncStep::Kind kind, const FileEntry& entry) {
        m_plan.steps.push_back({kind, entry});
        m_touched.emplace(splitPath(entry.path).folder);
    }

    const FileTree& m_source;
    const FileTree& m_destination;
    const EntriesByPath m_sources;
    const EntriesByPath m_destinations;
    const bool m_removeExtra;
    /// Folders in which something is done.
    std::unordered_set<std::string> m_touched;
    SyncPlan m_plan;
};

} // namespace

SyncPlan planSync(const FileTree& source, const FileTree& destination, bool removeExtra) {
    return Planner(source, destination, removeExtra).run();
}

} // namespace trialdeck::transport
