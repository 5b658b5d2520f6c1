#include "merganser/connect/metrics_port.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace merganser::connect {
namespace {

constexpr int kLookAroundMillis = 200;
constexpr int kPatienceMillis = 2000;

Error CannotListen(const std::string& host, int port) {
  return Error(ErrorClass::INVALID_CONF_VALUE,
               {{"confName", "--metrics-port"},
                {"confValue", host + ":" + std::to_string(port)},
                {"confRequirement", std::string("cannot listen: ") + std::strerror(errno)}},
               "REQUIREMENT");
}

}  // namespace

Result<std::unique_ptr<MetricsPort>> MetricsPort::Open(const std::string& host, int port,
                                                       std::function<std::string()> metrics) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  const std::string literal = host == "localhost" ? "127.0.0.1" : host;
  if (::inet_pton(AF_INET, literal.c_str(), &address.sin_addr) != 1) {
    errno = EADDRNOTAVAIL;
    return CannotListen(host, port);
  }
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener < 0) return CannotListen(host, port);
  const int yes = 1;
  ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  socklen_t length = sizeof(address);
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (::bind(listener, generic, length) != 0 || ::listen(listener, 16) != 0 ||
      ::getsockname(listener, generic, &length) != 0) {
    Error error = CannotListen(host, port);
    ::close(listener);
    return error;
  }
  return std::unique_ptr<MetricsPort>(
      new MetricsPort(listener, ntohs(address.sin_port), std::move(metrics)));
}

MetricsPort::MetricsPort(int socket, int port, std::function<std::string()> metrics)
    : socket_(socket), port_(port), metrics_(std::move(metrics)), thread_([this] { Serve(); }) {}

MetricsPort::~MetricsPort() {
  stopping_ = true;
  thread_.join();
  ::close(socket_);
}

void MetricsPort::Serve() {
  while (!stopping_) {
    pollfd waiting{socket_, POLLIN, 0};
    if (::poll(&waiting, 1, kLookAroundMillis) <= 0) continue;
    const int connection = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0) continue;
    Answer(connection);
    ::close(connection);
  }
}

void MetricsPort::Answer(int connection) {
  std::string request;
  char buffer[1024];
  while (request.find("\r\n") == std::string::npos && request.size() < sizeof(buffer) * 8) {
    pollfd waiting{connection, POLLIN, 0};
    if (::poll(&waiting, 1, kPatienceMillis) <= 0) return;
    const ssize_t count = ::read(connection, buffer, sizeof(buffer));
    if (count <= 0) return;
    request.append(buffer, static_cast<size_t>(count));
  }
  std::string status = "200 OK";
  std::string body;
  if (request.starts_with("GET /healthz ")) {
    body = "ok\n";
  } else if (request.starts_with("GET /metrics ")) {
    body = metrics_();
  } else {
    status = "404 Not Found";
    body = "There are /healthz and /metrics.\n";
  }
  const std::string answer = "HTTP/1.1 " + status +
                             "\r\nContent-Type: text/plain; version=0.0.4\r\nContent-Length: " +
                             std::to_string(body.size()) + "\r\nConnection: close\r\n\r\n" + body;
  for (size_t sent = 0; sent < answer.size();) {
    const ssize_t count =
        ::send(connection, answer.data() + sent, answer.size() - sent, MSG_NOSIGNAL);
    if (count <= 0) return;
    sent += static_cast<size_t>(count);
  }
}

}  // namespace merganser::connect
