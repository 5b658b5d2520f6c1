#include <algorithm>
#include <optional>

#include "merganser/delta/table/history.h"
#include "merganser/spark/sql/parser.h"
#include "test/support/builder_door.h"
#include "test/support/conformance.h"
#include "test/support/result_rows.h"
#include "test/support/scratch_folder.h"

namespace merganser::test {
namespace {

/// The Delta table behind the case's target; null for views.
SnapshotRef TargetSnapshot(Session& session, const std::string& target) {
  const auto name = ParseMultipartName(target);
  if (!name.ok()) return nullptr;
  const auto entry = session.catalog().Find(name->parts);
  if (!entry.ok() || !entry->has_value()) return nullptr;
  const auto* table = std::get_if<CatalogTable>(&**entry);
  if (table == nullptr) return nullptr;
  auto snapshot = session.runtime().snapshots()->Latest(table->location);
  return snapshot.ok() ? *snapshot : nullptr;
}

void CompareText(const Json* expected, const std::vector<std::string>& actual,
                 const std::string& what, std::vector<std::string>& differences) {
  if (expected == nullptr) return;
  std::vector<std::string> wanted;
  for (const Json& item : expected->items()) wanted.push_back(item.as_string());
  std::vector<std::string> got = actual;
  // CHAR and VARCHAR columns may be reported as STRING.
  if (what == "types") {
    for (std::string& type : wanted) {
      // The reference's client quotes dotted names of fields; a catalog string does not.
      std::erase(type, '`');
      if (type.starts_with("char(") || type.starts_with("varchar(")) type = "string";
    }
    for (std::string& type : got) {
      if (type.starts_with("char(") || type.starts_with("varchar(")) type = "string";
    }
  }
  if (wanted == got) return;
  std::string text = what + ": expected " + expected->Dump() + ", got";
  for (const std::string& item : got) text += " " + item;
  differences.push_back(text);
}

void CompareMetrics(const Json& expect, const SnapshotRef& after,
                    const std::vector<std::string>& ignored,
                    std::vector<std::string>& differences) {
  for (const char* kind : {"history_metrics", "layout_metrics"}) {
    const Json* wanted = expect.find(kind);
    if (wanted == nullptr || !wanted->is_object()) continue;
    if (after == nullptr) {
      differences.emplace_back("no table to read metrics of");
      return;
    }
    const auto history = ReadHistory(*after, 1);
    if (!history.ok() || history->empty() || !(*history)[0].commit_info.operation_metrics) {
      differences.emplace_back("no metrics in the history");
      return;
    }
    const StringMap& metrics = *(*history)[0].commit_info.operation_metrics;
    const bool layout = std::string_view(kind) == "layout_metrics";
    for (const auto& [key, value] : wanted->members()) {
      if (std::ranges::find(ignored, key) != ignored.end()) continue;
      const auto found = metrics.find(key);
      const std::string text = found == metrics.end() ? "none" : found->second;
      const bool equal = text == value.number_text();
      const bool lower = layout && found != metrics.end() && std::stoll(text) <= value.as_int();
      if (!equal && !lower)
        differences.push_back(key + ": expected " + value.number_text() + ", got " + text);
    }
  }
}

void CompareChanges(Session& session, const Json& expect, const std::string& target,
                    const SnapshotRef& after, std::vector<std::string>& differences) {
  const Json* wanted = expect.find("cdf");
  if (wanted == nullptr) return;
  const std::string version = after == nullptr ? "0" : after->version().ToString();
  const Json* columns = expect.find("cdf_columns");
  std::string list = "*";
  if (columns != nullptr && columns->size() > 0) {
    list.clear();
    for (const Json& column : columns->items())
      list += (list.empty() ? "`" : ", `") + column.as_string() + "`";
  }
  const auto rows =
      RunSql(session, "SELECT " + list + " FROM table_changes('" + Replaced(target, "'", "\\'") +
                          "', " + version + ", " + version + ")");
  if (!rows.ok()) {
    differences.push_back("changes: " + rows.error().message());
    return;
  }
  for (const std::string& difference : CompareRows(wanted->items(), *rows, /*ordered=*/false)) {
    differences.push_back("changes: " + difference);
  }
}

Result<ResultRows> RunBuilder(const MergeBuilder& builder) {
  MERGANSER_ASSIGN_OR_RETURN(ResultSet result, builder.Execute());
  return Fetch(std::move(result));
}

/// Differences between the expected class, as the door reports it, and the error seen.
std::vector<std::string> CompareCaseError(Json expect, const Error& actual, bool through_builder) {
  const std::string own = BuilderClass(expect.string_or("error"));
  if (through_builder && own != expect.string_or("error")) {
    expect["error"] = own;
    expect["sqlstate"] = "";
  }
  return CompareError(expect, actual);
}

}  // namespace

LineOutcome RunCase(const std::shared_ptr<engine::Database>& database, const Json& line,
                    const CaseOptions& options) {
  LineOutcome outcome;
  outcome.id = line.string_or("id");
  if (options.variation.skips.contains(outcome.id)) {
    outcome.skipped = true;
    return outcome;
  }
  const ScratchFolder folder;
  const auto session = OpenSession(database, folder / "warehouse", options.variation.conf);
  if (const Json* conf = line.find("conf"); conf != nullptr && conf->is_object()) {
    for (const auto& [key, value] : conf->members()) {
      if (const Status set = session->conf().Set(key, value.as_string()); !set.ok()) {
        outcome.differences.push_back("conf: " + set.error().message());
        return outcome;
      }
    }
  }
  for (const Json& statement : line.find("setup")->items()) {
    const std::string sql = Replaced(statement.as_string(), "{dir}", folder.path());
    if (const auto done = RunSql(*session, sql); !done.ok()) {
      outcome.differences.push_back("setup: " + done.error().message() + " in " + sql);
      return outcome;
    }
  }
  const std::string target = Replaced(line.string_or("target"), "{dir}", folder.path());
  const SnapshotRef before = TargetSnapshot(*session, target);
  const auto rows_before = RunSql(*session, "SELECT * FROM " + target);
  const Json& expect = *line.find("expect");
  const std::string statement = Replaced(line.string_or("merge"), "{dir}", folder.path());
  std::optional<MergeBuilder> builder;
  if (options.through_builder) {
    builder = AsBuilder(*session, statement);
    if (!builder) {
      outcome.skipped = true;
      return outcome;
    }
  }
  const auto merged = builder ? RunBuilder(*builder) : RunSql(*session, statement);
  const SnapshotRef after = TargetSnapshot(*session, target);
  if (expect.contains("error")) {
    if (merged.ok()) {
      outcome.differences.push_back("expected error " + expect.string_or("error") +
                                    ", got success");
    } else {
      outcome.differences = CompareCaseError(expect, merged.error(), options.through_builder);
      if (before != nullptr && after != nullptr && before->version() != after->version()) {
        outcome.differences.emplace_back("the table changed");
      }
    }
    outcome.ok = outcome.differences.empty();
    return outcome;
  }
  if (!merged.ok()) {
    outcome.differences.push_back("merge: " + merged.error().message());
    return outcome;
  }
  const auto read = RunSql(*session, expect.contains("query") ? Replaced(expect.string_or("query"),
                                                                         "{dir}", folder.path())
                                                              : "SELECT * FROM " + target);
  if (!read.ok()) {
    outcome.differences.push_back("read: " + read.error().message());
    return outcome;
  }
  CompareText(expect.find("columns"), read->columns, "columns", outcome.differences);
  CompareText(expect.find("types"), read->types, "types", outcome.differences);
  if (const Json* rows = expect.find("rows")) {
    for (const std::string& difference : CompareRows(rows->items(), *read, /*ordered=*/false)) {
      outcome.differences.push_back(difference);
    }
  }
  if (const Json* metrics = expect.find("metrics"); metrics != nullptr && metrics->is_object()) {
    Json row = Json::MakeArray();
    for (const auto& [key, value] : metrics->members()) row.Append(value);
    for (const std::string& difference : CompareRows({row}, *merged, /*ordered=*/true)) {
      outcome.differences.push_back("metrics: " + difference);
    }
  }
  CompareMetrics(expect, after, options.variation.ignored_metrics, outcome.differences);
  CompareChanges(*session, expect, target, after, outcome.differences);
  outcome.ok = outcome.differences.empty();
  if (!outcome.ok) outcome.got = RowsAsJson(read->rows);
  return outcome;
}

}  // namespace merganser::test
