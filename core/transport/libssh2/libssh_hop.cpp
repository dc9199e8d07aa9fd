// SPDX-License-Identifier: Apache-2.0
#include "core/transport/libssh2/libssh_hop.h"

#include "core/base/sha256.h"
#include "core/base/wipe.h"
#include "core/base/words.h"
#include "core/protocol/frame.h"

#include <algorithm>
#include <asio/co_spawn.hpp>
#include <asio/detached.hpp>
#include <asio/redirect_error.hpp>
#include <asio/use_awaitable.hpp>
#include <cstdlib>
#include <cstring>
#include <future>
#include <optional>

namespace trialdeck::transport {

namespace {

/// As OpenSSH: so often a passphrase or password is asked for.
constexpr int kTries = 3;

struct KeyType {
    std::string wire;
    std::string shown;
};

KeyType keyTypeOf(int type) {
    switch (type) {
    case LIBSSH2_HOSTKEY_TYPE_RSA:
        return {"ssh-rsa", "RSA"};
    case LIBSSH2_HOSTKEY_TYPE_ECDSA_256:
        return {"ecdsa-sha2-nistp256", "ECDSA"};
    case LIBSSH2_HOSTKEY_TYPE_ECDSA_384:
        return {"ecdsa-sha2-nistp384", "ECDSA"};
    case LIBSSH2_HOSTKEY_TYPE_ECDSA_521:
        return {"ecdsa-sha2-nistp521", "ECDSA"};
    case LIBSSH2_HOSTKEY_TYPE_ED25519:
        return {"ssh-ed25519", "ED25519"};
    default:
        return {"ssh-dss", "DSA"};
    }
}

/// "SHA256:" and base64 without its filling, as OpenSSH prints it.
std::string fingerprintOf(LIBSSH2_SESSION* session) {
    const char* hash = libssh2_hostkey_hash(session, LIBSSH2_HOSTKEY_HASH_SHA256);
    if (hash == nullptr)
        return {};
    constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    constexpr size_t kBytes = 32;
    std::string text = "SHA256:";
    unsigned bits = 0;
    int count = 0;
    for (size_t at = 0; at < kBytes; ++at) {
        bits = bits << 8 | static_cast<unsigned char>(hash[at]);
        for (count += 8; count >= 6; count -= 6)
            text += kLetters[bits >> (count - 6) & 63U];
    }
    if (count > 0)
        text += kLetters[bits << (6 - count) & 63U];
    return text;
}

/// One login, with what it needs at each of its steps.
class Login {
public:
    Login(std::shared_ptr<LibsshSession> session, const LibsshHop& hop, HostKeys& hostKeys, Prompts& prompts,
          StepTrace& trace)
        : m_session(std::move(session)), m_raw(m_session->raw()), m_hop(hop), m_hostKeys(hostKeys),
          m_prompts(prompts), m_trace(trace) {}

    asio::awaitable<Expected<void>> run() {
        m_trace.begin(ConnectionStep::host_key);
        preferKnownKeys();
        libssh2_session_flag(m_raw, LIBSSH2_FLAG_COMPRESS, m_hop.compression ? 1 : 0);
        const long shaken = co_await m_session->call([this] { return m_session->handshake(); });
        if (shaken != 0)
            co_return tl::make_unexpected(handshakeFailure(shaken));
        if (auto checked = co_await checkHostKey(); !checked)
            co_return checked;
        m_trace.begin(ConnectionStep::login);
        co_return co_await authenticate();
    }

private:
    [[nodiscard]] const std::string& keyName() const {
        return m_hop.hostKeyAlias.empty() ? m_hop.address : m_hop.hostKeyAlias;
    }
    [[nodiscard]] uint16_t keyPort() const { return m_hop.hostKeyAlias.empty() ? m_hop.port : uint16_t{22}; }

    void preferKnownKeys() {
        const std::vector<std::string> types = m_hostKeys.typesOf(keyName(), keyPort());
        if (types.empty())
            return;
        std::vector<std::string> methods = types;
        for (const char* other : {"ssh-ed25519", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384",
                                  "ecdsa-sha2-nistp521", "ssh-rsa"}) {
            if (std::find(methods.begin(), methods.end(), other) == methods.end())
                methods.emplace_back(other);
        }
        (void)libssh2_session_method_pref(m_raw, LIBSSH2_METHOD_HOSTKEY, base::joined(methods, ",").c_str());
    }

    Error handshakeFailure(long code) const {
        const std::string said = m_session->isClosed() ? m_session->reason() : m_session->lastError();
        const base::ErrorArguments arguments = {{"host", m_hop.name}, {"reason", said}};
        // Whoever speaks SSH has said its name by then.
        const bool isCut = m_session->isCut() && !m_session->wasSilent();
        const char* const name = libssh2_session_banner_get(m_raw);
        if (!isCut && (name == nullptr || std::string_view(name).substr(0, 4) != "SSH-"))
            return {ErrorCode::not_an_ssh_server, arguments, "handshake"};
        switch (code) {
        case LIBSSH2_ERROR_KEX_FAILURE:
        case LIBSSH2_ERROR_METHOD_NONE:
        case LIBSSH2_ERROR_METHOD_NOT_SUPPORTED:
        case LIBSSH2_ERROR_KEY_EXCHANGE_FAILURE:
            return {ErrorCode::no_common_algorithm, arguments, "handshake"};
        case LIBSSH2_ERROR_BANNER_RECV:
        case LIBSSH2_ERROR_PROTO:
        case LIBSSH2_ERROR_INVALID_MAC:
        case LIBSSH2_ERROR_OUT_OF_BOUNDARY:
            return {ErrorCode::not_an_ssh_server, arguments, "handshake"};
        default:
            return {ErrorCode::connection_lost, arguments, "handshake"};
        }
    }

    asio::awaitable<Expected<void>> checkHostKey() {
        size_t length = 0;
        int type = 0;
        const char* blob = libssh2_session_hostkey(m_raw, &length, &type);
        if (blob == nullptr)
            co_return base::fail(ErrorCode::not_an_ssh_server, {{"host", m_hop.name}},
                                 "the host showed no key");
        const std::string key(blob, length);
        const KeyType kind = keyTypeOf(type);
        const std::string fingerprint = fingerprintOf(m_raw);
        m_trace.setDetail(kind.wire + " " + fingerprint);
        const HostKeyAnswer known = m_hostKeys.check(keyName(), keyPort(), kind.wire, key);
        switch (known.verdict) {
        case HostKeyAnswer::Verdict::known:
            co_return Expected<void>();
        case HostKeyAnswer::Verdict::revoked:
            co_return base::fail(ErrorCode::host_key_revoked, {{"host", m_hop.name}});
        case HostKeyAnswer::Verdict::changed:
            co_return base::fail(ErrorCode::host_key_changed, {{"host", m_hop.name},
                                                               {"key_type", kind.shown},
                                                               {"fingerprint", fingerprint},
                                                               {"path", known.file.native()},
                                                               {"line", std::to_string(known.line)}});
        case HostKeyAnswer::Verdict::unknown:
            break;
        }
        Prompt prompt;
        prompt.kind = Prompt::Kind::host_key;
        prompt.host = m_hop.name;
        prompt.keyType = kind.shown;
        prompt.fingerprint = fingerprint;
        auto answer = co_await ask(prompt);
        if (!answer)
            co_return base::fail(ErrorCode::cancelled, {}, "the host key was not confirmed");
        if (*answer != "yes")
            co_return base::fail(ErrorCode::host_key_refused, {{"host", m_hop.name}});
        co_return m_hostKeys.add(keyName(), keyPort(), kind.wire, key);
    }

    asio::awaitable<Expected<void>> authenticate() {
        std::string methods;
        const long listed = co_await m_session->call([&]() -> long {
            const char* list =
                libssh2_userauth_list(m_raw, m_hop.user.c_str(), static_cast<unsigned>(m_hop.user.size()));
            if (list != nullptr) {
                methods = list;
                return 0;
            }
            return libssh2_userauth_authenticated(m_raw) != 0 ? 0 : libssh2_session_last_errno(m_raw);
        });
        if (listed != 0)
            co_return tl::make_unexpected(lost("ask for the ways to log in"));
        if (libssh2_userauth_authenticated(m_raw) != 0)
            co_return done("none");
        const auto offers = [&](std::string_view method) {
            return methods.find(method) != std::string::npos;
        };
        if (offers("publickey")) {
            if (!m_hop.identitiesOnly && co_await tryAgent())
                co_return done("publickey");
            for (const base::Path& key : m_hop.keys) {
                auto tried = co_await tryKey(key);
                if (!tried)
                    co_return tl::make_unexpected(std::move(tried).error());
                if (*tried)
                    co_return done("publickey");
            }
        }
        if (offers("keyboard-interactive")) {
            auto tried = co_await tryInteractive();
            if (!tried)
                co_return tl::make_unexpected(std::move(tried).error());
            if (*tried)
                co_return done("keyboard-interactive");
        }
        if (offers("password")) {
            auto tried = co_await tryPassword();
            if (!tried)
                co_return tl::make_unexpected(std::move(tried).error());
            if (*tried)
                co_return done("password");
        }
        if (m_session->isCut())
            co_return tl::make_unexpected(lost("log in"));
        co_return base::fail(ErrorCode::login_refused,
                             {{"host", m_hop.name}, {"user", m_hop.user}, {"methods", methods}}, m_tried);
    }

    Expected<void> done(std::string method) {
        m_trace.setDetail(std::move(method));
        m_trace.done();
        return {};
    }

    [[nodiscard]] Error lost(std::string_view action) const {
        const std::string reason = m_session->isClosed() ? m_session->reason() : m_session->lastError();
        return {ErrorCode::connection_lost, {{"host", m_hop.name}, {"reason", reason}}, std::string(action)};
    }

    /// The agent speaks over a socket of this computer, at once.
    asio::awaitable<bool> tryAgent() {
        if (m_hop.agentSocket.empty())
            co_return false;
        LIBSSH2_AGENT* const agent = libssh2_agent_init(m_raw);
        if (agent == nullptr)
            co_return false;
        libssh2_agent_set_identity_path(agent, m_hop.agentSocket.c_str());
        bool isIn = false;
        if (libssh2_agent_connect(agent) == 0 && libssh2_agent_list_identities(agent) == 0) {
            libssh2_agent_publickey* identity = nullptr;
            libssh2_agent_publickey* before = nullptr;
            while (!isIn && !m_session->isClosed() &&
                   libssh2_agent_get_identity(agent, &identity, before) == 0) {
                before = identity;
                const long answer = co_await m_session->call(
                    [&] { return long{libssh2_agent_userauth(agent, m_hop.user.c_str(), identity)}; });
                isIn = answer == 0;
                m_tried += std::string("agent key ") + (identity->comment ? identity->comment : "") + "; ";
            }
        }
        libssh2_agent_disconnect(agent);
        libssh2_agent_free(agent);
        co_return isIn;
    }

    /// @return whether it was accepted; key_unusable and cancelled end the login
    asio::awaitable<Expected<bool>> tryKey(const base::Path& key) {
        std::string passphrase;
        for (int attempt = 0; attempt <= kTries; ++attempt) {
            const long answer = co_await m_session->callOnThread([this, &key, &passphrase] {
                return long{libssh2_userauth_publickey_fromfile_ex(m_raw, m_hop.user.c_str(),
                                                                   static_cast<unsigned>(m_hop.user.size()),
                                                                   nullptr, key.c_str(), passphrase.c_str())};
            });
            base::wipe(passphrase);
            if (answer == 0)
                co_return true;
            if (m_session->isCut())
                co_return tl::make_unexpected(lost("log in by key"));
            m_tried += key.native() + ": " + m_session->lastError() + "; ";
            // What the library says where the passphrase does not open the file: nothing went to the host.
            const bool isLocked = answer == LIBSSH2_ERROR_FILE || answer == LIBSSH2_ERROR_KEYFILE_AUTH_FAILED;
            if (!isLocked || attempt == kTries)
                co_return false;
            Prompt prompt;
            prompt.kind = Prompt::Kind::passphrase;
            prompt.host = m_hop.name;
            prompt.text = key.native();
            prompt.again = attempt > 0;
            auto said = co_await ask(prompt);
            if (!said)
                co_return base::fail(ErrorCode::cancelled, {}, "no passphrase was given");
            passphrase = *said;
            base::wipe(said);
        }
        co_return false;
    }

    asio::awaitable<Expected<bool>> tryPassword() {
        for (int attempt = 0; attempt < kTries; ++attempt) {
            Prompt prompt;
            prompt.kind = Prompt::Kind::password;
            prompt.host = m_hop.name;
            prompt.user = m_hop.user;
            prompt.again = attempt > 0;
            auto password = co_await ask(prompt);
            if (!password)
                co_return base::fail(ErrorCode::cancelled, {}, "no password was given");
            const long answer = co_await m_session->call([&] {
                return long{libssh2_userauth_password_ex(
                    m_raw, m_hop.user.c_str(), static_cast<unsigned>(m_hop.user.size()), password->c_str(),
                    static_cast<unsigned>(password->size()), nullptr)};
            });
            base::wipe(password);
            if (answer == 0)
                co_return true;
            if (m_session->isCut())
                co_return tl::make_unexpected(lost("log in by password"));
            m_tried += "password; ";
            if (answer != LIBSSH2_ERROR_AUTHENTICATION_FAILED)
                break;
        }
        co_return false;
    }

    /// The host's questions come in a callback of the library that wants its answers at once; a person needs
    /// longer. So the callback runs on a thread of its own and waits there for the loop.
    asio::awaitable<Expected<bool>> tryInteractive();

    asio::awaitable<std::optional<std::string>> ask(const Prompt& prompt) {
        const auto answer = std::make_shared<std::optional<std::optional<std::string>>>();
        const auto signal = std::make_shared<asio::steady_timer>(m_session->executor(),
                                                                 asio::steady_timer::time_point::max());
        m_prompts.ask(prompt, [answer, signal](std::optional<std::string> said) {
            *answer = std::move(said);
            signal->cancel();
        });
        std::error_code ignored;
        while (!*answer && !m_session->isClosed()) {
            signal->expires_after(std::chrono::milliseconds(250));
            co_await signal->async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        }
        if (!*answer) {
            m_prompts.withdraw();
            co_return std::nullopt;
        }
        co_return std::move(**answer);
    }

    std::shared_ptr<LibsshSession> m_session;
    LIBSSH2_SESSION* m_raw;
    const LibsshHop& m_hop;
    HostKeys& m_hostKeys;
    Prompts& m_prompts;
    StepTrace& m_trace;
    std::string m_tried;
};

/// What the library's callback needs; it runs on the thread that works with the session.
struct Questions {
    asio::any_io_executor executor;
    std::function<asio::awaitable<std::optional<std::string>>(Prompt)> ask;
    std::string name;
    std::string user;
    int rounds = 0;
    bool gaveUp = false;
};

std::optional<std::string> askFromThread(Questions& questions, Prompt prompt) {
    std::promise<std::optional<std::string>> promise;
    std::future<std::optional<std::string>> answer = promise.get_future();
    asio::co_spawn(questions.executor, questions.ask(std::move(prompt)),
                   [&promise](const std::exception_ptr&, std::optional<std::string> said) {
                       promise.set_value(std::move(said));
                   });
    return answer.get();
}

/// The answers are the library's to free.
void answerQuestions(const char*, int, const char* instruction, int instructionLength, int count,
                     const LIBSSH2_USERAUTH_KBDINT_PROMPT* prompts,
                     LIBSSH2_USERAUTH_KBDINT_RESPONSE* responses, void** abstract) {
    Questions& questions = **static_cast<Questions**>(static_cast<void*>(abstract));
    const std::string above(instruction == nullptr ? "" : instruction,
                            instruction == nullptr ? 0 : static_cast<size_t>(instructionLength));
    for (int at = 0; at < count; ++at) {
        Prompt prompt;
        prompt.kind = Prompt::Kind::interactive;
        prompt.host = questions.name;
        prompt.user = questions.user;
        prompt.text = protocol::cleanTerminalText(
            (above.empty() ? "" : above + "\n") + std::string(prompts[at].text, prompts[at].length), 4096);
        prompt.echo = prompts[at].echo != 0;
        prompt.again = questions.rounds > 0;
        std::optional<std::string> answer;
        if (!questions.gaveUp)
            answer = askFromThread(questions, std::move(prompt));
        questions.gaveUp = questions.gaveUp || !answer;
        responses[at].text = strdup(answer ? answer->c_str() : "");
        responses[at].length = static_cast<unsigned>(answer ? answer->size() : 0);
        base::wipe(answer);
    }
}

asio::awaitable<Expected<bool>> Login::tryInteractive() {
    Questions questions;
    questions.executor = m_session->executor();
    questions.ask = [this](Prompt prompt) -> asio::awaitable<std::optional<std::string>> {
        // The function's own argument: a coroutine of a lambda keeps no captures alive.
        co_return co_await ask(prompt);
    };
    questions.name = m_hop.name;
    questions.user = m_hop.user;
    *libssh2_session_abstract(m_raw) = &questions;
    for (; questions.rounds < kTries && !questions.gaveUp; ++questions.rounds) {
        const long answer = co_await m_session->callOnThread([this] {
            return long{libssh2_userauth_keyboard_interactive_ex(
                m_raw, m_hop.user.c_str(), static_cast<unsigned>(m_hop.user.size()), &answerQuestions)};
        });
        if (answer == 0)
            co_return true;
        if (m_session->isCut())
            co_return tl::make_unexpected(lost("log in by answers"));
        m_tried += "keyboard-interactive; ";
        if (answer != LIBSSH2_ERROR_AUTHENTICATION_FAILED)
            break;
    }
    if (questions.gaveUp)
        co_return base::fail(ErrorCode::cancelled, {}, "a question was not answered");
    co_return false;
}

} // namespace

asio::awaitable<Expected<void>> loginOver(std::shared_ptr<LibsshSession> session, const LibsshHop& hop,
                                          HostKeys& hostKeys, Prompts& prompts, StepTrace& trace) {
    Login login(std::move(session), hop, hostKeys, prompts, trace);
    co_return co_await login.run();
}

} // namespace trialdeck::transport
