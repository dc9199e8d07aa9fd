// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/prompts.h"
#include "core/transport/remote/step_trace.h"
#include "core/transport/ssh/master_forwards.h"

#include <string>
#include <string_view>

namespace trialdeck::transport {

/// Understands what the OpenSSH client writes to standard error with -v: how far the login has come, and in
/// the end why it failed. Its sentences are in English whatever the locale. Source: OpenSSH 7.4 to 9.2,
/// sshconnect.c, sshconnect2.c, ssh.c.
class SshMessages {
public:
    /// More than this is not kept, from the beginning and from the end, in bytes.
    static constexpr size_t kKeptBytes = size_t{16} << 10;

    /// @param host  as the user named it
    SshMessages(std::string host, StepTrace& trace);

    void read(std::string_view bytes);
    /// The way is open: what comes from now on is no step of it.
    void finish() { m_finished = true; }

    /// What is meant for people: without the debug lines.
    [[nodiscard]] std::string plainText() const;
    /// Why the client ended before it was logged in. Its last words decide; connection_lost where they say
    /// nothing that is known here. The argument host is the user's name of the destination; on a way over
    /// others it is the name of the one that failed, as the client says it.
    [[nodiscard]] Error failure() const;

    /// The host has taken the connection.
    [[nodiscard]] bool isConnected() const { return m_isConnected; }
    /// And has said the name of its software: from there on the client has no limit of time.
    [[nodiscard]] bool hasAnswered() const { return !m_software.empty(); }

    /// What it has said of the connections that it forwards.
    [[nodiscard]] const ForwardMessages& forwards() const { return m_forwards; }

private:
    void readLine(std::string_view line);
    void readDebug(std::string_view text);
    [[nodiscard]] std::string hostIn(std::string_view text) const;

    std::string m_host;
    StepTrace& m_trace;
    ForwardMessages m_forwards;
    std::string m_line;
    std::string m_plain;
    std::string m_software;
    bool m_isConnected = false;
    /// A line that came in the place of the server's name.
    std::string m_other;
    /// Over a jump host or a program: whom a sentence means only its own words tell.
    bool m_isIndirect = false;
    /// Where the newest of the jump hosts is to go on to.
    std::string m_goal;
    bool m_finished = false;
};

/// The question that the client hands to the program in SSH_ASKPASS.
/// @param text  as the client words it: "anna@host's password: "
/// @param host  as the user named it
[[nodiscard]] Prompt promptFrom(std::string_view text, std::string_view host);

} // namespace trialdeck::transport
