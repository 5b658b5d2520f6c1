#include "test/support/conformance.h"
#include "test/support/result_rows.h"
#include "test/support/scratch_folder.h"

namespace merganser::test {
namespace {

/// Is there an ORDER BY outside all parentheses and quotes?
bool HasOrder(const std::string& sql) {
  constexpr std::string_view kOrderBy = "ORDER BY";
  int depth = 0;
  char quote = 0;
  for (size_t i = 0; i < sql.size(); ++i) {
    const char c = sql[i];
    if (quote != 0) {
      if (c == '\\' && quote != '`') {
        ++i;
      } else if (c == quote) {
        quote = 0;
      }
    } else if (c == '\'' || c == '"' || c == '`') {
      quote = c;
    } else if (c == '(') {
      ++depth;
    } else if (c == ')') {
      --depth;
    } else if (depth == 0 && sql.compare(i, kOrderBy.size(), kOrderBy) == 0) {
      return true;
    }
  }
  return false;
}

}  // namespace

LineOutcome RunExpression(const std::shared_ptr<engine::Database>& database, const Json& line) {
  LineOutcome outcome;
  outcome.id = line.string_or("id");
  const ScratchFolder folder;
  const auto session = OpenSession(database, folder.path());
  if (const Json* conf = line.find("conf"); conf != nullptr && conf->is_object()) {
    for (const auto& [key, value] : conf->members()) {
      if (const Status set = session->conf().Set(key, value.as_string()); !set.ok()) {
        outcome.differences.push_back("conf: " + set.error().message());
        return outcome;
      }
    }
  }
  const std::string sql = line.string_or("sql");
  const auto got = RunSql(*session, sql);
  if (!got.ok() && got.error().error_class() == ErrorClass::UNRESOLVED_ROUTINE &&
      line.string_or("error") != "UNRESOLVED_ROUTINE") {
    outcome.unsupported = true;
    outcome.differences.push_back(got.error().message());
    return outcome;
  }
  if (line.contains("error")) {
    if (got.ok()) {
      outcome.differences.push_back("expected error " + line.string_or("error") + ", got success");
      outcome.got = RowsAsJson(got->rows);
    } else {
      outcome.differences = CompareError(line, got.error());
    }
    outcome.ok = outcome.differences.empty();
    return outcome;
  }
  if (!got.ok()) {
    outcome.differences.push_back(got.error().message());
    return outcome;
  }
  const auto compare_names = [&](const char* key, const std::vector<std::string>& actual) {
    const Json* wanted = line.find(key);
    if (wanted == nullptr) return;
    Json list = Json::MakeArray();
    for (const std::string& name : actual) list.Append(name);
    if (!(list == *wanted)) {
      outcome.differences.push_back(std::string(key) + ": expected " + wanted->Dump() + ", got " +
                                    list.Dump());
    }
  };
  compare_names("types", got->types);
  compare_names("columns", got->columns);
  if (const Json* rows = line.find("rows"); rows != nullptr && rows->is_array()) {
    for (const std::string& difference : CompareRows(rows->items(), *got, HasOrder(sql))) {
      outcome.differences.push_back(difference);
    }
  }
  outcome.ok = outcome.differences.empty();
  return outcome;
}

}  // namespace merganser::test
