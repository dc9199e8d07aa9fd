// SPDX-License-Identifier: Apache-2.0
#include "core/transport/ssh/askpass_server.h"

#include "core/base/local_socket.h"
#include "core/transport/ssh/ssh_messages.h"

#include <array>
#include <asio/local/stream_protocol.hpp>
#include <asio/write.hpp>
#include <string.h>

namespace trialdeck::transport {

namespace {

constexpr size_t kMaxQuestionBytes = size_t{64} << 10;

/// One question: read to the end of the sender's half, asked, answered.
struct Asking {
    explicit Asking(const asio::any_io_executor& executor) : socket(executor) {}
    ~Asking() { explicit_bzero(answer.data(), answer.size()); }
    Asking(const Asking&) = delete;
    Asking& operator=(const Asking&) = delete;

    asio::local::stream_protocol::socket socket;
    std::array<char, 4096> buffer{};
    std::string question;
    std::string answer;
};

} // namespace

/// Kept alive by what waits for the sockets; closed when its owner goes.
class AskpassServer::State : public std::enable_shared_from_this<State> {
public:
    State(const asio::any_io_executor& executor, std::string host, Prompts& prompts,
          std::function<void()> gaveUp)
        : m_acceptor(executor), m_host(std::move(host)), m_prompts(prompts), m_gaveUp(std::move(gaveUp)) {}

    bool adopt(base::UniqueFd listener) {
        std::error_code failure;
        m_acceptor.assign(asio::local::stream_protocol(), listener.get(), failure);
        if (!failure)
            (void)listener.release();
        return !failure;
    }

    void accept() {
        auto asking = std::make_shared<Asking>(m_acceptor.get_executor());
        m_acceptor.async_accept(asking->socket,
                                [self = shared_from_this(), asking](const std::error_code& failure) {
                                    if (failure || self->m_closed)
                                        return;
                                    self->read(asking);
                                    self->accept();
                                });
    }

    void close() {
        m_closed = true;
        std::error_code ignored;
        m_acceptor.close(ignored);
        if (m_asked > 0)
            m_prompts.withdraw();
    }

    [[nodiscard]] bool isAsking() const { return m_asked > 0; }
    [[nodiscard]] bool hasAsked() const { return !m_before.empty(); }

private:
    void read(const std::shared_ptr<Asking>& asking) {
        asking->socket.async_read_some(
            asio::buffer(asking->buffer),
            [self = shared_from_this(), asking](const std::error_code& failure, size_t count) {
                if (self->m_closed)
                    return;
                if (failure) {
                    self->ask(asking);
                    return;
                }
                asking->question.append(asking->buffer.data(), count);
                if (asking->question.size() <= kMaxQuestionBytes)
                    self->read(asking);
            });
    }

    void ask(const std::shared_ptr<Asking>& asking) {
        Prompt prompt = promptFrom(asking->question, m_host);
        // A second question of the same words within one login says that the first answer was wrong.
        prompt.again = !m_before.insert(asking->question).second;
        ++m_asked;
        m_prompts.ask(prompt, [weak = weak_from_this(), asking](std::optional<std::string> answer) {
            const auto self = weak.lock();
            if (!self || self->m_closed)
                return;
            --self->m_asked;
            if (!answer) {
                self->m_gaveUp();
                return;
            }
            asking->answer = std::move(*answer) + "\n";
            asio::async_write(asking->socket, asio::buffer(asking->answer),
                              [asking](const std::error_code&, size_t) {
                                  std::error_code ignored;
                                  asking->socket.close(ignored);
                              });
        });
    }

    asio::local::stream_protocol::acceptor m_acceptor;
    std::string m_host;
    Prompts& m_prompts;
    std::function<void()> m_gaveUp;
    std::set<std::string> m_before;
    int m_asked = 0;
    bool m_closed = false;
};

AskpassServer::AskpassServer(std::shared_ptr<State> state) : m_state(std::move(state)) {}

AskpassServer::~AskpassServer() {
    m_state->close();
}

bool AskpassServer::isAsking() const {
    return m_state->isAsking();
}

bool AskpassServer::hasAsked() const {
    return m_state->hasAsked();
}

Expected<std::unique_ptr<AskpassServer>> AskpassServer::listen(const asio::any_io_executor& executor,
                                                               const base::Path& socket, std::string host,
                                                               Prompts& prompts,
                                                               std::function<void()> gaveUp) {
    auto listener = base::listenLocally(socket);
    if (!listener)
        return tl::make_unexpected(std::move(listener).error().during("listen for questions of ssh"));
    auto state = std::make_shared<State>(executor, std::move(host), prompts, std::move(gaveUp));
    if (!state->adopt(std::move(*listener)))
        return base::fail(ErrorCode::internal, {}, "adopt the socket for questions of ssh");
    state->accept();
    return std::unique_ptr<AskpassServer>(new AskpassServer(std::move(state)));
}

} // namespace trialdeck::transport
