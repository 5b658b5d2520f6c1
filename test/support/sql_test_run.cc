#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

#include "merganser/arrow/display_text.h"
#include "merganser/base/failpoint.h"
#include "merganser/base/json.h"
#include "merganser/delta/log/commit_reader.h"
#include "merganser/delta/protocol/action_json.h"
#include "merganser/session/session.h"
#include "merganser/spark/sql/parser.h"
#include "test/support/scratch_folder.h"
#include "test/support/sql_test.h"

namespace merganser::test {
namespace {

Result<std::vector<std::string>> TextRows(ResultSet& result) {
  std::vector<std::string> rows;
  if (result.schema().empty()) return rows;
  MERGANSER_ASSIGN_OR_RETURN(const ArrowSchemaOwner schema, result.ExportSchema());
  for (;;) {
    MERGANSER_ASSIGN_OR_RETURN(const auto batch, result.Next());
    if (!batch) return rows;
    std::vector<ArrowColumn> columns;
    for (int64_t i = 0; i < batch->num_columns(); ++i) {
      MERGANSER_ASSIGN_OR_RETURN(ArrowColumn column,
                                 ArrowColumn::Make(*schema.get().children[i], batch->column(i),
                                                   result.schema()[static_cast<size_t>(i)].type));
      columns.push_back(std::move(column));
    }
    for (int64_t r = 0; r < batch->num_rows(); ++r) {
      std::string row;
      for (size_t i = 0; i < columns.size(); ++i) {
        if (i > 0) row += '\t';
        AppendDisplayText(columns[i], r, {}, &row);
      }
      rows.push_back(std::move(row));
    }
  }
}

char LetterOf(const DataType& type) {
  if (type.is_integral()) return 'I';
  if (type.is_numeric()) return 'R';
  if (type.is(TypeId::kBoolean)) return 'B';
  return 'T';
}

/// The value at a path such as `add.stats` or `count(add)` in the actions of a commit.
std::string LogValue(const std::vector<Json>& actions, const std::string& path) {
  if (path.starts_with("count(") && path.ends_with(")")) {
    const std::string kind = path.substr(6, path.size() - 7);
    const auto count =
        std::ranges::count_if(actions, [&](const Json& action) { return action.contains(kind); });
    return std::to_string(count);
  }
  const size_t dot = path.find('.');
  const std::string kind = path.substr(0, dot);
  for (const Json& action : actions) {
    const Json* value = action.find(kind);
    if (value == nullptr) continue;
    std::string rest = dot == std::string::npos ? "" : path.substr(dot + 1);
    while (!rest.empty() && value != nullptr) {
      const size_t next = rest.find('.');
      const Json* member = value->find(rest);
      // A member may have dots in its own name.
      if (member == nullptr && next != std::string::npos) {
        member = value->find(rest.substr(0, next));
        rest = rest.substr(next + 1);
      } else {
        rest.clear();
      }
      value = member;
    }
    return value == nullptr ? "missing" : value->Dump();
  }
  return "missing";
}

class SqlTest {
 public:
  SqlTest(std::shared_ptr<engine::Database> database, const SqlTestVariation& variation)
      : database_(std::move(database)), variation_(variation) {}
  ~SqlTest() { failpoint::DisarmAll(); }
  SqlTest(const SqlTest&) = delete;
  SqlTest& operator=(const SqlTest&) = delete;

  Status Run(const SqlTestStep& step) {
    const std::string& kind = step.header[0];
    if (kind == "session") {
      session_ = step.header.at(1);
      return Status::Ok();
    }
    if (kind == "restart") {
      sessions_.clear();
      runtime_ = nullptr;
      return Status::Ok();
    }
    if (kind == "failpoint") {
      MERGANSER_RETURN_IF_ERROR(failpoint::ArmList(step.header.at(1) + "=" + step.header.at(2)));
      return Status::Ok();
    }
    // What is written differs under a variation, by intent; what is read does not.
    if ((kind == "log" || kind == "files") && variation_.name != "plain") return Status::Ok();
    if (kind == "log") return CheckLog(step);
    if (kind == "files") return CheckFiles(step);
    if (kind == "statement") return RunStatement(step);
    return RunQuery(step);
  }

 private:
  Result<Session*> Current() {
    if (runtime_ == nullptr) {
      RuntimeOptions options;
      options.warehouse = folder_ / "warehouse";
      options.database = database_;
      MERGANSER_ASSIGN_OR_RETURN(runtime_, Runtime::Open(std::move(options)));
    }
    auto& session = sessions_[session_];
    if (session == nullptr) {
      SessionConf::Values values(variation_.conf.begin(), variation_.conf.end());
      MERGANSER_ASSIGN_OR_RETURN(SessionConf conf, SessionConf::WithInitial(std::move(values)));
      session = std::make_unique<Session>(runtime_, std::move(conf));
    }
    return session.get();
  }

  std::string Expanded(std::string text) const {
    const std::string mark = "{dir}";
    for (size_t at = 0; (at = text.find(mark, at)) != std::string::npos;)
      text.replace(at, mark.size(), folder_ / "data");
    return text;
  }

  Result<std::vector<std::string>> Execute(const std::string& sql, std::string* types) {
    MERGANSER_ASSIGN_OR_RETURN(Session * session, Current());
    MERGANSER_ASSIGN_OR_RETURN(ResultSet result, session->Sql(Expanded(sql)));
    for (const StructField& field : result.schema()) *types += LetterOf(field.type);
    return TextRows(result);
  }

  Status RunStatement(const SqlTestStep& step) {
    std::string types;
    const auto rows = Execute(step.text, &types);
    if (step.header.at(1) == "ok") return rows.ok() ? Status::Ok() : Status(rows.error());
    if (rows.ok()) return Error::Internal("expected error " + step.header.at(2) + ", got success");
    const Error& error = rows.error();
    const bool class_matches =
        error.full_name() == step.header.at(2) || error.class_name() == step.header.at(2);
    const bool state_matches = step.header.size() < 4 || error.sqlstate() == step.header[3];
    const auto missing = std::ranges::find_if(step.expected, [&](const std::string& text) {
      return error.message().find(text) == std::string::npos;
    });
    if (class_matches && state_matches && missing == step.expected.end()) return Status::Ok();
    return Error::Internal("expected error " + step.header.at(2) + ", got " + error.message() +
                           " (" + std::string(error.sqlstate()) + ")");
  }

  Status RunQuery(const SqlTestStep& step) {
    std::string types;
    MERGANSER_ASSIGN_OR_RETURN(std::vector<std::string> rows, Execute(step.text, &types));
    const std::string& wanted = step.header.at(1);
    bool same = wanted.size() == types.size();
    for (size_t i = 0; same && i < types.size(); ++i)
      same = wanted[i] == '?' || wanted[i] == types[i];
    if (!same) return Error::Internal("expected types " + wanted + ", got " + types);
    rows = Lines(rows);
    std::vector<std::string> expected = step.expected;
    for (std::string& row : expected) row = Expanded(row);
    if (step.header.size() > 2 && step.header[2] == "rowsort") {
      std::ranges::sort(rows);
      std::ranges::sort(expected);
    }
    return CheckLines(expected, rows);
  }

  /// A row whose text has several lines is written as several.
  static std::vector<std::string> Lines(const std::vector<std::string>& rows) {
    std::vector<std::string> lines;
    for (const std::string& row : rows) {
      std::istringstream stream(row + "\n");
      for (std::string line; std::getline(stream, line);) {
        if (!line.empty() || row.empty()) lines.push_back(line);
      }
    }
    return lines;
  }

  static Status CheckLines(const std::vector<std::string>& expected,
                           const std::vector<std::string>& lines) {
    if (lines == expected) return Status::Ok();
    std::string text = "expected:\n";
    for (const std::string& line : expected) text += "      " + line + "\n";
    text += "    got:\n";
    for (const std::string& line : lines) text += "      " + line + "\n";
    return Error::Internal(text);
  }

  Result<SnapshotRef> LatestOf(const std::string& table) {
    MERGANSER_ASSIGN_OR_RETURN(Session * session, Current());
    MERGANSER_ASSIGN_OR_RETURN(const plan::MultipartName name, ParseMultipartName(Expanded(table)));
    MERGANSER_ASSIGN_OR_RETURN(const auto entry, session->catalog().Find(name.parts));
    if (!entry || std::get_if<CatalogTable>(&*entry) == nullptr)
      return Error::Internal("no table " + table);
    return runtime_->snapshots()->Latest(std::get<CatalogTable>(*entry).location);
  }

  Status CheckFiles(const SqlTestStep& step) {
    MERGANSER_ASSIGN_OR_RETURN(const SnapshotRef snapshot, LatestOf(step.header.at(1)));
    MERGANSER_ASSIGN_OR_RETURN(const auto entries,
                               snapshot->file_system().List(snapshot->segment().directory, ""));
    std::vector<std::string> names;
    for (const FileEntry& entry : entries) names.push_back(entry.name);
    std::ranges::sort(names);
    return CheckLines(step.expected, names);
  }

  Status CheckLog(const SqlTestStep& step) {
    MERGANSER_ASSIGN_OR_RETURN(const SnapshotRef snapshot, LatestOf(step.header.at(1)));
    const Version version =
        step.header.at(2) == "latest" ? snapshot->version() : Version(std::stoll(step.header[2]));
    MERGANSER_ASSIGN_OR_RETURN(
        const auto parsed,
        ReadCommitActions(snapshot->file_system(), snapshot->segment().directory, version));
    std::vector<Json> actions;
    for (const Action& action : parsed) {
      MERGANSER_ASSIGN_OR_RETURN(Json json, Json::Parse(ToJson(action)));
      actions.push_back(std::move(json));
    }
    for (const std::string& line : step.expected) {
      const size_t equals = line.find(" = ");
      if (equals == std::string::npos) return Error::Internal("not `path = value`: " + line);
      const std::string path = line.substr(0, equals);
      const std::string wanted = line.substr(equals + 3);
      const std::string got = path == "version" ? version.ToString() : LogValue(actions, path);
      if (got != wanted) return Error::Internal(path + ": expected " + wanted + ", got " + got);
    }
    return Status::Ok();
  }

  std::shared_ptr<engine::Database> database_;
  const SqlTestVariation& variation_;
  ScratchFolder folder_;
  std::shared_ptr<Runtime> runtime_;
  std::map<std::string, std::unique_ptr<Session>> sessions_;
  std::string session_ = "main";
};

}  // namespace

std::vector<std::string> RunSqlTest(const std::shared_ptr<engine::Database>& database,
                                    const std::string& path, const SqlTestVariation& variation) {
  std::ifstream file(path);
  if (!file) return {path + ": cannot be read"};
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const auto steps = ParseSqlTest(text);
  if (!steps.ok()) return {path + ": " + steps.error().message()};
  std::vector<std::string> failures;
  SqlTest test(database, variation);
  for (const SqlTestStep& step : *steps) {
    if (const Status status = test.Run(step); !status.ok()) {
      failures.push_back(path + ":" + std::to_string(step.line) + ": " + status.error().message());
    }
  }
  return failures;
}

}  // namespace merganser::test
