// SPDX-License-Identifier: Apache-2.0
#include "core/transport/remote/head_deployment.h"

#include "core/base/host.h"
#include "core/base/sha256.h"
#include "core/protocol/frame.h"
#include "core/transport/remote/remote_shell.h"

#include <array>
#include <asio/local/stream_protocol.hpp>
#include <asio/redirect_error.hpp>
#include <asio/steady_timer.hpp>
#include <asio/this_coro.hpp>
#include <asio/use_awaitable.hpp>
#include <asio/write.hpp>
#include <zlib.h>

namespace trialdeck::transport {

namespace {

constexpr size_t kMaxPrinted = size_t{64} << 10;
constexpr size_t kUploadPiece = size_t{1} << 20;
/// Without a byte in either direction for so long the program over there hangs.
constexpr std::chrono::seconds kSilence{30};
constexpr int kUnusedDays = 14;

std::string compressed(const std::string& bytes) {
    z_stream stream{};
    // 16 asks for gzip's header; level 6 is gzip's own.
    if (deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return {};
    std::string result(deflateBound(&stream, bytes.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(result.data());
    stream.avail_out = static_cast<uInt>(result.size());
    const int ended = deflate(&stream, Z_FINISH);
    result.resize(ended == Z_STREAM_END ? stream.total_out : 0);
    deflateEnd(&stream);
    return result;
}

/// Reads all that the program prints while the input goes to it.
class Exchange {
public:
    Exchange(const asio::any_io_executor& executor, RemoteProgram& program)
        : m_socket(executor), m_silence(executor), m_program(program) {}

    Expected<void> open() {
        base::UniqueFd socket = m_program.takeSocket();
        std::error_code failure;
        m_socket.assign(asio::local::stream_protocol(), socket.get(), failure);
        if (failure)
            return base::fail(ErrorCode::internal, {{"reason", failure.message()}}, "adopt a socket");
        (void)socket.release();
        return {};
    }

    asio::awaitable<void> send(std::string_view bytes, const std::function<void(uint64_t)>& onSent) {
        uint64_t sent = 0;
        while (sent < bytes.size()) {
            expect();
            std::error_code failure;
            sent += co_await asio::async_write(m_socket,
                                               asio::buffer(bytes.substr(sent, kUploadPiece).data(),
                                                            std::min(kUploadPiece, bytes.size() - sent)),
                                               asio::redirect_error(asio::use_awaitable, failure));
            if (failure)
                co_return;
            if (onSent)
                onSent(sent);
        }
    }

    void closeInput() {
        std::error_code ignored;
        m_socket.shutdown(asio::socket_base::shutdown_send, ignored);
    }

    asio::awaitable<std::string> readAll() {
        std::string printed;
        std::array<char, 4096> buffer;
        for (;;) {
            expect();
            std::error_code failure;
            const size_t count = co_await m_socket.async_read_some(
                asio::buffer(buffer), asio::redirect_error(asio::use_awaitable, failure));
            if (failure)
                break;
            printed.append(buffer.data(), std::min(count, kMaxPrinted - printed.size()));
        }
        m_silence.cancel();
        co_return printed;
    }

    [[nodiscard]] bool late() const { return *m_late; }

private:
    /// Begins the wait for the next byte.
    void expect() {
        m_silence.expires_after(kSilence);
        m_silence.async_wait([this, late = std::weak_ptr<bool>(m_late)](const std::error_code& cancelled) {
            const auto alive = late.lock();
            if (cancelled || !alive)
                return;
            *alive = true;
            m_socket.cancel();
        });
    }

    asio::local::stream_protocol::socket m_socket;
    asio::steady_timer m_silence;
    RemoteProgram& m_program;
    std::shared_ptr<bool> m_late = std::make_shared<bool>(false);
};

std::string fileName(const base::Path& path) {
    return path.filename().native();
}

/// One upload: the bytes go to a new file, whose hash is printed. Where fewer come than were sent, because
/// the line broke or the disk is full, the whole folder goes away at once.
std::string uploadScript(const std::string& part, const std::string& name, size_t bytes, bool packed,
                         const std::string& hashCommand) {
    const std::string folder = shellQuoted(part);
    const std::string file = shellQuoted(part + "/" + name);
    return "umask 077; if mkdir -p " + folder + " && " + (packed ? "gzip -dc" : "cat") + " >" + file +
           " && [ `wc -c <" + file + "` -eq " + std::to_string(bytes) + " ] && chmod 700 " + file +
           "; then echo 'td whole yes';" +
           (hashCommand.empty() ? std::string() : " echo \"td sum `" + hashCommand + " " + file + "`\";") +
           " else rm -rf " + folder + "; exit 1; fi";
}

Error uploadFailure(const RemoteOutput& output, const std::string& host, const std::string& folder) {
    if (output.errors.find("No space left") != std::string::npos ||
        output.errors.find("quota exceeded") != std::string::npos)
        return {ErrorCode::disk_full, {{"path", host + ":" + folder}}, output.errors};
    return {ErrorCode::upload_damaged, {{"host", host}}, output.errors};
}

/// The words behind "td KEY" of one line.
std::string valueOf(std::string_view printed, std::string_view key) {
    const std::string start = "td " + std::string(key) + " ";
    const size_t at = printed.find(start);
    if (at == std::string_view::npos)
        return {};
    std::string_view rest = printed.substr(at + start.size());
    rest = rest.substr(0, rest.find('\n'));
    while (!rest.empty() && rest.front() == ' ')
        rest.remove_prefix(1);
    // GNU sha256sum begins with a backslash where the file's name has odd letters.
    if (!rest.empty() && rest.front() == '\\')
        rest.remove_prefix(1);
    return std::string(rest.substr(0, rest.find(' ')));
}

/// Everything that one deployment needs to know.
struct Deployment {
    RemoteHost& host;
    const std::string& hostName;
    const RemoteFacts& facts;
    std::string place;
    std::string part;
    StepTrace& trace;
};

asio::awaitable<Expected<void>> upload(const Deployment& to, const std::string& name,
                                       const std::string& bytes, uint64_t before, uint64_t total) {
    const std::string packed = to.facts.hasGzip ? compressed(bytes) : std::string();
    const std::string& sent = packed.empty() ? bytes : packed;
    const std::string script =
        uploadScript(to.part, name, bytes.size(), !packed.empty(), to.facts.hashCommand);
    const auto output = co_await runScript(to.host, script, sent, [&](uint64_t count) {
        to.trace.progress(before + bytes.size() * count / sent.size(), total);
    });
    if (!output)
        co_return tl::make_unexpected(output.error());
    const std::string sum = valueOf(output->printed, "sum");
    const bool isWhole = output->exit.code == 0 && valueOf(output->printed, "whole") == "yes" &&
                         (to.facts.hashCommand.empty() || sum == base::sha256Hex(bytes));
    if (!isWhole)
        co_return tl::make_unexpected(uploadFailure(*output, to.hostName, to.place));
    co_return Expected<void>();
}

/// Tries the program, then renames the folder into place and clears what is old.
std::string placeScript(const Deployment& to, const std::string& head, const std::string& buildId) {
    const std::string heads = shellQuoted(to.place + "/heads");
    const std::string target = shellQuoted(to.place + "/heads/" + buildId);
    const std::string part = shellQuoted(to.part);
    // A folder that another upload put there meanwhile holds the same programs. What is old is removed only
    // where no process runs it.
    return shellQuoted(to.part + "/" + head) + " --version && { mv " + part + " " + target +
           " 2>/dev/null || rm -rf " + part + "; }; [ -x " +
           shellQuoted(to.place + "/heads/" + buildId + "/" + head) + " ] || exit 1; : >" +
           shellQuoted(to.place + "/heads/" + buildId + "/used") + "; cd " + heads +
           " && for o in *; do if [ \"$o\" != " + shellQuoted(buildId) +
           " ] && [ -z \"`find \"$o/used\" -mtime -" + std::to_string(kUnusedDays) + " 2>/dev/null`\" ]" +
           " && ! ls -l /proc/[0-9]*/exe 2>/dev/null | grep -qF \"/heads/$o/\"; then rm -rf \"./$o\"; fi; "
           "done; find . -name '.part-*' "
           "-prune -mtime +1 -exec rm -rf {} \\; ; exit 0";
}

} // namespace

asio::awaitable<Expected<RemoteOutput>> runScript(RemoteHost& host, std::string_view script,
                                                  std::string_view input,
                                                  std::function<void(uint64_t)> onSent) {
    const asio::any_io_executor executor = co_await asio::this_coro::executor;
    auto program = co_await host.start(std::string(kShellCommand));
    if (!program)
        co_return tl::make_unexpected(std::move(program).error());
    Exchange exchange(executor, **program);
    if (auto opened = exchange.open(); !opened)
        co_return tl::make_unexpected(std::move(opened).error());
    const std::string line = asShellLine(script);
    co_await exchange.send(line, {});
    co_await exchange.send(input, onSent);
    exchange.closeInput();
    RemoteOutput output;
    output.printed = co_await exchange.readAll();
    output.exit =
        co_await (*program)->finish(exchange.late() ? std::chrono::milliseconds::zero() : kLastWordsTimeout);
    output.errors = (*program)->errors();
    if (exchange.late())
        co_return base::fail(ErrorCode::timed_out, {}, "run a script on the host: " + output.errors);
    // The OpenSSH client says so only once it runs.
    if (!output.exit.code && output.errors.find("Session open refused") != std::string::npos)
        co_return base::fail(ErrorCode::too_many_sessions, {}, output.errors);
    if (!output.exit.code)
        co_return base::fail(ErrorCode::connection_lost, {{"reason", output.errors}},
                             "run a script on the host");
    co_return output;
}

std::string attachScript(const std::string& buildId, const std::string& nonce, const std::string& remoteHome,
                         const std::string& options) {
    const std::string setHome =
        remoteHome.empty() ? std::string()
                           : "TRIALDECK_HOME=" + shellQuoted(remoteHome) + "; export TRIALDECK_HOME; ";
    return setHome + "printf '\\002trialdeck-head %s\\003' " + shellQuoted(nonce + "-shell") +
           "; u=`id -u`; for d in " + std::string(kRemotePlaces) + "; do f=\"$d/heads/" + buildId +
           "/trialdeck-head\"; if [ -O \"$d\" ] && \"$f\" --version >/dev/null 2>&1; then " +
           ": >\"$d/heads/" + buildId + "/used\"; exec \"$f\" attach --nonce " + shellQuoted(nonce) +
           (options.empty() ? "" : " " + options) + "; fi; done; exit " + std::to_string(kHeadMissing);
}

asio::awaitable<Expected<RemoteFacts>> deployHead(RemoteHost& host, base::FileSystem& files,
                                                  const HeadPrograms& programs, const std::string& hostName,
                                                  StepTrace& trace) {
    trace.begin(ConnectionStep::home);
    const auto probed = co_await runScript(host, factsScript());
    if (!probed)
        co_return tl::make_unexpected(probed.error());
    RemoteFacts facts = parseFacts(probed->printed);
    if (facts.system.empty())
        co_return base::fail(
            ErrorCode::shell_blocked,
            {{"host", hostName},
             {"printed", protocol::cleanTerminalText(probed->errors + "\n" + probed->printed, 4096)}},
            "the probe printed nothing that is known");
    std::vector<std::pair<std::string, std::string>> uploads;
    uint64_t total = 0;
    auto head = base::readWholeFile(files, programs.head);
    if (!head)
        co_return base::fail(ErrorCode::head_binary_missing, {{"path", programs.head.native()}});
    total += head->size();
    uploads.emplace_back(fileName(programs.head), std::move(*head));
    for (const base::Path& path : programs.others) {
        if (auto bytes = base::readWholeFile(files, path)) {
            total += bytes->size();
            uploads.emplace_back(fileName(path), std::move(*bytes));
        }
    }
    // Twice: an upload that another one overtakes lies there beside it for a moment.
    auto place = choosePlace(facts, 2 * total, hostName);
    if (!place)
        co_return tl::make_unexpected(std::move(place).error());
    trace.setDetail(*place);
    trace.begin(ConnectionStep::head);
    trace.setDetail(programs.buildId);
    const Deployment to{host, hostName, facts, *place, *place + "/heads/.part-" + base::newUuid(), trace};
    Expected<void> done;
    uint64_t before = 0;
    for (const auto& [name, bytes] : uploads) {
        done = co_await upload(to, name, bytes, before, total);
        if (!done)
            break;
        before += bytes.size();
    }
    if (done) {
        const auto placed =
            co_await runScript(host, placeScript(to, uploads.front().first, programs.buildId));
        if (!placed)
            done = tl::make_unexpected(placed.error());
        else if (placed->exit.code != 0)
            done = base::fail(ErrorCode::head_does_not_run, {{"host", hostName}, {"reason", placed->errors}});
    }
    if (!done) {
        if (host.isOpen())
            (void)co_await runScript(host, "rm -rf " + shellQuoted(to.part));
        co_return tl::make_unexpected(done.error());
    }
    co_return facts;
}

} // namespace trialdeck::transport
