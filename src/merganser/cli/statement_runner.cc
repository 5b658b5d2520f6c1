#include "merganser/cli/statement_runner.h"

#include <chrono>
#include <memory>
#include <ostream>

#include <fmt/format.h>

#include "merganser/cli/progress_bar.h"
#include "merganser/spark/sql/parser.h"

namespace merganser {
namespace {

Status RunAndPrint(Session& session, const std::string& statement, const RunOptions& options,
                   std::ostream& out, int64_t* rows) {
  MERGANSER_ASSIGN_OR_RETURN(ResultSet result, session.Sql(statement));
  OutputOptions output = options.output;
  output.time_zone = session.conf().session_time_zone();
  MERGANSER_ASSIGN_OR_RETURN(*rows, PrintResult(result, output, out));
  return Status::Ok();
}

}  // namespace

std::string DescribeError(const Error& error) {
  std::string text = error.message();
  if (text.find("SQLSTATE") == std::string::npos && !error.sqlstate().empty()) {
    text += fmt::format(" SQLSTATE: {}", error.sqlstate());
  }
  for (const Error* cause = error.cause(); cause != nullptr; cause = cause->cause()) {
    text += "\n  caused by " + cause->message();
  }
  if (error.context() && !error.context()->summary.empty())
    text += "\n\n" + error.context()->summary;
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

bool RunOne(Session& session, const std::string& statement, const RunOptions& options,
            std::ostream& out, std::ostream& err) {
  const auto start = std::chrono::steady_clock::now();
  int64_t rows = 0;
  Status status;
  {
    std::unique_ptr<ProgressBar> bar;
    if (options.progress) bar = std::make_unique<ProgressBar>(session, err);
    status = RunAndPrint(session, statement, options, out, &rows);
  }
  out.flush();
  if (!status.ok()) {
    err << DescribeError(status.error()) << "\n";
    return false;
  }
  if (options.timing) {
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    err << fmt::format("Time: {:.3f} s, rows: {}", seconds.count(), rows) << "\n";
  }
  return true;
}

bool RunScript(Session& session, std::string_view script, const RunOptions& options,
               std::ostream& out, std::ostream& err) {
  bool all = true;
  for (const std::string& statement : SplitStatements(script)) {
    if (RunOne(session, statement, options, out, err)) continue;
    all = false;
    if (!options.keep_going) break;
  }
  return all;
}

}  // namespace merganser
