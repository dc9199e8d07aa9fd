// SPDX-License-Identifier: Apache-2.0
// Any known_hosts: no key is known that is not on file, and each one that is on file for a host by name, and
// not revoked, is.
#include "core/transport/ssh/known_hosts.h"
#include "core/transport/ssh/known_hosts_file.h"

#include <cstdint>
#include <cstdlib>

using namespace trialdeck;
using namespace trialdeck::transport;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    KnownHosts hosts;
    hosts.add("/known_hosts", bytes);
    for (const char* host : {"a", "head.example.com", "x.lab.example.com"}) {
        if (hosts.check(host, 22, "ssh-ed25519", "no key").verdict == HostKeyVerdict::known)
            std::abort();
        for (const KnownHostLine& line : hosts.linesOf(host, 22)) {
            const HostKeyVerdict verdict = hosts.check(host, 22, line.type, line.blob).verdict;
            const bool fits = verdict == HostKeyVerdict::known || verdict == HostKeyVerdict::revoked ||
                              verdict == HostKeyVerdict::needs_certificate_check;
            if (line.marker == KnownHostLine::Marker::none && line.checkable && !fits)
                std::abort();
            if (line.marker == KnownHostLine::Marker::revoked && verdict != HostKeyVerdict::revoked)
                std::abort();
        }
        (void)hosts.knownHostKeyTypes(host, 2222);
    }
    // What is appended is found again, whatever stands before it.
    const std::string blob("\0\0\0\x0bssh-ed25519\0\0\0\x20kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk", 51);
    const std::string salt = hasHashedHosts(bytes) ? std::string(20, 's') : std::string();
    KnownHosts more;
    more.add("/known_hosts",
             bytes + "\n" + lineForHostKey("new.host", 2222, "ssh-ed25519", blob, salt) + "\n");
    const HostKeyVerdict verdict = more.check("new.host", 2222, "ssh-ed25519", blob).verdict;
    if (verdict != HostKeyVerdict::known && verdict != HostKeyVerdict::revoked)
        std::abort();
    return 0;
}
