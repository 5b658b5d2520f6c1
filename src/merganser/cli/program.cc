#include "merganser/cli/program.h"

#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "merganser/base/build_version.h"
#include "merganser/base/size_and_duration.h"
#include "merganser/cli/server_command.h"
#include "merganser/cli/shell.h"
#include "merganser/cli/statement_runner.h"
#include "merganser/session/session.h"

namespace merganser {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  merganser                                   start the shell on ./spark-warehouse\n"
    "  merganser -e 'SELECT 1 + 1'                 run a statement\n"
    "  merganser -f load.sql --warehouse /data/wh  run a script\n"
    "  merganser -e 'SHOW TABLES' --format csv     print CSV\n"
    "  echo 'SELECT 1' | merganser                 run what standard input says\n"
    "  merganser server                            serve Spark Connect clients (see --help "
    "there)\n";

struct Arguments {
  std::vector<std::string> statements;
  std::vector<std::string> files;
  std::string warehouse = "./spark-warehouse";
  std::string format = "table";
  int truncate = -1;
  bool vertical = false;
  bool keep_going = false;
  bool timing = false;
  std::vector<std::string> conf;
  std::string memory_limit;
  std::string temp_directory;
  int threads = 0;
};

void Declare(CLI::App& app, Arguments& arguments) {
  app.add_option("-e,--execute", arguments.statements, "Run these statements (may be repeated)")
      ->allow_extra_args(false);
  app.add_option("-f,--file", arguments.files, "Run the statements of this file (may be repeated)")
      ->allow_extra_args(false);
  app.add_option("--warehouse", arguments.warehouse, "Folder of the tables")->capture_default_str();
  app.add_option("--format", arguments.format, "table, csv, json, jsonl or markdown")
      ->check(CLI::IsMember({"table", "csv", "json", "jsonl", "markdown"}))
      ->capture_default_str();
  app.add_option("--truncate", arguments.truncate,
                 "Longest cell of a table; whole values if not given");
  app.add_flag("--vertical", arguments.vertical, "One line a value");
  app.add_option("--conf", arguments.conf, "Session setting KEY=VALUE (may be repeated)")
      ->allow_extra_args(false);
  app.add_option("--memory-limit", arguments.memory_limit,
                 "Such as 4GB; 60 % of the machine if not given");
  app.add_option("--temp-directory", arguments.temp_directory,
                 "Where work that exceeds memory is kept");
  app.add_option("--threads", arguments.threads, "One a processor if not given");
  app.add_flag("--keep-going", arguments.keep_going, "Go on after a failed statement");
  app.add_flag("--timing", arguments.timing, "Print how long each statement takes");
  app.set_version_flag("--version", "merganser " + std::string(kBuildVersion));
  app.footer(kExamples);
}

int Fail(const Error& error) {
  std::cerr << DescribeError(error) << "\n";
  return 2;
}

Result<std::unique_ptr<Session>> Start(const Arguments& arguments) {
  RuntimeOptions options;
  options.warehouse = arguments.warehouse;
  options.engine.threads = arguments.threads;
  options.engine.temp_directory = arguments.temp_directory;
  if (!arguments.memory_limit.empty()) {
    const auto bytes = ParseByteSize(arguments.memory_limit);
    if (!bytes) {
      return Error(ErrorClass::INVALID_CONF_VALUE,
                   {{"confName", "--memory-limit"},
                    {"confValue", arguments.memory_limit},
                    {"confType", "bytes"}},
                   "TYPE_MISMATCH");
    }
    options.engine.memory_limit = static_cast<uint64_t>(*bytes);
  }
  SessionConf::Values initial;
  for (const std::string& setting : arguments.conf) {
    const size_t equals = setting.find('=');
    if (equals == std::string::npos) {
      return Error(ErrorClass::INVALID_SET_SYNTAX);
    }
    initial[setting.substr(0, equals)] = setting.substr(equals + 1);
  }
  MERGANSER_ASSIGN_OR_RETURN(SessionConf conf, SessionConf::WithInitial(std::move(initial)));
  MERGANSER_ASSIGN_OR_RETURN(std::shared_ptr<Runtime> runtime, Runtime::Open(std::move(options)));
  auto session = std::make_unique<Session>(std::move(runtime), std::move(conf));
  session->OnWarning(
      [](const std::string& warning) { std::cerr << "warning: " << warning << "\n"; });
  return session;
}

int RunGiven(Session& session, const Arguments& arguments, const RunOptions& options) {
  bool all = true;
  for (const std::string& statement : arguments.statements) {
    all = RunScript(session, statement, options, std::cout, std::cerr) && all;
    if (!all && !options.keep_going) return 1;
  }
  for (const std::string& path : arguments.files) {
    std::ifstream file(path);
    if (!file) {
      std::cerr << "cannot read " << path << "\n";
      return 2;
    }
    const std::string script((std::istreambuf_iterator<char>(file)),
                             std::istreambuf_iterator<char>());
    all = RunScript(session, script, options, std::cout, std::cerr) && all;
    if (!all && !options.keep_going) return 1;
  }
  return all ? 0 : 1;
}

}  // namespace

int RunProgram(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "server") return RunServerCommand(argc, argv);
  CLI::App app("Merganser: MERGE and SQL on Delta Lake tables.", "merganser");
  Arguments arguments;
  Declare(app, arguments);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  auto session = Start(arguments);
  if (!session.ok()) return Fail(session.error());

  RunOptions options;
  options.output.format = *ParseOutputFormat(arguments.format);
  if (arguments.truncate >= 0) options.output.truncate = arguments.truncate;
  options.output.vertical = arguments.vertical;
  options.keep_going = arguments.keep_going;
  options.timing = arguments.timing;
  options.progress = isatty(STDERR_FILENO) != 0;

  if (!arguments.statements.empty() || !arguments.files.empty())
    return RunGiven(**session, arguments, options);
  if (isatty(STDIN_FILENO) != 0) {
    options.timing = true;
    return RunShell(**session, options, std::cout, std::cerr);
  }
  const std::string script((std::istreambuf_iterator<char>(std::cin)),
                           std::istreambuf_iterator<char>());
  return RunScript(**session, script, options, std::cout, std::cerr) ? 0 : 1;
}

}  // namespace merganser
