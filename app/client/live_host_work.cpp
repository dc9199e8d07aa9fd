// SPDX-License-Identifier: Apache-2.0
#include "app/client/live_host_work.h"

#include "core/transport/remote/remote_service.h"
#include "core/transport/sync/folder_watch.h"

#include <asio/co_spawn.hpp>
#include <asio/detached.hpp>
#include <asio/io_context.hpp>
#include <asio/post.hpp>
#include <asio/steady_timer.hpp>

#include <QMetaObject>

#include <map>
#include <set>

namespace trialdeck::app::client {

namespace {

/// Traffic is told so often at most.
constexpr std::chrono::milliseconds kTrafficPause{200};

uint16_t customaryPort(const ForwardWish& wish) {
    if (wish.localPort != 0)
        return wish.localPort;
    switch (wish.what) {
    case ForwardWish::What::tensorboard:
        return transport::kTensorBoardPort;
    case ForwardWish::What::jupyter:
        return transport::kJupyterPort;
    case ForwardWish::What::ray_dashboard:
        return transport::kRayDashboardPort;
    case ForwardWish::What::port:
        break;
    }
    return wish.port;
}

bool isService(const ForwardWish& wish) {
    return wish.what == ForwardWish::What::tensorboard || wish.what == ForwardWish::What::jupyter;
}

} // namespace

/// Lives on the loop. Each job holds it until the job has ended.
class LiveHostWork::Jobs final : public std::enable_shared_from_this<Jobs> {
public:
    Jobs(LiveHostWork& owner, asio::io_context& loop, HostMeans means)
        : m_owner(owner), m_loop(loop), m_means(std::move(means)), m_trafficTimer(loop) {}

    void openForward(int number, const ForwardWish& wish) {
        m_forwards[number].wish = wish;
        if (isService(wish))
            asio::co_spawn(m_loop, openService(shared_from_this(), number), asio::detached);
        else
            openPort(number);
    }

    void closeForward(int number) { m_forwards.erase(number); }

    void run(const std::string& line) {
        asio::co_spawn(m_loop, runToEnd(shared_from_this(), line), asio::detached);
    }
    void cancelCommand() {
        m_commandCancelled = true;
        if (m_command)
            m_command->cancel();
    }

    void sync(transport::SyncRequest request, SyncStatus::Repeat repeat) {
        m_syncCancelled = false;
        asio::co_spawn(m_loop, syncToEnd(shared_from_this(), std::move(request), repeat), asio::detached);
    }
    void cancelSync() {
        m_syncCancelled = true;
        if (m_sync)
            m_sync->cancel();
        if (m_watch)
            m_watch->cancel();
    }

    void endAll() {
        m_isEnding = true;
        m_trafficTimer.cancel();
        m_forwards.clear();
        cancelCommand();
        cancelSync();
        m_means.host.reset();
    }

private:
    struct Forward {
        ForwardWish wish;
        std::unique_ptr<transport::PortForward> port;
        std::unique_ptr<transport::OpenedService> service;
    };
    /// What a command prints, on its way to the window.
    struct Output final : transport::CommandListener {
        explicit Output(Jobs& to) : jobs(to) {}
        void onOutput(std::string_view bytes) override { pass(bytes); }
        void onErrors(std::string_view bytes) override { pass(bytes); }
        void pass(std::string_view bytes) {
            jobs.tell([copy = QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size()))](
                          LiveHostWork& owner) { emit owner.commandPrinted(copy); });
        }
        Jobs& jobs;
    };

    template<typename Deed>
    void tell(Deed deed) {
        QMetaObject::invokeMethod(
            &m_owner, [&owner = m_owner, deed = std::move(deed)] { deed(owner); }, Qt::QueuedConnection);
    }

    void tellForward(int number) {
        const auto found = m_forwards.find(number);
        if (found == m_forwards.end())
            return;
        const Forward& forward = found->second;
        ForwardStatus status;
        status.number = number;
        status.wish = forward.wish;
        status.state = ForwardStatus::State::open;
        const transport::PortForward& port = forward.service ? forward.service->forward() : *forward.port;
        status.localPort = port.localPort();
        status.address = forward.service ? forward.service->address() : port.address();
        status.traffic = port.state();
        status.error = status.traffic.error;
        tell([status](LiveHostWork& owner) { owner.takeForward(status); });
    }

    void tellTraffic(int number) {
        const bool isDue = !m_trafficOf.empty();
        m_trafficOf.insert(number);
        if (isDue)
            return;
        m_trafficTimer.expires_after(kTrafficPause);
        m_trafficTimer.async_wait([weak = weak_from_this()](const asio::error_code& error) {
            const auto jobs = weak.lock();
            if (!jobs || error)
                return;
            for (const int each : std::exchange(jobs->m_trafficOf, {}))
                jobs->tellForward(each);
        });
    }

    void tellFailure(int number, Error error) {
        const auto found = m_forwards.find(number);
        if (found == m_forwards.end())
            return;
        ForwardStatus status;
        status.number = number;
        status.wish = found->second.wish;
        status.state = ForwardStatus::State::failed;
        status.error = std::move(error);
        m_forwards.erase(found);
        tell([status](LiveHostWork& owner) { owner.takeForward(status); });
    }

    void openPort(int number) {
        Forward& forward = m_forwards[number];
        transport::ForwardOrder order;
        order.host = forward.wish.host;
        order.port = forward.wish.what == ForwardWish::What::ray_dashboard ? transport::kRayDashboardPort
                                                                           : forward.wish.port;
        order.localPort = customaryPort(forward.wish);
        auto opened = transport::PortForward::listen(m_loop.get_executor(), m_means.host, std::move(order),
                                                     [this, number] { tellTraffic(number); });
        if (!opened) {
            tellFailure(number, std::move(opened).error());
            return;
        }
        forward.port = std::move(*opened);
        tellForward(number);
    }

    static asio::awaitable<void> openService(std::shared_ptr<Jobs> self, int number) {
        const ForwardWish wish = self->m_forwards[number].wish;
        transport::ServiceOrder order;
        order.kind = wish.what == ForwardWish::What::jupyter ? transport::ServiceKind::jupyter
                                                             : transport::ServiceKind::tensorboard;
        order.hostName = self->m_means.hostName;
        order.folder = wish.folder;
        auto opened = co_await transport::OpenedService::open(
            self->m_means.host, std::move(order), customaryPort(wish),
            [weak = std::weak_ptr(self), number](const Error& error) {
                if (const auto jobs = weak.lock())
                    asio::post(jobs->m_loop, [jobs, number, error] { jobs->tellFailure(number, error); });
            });
        const auto found = self->m_forwards.find(number);
        if (found == self->m_forwards.end())
            co_return;
        if (!opened) {
            self->tellFailure(number, std::move(opened).error());
            co_return;
        }
        found->second.service = std::move(*opened);
        self->tellForward(number);
    }

    static asio::awaitable<void> runToEnd(std::shared_ptr<Jobs> self, std::string line) {
        self->m_commandCancelled = false;
        Output output(*self);
        transport::CommandOrder order;
        order.hostName = self->m_means.hostName;
        order.line = std::move(line);
        auto started = co_await transport::RemoteCommand::start(self->m_means.host, std::move(order), output);
        Expected<int> end;
        if (started) {
            const std::unique_ptr<transport::RemoteCommand> command = std::move(*started);
            self->m_command = command.get();
            if (self->m_commandCancelled)
                command->cancel();
            end = co_await command->finish();
            self->m_command = nullptr;
        } else {
            end = tl::make_unexpected(std::move(started).error());
        }
        if (!self->m_isEnding)
            self->tell([end = std::move(end)](LiveHostWork& owner) { owner.takeCommandEnd(end); });
    }

    static asio::awaitable<void> syncToEnd(std::shared_ptr<Jobs> self, transport::SyncRequest request,
                                           SyncStatus::Repeat repeat) {
        auto end = co_await syncInPasses(self, std::move(request), repeat);
        self->m_watch.reset();
        if (!self->m_isEnding)
            self->tell([end = std::move(end)](LiveHostWork& owner) { owner.takeSyncEnd(end); });
    }

    static asio::awaitable<Expected<transport::SyncReport>>
    syncInPasses(std::shared_ptr<Jobs> self, transport::SyncRequest request, SyncStatus::Repeat repeat) {
        if (repeat == SyncStatus::Repeat::once)
            co_return co_await syncOnce(self, std::move(request));
        auto watch = transport::FolderWatch::start(self->m_loop.get_executor(), request.local);
        if (!watch)
            co_return tl::make_unexpected(std::move(watch).error());
        self->m_watch = std::move(*watch);
        while (true) {
            auto pass = co_await syncOnce(self, request);
            if (!pass)
                co_return pass;
            self->tell([report = std::move(*pass)](LiveHostWork& owner) { owner.takeSyncPass(report); });
            if (auto changed = co_await self->m_watch->change(); !changed)
                co_return tl::make_unexpected(std::move(changed).error());
            self->tell([](LiveHostWork& owner) { owner.takeNextSyncPass(); });
        }
    }

    static asio::awaitable<Expected<transport::SyncReport>> syncOnce(std::shared_ptr<Jobs> self,
                                                                     transport::SyncRequest request) {
        const std::shared_ptr<transport::RemoteHost> host = self->m_means.host;
        if (!host || self->m_syncCancelled)
            co_return base::fail(ErrorCode::cancelled, {});
        transport::FolderSync sync(*host, *self->m_means.files, *self->m_means.clock, self->m_means.sync,
                                   std::move(request));
        self->m_sync = &sync;
        auto end = co_await sync.run([jobs = self.get()](const transport::SyncProgress& progress) {
            jobs->tell([progress](LiveHostWork& owner) { owner.takeSyncProgress(progress); });
        });
        self->m_sync = nullptr;
        co_return end;
    }

    LiveHostWork& m_owner;
    asio::io_context& m_loop;
    HostMeans m_means;
    std::map<int, Forward> m_forwards;
    /// Forwards whose traffic is to be told when the timer ends.
    std::set<int> m_trafficOf;
    asio::steady_timer m_trafficTimer;
    transport::RemoteCommand* m_command = nullptr;
    bool m_commandCancelled = false;
    transport::FolderSync* m_sync = nullptr;
    std::unique_ptr<transport::FolderWatch> m_watch;
    bool m_syncCancelled = false;
    bool m_isEnding = false;
};

LiveHostWork::LiveHostWork(asio::io_context& loop, HostMeans means, QObject* parent)
    : HostWork(parent), m_loop(loop), m_jobs(std::make_shared<Jobs>(*this, loop, std::move(means))) {}

LiveHostWork::~LiveHostWork() = default;

template<typename Deed>
void LiveHostWork::onLoop(Deed deed) {
    asio::post(m_loop, [jobs = m_jobs, deed = std::move(deed)] { deed(*jobs); });
}

void LiveHostWork::endAll() {
    m_jobs->endAll();
}

void LiveHostWork::beginForward(int number, const ForwardWish& wish) {
    onLoop([number, wish](Jobs& jobs) { jobs.openForward(number, wish); });
}

void LiveHostWork::endForward(int number) {
    onLoop([number](Jobs& jobs) { jobs.closeForward(number); });
}

void LiveHostWork::beginCommand(const std::string& line) {
    onLoop([line](Jobs& jobs) { jobs.run(line); });
}

void LiveHostWork::cancelCommand() {
    onLoop([](Jobs& jobs) { jobs.cancelCommand(); });
}

void LiveHostWork::beginSync(const transport::SyncRequest& request, SyncStatus::Repeat repeat) {
    onLoop([request, repeat](Jobs& jobs) { jobs.sync(request, repeat); });
}

void LiveHostWork::cancelSync() {
    onLoop([](Jobs& jobs) { jobs.cancelSync(); });
}

} // namespace trialdeck::app::client
