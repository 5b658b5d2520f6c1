#include "merganser/engine/lowering/lower_source.h"

#include <fmt/format.h>

#include "merganser/delta/schema/char_varchar.h"
#include "merganser/delta/schema/holds_type.h"
#include "merganser/engine/lowering/expression_lowering.h"
#include "merganser/engine/lowering/sql_quoting.h"

namespace merganser {
namespace {

std::string Renamed(const std::vector<std::string>& names,
                    const std::vector<BoundColumn>& columns) {
  std::string list;
  for (size_t i = 0; i < names.size(); ++i) {
    list += fmt::format("{}{} AS {}", i > 0 ? ", " : "", QuoteName(names[i]),
                        EngineColumn(columns[i].id));
  }
  return list.empty() ? "TRUE AS present" : list;
}

/// A column as it is read: CHAR(n) values come padded to n characters, whoever wrote them.
std::string PaddedChar(const std::string& name, const Snapshot& snapshot) {
  const StructField* field = snapshot.schema().Find(name, /*case_sensitive=*/true);
  std::string column = QuoteName(name);
  if (field == nullptr) return column;
  const DataType declared = DeclaredType(*field);
  if (!declared.is(TypeId::kChar)) return column;
  return fmt::format("CASE WHEN length({0}) < {1} THEN rpad({0}, {1}, ' ') ELSE {0} END", column,
                     declared.length());
}

/// `value`, as clients send it, as `type`: their variants are structs of bytes.
std::string ClientValue(const std::string& value, const DataType& type, int depth = 0) {
  if (!HoldsType(type, TypeId::kVariant))
    return fmt::format("CAST({} AS {})", value, EngineType(type));
  const std::string item = fmt::format("item{}", depth);
  const auto of_items = [&](const std::string& list, const DataType& element) {
    return fmt::format("list_transform({}, lambda {}: {})", list, item,
                       ClientValue(item, element, depth + 1));
  };
  switch (type.id()) {
    case TypeId::kArray:
      return of_items(value, type.element());
    case TypeId::kMap:
      return fmt::format("map(map_keys({0}), {1})", value,
                         of_items(fmt::format("map_values({})", value), type.value()));
    case TypeId::kStruct: {
      std::string fields;
      for (const StructField& field : type.fields()) {
        const std::string name = QuoteName(field.name);
        const std::string part =
            fmt::format("struct_extract({}, {})", value, QuoteText(field.name));
        fields += fmt::format("{}{} := {}", fields.empty() ? "" : ", ", name,
                              ClientValue(part, field.type, depth));
      }
      return fmt::format("CASE WHEN {} IS NOT NULL THEN struct_pack({}) END", value, fields);
    }
    default:
      return fmt::format("mg_variant_text({})", value);
  }
}

}  // namespace

Result<std::string> LowerScan(const BoundScan& scan, const std::vector<BoundColumn>& columns,
                              const LoweringContext& context) {
  MERGANSER_ASSIGN_OR_RETURN(const std::string table, context.scan(scan));
  std::string list;
  for (size_t i = 0; i < scan.columns.size(); ++i) {
    list += fmt::format("{}{} AS {}", i > 0 ? ", " : "",
                        PaddedChar(scan.columns[i], *scan.snapshot), EngineColumn(columns[i].id));
  }
  size_t next = scan.columns.size();
  const auto add = [&](const std::string& value) {
    list += fmt::format("{}{} AS {}", list.empty() ? "" : ", ", value,
                        EngineColumn(columns[next++].id));
  };
  if (scan.row_positions) {
    add("CAST(_mg_file_index AS BIGINT)");
    add("_mg_file_row_number");
  }
  if (scan.file_metadata) add("_metadata");
  return fmt::format("SELECT {} FROM {} AS scan", list.empty() ? "TRUE AS present" : list, table);
}

Result<std::string> LowerTableChanges(const BoundTableChanges& changes,
                                      const std::vector<BoundColumn>& columns,
                                      const LoweringContext& context) {
  MERGANSER_ASSIGN_OR_RETURN(const std::string table, context.table_changes(changes));
  std::vector<std::string> names = changes.columns;
  names.insert(names.end(), {"_change_type", "_commit_version", "_commit_timestamp"});
  return fmt::format("SELECT {} FROM {} AS changes", Renamed(names, columns), table);
}

Result<std::string> LowerFileScan(const BoundFileScan& scan,
                                  const std::vector<BoundColumn>& columns,
                                  const LoweringContext& context) {
  MERGANSER_ASSIGN_OR_RETURN(const std::string table, context.file_scan(scan, columns));
  // The files' own types need not be those of the table.
  std::string list;
  for (size_t i = 0; i < scan.columns.size(); ++i) {
    list += fmt::format("{}CAST({} AS {}) AS {}", i > 0 ? ", " : "", QuoteName(scan.columns[i]),
                        EngineType(columns[i].type), EngineColumn(columns[i].id));
  }
  return fmt::format("SELECT {} FROM {} AS files", list.empty() ? "TRUE AS present" : list, table);
}

Result<std::string> LowerEngineTable(const BoundEngineTable& table,
                                     const std::vector<BoundColumn>& columns) {
  std::string list = Renamed(table.columns, columns);
  if (table.casts) {
    list.clear();
    for (size_t i = 0; i < columns.size(); ++i) {
      list += fmt::format("{}{} AS {}", i > 0 ? ", " : "",
                          ClientValue(QuoteName(table.columns[i]), columns[i].type),
                          EngineColumn(columns[i].id));
    }
  }
  std::string sql = fmt::format("SELECT {} FROM {} AS engine_table", list, table.engine_name);
  if (table.range)
    sql += fmt::format(" WHERE row >= {} AND row < {}", table.range->begin, table.range->end);
  return sql;
}

Result<std::string> LowerValues(const BoundValues& values, const std::vector<BoundColumn>& columns,
                                const LoweringContext& context) {
  if (columns.empty()) {
    // Rows without columns still count.
    return fmt::format("SELECT TRUE AS present FROM range({})", values.rows.size());
  }
  if (values.rows.empty()) {
    std::string list;
    for (const BoundColumn& column : columns) {
      list += fmt::format("{}CAST(NULL AS {}) AS {}", list.empty() ? "" : ", ",
                          EngineType(column.type), EngineColumn(column.id));
    }
    return fmt::format("SELECT {} WHERE FALSE", list);
  }
  ExpressionLowering lowering(context);
  std::string rows;
  for (const auto& row : values.rows) {
    std::string items;
    for (const BoundExpressionPtr& value : row) {
      MERGANSER_ASSIGN_OR_RETURN(const std::string item, lowering.LowerInlineValue(*value));
      items += (items.empty() ? "" : ", ") + item;
    }
    rows += fmt::format("{}({})", rows.empty() ? "" : ", ", items);
  }
  std::string names;
  for (const BoundColumn& column : columns)
    names += (names.empty() ? "" : ", ") + EngineColumn(column.id);
  return fmt::format("SELECT * FROM (VALUES {}) AS inline_rows({})", rows, names);
}

Result<std::string> LowerRange(const BoundRange& range, const std::vector<BoundColumn>& columns) {
  return fmt::format(
      "SELECT range AS {} FROM range(CAST({} AS BIGINT), CAST({} AS BIGINT), CAST({} AS BIGINT))",
      EngineColumn(columns[0].id), range.start, range.end, range.step);
}

}  // namespace merganser
