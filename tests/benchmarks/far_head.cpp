// SPDX-License-Identifier: Apache-2.0
#include "tests/benchmarks/far_head.h"

#include "core/base/build_id.h"
#include "core/transport/remote/ssh_transport.h"

namespace trialdeck::benchmarks {

namespace {

constexpr std::chrono::milliseconds kOneWay{50};

} // namespace

FarHead::FarHead(tests::SshWay chosen)
    : server("SetEnv HOME=" + data.path().toUtf8()), ways(server), way(chosen),
      proxy({.target = server.port(), .delay = kOneWay}),
      session([this](asio::io_context&, tests::HeadSession& of) {
          transport::SshTransportOptions options;
          options.hostName = "lab";
          options.programs = {TRIALDECK_BIN_DIR "/trialdeck-head",
                              {TRIALDECK_BIN_DIR "/trialdeck-train"},
                              std::string(base::buildId())};
          options.remoteHome = (of.folder() / "home").native();
          return std::make_unique<transport::SshTransport>(ways.make(way, proxy.port()), files, ways.clock,
                                                           std::move(options));
      }) {}

const char* nameOf(tests::SshWay way) {
    return way == tests::SshWay::system ? "the system's ssh" : "libssh2";
}

} // namespace trialdeck::benchmarks
