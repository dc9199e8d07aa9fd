// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <sys/types.h>
#include <vector>

namespace trialdeck::tests {

/// A network that consists of this test program and the private hosts that it makes: nothing of it can be
/// seen from outside, and every interface may be changed. Needs root. Ends with the program.
class PrivateNetwork {
public:
    /// Takes the test program out of the machine's network, once; threads that exist stay there.
    /// @return why this machine cannot have one; empty where it can
    [[nodiscard]] static std::string enter();

    /// `ip` with these arguments in this program's part; fails the test where that fails.
    static void ip(const std::vector<std::string>& arguments);
    /// In a host's part.
    static void ip(pid_t host, const std::vector<std::string>& arguments);

    /// An interface of that name at each end of a new cable, with these addresses.
    struct End {
        /// A process in it; 0: this program.
        pid_t host = 0;
        std::string interface;
        /// "10.77.1.2/24"
        std::string address;
    };
    static void connect(const End& one, const End& other);
};

} // namespace trialdeck::tests
