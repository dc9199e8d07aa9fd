// SPDX-License-Identifier: Apache-2.0
#include "core/head/session.h"

#include <asio/buffer.hpp>
#include <asio/co_spawn.hpp>
#include <asio/detached.hpp>
#include <asio/redirect_error.hpp>
#include <asio/use_awaitable.hpp>
#include <asio/write.hpp>

namespace trialdeck::head {

namespace {

/// Frames of records and logs carry at most this, so that a reply never waits long behind one.
constexpr size_t kPushBytes = size_t{128} << 10;
/// Records that come one by one are sent together after this long; a reply is not held up by it.
constexpr std::chrono::milliseconds kMergeRecords{10};
/// A client that asks for more than this without taking the answers is not listening.
constexpr size_t kMaxOutboxBytes = size_t{64} << 20;

} // namespace

Session::Session(Socket socket, Daemon& daemon)
    : m_socket(std::move(socket)), m_daemon(daemon), m_wake(m_socket.get_executor()) {
    addSubscriptions();
}

Session::~Session() = default;

void Session::start() {
    asio::co_spawn(
        m_socket.get_executor(), [self = shared_from_this()] { return self->readLoop(); }, asio::detached);
    asio::co_spawn(
        m_socket.get_executor(), [self = shared_from_this()] { return self->writeLoop(); }, asio::detached);
}

void Session::finish() {
    m_finishing = true;
    wake();
}

void Session::pushState(const std::string& key, const std::string& payload) {
    if (!m_followsState)
        return;
    m_outbox.setState(key, payload);
    wake();
}

void Session::sayFarewell(const std::string& payload) {
    if (!m_greeted)
        return;
    m_outbox.setState("farewell", payload);
    wake();
}

void Session::wakeRecords() {
    if (!m_records.empty())
        wake();
}

void Session::wake() {
    m_wake.cancel();
}

void Session::close() {
    m_closed = true;
    asio::error_code ignored;
    m_socket.close(ignored);
    m_logs.clear();
    wake();
    m_daemon.sessionEnded(*this);
}

asio::awaitable<void> Session::readLoop() {
    while (!m_closed) {
        const std::span<char> room = m_reader.prepare();
        asio::error_code error;
        const size_t count = co_await m_socket.async_read_some(
            asio::buffer(room.data(), room.size()), asio::redirect_error(asio::use_awaitable, error));
        if (error)
            break;
        m_reader.commit(count);
        for (bool more = true; more && !m_closed;) {
            auto frame = m_reader.next();
            more = frame && *frame;
            if (!frame)
                m_daemon.log().warning("session", base::describe(frame.error()));
            // A stream that has lost its frames cannot be found again.
            if (!frame || (*frame && !takeFrame(**frame))) {
                finish();
                co_return;
            }
        }
    }
    if (!m_closed)
        close();
}

asio::awaitable<void> Session::writeLoop() {
    while (!m_closed) {
        auto frame = nextFrame();
        asio::error_code error;
        if (!frame && m_finishing)
            break;
        if (!frame) {
            co_await m_wake.async_wait(asio::redirect_error(asio::use_awaitable, error));
            m_wake.expires_at(asio::steady_timer::time_point::max());
            continue;
        }
        const auto header = protocol::frameHeader(frame->size());
        const std::array<asio::const_buffer, 2> pieces = {asio::buffer(header), asio::buffer(*frame)};
        co_await asio::async_write(m_socket, pieces, asio::redirect_error(asio::use_awaitable, error));
        if (error)
            break;
    }
    if (!m_closed)
        close();
}

bool Session::takeFrame(std::string_view payload) {
    // The daemon has let its experiments go: an answer now would be a wrong one. Without one the client asks
    // the next daemon, or says that it does not know.
    if (m_finishing)
        return true;
    auto envelope = protocol::decodeEnvelope(payload);
    if (!envelope) {
        m_daemon.log().warning("session", base::describe(envelope.error()));
        return envelope.error().code == ErrorCode::bad_message;
    }
    // Clients answer nothing and announce nothing today; what a later one sends of that kind is passed over.
    if (auto* request = std::get_if<protocol::Request>(&*envelope))
        handle(std::move(*request));
    return m_outbox.bytes() <= kMaxOutboxBytes;
}

void Session::handle(protocol::Request request) {
    const protocol::RequestId id = request.id;
    Reply<Object> reply = [self = weak_from_this(), id](Expected<Object> result) {
        if (const auto session = self.lock())
            session->answer(id, std::move(result));
    };
    if (!m_greeted && request.method != protocol::HelloRequest::kMethod) {
        reply(base::fail(ErrorCode::bad_message, {{"method", request.method}},
                         "the first request must be hello"));
        return;
    }
    if (m_subscriptions.knows(request.method)) {
        m_subscriptions.dispatch(std::move(request), std::move(reply));
        return;
    }
    m_daemon.handle(m_clientId, std::move(request), std::move(reply));
}

void Session::answer(protocol::RequestId id, Expected<Object> result) {
    if (m_closed)
        return;
    auto parts = result ? protocol::PartsWriter::create(id, std::move(*result))
                        : Expected<protocol::PartsWriter>(tl::make_unexpected(std::move(result).error()));
    if (!parts) {
        if (auto frame = protocol::encodeEnvelope(protocol::ErrorResponse{id, std::move(parts).error()}))
            m_outbox.addReply(std::move(*frame));
        wake();
        return;
    }
    auto frame = parts->next();
    for (bool first = true; frame; first = false) {
        auto following = parts->next();
        if (first && !following)
            m_outbox.addReply(std::move(*frame));
        else
            m_outbox.addBulk(std::move(*frame));
        frame = std::move(following);
    }
    wake();
}

void Session::addSubscriptions() {
    m_subscriptions.add<protocol::HelloRequest>([this](const auto& request, auto reply) {
        auto result = m_daemon.hello(request);
        if (result) {
            m_greeted = true;
            m_clientId = request.clientId;
        }
        reply(std::move(result));
    });
    m_subscriptions.add<protocol::StateSubscribeRequest>([this](const auto&, auto reply) {
        m_followsState = true;
        reply(m_daemon.stateNow());
    });
    m_subscriptions.add<protocol::RecordsSubscribeRequest>(
        [this](const auto& request, auto reply) { subscribeRecords(request, reply); });
    m_subscriptions.add<protocol::RecordsUnsubscribeRequest>(
        [this](const protocol::RecordsUnsubscribeRequest& request, auto reply) {
            m_records.remove_if([&request](const auto& feed) { return feed.first == request.experiment; });
            reply(protocol::EmptyResult());
        });
    m_subscriptions.add<protocol::LogSubscribeRequest>(
        [this](const auto& request, auto reply) { subscribeLog(request, reply); });
    m_subscriptions.add<protocol::LogUnsubscribeRequest>(
        [this](const protocol::LogUnsubscribeRequest& request, auto reply) {
            m_logs.remove_if([&request](const LogFeed& feed) { return feed.address == request.address; });
            reply(protocol::EmptyResult());
        });
}

void Session::subscribeRecords(const protocol::RecordsSubscribeRequest& request,
                               const Reply<protocol::RecordsSubscribeResult>& reply) {
    m_records.remove_if([&request](const auto& feed) { return feed.first == request.experiment; });
    auto journal = m_daemon.openJournal(request.experiment);
    if (!journal) {
        reply(tl::make_unexpected(std::move(journal).error()));
        return;
    }
    m_records.emplace_back(request.experiment,
                           RecordFeed(request.experiment, std::move(*journal), request.cursor,
                                      request.packed ? RecordFeed::Lines::packed : RecordFeed::Lines::plain));
    // The reply is queued before the first records, which are read only when it has gone.
    reply(m_records.back().second.answer());
    wake();
}

void Session::subscribeLog(const protocol::LogSubscribeRequest& request,
                           const Reply<protocol::EmptyResult>& reply) {
    m_logs.remove_if([&request](const LogFeed& feed) { return feed.address == request.address; });
    auto watch = m_daemon.watchLog(request.address, [self = weak_from_this()] {
        if (const auto session = self.lock())
            session->wake();
    });
    if (!watch) {
        reply(tl::make_unexpected(std::move(watch).error()));
        return;
    }
    m_logs.push_back({request.address, request.offset, false, std::move(*watch)});
    reply(protocol::EmptyResult());
    wake();
}

std::optional<std::string> Session::nextFrame() {
    if (auto urgent = m_outbox.takeUrgent())
        return urgent;
    if (auto records = nextRecords())
        return records;
    if (auto bulk = m_outbox.take())
        return bulk;
    return nextLog();
}

std::optional<std::string> Session::nextRecords() {
    const base::SteadyTime now = m_daemon.clock().steadyNow();
    for (size_t turn = 0; turn < m_records.size(); ++turn) {
        m_records.splice(m_records.end(), m_records, m_records.begin());
        RecordFeed& feed = m_records.back().second;
        if (feed.caughtUp())
            continue;
        if (now < m_lastRecords + kMergeRecords) {
            m_wake.expires_at(m_lastRecords + kMergeRecords);
            return std::nullopt;
        }
        auto event = feed.next(kPushBytes);
        if (!event)
            m_daemon.log().warning("session", base::describe(event.error()));
        if (!event || !*event)
            continue;
        // Full frames follow one another at once: only a trickle is merged.
        if ((*event)->lineBytes() < kPushBytes / 2)
            m_lastRecords = now;
        auto frame = protocol::encodeEnvelope(protocol::eventOf(std::move(**event)));
        if (frame)
            return std::move(*frame);
        m_daemon.log().error("session", frame.error());
    }
    return std::nullopt;
}

std::optional<std::string> Session::nextLog() {
    for (size_t turn = 0; turn < m_logs.size(); ++turn) {
        m_logs.splice(m_logs.end(), m_logs, m_logs.begin());
        LogFeed& feed = m_logs.back();
        if (feed.complete)
            continue;
        auto read = m_daemon.readLog({feed.address, feed.offset, false, kPushBytes});
        if (!read || (read->data.data.empty() && !read->complete))
            continue;
        const bool all = read->offset + read->data.data.size() >= read->end;
        feed.offset = read->offset + read->data.data.size();
        feed.complete = read->complete && all;
        if (feed.complete)
            feed.watch.reset();
        auto frame = protocol::encodeEnvelope(protocol::eventOf(
            protocol::LogEvent{feed.address, read->offset, std::move(read->data), feed.complete}));
        if (frame)
            return std::move(*frame);
    }
    return std::nullopt;
}

} // namespace trialdeck::head
