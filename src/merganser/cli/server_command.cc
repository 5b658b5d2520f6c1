#include "merganser/cli/server_command.h"

#include <csignal>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>

#include "merganser/base/size_and_duration.h"
#include "merganser/cli/statement_runner.h"
#include "merganser/connect/server.h"
#include "merganser/session/runtime.h"

namespace merganser {
namespace {

constexpr const char* kServerExamples =
    "Then, with `pip install pyspark-client`:\n"
    "  SPARK_REMOTE=sc://localhost:15002 python script.py\n";

struct ServerArguments {
  connect::ServerOptions server;
  std::string warehouse = "./spark-warehouse";
  std::string token_file;
  std::string tls_certificate_file;
  std::string tls_key_file;
  std::string memory_limit;
  std::string temp_directory;
  int threads = 0;
};

void Declare(CLI::App& app, ServerArguments& arguments) {
  connect::ServerOptions& server = arguments.server;
  app.add_option("--host", server.host, "Address to listen on")->capture_default_str();
  app.add_option("--port", server.port, "Port; 0 takes a free one")
      ->check(CLI::Range(0, 65535))
      ->capture_default_str();
  app.add_option("--warehouse", arguments.warehouse, "Folder of the tables")->capture_default_str();
  app.add_option("--token-file", arguments.token_file,
                 "File with the token that clients give (token= in the URL)");
  auto* certificate = app.add_option("--tls-cert", arguments.tls_certificate_file,
                                     "PEM file of the certificate; serves TLS");
  auto* key = app.add_option("--tls-key", arguments.tls_key_file, "PEM file of its key");
  certificate->needs(key);
  key->needs(certificate);
  app.add_option("--python", server.python,
                 "Runs functions of foreachBatch; PYSPARK_PYTHON or python3 if not given");
  app.add_option("--max-sessions", server.max_sessions, "Sessions at a time")
      ->capture_default_str();
  app.add_option("--metrics-port", server.metrics_port,
                 "Port of /healthz and /metrics; 0 takes a free one; none if not given")
      ->check(CLI::Range(0, 65535));
  app.add_option("--memory-limit", arguments.memory_limit,
                 "Such as 4GB; 60 % of the machine if not given");
  app.add_option("--temp-directory", arguments.temp_directory,
                 "Where work that exceeds memory is kept");
  app.add_option("--threads", arguments.threads, "One a processor if not given");
  app.footer(kServerExamples);
}

int Complain(const std::string& text) {
  std::cerr << text << "\n";
  return 2;
}

std::optional<std::string> ReadWhole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
}

}  // namespace

int RunServerCommand(int argc, char** argv) {
  CLI::App app("Serve Spark Connect: PySpark and delta-spark scripts run as they are.",
               "merganser server");
  ServerArguments arguments;
  Declare(app, arguments);
  try {
    app.parse(argc - 1, argv + 1);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  RuntimeOptions options;
  options.warehouse = arguments.warehouse;
  options.engine.threads = arguments.threads;
  options.engine.temp_directory = arguments.temp_directory;
  if (!arguments.memory_limit.empty()) {
    const auto bytes = ParseByteSize(arguments.memory_limit);
    if (!bytes) return Complain("--memory-limit: not a number of bytes");
    options.engine.memory_limit = static_cast<uint64_t>(*bytes);
  }
  const std::pair<const std::string&, std::string&> files[] = {
      {arguments.token_file, arguments.server.token},
      {arguments.tls_certificate_file, arguments.server.tls_certificate},
      {arguments.tls_key_file, arguments.server.tls_key}};
  for (const auto& [path, content] : files) {
    if (path.empty()) continue;
    auto text = ReadWhole(path);
    if (!text) return Complain("cannot read " + path);
    content = *std::move(text);
  }
  std::string& token = arguments.server.token;
  token.erase(token.find_last_not_of(" \t\r\n") + 1);
  if (!arguments.token_file.empty() && token.empty())
    return Complain(arguments.token_file + " is empty");

  // Threads inherit the mask, so that only the wait below takes these.
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGTERM);
  ::sigaddset(&signals, SIGINT);
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);

  auto runtime = Runtime::Open(std::move(options));
  if (!runtime.ok()) return Complain(runtime.error().message());
  auto server = connect::Server::Start(*std::move(runtime), arguments.server, std::cerr);
  if (!server.ok()) return Complain(server.error().message());
  std::cout << "merganser server: ready at port " << (*server)->port();
  if ((*server)->metrics_port() >= 0) std::cout << ", metrics at " << (*server)->metrics_port();
  std::cout << "\n" << std::flush;
  int signal = 0;
  ::sigwait(&signals, &signal);
  (*server)->Stop();
  return 0;
}

}  // namespace merganser
