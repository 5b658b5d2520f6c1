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

/// Spark spells out the collation of a text column.
std::string ColumnType(const DataType& type) {
  return type.SqlString() + (type.is(TypeId::kString) ? " COLLATE UTF8_BINARY" : "");
}

std::string CommentClause(const StructField& field) {
  const std::string comment = MetadataText(field, "comment");
  return comment.empty() ? "" : " COMMENT " + Literal(comment);
}

/// `(key = value, ...)`, one a line.
std::string PropertyList(const plan::Options& properties) {
  std::string list;
  for (const auto& [key, value] : properties)
    list += fmt::format("{}\n  {} = {}", list.empty() ? "" : ",", Literal(key), Literal(value));
  return "(" + list + ")";
}

std::string CommentLine(const WarehouseEntry& entry) {
  return entry.comment ? fmt::format("COMMENT {}\n", Literal(*entry.comment)) : std::string();
}

std::string PropertiesClause(const WarehouseEntry& entry) {
  return entry.properties.empty()
             ? std::string()
             : fmt::format("TBLPROPERTIES {}\n", PropertyList(entry.properties));
}

std::string ViewStatement(const CatalogView& view, const StructType& schema) {
  std::string columns;
  for (const StructField& field : schema) {
    columns += fmt::format("{}\n  {}{}", columns.empty() ? "" : ",", QuotedIfNeeded(field.name),
                           CommentClause(field));
  }
  return fmt::format("CREATE VIEW {}.{} ({})\n{}{}WITH SCHEMA {}\nAS {}\n", view.schema,
                     QuotedIfNeeded(view.name), columns, CommentLine(view.entry),
                     PropertiesClause(view.entry), plan::ToText(view.entry.view_schema_mode),
                     view.text);
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
    columns += fmt::format("{}\n  {} {}{}", columns.empty() ? "" : ",", QuotedIfNeeded(field.name),
                           ColumnType(field.type), CommentClause(field));
  }
  std::string sql = fmt::format("CREATE TABLE {} ({})\nUSING {}\n", name, columns, table.provider);
  if (!table.entry.options.empty())
    sql += fmt::format("OPTIONS {}\n", PropertyList(table.entry.options));
  if (!table.entry.partition_columns.empty()) {
    sql += fmt::format("PARTITIONED BY ({})\n", fmt::join(table.entry.partition_columns, ", "));
  }
  sql += CommentLine(table.entry);
  if (!table.managed) sql += fmt::format("LOCATION {}\n", Literal(table.location.uri));
  return sql + PropertiesClause(table.entry);
}

}  // namespace merganser
