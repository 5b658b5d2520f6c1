#include "merganser/commands/alter/alter_columns.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "merganser/base/letter_case.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/commands/clustering.h"
#include "merganser/commands/column_definitions.h"
#include "merganser/delta/schema/char_varchar.h"
#include "merganser/spark/analysis/clause_values.h"
#include "merganser/spark/analysis/schema_evolution.h"

namespace merganser {
namespace {

using Path = std::vector<std::string>;

int PositionOf(const std::vector<StructField>& fields, const std::string& name,
               bool case_sensitive) {
  const auto found = std::ranges::find_if(
      fields, [&](const StructField& field) { return SameName(field.name, name, case_sensitive); });
  return found == fields.end() ? -1 : static_cast<int>(found - fields.begin());
}

Error FieldExists(const Path& path, const StructType& schema) {
  return Error(ErrorClass::FIELD_ALREADY_EXISTS,
               {{"op", "add"},
                {"fieldNames", QuotedIdentifier(path)},
                {"struct", "\"" + DataType::Struct(schema).SqlString() + "\""}});
}

Error FieldNotFound(const std::string& name, const std::vector<StructField>& fields) {
  std::string known;
  for (const StructField& field : fields) known += (known.empty() ? "`" : ", `") + field.name + "`";
  return Error(ErrorClass::FIELD_NOT_FOUND,
               {{"fieldName", QuotedIdentifier(name)}, {"fields", known}});
}

bool IsNullableThroughout(const DataType& type) {
  if (!type.is(TypeId::kStruct)) return true;
  return std::ranges::all_of(type.fields(), [](const StructField& field) {
    return field.nullable && IsNullableThroughout(field.type);
  });
}

Status CheckNamedOnce(const std::vector<plan::ColumnDefinition>& columns, bool case_sensitive) {
  std::set<std::string> seen;
  for (const plan::ColumnDefinition& column : columns) {
    const std::string name = QuotedIdentifier(column.name);
    if (!seen.insert(case_sensitive ? name : FoldCase(name)).second)
      return Error(ErrorClass::COLUMN_ALREADY_EXISTS, {{"columnName", name}});
  }
  return Status::Ok();
}

Status AddColumn(TableChange& change, const plan::ColumnDefinition& column,
                 const StructField& field) {
  const Path parent(column.name.begin(), column.name.end() - 1);
  std::optional<SchemaPlace> place = FindInSchema(change.schema(), parent, change.case_sensitive());
  if (!place) {
    MERGANSER_ASSIGN_OR_RETURN(place, change.Find(parent));
  }
  if (!place->field.type.is(TypeId::kStruct)) {
    return InvalidFieldName(column.name, parent.size());
  }
  const StructType before = change.schema();
  MERGANSER_ASSIGN_OR_RETURN(
      change.schema(),
      EditFields(before, place->path, [&](std::vector<StructField>& fields) -> Status {
        if (PositionOf(fields, field.name, change.case_sensitive()) >= 0)
          return FieldExists(column.name, before);
        auto at = fields.end();
        if (column.position_after && column.position_after->empty()) {
          at = fields.begin();
        } else if (column.position_after) {
          const int previous = PositionOf(fields, *column.position_after, change.case_sensitive());
          if (previous < 0) return FieldNotFound(*column.position_after, fields);
          at = fields.begin() + previous + 1;
        }
        fields.insert(at, field);
        return Status::Ok();
      }));
  return Status::Ok();
}

/// What REPLACE COLUMNS does to one level.
class ColumnReplacement {
 public:
  ColumnReplacement(bool case_sensitive, bool may_drop, bool may_widen)
      : case_sensitive_(case_sensitive), may_drop_(may_drop), may_widen_(may_widen) {}

  /// `from` made to look like `to`: its ids and metadata, the other's order, types, comments and
  /// nullability. What is not possible is told by `problem()`.
  StructType Fields(const StructType& from, const StructType& to, const Path& path) {
    StructType result;
    bool adds = false;
    for (const StructField& wanted : to) {
      const StructField* own = from.Find(wanted.name, case_sensitive_);
      Path inside = path;
      inside.push_back(wanted.name);
      if (own == nullptr) {
        adds = true;
        if (!wanted.nullable) Report("adding non-nullable column " + QuotedIfNeeded(inside));
        result.Add(wanted);
        continue;
      }
      if (own->nullable && !wanted.nullable)
        Report("tightening nullability of " + QuotedIfNeeded(inside));
      StructField field = *own;
      field.type = Type(own->type, wanted.type, inside);
      field.nullable = wanted.nullable;
      if (const auto comment = wanted.metadata.find("comment"); comment != wanted.metadata.end()) {
        field.metadata["comment"] = comment->second;
      }
      result.Add(std::move(field));
    }
    std::string dropped;
    for (const StructField& field : from) {
      if (to.Find(field.name, case_sensitive_) == nullptr)
        dropped += (dropped.empty() ? "" : ", ") + field.name;
    }
    if (!dropped.empty() && adds) {
      Report(Error(ErrorClass::DELTA_AMBIGUOUS_DATA_TYPE_CHANGE,
                   {{"column", QuotedIfNeeded(path)},
                    {"from", DataType::Struct(from).SqlString()},
                    {"to", DataType::Struct(to).SqlString()}})
                 .message());
    }
    if (!dropped.empty() && !may_drop_) {
      Report("dropping column(s) [" + dropped + "]" +
             (path.empty() ? "" : " from " + QuotedIfNeeded(path)));
    }
    return result;
  }

  const std::optional<std::string>& problem() const { return problem_; }

 private:
  DataType Type(const DataType& from, const DataType& to, const Path& path) {
    const auto below = [&](const char* part) {
      Path inside = path;
      inside.emplace_back(part);
      return inside;
    };
    if (from.is(TypeId::kStruct) && to.is(TypeId::kStruct)) {
      return DataType::Struct(Fields(from.fields(), to.fields(), path));
    }
    if (from.is(TypeId::kArray) && to.is(TypeId::kArray)) {
      return DataType::Array(Type(from.element(), to.element(), below("element")),
                             from.contains_null());
    }
    if (from.is(TypeId::kMap) && to.is(TypeId::kMap)) {
      return DataType::Map(Type(from.key(), to.key(), below("key")),
                           Type(from.value(), to.value(), below("value")), from.contains_null());
    }
    const bool fits = from.is(TypeId::kNull) || from.SameType(to) ||
                      (may_widen_ && IsTypeWidening(from, to, WideningMode::kAlways));
    if (!fits) {
      Report("changing data type of " + QuotedIfNeeded(path) + " from " + from.SqlString() +
             " to " + to.SqlString());
    }
    return to;
  }

  void Report(std::string problem) {
    if (!problem_) problem_ = std::move(problem);
  }

  bool case_sensitive_;
  bool may_drop_;
  bool may_widen_;
  std::optional<std::string> problem_;
};

bool IsMapped(const TableChange& change) {
  return change.snapshot().column_mapping_mode() != ColumnMappingMode::kNone;
}

constexpr const char* kMappingAdvice =
    "Switch column mapping on first: ALTER TABLE ... SET TBLPROPERTIES ('delta.columnMapping.mode' "
    "= 'name').";

/// Columns that statistics are restricted to, with `old_path` renamed, or left out if there is no
/// new one.
void EditStatisticsColumns(TableChange& change, const Path& old_path,
                           const std::optional<Path>& new_path) {
  const auto property = change.metadata().configuration.find("delta.dataSkippingStatsColumns");
  if (property == change.metadata().configuration.end()) return;
  std::string kept;
  std::string rest = property->second + ",";
  for (size_t end = 0; (end = rest.find(',')) != std::string::npos; rest.erase(0, end + 1)) {
    std::string column = rest.substr(0, end);
    if (column.empty()) continue;
    if (SameName(column, QuotedIfNeeded(old_path), false)) {
      if (!new_path) continue;
      column = QuotedIfNeeded(*new_path);
    }
    kept += (kept.empty() ? "" : ",") + column;
  }
  property->second = kept;
}

}  // namespace

Status AddColumns(TableChange change, const plan::AlterAddColumns& action) {
  MERGANSER_RETURN_IF_ERROR(CheckNamedOnce(action.columns, change.case_sensitive()));
  Json columns = Json::MakeArray();
  for (const plan::ColumnDefinition& column : action.columns) {
    if (column.default_value) {
      return Error(
          ErrorClass::WRONG_COLUMN_DEFAULTS_FOR_DELTA_ALTER_TABLE_ADD_COLUMN_NOT_SUPPORTED);
    }
    if (column.generated || column.identity) {
      return Error(ErrorClass::UNSUPPORTED_FEATURE,
                   {{"tableName", change.target().name}, {"operation", "generated columns"}},
                   "TABLE_OPERATION");
    }
    MERGANSER_ASSIGN_OR_RETURN(const StructField field,
                               FieldOfColumn(change.analyzer(), column, "ALTER TABLE ADD COLUMNS"));
    if (!field.nullable || !IsNullableThroughout(field.type)) {
      return Error(ErrorClass::DELTA_OPERATION_NOT_ALLOWED,
                   {{"operation", "NOT NULL in ALTER TABLE ADD COLUMNS"}});
    }
    MERGANSER_RETURN_IF_ERROR(AddColumn(change, column, field));
    StructField shown = field;
    shown.type = DeclaredType(field);
    shown.metadata.erase(std::string(kCharVarcharTypeKey));
    Json entry = Json::MakeObject();
    entry["column"] = FieldForHistory({column.name.begin(), column.name.end() - 1}, shown);
    if (column.position_after) {
      entry["position"] =
          column.position_after->empty() ? "FIRST" : "AFTER " + *column.position_after;
    }
    columns.Append(std::move(entry));
  }
  MERGANSER_RETURN_IF_ERROR(CheckColumnTypes(change.schema()));
  Operation operation;
  operation.name = "ADD COLUMNS";
  operation.Encoded("columns", columns.Dump());
  return std::move(change).Commit(std::move(operation));
}

Status DropColumns(TableChange change, const plan::AlterDropColumns& action) {
  std::vector<SchemaPlace> places;
  for (const Path& path : action.columns) {
    auto place = change.Find(path);
    if (!place.ok() && action.if_exists) continue;
    if (!place.ok()) return std::move(place).error();
    if (std::ranges::find(places, place->path, &SchemaPlace::path) != places.end()) {
      return Error(ErrorClass::DELTA_COLUMN_NOT_FOUND_IN_SCHEMA,
                   {{"columnName", QuotedIfNeeded(place->path)},
                    {"tableSchema", DataType::Struct(change.schema()).CatalogString()}});
    }
    places.push_back(std::move(place).value());
  }
  if (!IsMapped(change))
    return Error(ErrorClass::DELTA_UNSUPPORTED_DROP_COLUMN, {{"advice", kMappingAdvice}});
  const auto clustering = ClusteringColumns(change.snapshot());
  Json names = Json::MakeArray();
  for (const SchemaPlace& place : places) {
    const std::string name = QuotedIfNeeded(place.path);
    if (place.path.size() == 1 && change.snapshot().is_partition_column(place.path[0])) {
      return Error(ErrorClass::DELTA_UNSUPPORTED_DROP_PARTITION_COLUMN, {{"columnList", name}});
    }
    if (std::ranges::find(clustering, place.path) != clustering.end()) {
      return Error(ErrorClass::DELTA_UNSUPPORTED_DROP_CLUSTERING_COLUMN, {{"columnList", name}});
    }
    if (place.is_part) {
      return Error(ErrorClass::DELTA_UNSUPPORTED_DROP_NESTED_COLUMN_FROM_NON_STRUCT_TYPE,
                   {{"struct", place.field.type.SqlString()}});
    }
    names.Append(AttributeName(place.path));
    const Path parent(place.path.begin(), place.path.end() - 1);
    MERGANSER_ASSIGN_OR_RETURN(
        change.schema(),
        EditFields(change.schema(), parent, [&](std::vector<StructField>& fields) -> Status {
          if (fields.size() == 1) {
            return Error(ErrorClass::DELTA_DROP_COLUMN_ON_SINGLE_FIELD_SCHEMA,
                         {{"schema", DataType::Struct(StructType(fields)).CatalogString()}});
          }
          const int position = PositionOf(fields, place.path.back(), /*case_sensitive=*/true);
          if (position >= 0) fields.erase(fields.begin() + position);
          return Status::Ok();
        }));
    EditStatisticsColumns(change, place.path, std::nullopt);
    MERGANSER_RETURN_IF_ERROR(CheckNothingDependsOn(change, place.path));
  }
  if (places.empty()) return Status::Ok();
  Operation operation;
  operation.name = "DROP COLUMNS";
  operation.Encoded("columns", names.Dump());
  return std::move(change).Commit(std::move(operation));
}

Status RenameColumn(TableChange change, const plan::AlterRenameColumn& action) {
  MERGANSER_ASSIGN_OR_RETURN(const SchemaPlace place, change.Find(action.column));
  const Path parent(place.path.begin(), place.path.end() - 1);
  Path renamed = parent;
  renamed.push_back(action.new_name);
  if (place.is_part) return InvalidFieldName(renamed, parent.size());
  const auto taken = FindInSchema(change.schema(), renamed, change.case_sensitive());
  if (taken) {
    return Error(ErrorClass::FIELD_ALREADY_EXISTS,
                 {{"op", "rename"},
                  {"fieldNames", QuotedIdentifier(renamed)},
                  {"struct", "\"" + DataType::Struct(change.schema()).SqlString() + "\""}});
  }
  MERGANSER_RETURN_IF_ERROR(CheckNothingDependsOn(change, place.path));
  if (!IsMapped(change))
    return Error(ErrorClass::DELTA_UNSUPPORTED_RENAME_COLUMN, {{"advice", kMappingAdvice}});
  MERGANSER_ASSIGN_OR_RETURN(
      change.schema(),
      EditFields(change.schema(), parent, [&](std::vector<StructField>& fields) -> Status {
        fields[static_cast<size_t>(PositionOf(fields, place.path.back(), /*case_sensitive=*/true))]
            .name = action.new_name;
        return Status::Ok();
      }));
  if (parent.empty()) {
    for (std::string& column : change.metadata().partition_columns) {
      if (column == place.path[0]) column = action.new_name;
    }
  }
  EditStatisticsColumns(change, place.path, renamed);
  Operation operation;
  operation.name = "RENAME COLUMN";
  operation.Text("oldColumnPath", AttributeName(place.path))
      .Text("newColumnPath", AttributeName(renamed));
  return std::move(change).Commit(std::move(operation));
}

Status ReplaceColumns(TableChange change, const plan::AlterReplaceColumns& action) {
  if (std::ranges::any_of(change.schema(),
                          [](const StructField& field) { return IsIdentity(field); })) {
    return Error(ErrorClass::DELTA_IDENTITY_COLUMNS_REPLACE_COLUMN_NOT_SUPPORTED);
  }
  MERGANSER_ASSIGN_OR_RETURN(
      const StructType wanted,
      SchemaOfColumns(change.analyzer(), action.columns, "ALTER TABLE REPLACE COLUMNS"));
  ColumnReplacement replacement(change.case_sensitive(), IsMapped(change),
                                change.snapshot().properties().enable_type_widening());
  StructType replaced = replacement.Fields(change.schema(), wanted, {});
  if (replacement.problem()) {
    return Error(ErrorClass::DELTA_UNSUPPORTED_ALTER_TABLE_REPLACE_COL_OP,
                 {{"details", *replacement.problem()},
                  {"oldSchema", DataType::Struct(change.schema()).CatalogString()},
                  {"newSchema", DataType::Struct(wanted).CatalogString()}});
  }
  for (const std::string& column : change.metadata().partition_columns) {
    if (replaced.Find(column) == nullptr) {
      return Error(ErrorClass::DELTA_UNSUPPORTED_DROP_PARTITION_COLUMN, {{"columnList", column}});
    }
  }
  change.schema() = std::move(replaced);
  Json columns = Json::MakeArray();
  for (const StructField& field : wanted) columns.Append(FieldForHistory({}, field));
  Operation operation;
  operation.name = "REPLACE COLUMNS";
  operation.Encoded("columns", columns.Dump());
  return std::move(change).Commit(std::move(operation));
}

}  // namespace merganser
