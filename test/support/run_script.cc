#include <algorithm>
#include <regex>
#include <set>

#include "test/support/conformance.h"
#include "test/support/result_rows.h"
#include "test/support/scratch_folder.h"

namespace merganser::test {
namespace {

constexpr const char* kSchema = "script_schema";

/// Values that differ from run to run, replaced by the stand-ins of the corpus.
Json Normalised(const Json& value, const std::string& folder) {
  static const std::regex uuid("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
  std::string text = value.Dump();
  text = Replaced(std::move(text), folder + "/data", "{dir}");
  text = Replaced(std::move(text), folder, "{work}");
  text = Replaced(std::move(text), kSchema, "{schema}");
  text = std::regex_replace(text, uuid, "{uuid}");
  auto parsed = Json::Parse(text);
  return parsed.ok() ? *std::move(parsed) : value;
}

Json Column(const ResultRows& rows, size_t row, const std::string& name) {
  const auto found = std::ranges::find(rows.columns, name);
  if (found == rows.columns.end()) return Json();
  return rows.rows[row].items()[static_cast<size_t>(found - rows.columns.begin())];
}

std::string SortedEntries(const Json& map) {
  if (!map.is_array()) return map.Dump();
  std::vector<std::string> entries;
  for (const Json& entry : map.items()) entries.push_back(entry.Dump());
  std::ranges::sort(entries);
  std::string text;
  for (const std::string& entry : entries) text += entry;
  return text;
}

/// Expression ids carry no meaning: `id#12L` is `id`.
std::string WithoutIds(const std::string& text) {
  static const std::regex id("#[0-9]+L?");
  return std::regex_replace(text, id, "");
}

void CompareHistory(const Json& wanted, const ResultRows& got, const std::string& folder,
                    std::vector<std::string>& differences) {
  if (wanted.size() != got.rows.size()) {
    differences.push_back("history: expected " + std::to_string(wanted.size()) + " versions, got " +
                          std::to_string(got.rows.size()));
    return;
  }
  for (size_t i = 0; i < wanted.size(); ++i) {
    const Json& entry = wanted.items()[i];
    const auto complain = [&](const std::string& field, const std::string& expected,
                              const std::string& actual) {
      differences.push_back("history " + entry.find("version")->number_text() + " " + field +
                            ": expected " + expected + ", got " + actual);
    };
    for (const char* field : {"version", "operation", "readVersion", "isolationLevel",
                              "isBlindAppend", "userMetadata"}) {
      const Json actual = Column(got, i, field);
      if (!(actual == *entry.find(field)))
        complain(field, entry.find(field)->Dump(), actual.Dump());
    }
    const std::string parameters =
        WithoutIds(SortedEntries(Normalised(Column(got, i, "operationParameters"), folder)));
    const std::string wanted_parameters =
        WithoutIds(SortedEntries(*entry.find("operationParameters")));
    if (parameters != wanted_parameters) complain("parameters", wanted_parameters, parameters);
    std::set<std::string> names;
    const Json metrics = Column(got, i, "operationMetrics");
    if (metrics.is_array()) {
      for (const Json& metric : metrics.items()) names.insert(metric.items()[0].as_string());
      for (const Json& metric : entry.find("operationMetrics")->items()) {
        const bool present =
            std::ranges::any_of(metrics.items(), [&](const Json& own) { return own == metric; });
        // What counts files, bytes or vectors depends on layout.
        const std::string name = metric.items()[0].as_string();
        const bool rows = name.find("Rows") != name.npos && name.find("Copied") == name.npos &&
                          name != "numOutputRows";
        if (!present && rows) complain("metric", metric.Dump(), metrics.Dump());
      }
    }
    std::set<std::string> wanted_names;
    for (const Json& name : entry.find("metricNames")->items())
      wanted_names.insert(name.as_string());
    if (names != wanted_names) {
      std::string missing;
      for (const std::string& name : wanted_names)
        missing += names.contains(name) ? "" : " -" + name;
      for (const std::string& name : names)
        missing += wanted_names.contains(name) ? "" : " +" + name;
      complain("metric names", "the same", missing);
    }
  }
}

void CompareDetail(const Json& wanted, const ResultRows& got, const std::string& folder,
                   std::vector<std::string>& differences) {
  if (got.rows.size() != 1) {
    differences.emplace_back("detail: not one row");
    return;
  }
  for (const auto& [field, value] : wanted.members()) {
    if (field == "numFiles") continue;
    const Json actual = Normalised(Column(got, 0, field), folder);
    const bool equal =
        value.is_array() ? SortedEntries(value) == SortedEntries(actual) : value == actual;
    if (!equal)
      differences.push_back("detail " + field + ": expected " + value.Dump() + ", got " +
                            actual.Dump());
  }
}

void CompareStrings(const char* what, const Json& wanted, const std::vector<std::string>& got,
                    std::vector<std::string>& differences) {
  Json list = Json::MakeArray();
  for (const std::string& item : got) list.Append(item);
  if (!(list == wanted)) {
    differences.push_back(std::string(what) + ": expected " + wanted.Dump() + ", got " +
                          list.Dump());
  }
}

void CompareStep(const Json& step, Result<ResultRows> result, const std::string& folder,
                 std::vector<std::string>& differences) {
  if (step.contains("error")) {
    if (result.ok()) {
      differences.push_back("expected error " + step.find("error")->Dump() + ", got success");
    } else {
      for (auto& difference : CompareError(step, result.error()))
        differences.push_back(std::move(difference));
    }
    return;
  }
  if (!result.ok()) {
    differences.push_back(result.error().message());
    return;
  }
  ResultRows rows = std::move(result).value();
  CompareStrings("columns", *step.find("columns"), rows.columns, differences);
  CompareStrings("types", *step.find("types"), rows.types, differences);
  if (const Json* history = step.find("history"))
    return CompareHistory(*history, rows, folder, differences);
  if (const Json* detail = step.find("detail"))
    return CompareDetail(*detail, rows, folder, differences);
  if (const Json* count = step.find("rowCount"); count != nullptr && !step.contains("rows")) {
    if (count->as_int() != static_cast<int64_t>(rows.rows.size())) {
      differences.push_back("rows: expected " + count->number_text() + ", got " +
                            std::to_string(rows.rows.size()));
    }
    return;
  }
  for (Json& row : rows.rows) row = Normalised(row, folder);
  if (const Json* only = step.find("only")) {
    ResultRows selected;
    for (size_t i = 0; i < rows.rows.size(); ++i) {
      Json row = Json::MakeArray();
      for (const Json& name : only->items()) row.Append(Column(rows, i, name.as_string()));
      selected.rows.push_back(std::move(row));
    }
    rows = std::move(selected);
  }
  const bool ordered = step.string_or("sql").find("ORDER BY") != std::string::npos;
  for (auto& difference : CompareRows(step.find("rows")->items(), rows, ordered)) {
    differences.push_back(std::move(difference));
  }
}

}  // namespace

LineOutcome RunScript(const std::shared_ptr<engine::Database>& database, const Json& line) {
  LineOutcome outcome;
  outcome.id = line.string_or("id");
  const ScratchFolder folder;
  const auto session = OpenSession(database, folder / "warehouse");
  SchemaEntry schema;
  schema.name = kSchema;
  schema.location = folder / "warehouse/script_schema.db";
  if (!session->catalog().warehouse().CreateSchema(schema).ok() ||
      !session->catalog().SetCurrentSchema({kSchema}).ok()) {
    outcome.differences.emplace_back("no schema");
    return outcome;
  }
  int number = 0;
  for (const Json& step : line.find("steps")->items()) {
    ++number;
    const std::string sql =
        Replaced(Replaced(step.string_or("sql"), "{dir}", folder / "data"), "{schema}", kSchema);
    std::vector<std::string> differences;
    CompareStep(step, RunSql(*session, sql), folder.path(), differences);
    for (const std::string& difference : differences) {
      outcome.differences.push_back("step " + std::to_string(number) + " (" + sql.substr(0, 120) +
                                    "): " + difference);
    }
  }
  outcome.ok = outcome.differences.empty();
  return outcome;
}

}  // namespace merganser::test
