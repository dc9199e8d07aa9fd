// SPDX-License-Identifier: Apache-2.0
#include "core/transport/ssh/ssh_route.h"

#include <algorithm>

namespace trialdeck::transport {

namespace {

constexpr int kMaxJumpDepth = 16;
constexpr size_t kMaxStations = 32;

/// Lives for one route.
class RouteReader {
public:
    RouteReader(base::FileSystem& files, const SshConfigPlace& place) : m_files(files), m_place(place) {}

    /// @param destination  empty jump: as configured
    /// @param jumps  in the place of the configured ones, where there are any
    void reach(const SshDestination& destination, const std::vector<SshJump>& jumps, int depth) {
        SshStation station;
        SshMatchExec nobody({});
        station.settings =
            readSshConfig(m_files, m_place, {destination.host, destination.user, destination.port}, nobody);
        override(station.settings, destination, jumps);
        const auto& notes = station.settings.notes;
        m_route.loops = m_route.loops || depth > kMaxJumpDepth || m_route.stations.size() > kMaxStations ||
                        std::any_of(notes.begin(), notes.end(), [](const SshConfigNote& note) {
                            return note.problem == SshConfigProblem::jump_loop;
                        });
        if (m_route.loops)
            return;
        if (!station.settings.jumps.empty()) {
            std::vector<SshJump> before = station.settings.jumps;
            SshDestination next;
            next.host = before.back().host;
            next.user = before.back().user;
            next.port = before.back().port;
            before.pop_back();
            reach(next, before, depth + 1);
        }
        for (const base::Path& path : station.settings.identityFiles) {
            KeyFile key = inspectKeyFile(m_files, path);
            if (key.state != KeyFileState::missing)
                station.keys.push_back(std::move(key));
        }
        m_route.stations.push_back(std::move(station));
    }

    [[nodiscard]] SshRoute take() {
        if (m_route.loops)
            m_route.stations.clear();
        return std::move(m_route);
    }

private:
    /// What goes before all files, as on ssh's command line.
    static void override(SshHostSettings& settings, const SshDestination& destination,
                         const std::vector<SshJump>& jumps) {
        const bool isNamed = !destination.jump.empty() || !jumps.empty();
        if (!jumps.empty())
            settings.jumps = jumps;
        else if (!destination.jump.empty())
            settings.jumps = parseSshJumps(destination.jump).value_or(std::vector<SshJump>());
        if (isNamed) {
            settings.proxyCommand.clear();
            settings.onlySystemSsh.erase(SshFeature::proxy_command);
        }
        if (destination.compression)
            settings.compression = *destination.compression;
        if (destination.identityFile.empty())
            return;
        if (settings.identityFilesAreDefaults)
            settings.identityFiles.clear();
        settings.identityFilesAreDefaults = false;
        std::erase(settings.identityFiles, destination.identityFile);
        settings.identityFiles.insert(settings.identityFiles.begin(), destination.identityFile);
    }

    base::FileSystem& m_files;
    const SshConfigPlace& m_place;
    SshRoute m_route;
};

} // namespace

SshRoute readSshRoute(base::FileSystem& files, SshConfigPlace place, const SshDestination& destination) {
    if (!destination.configFile.empty())
        place.configFile = destination.configFile;
    RouteReader reader(files, place);
    reader.reach(destination, {}, 0);
    return reader.take();
}

} // namespace trialdeck::transport
