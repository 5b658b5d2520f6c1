#include "merganser/commands/command_rows.h"

#include <fmt/format.h>

#include "merganser/engine/lowering/lowering.h"
#include "merganser/engine/sql_text.h"

namespace merganser {
namespace {

std::string CellSql(const CommandCell& cell, const DataType& type);

std::string ListSql(const std::vector<CommandCell>& cells, const DataType& element) {
  std::string sql = "[";
  for (size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) sql += ", ";
    sql += CellSql(cells[i], element);
  }
  return sql + "]";
}

std::string MapSql(const CommandMap& map) {
  std::string keys;
  std::string values;
  for (const auto& [key, value] : map.entries) {
    if (!keys.empty()) {
      keys += ", ";
      values += ", ";
    }
    keys += engine::QuoteString(key);
    values += value ? engine::QuoteString(*value) : "NULL";
  }
  return fmt::format("map([{}], [{}])", keys, values);
}

std::string StructSql(const CommandStruct& cells, const StructType& fields) {
  std::string sql = "{";
  for (size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) sql += ", ";
    sql += fmt::format("{}: {}", engine::QuoteString(fields[i].name),
                       CellSql(cells[i], fields[i].type));
  }
  return sql + "}";
}

std::string CellSql(const CommandCell& cell, const DataType& type) {
  const std::string engine_type = EngineType(type);
  if (const auto* flag = std::get_if<bool>(&cell.value)) return *flag ? "TRUE" : "FALSE";
  if (const auto* number = std::get_if<int64_t>(&cell.value)) {
    if (type.is(TypeId::kTimestamp)) return fmt::format("make_timestamptz({})", *number);
    return fmt::format("CAST({} AS {})", *number, engine_type);
  }
  if (const auto* number = std::get_if<double>(&cell.value))
    return fmt::format("CAST({} AS {})", *number, engine_type);
  if (const auto* text = std::get_if<std::string>(&cell.value)) {
    return fmt::format("CAST({} AS {})", engine::QuoteString(*text), engine_type);
  }
  if (const auto* list = std::get_if<CommandList>(&cell.value)) {
    return fmt::format("CAST({} AS {})", ListSql(list->items, type.element()), engine_type);
  }
  if (const auto* map = std::get_if<CommandMap>(&cell.value)) {
    return fmt::format("CAST({} AS {})", MapSql(*map), engine_type);
  }
  if (const auto* fields = std::get_if<CommandStruct>(&cell.value)) {
    return fmt::format("CAST({} AS {})", StructSql(*fields, type.fields()), engine_type);
  }
  return fmt::format("CAST(NULL AS {})", engine_type);
}

}  // namespace

Result<ResultSet> CommandResult(StatementContext& context, StructType schema,
                                const std::vector<std::vector<CommandCell>>& rows) {
  std::string values;
  for (size_t i = 0; i < rows.size(); ++i) {
    values += fmt::format("{}({}", i == 0 ? "" : ", ", i);
    for (size_t k = 0; k < schema.size(); ++k) values += ", " + CellSql(rows[i][k], schema[k].type);
    values += ")";
  }
  std::string sql = fmt::format("SELECT * EXCLUDE (col0) FROM (VALUES {}) ORDER BY col0", values);
  if (rows.empty()) {
    std::string nulls;
    for (const StructField& field : schema) {
      nulls += fmt::format("{}CAST(NULL AS {}) AS c{}", nulls.empty() ? "" : ", ",
                           EngineType(field.type), &field - &schema[0]);
    }
    sql = fmt::format("SELECT {} WHERE FALSE", nulls);
  }
  MERGANSER_ASSIGN_OR_RETURN(auto stream, context.connection->Query(sql));
  return ResultSet(std::move(schema), context.connection, std::move(stream));
}

}  // namespace merganser
