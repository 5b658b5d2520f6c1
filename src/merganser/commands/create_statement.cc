#include "merganser/commands/create_statement.h"

#include <fmt/format.h>

#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/analysis/clause_values.h"

namespace merganser {
namespace {

std::string Literal(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text)
    quoted += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return quoted + "'";
}

std::string ViewStatement(const CatalogView& view, const StructType& schema) {
  std::string columns;
  for (const StructField& field : schema) {
    columns += fmt::format("{}\n  {}", columns.empty() ? "" : ",", QuotedIfNeeded(field.name));
  }
  return fmt::format("CREATE VIEW {}.{} ({})\nAS {}\n", view.schema, QuotedIfNeeded(view.name),
                     columns, view.text);
}

}  // namespace

std::string CreateStatement(const CatalogEntry& entry, const StructType& schema) {
  if (const auto* view = std::get_if<CatalogView>(&entry)) return ViewStatement(*view, schema);
  const auto& table = std::get<CatalogTable>(entry);
  const std::string name = table.identifier
                               ? table.identifier->ToString()
                               : table.provider + "." + QuotedIdentifier(table.location.path);
  std::string columns;
  for (const StructField& field : schema) {
    columns += fmt::format("{}\n  {} {}", columns.empty() ? "" : ",", QuotedIfNeeded(field.name),
                           field.type.SqlString());
    if (const std::string comment = MetadataText(field, "comment"); !comment.empty()) {
      columns += " COMMENT " + Literal(comment);
    }
  }
  std::string sql = fmt::format("CREATE TABLE {} ({})\nUSING {}\n", name, columns, table.provider);
  std::string options;
  for (const auto& [key, value] : table.entry.options) {
    options +=
        fmt::format("{}\n  {} = {}", options.empty() ? "" : ",", Literal(key), Literal(value));
  }
  if (!options.empty()) sql += "OPTIONS (" + options + ")\n";
  if (!table.entry.partition_columns.empty()) {
    sql += fmt::format("PARTITIONED BY ({})\n", fmt::join(table.entry.partition_columns, ", "));
  }
  if (!table.managed) sql += fmt::format("LOCATION {}\n", Literal(table.location.uri));
  return sql;
}

}  // namespace merganser
