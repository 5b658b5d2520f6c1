#include "merganser/commands/create_statement.h"

#include <fmt/format.h>

#include "merganser/base/quoted_identifier.h"
#include "merganser/delta/schema/char_varchar.h"
#include "merganser/spark/analysis/clause_values.h"

namespace merganser {
namespace {

std::string Literal(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text)
    quoted += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return quoted + "'";
}

}  // namespace

std::string CreateStatement(const TargetTable& target) {
  const Snapshot& snapshot = *target.snapshot;
  std::string sql = fmt::format(
      "CREATE TABLE {} (", target.table.identifier ? target.name : "delta.`" + target.name + "`");
  bool first = true;
  for (const StructField& field : snapshot.schema()) {
    sql += fmt::format("{}\n  {} {}", first ? "" : ",", QuotedIfNeeded(field.name),
                       DeclaredType(field).SqlString());
    if (!field.nullable) sql += " NOT NULL";
    if (const std::string comment = MetadataText(field, "comment"); !comment.empty()) {
      sql += " COMMENT " + Literal(comment);
    }
    first = false;
  }
  sql += ")\nUSING delta\n";
  if (!snapshot.partition_columns().empty()) {
    sql += fmt::format("PARTITIONED BY ({})\n", fmt::join(snapshot.partition_columns(), ", "));
  }
  if (!target.table.managed) sql += fmt::format("LOCATION {}\n", Literal(snapshot.table().uri));
  StringMap properties = snapshot.metadata().configuration;
  properties["delta.minReaderVersion"] = std::to_string(snapshot.protocol().min_reader_version);
  properties["delta.minWriterVersion"] = std::to_string(snapshot.protocol().min_writer_version);
  sql += "TBLPROPERTIES (";
  first = true;
  for (const auto& [key, value] : properties) {
    sql += fmt::format("{}\n  {} = {}", first ? "" : ",", Literal(key), Literal(value));
    first = false;
  }
  return sql + ")\n";
}

}  // namespace merganser
