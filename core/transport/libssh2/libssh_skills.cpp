// SPDX-License-Identifier: Apache-2.0
#include "core/base/host.h"
#include "core/transport/libssh2/libssh_session.h"
#include "core/transport/libssh2/ssh_hosts.h"

#include <algorithm>
#include <array>
#include <pwd.h>
#include <unistd.h>

namespace trialdeck::transport {

namespace {

constexpr int kSignsRsaWithSha2 = 0x010b00;

LibsshSkills readSkills() {
    LibsshSkills skills;
    if (!startLibssh2())
        return skills;
    LIBSSH2_SESSION* const session = libssh2_session_init();
    if (session == nullptr)
        return skills;
    const auto read = [session](int method) {
        std::vector<std::string> names;
        const char** list = nullptr;
        const int count = libssh2_session_supported_algs(session, method, &list);
        for (int at = 0; at < count; ++at)
            names.emplace_back(list[at]);
        if (count > 0)
            libssh2_free(session, static_cast<void*>(list));
        return names;
    };
    skills.signsRsaWithSha2 = libssh2_version(kSignsRsaWithSha2) != nullptr;
    skills.keyExchanges = read(LIBSSH2_METHOD_KEX);
    skills.hostKeys = read(LIBSSH2_METHOD_HOSTKEY);
    skills.ciphers = read(LIBSSH2_METHOD_CRYPT_CS);
    skills.macs = read(LIBSSH2_METHOD_MAC_CS);
    libssh2_session_free(session);
    return skills;
}

} // namespace

const LibsshSkills& libsshSkills() {
    static const LibsshSkills kSkills = readSkills();
    return kSkills;
}

SshConfigPlace sshConfigPlace(const base::Environment& environment) {
    SshConfigPlace place;
    place.environment = environment;
    place.localHost = base::hostName();
    place.userId = std::to_string(getuid());
    std::array<char, 16'384> buffer{};
    passwd user{};
    passwd* found = nullptr;
    if (getpwuid_r(getuid(), &user, buffer.data(), buffer.size(), &found) == 0 && found != nullptr) {
        place.localUser = user.pw_name;
        place.home = user.pw_dir;
        return place;
    }
    const auto valueOf = [&environment](std::string_view name) {
        const auto value = environment.find(name);
        return value == environment.end() ? std::string() : value->second;
    };
    place.localUser = valueOf("USER");
    place.home = valueOf("HOME");
    return place;
}

} // namespace trialdeck::transport
