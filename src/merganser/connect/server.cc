#include "merganser/connect/server.h"

#include <chrono>
#include <utility>

#include <fmt/format.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include "merganser/connect/event_log.h"
#include "merganser/connect/metrics_port.h"
#include "merganser/connect/service.h"

namespace merganser::connect {
namespace {

// What Spark's own clients are ready to send.
constexpr int kLargestRequest = 128 << 20;
constexpr auto kGraceForCalls = std::chrono::seconds(5);

bool IsLoopback(const std::string& host) {
  return host == "localhost" || host == "::1" || host == "[::1]" || host.starts_with("127.");
}

std::string Address(const std::string& host, int port) {
  const bool bare_v6 = host.find(':') != std::string::npos && !host.starts_with('[');
  return (bare_v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

std::shared_ptr<grpc::ServerCredentials> Credentials(const ServerOptions& options) {
  if (options.tls_certificate.empty()) return grpc::InsecureServerCredentials();
  grpc::SslServerCredentialsOptions ssl;
  ssl.pem_key_cert_pairs.push_back({options.tls_key, options.tls_certificate});
  return grpc::SslServerCredentials(ssl);
}

Error CannotListen(const std::string& address, const std::string& why) {
  return Error(ErrorClass::INVALID_CONF_VALUE,
               {{"confName", "--host"}, {"confValue", address}, {"confRequirement", why}},
               "REQUIREMENT");
}

}  // namespace

struct Server::Parts {
  Parts(std::shared_ptr<Runtime> runtime, const ServerOptions& options, std::ostream& out)
      : log(out),
        streams(PythonEnvironment{.python = options.python}),
        sessions(std::move(runtime),
                 {.most_sessions = options.max_sessions,
                  .works_on = [this](const SessionKey& key) { return streams.AnyActive(key); },
                  .on_end = [this](const SessionKey& key) { streams.StopAllOf(key); }}),
        service(sessions, streams, log, options.token) {}

  std::string Metrics() const {
    const ServiceCounters& counters = service.counters();
    std::string page;
    const auto add = [&page](const char* name, const char* type, const char* help, int64_t value) {
      page += fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n{0} {3}\n", name, help, type, value);
    };
    add("merganser_sessions", "gauge", "Open sessions.",
        static_cast<int64_t>(sessions.sessions().size()));
    add("merganser_requests_total", "counter", "Calls received.", counters.requests);
    add("merganser_operations_total", "counter", "Plans executed.", counters.operations_started);
    add("merganser_operations_running", "gauge", "Plans that run now.",
        counters.operations_running);
    add("merganser_operations_failed_total", "counter", "Plans that failed.",
        counters.operations_failed);
    return page;
  }

  EventLog log;
  StreamingQueries streams;
  SessionRegistry sessions;
  ConnectService service;
  std::unique_ptr<MetricsPort> metrics;
  std::unique_ptr<grpc::Server> server;
  int port = 0;
};

Server::Server(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

Result<std::unique_ptr<Server>> Server::Start(std::shared_ptr<Runtime> runtime,
                                              const ServerOptions& options, std::ostream& log) {
  if (options.token.empty() && !IsLoopback(options.host)) {
    return CannotListen(options.host, "others can reach it: give a --token-file");
  }
  auto parts = std::make_unique<Parts>(std::move(runtime), options, log);
  grpc::ServerBuilder builder;
  const std::string address = Address(options.host, options.port);
  // Two servers on one port would share its clients.
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  builder.AddListeningPort(address, Credentials(options), &parts->port);
  builder.SetMaxReceiveMessageSize(kLargestRequest);
  builder.SetMaxSendMessageSize(-1);
  builder.RegisterService(&parts->service);
  parts->server = builder.BuildAndStart();
  if (parts->server == nullptr || parts->port == 0) {
    return CannotListen(address, "it is in use, or not this machine's");
  }
  parts->streams.set_address("localhost:" + std::to_string(parts->port), options.token);
  if (options.metrics_port >= 0) {
    MERGANSER_ASSIGN_OR_RETURN(parts->metrics,
                               MetricsPort::Open(options.host, options.metrics_port,
                                                 [raw = parts.get()] { return raw->Metrics(); }));
  }
  parts->log.Write("info", "start", {{"address", Address(options.host, parts->port)}});
  return std::unique_ptr<Server>(new Server(std::move(parts)));
}

Server::~Server() { Stop(); }

int Server::port() const { return parts_->port; }

int Server::metrics_port() const {
  return parts_->metrics == nullptr ? -1 : parts_->metrics->port();
}

void Server::Stop() {
  if (parts_->server == nullptr) return;
  parts_->log.Write("info", "stop");
  parts_->streams.StopAll();
  parts_->sessions.Stop();
  parts_->server->Shutdown(std::chrono::system_clock::now() + kGraceForCalls);
  parts_->service.WaitForExecutions();
  parts_->server.reset();
  parts_->log.Write("info", "end");
}

}  // namespace merganser::connect
