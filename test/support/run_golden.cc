#include "test/support/conformance.h"
#include "test/support/golden_tables.h"
#include "test/support/result_rows.h"
#include "test/support/scratch_folder.h"

namespace merganser::test {
namespace {

/// One table and what another engine read in it.
class GoldenComparison {
 public:
  GoldenComparison(Session& session, const std::string& path, const Json& line)
      : session_(session), path_(path), table_("delta.`" + path + "`"), line_(line) {}

  std::vector<std::string> Run() && {
    if (line_.contains("error")) {
      const auto rows = RunSql(session_, "SELECT * FROM " + table_);
      if (rows.ok()) {
        differences_.push_back("expected error " + line_.string_or("error") + ", got " +
                               std::to_string(rows->rows.size()) + " rows");
      } else {
        Append(CompareError(line_, rows.error()));
      }
      return std::move(differences_);
    }
    CompareContents();
    CompareHistory();
    CompareDetail();
    CompareCounts();
    CompareChanges();
    return std::move(differences_);
  }

 private:
  void Append(std::vector<std::string> more) {
    for (std::string& difference : more) differences_.push_back(std::move(difference));
  }

  std::optional<ResultRows> Read(const std::string& sql) {
    auto rows = RunSql(session_, sql);
    if (rows.ok()) return *std::move(rows);
    differences_.push_back(sql + ": " + rows.error().message());
    return std::nullopt;
  }

  void CompareSchema(const Json& expected, const std::vector<std::string>& columns,
                     const std::vector<std::string>& types) {
    CompareTexts("columns", *expected.find("columns"), columns);
    // The expected texts are PySpark's, which puts no backticks round the names of fields.
    std::vector<std::string> bare = types;
    for (std::string& type : bare) std::erase(type, '`');
    CompareTexts("types", *expected.find("types"), bare);
  }

  void CompareTexts(const char* what, const Json& expected, const std::vector<std::string>& got) {
    Json list = Json::MakeArray();
    for (const std::string& item : got) list.Append(item);
    CompareJson(what, expected, list);
  }

  void CompareJson(const std::string& what, const Json& expected, const Json& got) {
    if (!(expected == got)) {
      differences_.push_back(what + ": expected " + expected.Dump() + ", got " + got.Dump());
    }
  }

  void CompareContents() {
    const std::string query = "SELECT * FROM " + table_;
    if (line_.string_or("data") == "missing") return CompareMissing(query);
    if (const Json* rows = line_.find("rows")) {
      const auto got = Read(query);
      if (!got) return;
      CompareSchema(line_, got->columns, got->types);
      Append(CompareRows(rows->items(), *got, false));
    } else if (const Json* aggregates = line_.find("aggregates")) {
      if (const auto got = Read(query + " LIMIT 0")) CompareSchema(line_, got->columns, got->types);
      std::string list;
      Json expected = Json::MakeArray();
      for (const auto& [expression, value] : aggregates->members()) {
        list += (list.empty() ? "" : ", ") + expression;
        expected.Append(value);
      }
      if (const auto got = Read("SELECT " + list + " FROM " + table_))
        Append(CompareRows({expected}, *got, false));
    }
    if (const Json* count = line_.find("count")) {
      if (const auto got = Read("SELECT count(*) FROM " + table_))
        CompareJson("count", *count, got->rows[0].items()[0]);
    }
  }

  // The log alone is there: the schema can be read, and rows cannot, which the error says by
  // naming a file.
  void CompareMissing(const std::string& query) {
    auto result = session_.Sql(query);
    if (result.ok()) {
      std::vector<std::string> columns;
      std::vector<std::string> types;
      for (const StructField& field : result->schema()) {
        columns.push_back(field.name);
        types.push_back(field.type.CatalogString());
      }
      CompareSchema(line_, columns, types);
    }
    const auto rows =
        result.ok() ? Fetch(std::move(result).value()) : Result<ResultRows>(result.error());
    if (rows.ok()) {
      differences_.push_back("data files are missing, yet " + std::to_string(rows->rows.size()) +
                             " rows were read");
    } else if (rows.error().class_name() != "FAILED_READ_FILE" ||
               !rows.error().parameters().contains("path")) {
      differences_.push_back("expected an error that names the missing file, got " +
                             rows.error().message());
    }
  }

  void CompareHistory() {
    const auto got = Read("DESCRIBE HISTORY " + table_ + " LIMIT 50");
    if (!got) return;
    Json history = Json::MakeArray();
    for (const Json& row : got->rows) {
      Json entry = Json::MakeArray();
      entry.Append(row.items()[0]);
      entry.Append(row.items()[4]);
      history.Append(std::move(entry));
    }
    CompareJson("history", *line_.find("history"), history);
    if (!got->rows.empty()) CompareJson("version", *line_.find("version"), got->rows[0].items()[0]);
  }

  void CompareDetail() {
    const Json* detail = line_.find("detail");
    if (detail == nullptr) return;
    const auto got = Read("DESCRIBE DETAIL " + table_);
    if (!got) return;
    for (const auto& [field, value] : detail->members()) {
      for (size_t i = 0; i < got->columns.size(); ++i) {
        if (got->columns[i] == field)
          CompareJson("detail " + field, value, got->rows[0].items()[i]);
      }
    }
  }

  void CompareCounts() {
    const Json* counts = line_.find("counts");
    if (counts == nullptr) return;
    for (const auto& [version, expected] : counts->members()) {
      const auto got =
          RunSql(session_, "SELECT count(*) FROM " + table_ + " VERSION AS OF " + version);
      Json value = got.ok() ? got->rows[0].items()[0] : Json(got.error().full_name());
      CompareJson("count of version " + version, expected, value);
    }
  }

  void CompareChanges() {
    const Json* changes = line_.find("changes");
    if (changes == nullptr) return;
    auto got = Read("SELECT * EXCEPT (_commit_timestamp) FROM table_changes_by_path('" + path_ +
                    "', " + changes->find("from")->number_text() + ")");
    if (!got) return;
    CompareSchema(*changes, got->columns, got->types);
    CompareJson("count of changes", *changes->find("count"),
                Json(static_cast<int64_t>(got->rows.size())));
    if (const Json* rows = changes->find("rows")) Append(CompareRows(rows->items(), *got, false));
  }

  Session& session_;
  const std::string& path_;
  const std::string table_;
  const Json& line_;
  std::vector<std::string> differences_;
};

}  // namespace

LineOutcome RunGolden(const std::shared_ptr<engine::Database>& database, GoldenTables& tables,
                      const Json& line) {
  LineOutcome outcome;
  outcome.id = line.string_or("table");
  const auto path = tables.Find(outcome.id);
  if (!path.ok()) {
    outcome.differences.push_back(path.error().message());
    return outcome;
  }
  const ScratchFolder folder;
  const auto session = OpenSession(database, folder / "warehouse");
  const auto set = RunSql(*session,
                          "SET spark.databricks.delta.vacuum."
                          "enforceTimeTravelWithinDeletedFileRetentionDuration = false");
  if (!set.ok()) outcome.differences.push_back(set.error().message());
  for (std::string& difference : GoldenComparison(*session, *path, line).Run())
    outcome.differences.push_back(std::move(difference));
  outcome.ok = outcome.differences.empty();
  return outcome;
}

}  // namespace merganser::test
