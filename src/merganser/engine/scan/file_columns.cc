#include "merganser/engine/scan/file_columns.h"

#include <algorithm>
#include <optional>
#include <string>

#include <duckdb/parser/expression/constant_expression.hpp>

#include "merganser/engine/duckdb_error.h"
#include "merganser/engine/logical_type.h"
#include "merganser/engine/scan/readable_types.h"

namespace merganser::engine {
namespace {

using Columns = duckdb::vector<duckdb::MultiFileColumnDefinition>;
using duckdb::MultiFileColumnDefinition;
using duckdb::Value;

MultiFileColumnDefinition Define(const std::string& name, const DataType& type,
                                 int32_t* next_number) {
  MultiFileColumnDefinition column(name, ToLogicalType(type));
  column.identifier = Value::INTEGER((*next_number)++);
  column.default_expression = duckdb::make_uniq<duckdb::ConstantExpression>(Value(column.type));
  switch (type.id()) {
    case TypeId::kArray:
      column.children.push_back(Define("element", type.element(), next_number));
      break;
    case TypeId::kMap:
      column.children.push_back(Define("key", type.key(), next_number));
      column.children.push_back(Define("value", type.value(), next_number));
      break;
    case TypeId::kStruct:
      for (const StructField& field : type.fields()) {
        column.children.push_back(Define(field.name, field.type, next_number));
      }
      break;
    default:
      break;
  }
  return column;
}

// A variant whose values lie partly in columns of their own, without the note that lets the engine
// put them together.
bool IsUnmarkedShredding(const DataType& type, const MultiFileColumnDefinition& file_column) {
  if (!type.is(TypeId::kVariant) || file_column.type.id() != duckdb::LogicalTypeId::STRUCT)
    return false;
  return std::any_of(file_column.children.begin(), file_column.children.end(),
                     [](const auto& child) { return child.name == "typed_value"; });
}

class FileColumnNumbering {
 public:
  FileColumnNumbering(const ScanSource& source, const duckdb::string& path)
      : source_(source), path_(path) {}

  void Number(const StructType& fields, const Columns& table_columns, Columns& file_columns) {
    std::vector<Value> ids;
    for (auto& column : file_columns) {
      ids.push_back(column.identifier);
      column.identifier = Value::INTEGER(next_unmatched_--);
    }
    for (size_t i = 0; i < fields.size(); ++i) {
      if (const auto found = Find(fields[i], ids, file_columns)) {
        Pair(fields[i].type, table_columns[i], file_columns[*found]);
      }
    }
  }

 private:
  std::optional<size_t> Find(const StructField& field, const std::vector<Value>& ids,
                             const Columns& file_columns) const {
    const auto wanted = FieldId(field);
    // What is no column of the table, such as the kind of a change, has no id.
    if (source_.column_mapping == ColumnMappingMode::kId && wanted) {
      for (size_t i = 0; i < ids.size(); ++i) {
        if (!ids[i].IsNull() && ids[i].GetValue<int64_t>() == *wanted) return i;
      }
      return std::nullopt;
    }
    const std::string name = PhysicalName(field, source_.column_mapping);
    for (size_t i = 0; i < file_columns.size(); ++i) {
      if (file_columns[i].name == name) return i;
    }
    for (size_t i = 0; i < file_columns.size(); ++i) {
      if (duckdb::StringUtil::CIEquals(file_columns[i].name, name)) return i;
    }
    return std::nullopt;
  }

  void Pair(const DataType& type, const MultiFileColumnDefinition& table_column,
            MultiFileColumnDefinition& file_column) {
    if (!IsReadableAs(file_column.type, type) || IsUnmarkedShredding(type, file_column)) {
      ThrowError(Error(ErrorClass::FAILED_READ_FILE,
                       {{"path", path_},
                        {"column", "[" + file_column.name + "]"},
                        {"expectedType", type.CatalogString()},
                        {"actualType", file_column.type.ToString()}},
                       "PARQUET_COLUMN_DATA_TYPE_MISMATCH"));
    }
    file_column.identifier = table_column.identifier;
    switch (type.id()) {
      case TypeId::kStruct:
        Number(type.fields(), table_column.children, file_column.children);
        break;
      case TypeId::kArray:
        if (!file_column.children.empty()) {
          // The engine looks parts of lists and maps up by these names, whatever the file says.
          file_column.children[0].name = "list";
          Pair(type.element(), table_column.children[0], file_column.children[0]);
        }
        break;
      case TypeId::kMap:
        // The file's tree has a node for the pairs in between.
        if (!file_column.children.empty() && file_column.children[0].children.size() == 2) {
          auto& pair = file_column.children[0].children;
          pair[0].name = "key";
          pair[1].name = "value";
          Pair(type.key(), table_column.children[0], pair[0]);
          Pair(type.value(), table_column.children[1], pair[1]);
        }
        break;
      default:
        break;
    }
  }

  const ScanSource& source_;
  const duckdb::string& path_;
  int32_t next_unmatched_ = -1;
};

}  // namespace

Columns TableColumns(const ScanSource& source) {
  Columns columns;
  int32_t next_number = 1;
  for (const StructField& field : source.schema)
    columns.push_back(Define(field.name, field.type, &next_number));
  return columns;
}

void NumberFileColumns(const ScanSource& source, const Columns& table_columns,
                       const duckdb::string& path, Columns& file_columns) {
  FileColumnNumbering(source, path).Number(source.schema, table_columns, file_columns);
}

}  // namespace merganser::engine
