// SPDX-License-Identifier: Apache-2.0
#include "core/transport/libssh2/libssh_hop.h"

#include "core/base/wipe.h"
#include "core/base/words.h"
#include "core/protocol/frame.h"
#include "core/transport/ssh/ssh_algorithms.h"
#include "core/transport/ssh/ssh_key_blob.h"

#include <algorithm>
#include <asio/redirect_error.hpp>
#include <asio/use_awaitable.hpp>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <set>

namespace trialdeck::transport {

namespace {

/// As OpenSSH: so often a passphrase or password is asked for.
constexpr int kTries = 3;
/// A key, a password, a code and one to spare.
constexpr int kMostFactors = 4;

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

/// One login, with what it needs at each of its steps.
class Login {
public:
    Login(std::shared_ptr<LibsshSession> session, const LibsshHop& hop, HostKeys& hostKeys, Prompts& prompts,
          StepTrace& trace)
        : m_session(std::move(session)), m_raw(m_session->raw()), m_hop(hop), m_hostKeys(hostKeys),
          m_prompts(prompts), m_trace(trace) {}

    asio::awaitable<Expected<void>> run() {
        m_trace.begin(ConnectionStep::host_key);
        preferAlgorithms();
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

    /// A host that is known by one type of key is asked for that one first.
    void preferAlgorithms() {
        const LibsshAlgorithms& allowed = m_hop.algorithms;
        const auto prefer = [this](std::initializer_list<int> methods, const std::string& names) {
            for (const int method : methods) {
                if (!names.empty())
                    (void)libssh2_session_method_pref(m_raw, method, names.c_str());
            }
        };
        prefer({LIBSSH2_METHOD_KEX}, allowed.keyExchanges);
        prefer({LIBSSH2_METHOD_CRYPT_CS, LIBSSH2_METHOD_CRYPT_SC}, allowed.ciphers);
        prefer({LIBSSH2_METHOD_MAC_CS, LIBSSH2_METHOD_MAC_SC}, allowed.macs);
        std::vector<std::string> names = splitAtCommas(
            allowed.hostKeys.empty()
                ? "ssh-ed25519,ecdsa-sha2-nistp256,ecdsa-sha2-nistp384,ecdsa-sha2-nistp521,ssh-rsa"
                : allowed.hostKeys);
        const std::vector<std::string> known = m_hostKeys.typesOf(keyName(), keyPort());
        std::stable_partition(names.begin(), names.end(), [&known](const std::string& name) {
            return std::find(known.begin(), known.end(), sshKeyTypeOf(name)) != known.end();
        });
        prefer({LIBSSH2_METHOD_HOSTKEY}, base::joined(names, ","));
    }

    Error handshakeFailure(long code) const {
        const std::string said = m_session->isClosed() ? m_session->reason() : m_session->lastError();
        const base::ErrorArguments arguments = {{"host", m_hop.name}, {"reason", said}};
        // Whoever speaks SSH has said its name by then.
        const bool isCut = m_session->isCut() && !m_session->wasSilent();
        const char* const name = libssh2_session_banner_get(m_raw);
        const std::string_view version = name == nullptr ? "" : name;
        // The library takes a name of the protocol's first version as well.
        const bool isSsh = version.starts_with("SSH-2.") || version.starts_with("SSH-1.99-");
        const bool isSilent = m_session->wasSilent() && (isSsh || version.empty());
        if (isSilent)
            return {ErrorCode::timed_out, arguments, "handshake"};
        if (m_session->isNameless() || (!isCut && !isSsh))
            return {ErrorCode::not_an_ssh_server, arguments, "handshake"};
        switch (code) {
        case LIBSSH2_ERROR_KEX_FAILURE:
        case LIBSSH2_ERROR_METHOD_NONE:
        case LIBSSH2_ERROR_METHOD_NOT_SUPPORTED:
            return {ErrorCode::no_common_algorithm, arguments, "handshake"};
        // They had agreed on how.
        case LIBSSH2_ERROR_KEY_EXCHANGE_FAILURE:
            return {isCut ? ErrorCode::connection_lost : ErrorCode::no_common_algorithm, arguments,
                    "handshake"};
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
        const std::string fingerprint = sshFingerprint(key);
        m_trace.setDetail(kind.wire + " " + fingerprint);
        const HostKeyAnswer known = m_hostKeys.check(keyName(), keyPort(), kind.wire, key);
        switch (known.verdict) {
        case HostKeyAnswer::Verdict::known:
            co_return Expected<void>();
        case HostKeyAnswer::Verdict::revoked:
            co_return base::fail(ErrorCode::host_key_revoked, {{"host", m_hop.name}});
        case HostKeyAnswer::Verdict::changed:
        case HostKeyAnswer::Verdict::other_type:
            co_return base::fail(ErrorCode::host_key_changed, {{"host", m_hop.name},
                                                               {"key_type", kind.shown},
                                                               {"fingerprint", fingerprint},
                                                               {"known", known.fingerprint},
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

    /// How a way to log in ended.
    enum class Outcome {
        in,
        refused,
        /// Accepted, or nearly so: the host may want something else besides.
        perhaps_more,
    };

    asio::awaitable<Expected<void>> authenticate() {
        std::string last = "none";
        std::set<std::string, std::less<>> used;
        for (int factor = 0; factor < kMostFactors; ++factor) {
            if (auto listed = co_await listMethods(); !listed)
                co_return listed;
            if (libssh2_userauth_authenticated(m_raw) != 0)
                co_return done(last);
            Outcome outcome = Outcome::refused;
            bool isTried = false;
            for (const std::string& method : m_hop.methods) {
                if (!offers(method) || !used.insert(method).second)
                    continue;
                isTried = true;
                last = method;
                auto tried = co_await tryMethod(method);
                if (!tried)
                    co_return tl::make_unexpected(std::move(tried).error());
                outcome = *tried;
                if (outcome == Outcome::in)
                    co_return done(method);
                if (outcome == Outcome::perhaps_more)
                    break;
            }
            if (!isTried && used.empty())
                co_return base::fail(
                    ErrorCode::no_common_algorithm,
                    {{"host", m_hop.name}, {"offer", m_methods}, {"reason", "no common way to log in"}});
            if (outcome != Outcome::perhaps_more)
                break;
        }
        if (m_session->isCut())
            co_return tl::make_unexpected(lost("log in"));
        co_return base::fail(ErrorCode::login_refused,
                             {{"host", m_hop.name}, {"user", m_hop.user}, {"methods", m_methods}}, m_tried);
    }

    /// What the host takes now.
    asio::awaitable<Expected<void>> listMethods() {
        const long listed = co_await m_session->call([&]() -> long {
            const char* list =
                libssh2_userauth_list(m_raw, m_hop.user.c_str(), static_cast<unsigned>(m_hop.user.size()));
            if (list != nullptr) {
                m_methods = list;
                return 0;
            }
            return libssh2_userauth_authenticated(m_raw) != 0 ? 0 : libssh2_session_last_errno(m_raw);
        });
        if (listed != 0)
            co_return tl::make_unexpected(lost("ask for the ways to log in"));
        co_return Expected<void>();
    }

    [[nodiscard]] bool offers(std::string_view method) const {
        const std::vector<std::string> offered = splitAtCommas(m_methods);
        return std::find(offered.begin(), offered.end(), method) != offered.end();
    }

    asio::awaitable<Expected<Outcome>> tryMethod(const std::string& method) {
        if (method == "publickey")
            co_return co_await tryKeys();
        auto tried = method == "password" ? co_await tryPassword() : co_await tryInteractive();
        if (!tried)
            co_return tl::make_unexpected(std::move(tried).error());
        co_return *tried ? Outcome::in : Outcome::refused;
    }

    /// Those of the agent first: they ask nobody.
    asio::awaitable<Expected<Outcome>> tryKeys() {
        Outcome outcome = co_await tryAgent();
        for (const LibsshKey& key : m_hop.keys) {
            const bool isTried = !key.publicBlob.empty() && m_triedKeys.contains(key.publicBlob);
            if (outcome != Outcome::refused)
                break;
            if (isTried)
                continue;
            auto tried = co_await tryKey(key);
            if (!tried)
                co_return tl::make_unexpected(std::move(tried).error());
            outcome = *tried;
        }
        co_return outcome;
    }

    [[nodiscard]] static Outcome outcomeOf(long answer) {
        if (answer == 0)
            return Outcome::in;
        // The host took the key at first: it was enough, or the signature was not.
        return answer == LIBSSH2_ERROR_PUBLICKEY_UNVERIFIED ? Outcome::perhaps_more : Outcome::refused;
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

    [[nodiscard]] bool mayOffer(const std::string& blob) const {
        return !m_hop.identitiesOnly ||
               std::any_of(m_hop.keys.begin(), m_hop.keys.end(),
                           [&blob](const LibsshKey& key) { return key.publicBlob == blob; });
    }

    /// The agent speaks over a socket of this computer, at once.
    asio::awaitable<Outcome> tryAgent() {
        if (m_hop.agentSocket.empty())
            co_return Outcome::refused;
        LIBSSH2_AGENT* const agent = libssh2_agent_init(m_raw);
        if (agent == nullptr)
            co_return Outcome::refused;
        libssh2_agent_set_identity_path(agent, m_hop.agentSocket.c_str());
        Outcome outcome = Outcome::refused;
        if (libssh2_agent_connect(agent) == 0 && libssh2_agent_list_identities(agent) == 0) {
            libssh2_agent_publickey* identity = nullptr;
            libssh2_agent_publickey* before = nullptr;
            while (outcome == Outcome::refused && !m_session->isClosed() &&
                   libssh2_agent_get_identity(agent, &identity, before) == 0) {
                before = identity;
                const std::string blob(reinterpret_cast<const char*>(identity->blob), identity->blob_len);
                if (!mayOffer(blob))
                    continue;
                m_triedKeys.insert(blob);
                const long answer = co_await m_session->call(
                    [&] { return long{libssh2_agent_userauth(agent, m_hop.user.c_str(), identity)}; });
                outcome = outcomeOf(answer);
                m_tried += std::string("agent key ") + (identity->comment ? identity->comment : "") + "; ";
            }
        }
        libssh2_agent_disconnect(agent);
        libssh2_agent_free(agent);
        co_return outcome;
    }

    /// @return cancelled ends the login
    asio::awaitable<Expected<Outcome>> tryKey(const LibsshKey& key) {
        std::string passphrase;
        // What is known to be locked is not tried without its passphrase.
        for (int attempt = key.needsPassphrase ? 1 : 0; attempt <= kTries; ++attempt) {
            if (attempt > 0) {
                auto said = co_await askForPassphrase(key.file, attempt > 1);
                if (!said)
                    co_return base::fail(ErrorCode::cancelled, {}, "no passphrase was given");
                passphrase = *said;
                base::wipe(said);
            }
            const long answer = co_await m_session->callOnThread([this, &key, &passphrase] {
                return long{libssh2_userauth_publickey_fromfile_ex(
                    m_raw, m_hop.user.c_str(), static_cast<unsigned>(m_hop.user.size()), nullptr,
                    key.file.c_str(), passphrase.c_str())};
            });
            base::wipe(passphrase);
            if (answer == 0)
                co_return Outcome::in;
            if (m_session->isCut())
                co_return tl::make_unexpected(lost("log in by key"));
            m_tried += key.file.native() + ": " + m_session->lastError() + "; ";
            // What the library says where the passphrase does not open the file: nothing went to the host.
            const bool isLocked = answer == LIBSSH2_ERROR_FILE || answer == LIBSSH2_ERROR_KEYFILE_AUTH_FAILED;
            if (!isLocked)
                co_return outcomeOf(answer);
        }
        co_return Outcome::refused;
    }

    asio::awaitable<std::optional<std::string>> askForPassphrase(const base::Path& file, bool again) {
        Prompt prompt;
        prompt.kind = Prompt::Kind::passphrase;
        prompt.host = m_hop.name;
        prompt.text = file.native();
        prompt.again = again;
        co_return co_await ask(prompt);
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
        struct Question {
            std::optional<std::optional<std::string>> answer;
            asio::steady_timer signal;
        };
        const auto question =
            std::make_shared<Question>(Question{{}, asio::steady_timer(m_session->executor())});
        // Whoever was asked may keep the callback longer than the loop lives.
        m_prompts.ask(prompt, [weak = std::weak_ptr(question)](std::optional<std::string> said) {
            const std::shared_ptr<Question> asked = weak.lock();
            if (!asked)
                return base::wipe(said);
            asked->answer = std::move(said);
            asked->signal.cancel();
        });
        std::error_code ignored;
        while (!question->answer && !m_session->isClosed()) {
            question->signal.expires_after(std::chrono::milliseconds(250));
            co_await question->signal.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        }
        if (!question->answer) {
            m_prompts.withdraw();
            co_return std::nullopt;
        }
        co_return std::move(*question->answer);
    }

    std::shared_ptr<LibsshSession> m_session;
    LIBSSH2_SESSION* m_raw;
    const LibsshHop& m_hop;
    HostKeys& m_hostKeys;
    Prompts& m_prompts;
    StepTrace& m_trace;
    /// As the host listed them last.
    std::string m_methods;
    /// Public halves that the host has seen.
    std::set<std::string, std::less<>> m_triedKeys;
    /// In words, for the log.
    std::string m_tried;
};

/// What the library's callback needs; it runs on the thread that works with the session.
struct Questions {
    LibsshSession* session = nullptr;
    std::function<asio::awaitable<std::optional<std::string>>(Prompt)> ask;
    std::string name;
    std::string user;
    int rounds = 0;
    bool gaveUp = false;
};

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
            answer = questions.session->askLoop([&questions, prompt] { return questions.ask(prompt); });
        questions.gaveUp = questions.gaveUp || !answer;
        responses[at].text = strdup(answer ? answer->c_str() : "");
        responses[at].length = static_cast<unsigned>(answer ? answer->size() : 0);
        base::wipe(answer);
    }
}

asio::awaitable<Expected<bool>> Login::tryInteractive() {
    Questions questions;
    questions.session = m_session.get();
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
