// SPDX-License-Identifier: Apache-2.0
#include "core/transport/ssh/ssh_choice.h"

#include "core/transport/ssh/ssh_algorithms.h"
#include "core/transport/ssh/ssh_key_blob.h"

#include <algorithm>
#include <array>

namespace trialdeck::transport {

namespace {

using Reasons = std::optional<SshObstacle>;

bool isAmong(const std::vector<std::string>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<std::string> allowedAndKnown(SshAlgorithmKind kind, const std::string& said,
                                         const std::vector<std::string>& known) {
    std::vector<std::string> both;
    for (const std::string& name : assembleSshAlgorithms(kind, said)) {
        if (isAmong(known, name))
            both.push_back(name);
    }
    return both;
}

constexpr auto kFeatureReasons = std::to_array<std::pair<SshFeature, SshReason>>({
    {SshFeature::match_exec, SshReason::match_exec},
    {SshFeature::unsupported_match, SshReason::unsupported_match},
    {SshFeature::canonical_host_name, SshReason::canonical_host_name},
    {SshFeature::proxy_command, SshReason::proxy_command},
    {SshFeature::gssapi, SshReason::gssapi},
    {SshFeature::host_based, SshReason::host_based},
    {SshFeature::certificate, SshReason::certificate},
    {SshFeature::pkcs11, SshReason::pkcs11},
    {SshFeature::security_key, SshReason::security_key},
    {SshFeature::known_hosts_command, SshReason::known_hosts_command},
    {SshFeature::revoked_host_keys, SshReason::revoked_host_keys},
    {SshFeature::bind_address, SshReason::bind_address},
    {SshFeature::accepted_key_algorithms, SshReason::accepted_key_algorithms},
});

Reasons obstacleOfSettings(const SshHostSettings& settings) {
    for (const SshConfigNote& note : settings.notes) {
        if (note.problem == SshConfigProblem::unreadable_file ||
            note.problem == SshConfigProblem::unsafe_permissions ||
            note.problem == SshConfigProblem::include_too_deep)
            return SshObstacle{SshReason::configuration, note.file.native()};
    }
    for (const auto& [feature, reason] : kFeatureReasons) {
        if (settings.onlySystemSsh.contains(feature))
            return SshObstacle{reason, settings.host, feature == SshFeature::proxy_command};
    }
    return std::nullopt;
}

Reasons obstacleOfOffer(const SshHostSettings& settings, const LibsshOffer& offer) {
    if (offer.keyExchanges.empty() || offer.hostKeys.empty() || offer.ciphers.empty() || offer.macs.empty())
        return SshObstacle{SshReason::algorithms, settings.host, true};
    if (offer.loginMethods.empty())
        return SshObstacle{SshReason::login_methods, settings.host, true};
    return std::nullopt;
}

/// @param about  a file, or how the agent calls it
Reasons obstacleOfType(std::string_view type, const std::string& about, const LibsshSkills& skills) {
    if (isSshCertificateType(type))
        return SshObstacle{SshReason::certificate, about};
    if (isSecurityKeyType(type))
        return SshObstacle{SshReason::security_key, about};
    if (type == "ssh-rsa" && !skills.signsRsaWithSha2)
        return SshObstacle{SshReason::rsa_key, about};
    if (type.empty() || type == "ssh-dss" || checkSshKey(type, {}) == SshKeyForm::unknown_type)
        return SshObstacle{SshReason::key_type, about};
    return std::nullopt;
}

Reasons obstacleOfKey(const KeyFile& key, bool isNamed, const LibsshSkills& skills) {
    const std::string path = key.path.native();
    // What it is the key for lies in the agent.
    if (key.state == KeyFileState::public_only)
        return std::nullopt;
    if (!key.isUsable() || key.openToOthers || key.windowsLineEnds)
        return isNamed ? Reasons(SshObstacle{SshReason::key_file, path}) : std::nullopt;
    if (!key.certificate.empty())
        return SshObstacle{SshReason::certificate, key.certificate.native()};
    if (key.obstacle == LibsshObstacle::cipher)
        return SshObstacle{SshReason::key_cipher, path};
    return obstacleOfType(key.type, path, skills);
}

Reasons obstacleOfKeys(const SshPrognosis& prognosis, const LibsshSkills& skills) {
    const SshStation& station = *prognosis.station;
    for (const KeyFile& key : station.keys) {
        if (auto obstacle = obstacleOfKey(key, !station.settings.identityFilesAreDefaults, skills))
            return obstacle;
    }
    if (!prognosis.agentKeys)
        return SshObstacle{SshReason::agent};
    for (const SshAgentKey& key : *prognosis.agentKeys) {
        const bool counts = !station.settings.identitiesOnly ||
                            std::any_of(station.keys.begin(), station.keys.end(),
                                        [&key](const KeyFile& file) { return file.publicBlob == key.blob; });
        auto obstacle = counts ? obstacleOfType(key.type, key.comment, skills) : std::nullopt;
        if (obstacle)
            return obstacle;
    }
    return std::nullopt;
}

/// What is on file of the host has to be something that the library can ask it for.
Reasons obstacleOfHostKey(const SshPrognosis& prognosis, const LibsshOffer& offer) {
    const SshStation& station = *prognosis.station;
    const auto lines = prognosis.knownHosts->linesOf(station.knownName(), station.knownPort());
    bool hasPlain = false;
    bool hasAuthority = false;
    for (const KnownHostLine& line : lines) {
        hasAuthority = hasAuthority || line.marker == KnownHostLine::Marker::cert_authority;
        if (line.marker != KnownHostLine::Marker::none)
            continue;
        hasPlain = true;
        const bool canBeAskedFor = line.checkable && std::any_of(offer.hostKeys.begin(), offer.hostKeys.end(),
                                                                 [&line](const std::string& name) {
                                                                     return sshKeyTypeOf(name) == line.type;
                                                                 });
        if (canBeAskedFor)
            return std::nullopt;
    }
    if (hasAuthority)
        return SshObstacle{SshReason::host_certificate, station.settings.host};
    if (hasPlain)
        return SshObstacle{SshReason::host_key_type, station.settings.host};
    return std::nullopt;
}

} // namespace

LibsshOffer libsshOfferFor(const SshHostSettings& settings, const LibsshSkills& skills) {
    LibsshOffer offer;
    offer.keyExchanges =
        allowedAndKnown(SshAlgorithmKind::key_exchange, settings.kexAlgorithms, skills.keyExchanges);
    offer.hostKeys = allowedAndKnown(SshAlgorithmKind::host_key, settings.hostKeyAlgorithms, skills.hostKeys);
    std::erase_if(offer.hostKeys, [](const std::string& name) { return isSshCertificateType(name); });
    offer.ciphers = allowedAndKnown(SshAlgorithmKind::cipher, settings.ciphers, skills.ciphers);
    offer.macs = allowedAndKnown(SshAlgorithmKind::mac, settings.macs, skills.macs);
    const auto addIf = [&](bool allowed, const char* method) {
        if (allowed)
            offer.loginMethods.emplace_back(method);
    };
    addIf(settings.pubkeyAuthentication, "publickey");
    addIf(settings.kbdInteractiveAuthentication, "keyboard-interactive");
    addIf(settings.passwordAuthentication, "password");
    if (settings.preferredAuthentications.empty())
        return offer;
    std::vector<std::string> ordered;
    for (const std::string& method : settings.preferredAuthentications) {
        if (isAmong(offer.loginMethods, method) && !isAmong(ordered, method))
            ordered.push_back(method);
    }
    offer.loginMethods = std::move(ordered);
    return offer;
}

std::optional<SshObstacle> libsshObstacle(const SshPrognosis& prognosis, const LibsshSkills& skills) {
    const SshHostSettings& settings = prognosis.station->settings;
    const LibsshOffer offer = libsshOfferFor(settings, skills);
    if (auto obstacle = obstacleOfSettings(settings))
        return obstacle;
    if (auto obstacle = obstacleOfOffer(settings, offer))
        return obstacle;
    if (auto obstacle = obstacleOfHostKey(prognosis, offer))
        return obstacle;
    if (!isAmong(offer.loginMethods, "publickey"))
        return std::nullopt;
    return obstacleOfKeys(prognosis, skills);
}

} // namespace trialdeck::transport
