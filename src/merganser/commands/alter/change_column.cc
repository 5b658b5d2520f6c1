#include "merganser/commands/alter/change_column.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "merganser/base/letter_case.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/commands/column_definitions.h"
#include "merganser/delta/protocol/table_features.h"
#include "merganser/delta/schema/char_varchar.h"
#include "merganser/spark/analysis/identity_columns.h"
#include "merganser/spark/analysis/schema_evolution.h"
#include "merganser/spark/functions/resolve.h"

namespace merganser {
namespace {

using Path = std::vector<std::string>;

Error NotSupported(const TableChange& change, const SchemaPlace& place, const StructField& wanted) {
  return Error(ErrorClass::NOT_SUPPORTED_CHANGE_COLUMN,
               {{"table", change.target().name},
                {"originName", QuotedIdentifier(place.path)},
                {"originType", "\"" + DeclaredType(place.field).SqlString() + "\""},
                {"newName", QuotedIdentifier(place.path)},
                {"newType", "\"" + wanted.type.SqlString() + "\""}});
}

Error Refused(const SchemaPlace& place, const StructField& wanted) {
  const auto shown = [](const StructField& field) {
    return field.type.SqlString() + (field.nullable ? "" : " NOT NULL") +
           (field.name.empty() ? "" : " " + field.name);
  };
  return Error(ErrorClass::DELTA_UNSUPPORTED_ALTER_TABLE_CHANGE_COL_OP,
               {{"fieldPath", QuotedIfNeeded(place.path)},
                {"oldField", shown(place.field)},
                {"newField", shown(wanted)}});
}

/// Does Spark let a column of type `from` be declared as `to`?
bool MayBecome(const DataType& from, const DataType& to) {
  if (from.is(TypeId::kChar) && to.is(TypeId::kChar)) return from.length() == to.length();
  if ((from.is(TypeId::kChar) || from.is(TypeId::kVarchar)) && to.is(TypeId::kVarchar)) {
    return from.length() <= to.length();
  }
  if (to.is(TypeId::kChar) || to.is(TypeId::kVarchar)) return false;
  return from.SameType(to) || CanStoreAssign(from, to, StoreAssignmentPolicy::kStrict);
}

/// The error for an attempt to give a nested type as a whole.
Status CheckNotNested(const TableChange& change, const SchemaPlace& place, const DataType& type) {
  const bool interval = type.is(TypeId::kCalendarInterval) || type.is(TypeId::kYearMonthInterval) ||
                        type.is(TypeId::kDayTimeInterval);
  if ((!type.is_nested() && !interval) || place.field.type.SameType(type)) return Status::Ok();
  const char* sub_class = interval                   ? "INTERVAL_TYPE"
                          : type.is(TypeId::kStruct) ? "STRUCT_TYPE"
                          : type.is(TypeId::kArray)  ? "ARRAY_TYPE"
                                                     : "MAP_TYPE";
  return Error(ErrorClass::CANNOT_UPDATE_FIELD,
               {{"table", change.target().name}, {"fieldName", QuotedIdentifier(place.path)}},
               sub_class);
}

/// Take over the declared type of `wanted`: stored as STRING where it is CHAR or VARCHAR.
void SetType(StructField& field, const DataType& declared) {
  const StructField stored = WithStringsForCharVarchar({field.name, declared, field.nullable, {}});
  field.type = stored.type;
  field.metadata.erase(std::string(kCharVarcharTypeKey));
  field.metadata.insert(stored.metadata.begin(), stored.metadata.end());
}

Status ChangeType(TableChange& change, const SchemaPlace& place, const DataType& declared,
                  StructField& field) {
  MERGANSER_RETURN_IF_ERROR(CheckNotNested(change, place, declared));
  StructField wanted = field;
  wanted.type = declared;
  if (!MayBecome(DeclaredType(place.field), declared)) return NotSupported(change, place, wanted);
  SetType(field, declared);
  if (field.type.SameType(place.field.type)) return Status::Ok();
  const bool may_widen = change.snapshot().properties().enable_type_widening() &&
                         change.snapshot().Supports("typeWidening");
  const bool fits =
      place.field.type.is(TypeId::kNull) ||
      (may_widen && IsTypeWidening(place.field.type, field.type, WideningMode::kAlways));
  if (!fits) return Refused(place, wanted);
  return CheckNothingDependsOn(change, place.path);
}

/// The largest number in an identity column, or the smallest if it counts down.
Result<std::optional<int64_t>> ExtremeOf(TableChange& change, const std::string& column,
                                         bool counts_up) {
  const TargetTable& target = change.target();
  plan::MultipartName name;
  name.parts = target.table.identifier ? target.table.identifier->parts()
                                       : std::vector<std::string>{"delta", target.snapshot->path()};
  plan::Call extreme;
  extreme.name = {counts_up ? "max" : "min"};
  extreme.arguments.push_back(plan::MakeExpression(plan::Attribute{{column}, -1}));
  plan::Aggregate aggregate;
  aggregate.child = plan::MakeRelation(plan::TableReference{std::move(name), std::nullopt, {}});
  aggregate.expressions.push_back(plan::MakeExpression(std::move(extreme)));
  plan::Subquery query{plan::SubqueryKind::kScalar, plan::MakeRelation(std::move(aggregate)), {}};
  MERGANSER_ASSIGN_OR_RETURN(
      const plan::Literal value,
      change.analyzer().EvaluateConstant(plan::MakeExpression(std::move(query))));
  if (value.is_null()) return std::optional<int64_t>();
  return std::optional(std::get<int64_t>(value.value));
}

Status SyncIdentity(TableChange& change, const SchemaPlace& place, StructField& field) {
  const auto identity = FindIdentity(field);
  if (!identity || place.path.size() != 1) {
    return Error(ErrorClass::DELTA_IDENTITY_COLUMNS_ALTER_NON_IDENTITY_COLUMN);
  }
  change.transaction().ReadWholeTable();
  MERGANSER_ASSIGN_OR_RETURN(const auto extreme, ExtremeOf(change, field.name, identity->step > 0));
  if (const auto mark = identity->MarkFor(extreme)) SetHighWaterMark(field, *mark);
  return Status::Ok();
}

Status SetDefaultOf(TableChange& change, const plan::AlterChangeColumn& column,
                    StructField& field) {
  if (column.drop_default)
    return SetDefault(change.analyzer(), field, nullptr, "ALTER TABLE ALTER COLUMN");
  MERGANSER_RETURN_IF_ERROR(
      SetDefault(change.analyzer(), field, &*column.default_value, "ALTER TABLE ALTER COLUMN"));
  if (change.snapshot().Supports("allowColumnDefaults")) return Status::Ok();
  return Error(ErrorClass::WRONG_COLUMN_DEFAULTS_FOR_DELTA_FEATURE_NOT_ENABLED,
               {{"commandType", "ALTER TABLE"}});
}

/// The field as it is to be.
Result<StructField> Changed(TableChange& change, const SchemaPlace& place,
                            const plan::AlterChangeColumn& column) {
  StructField field = place.field;
  if (column.type) MERGANSER_RETURN_IF_ERROR(ChangeType(change, place, *column.type, field));
  if (FindIdentity(field) && !column.sync_identity) {
    return Error(ErrorClass::DELTA_IDENTITY_COLUMNS_ALTER_COLUMN_NOT_SUPPORTED);
  }
  if (column.comment && place.is_part) {
    return Error(ErrorClass::DELTA_UNSUPPORTED_COMMENT_MAP_ARRAY,
                 {{"fieldPath", QuotedIfNeeded(place.path)}});
  }
  if (column.comment) {
    std::string text;
    AppendJsonString(*column.comment, &text);
    field.metadata["comment"] = std::move(text);
  }
  if (column.nullable) {
    field.nullable = *column.nullable;
    if (place.field.nullable && !field.nullable) {
      return Error(ErrorClass::_LEGACY_ERROR_TEMP_2330,
                   {{"fieldName", fmt::format("{}", fmt::join(place.path, "."))}});
    }
  }
  if (column.default_value || column.drop_default) {
    MERGANSER_RETURN_IF_ERROR(SetDefaultOf(change, column, field));
  }
  if (column.sync_identity) MERGANSER_RETURN_IF_ERROR(SyncIdentity(change, place, field));
  if (column.new_name && !SameName(*column.new_name, field.name, /*case_sensitive=*/true)) {
    if (change.snapshot().column_mapping_mode() == ColumnMappingMode::kNone) {
      return Error(ErrorClass::DELTA_UNSUPPORTED_RENAME_COLUMN, {{"advice", ""}});
    }
    MERGANSER_RETURN_IF_ERROR(CheckNothingDependsOn(change, place.path));
    field.name = *column.new_name;
  }
  return field;
}

/// Put `field` in the place of the old one, and where `position` says.
Status Put(TableChange& change, const SchemaPlace& place, const StructField& field,
           const std::optional<std::string>& position) {
  const Path parent(place.path.begin(), place.path.end() - 1);
  if (place.is_part) {
    MERGANSER_ASSIGN_OR_RETURN(
        change.schema(), EditSchema(change.schema(), place.path,
                                    [&](const DataType&) { return Result<DataType>(field.type); }));
    return Status::Ok();
  }
  MERGANSER_ASSIGN_OR_RETURN(
      change.schema(),
      EditFields(change.schema(), parent, [&](std::vector<StructField>& fields) -> Status {
        const auto own = std::ranges::find(fields, place.path.back(), &StructField::name);
        if (!position) {
          *own = field;
          return Status::Ok();
        }
        const auto old_place = own - fields.begin();
        fields.erase(own);
        auto at = fields.begin();
        if (SameName(*position, place.path.back(), change.case_sensitive())) {
          at += old_place;
        } else if (!position->empty()) {
          at = std::ranges::find_if(fields, [&](const StructField& other) {
            return SameName(other.name, *position, change.case_sensitive());
          });
          if (at == fields.end()) {
            Path sibling = parent;
            sibling.push_back(*position);
            return change.Find(sibling).error();
          }
          ++at;
        }
        fields.insert(at, field);
        return Status::Ok();
      }));
  return Status::Ok();
}

}  // namespace

Status ChangeColumns(TableChange change, const std::vector<plan::AlterChangeColumn>& columns) {
  Json entries = Json::MakeArray();
  std::optional<std::string> only_position;
  std::set<std::string> changed;
  for (const plan::AlterChangeColumn& column : columns) {
    MERGANSER_ASSIGN_OR_RETURN(const SchemaPlace place, change.Find(column.column));
    if (!changed.insert(QuotedIdentifier(place.path)).second) {
      return Error(ErrorClass::NOT_SUPPORTED_CHANGE_SAME_COLUMN,
                   {{"table", change.target().name}, {"fieldName", QuotedIdentifier(place.path)}});
    }
    MERGANSER_ASSIGN_OR_RETURN(const StructField field, Changed(change, place, column));
    MERGANSER_RETURN_IF_ERROR(Put(change, place, field, column.position_after));
    if (place.path.size() == 1) {
      for (std::string& name : change.metadata().partition_columns) {
        if (name == place.path[0]) name = field.name;
      }
    }
    Json entry = FieldForHistory({place.path.begin(), place.path.end() - 1}, field);
    if (column.position_after) {
      only_position = column.position_after->empty() ? "FIRST" : "AFTER " + *column.position_after;
      if (columns.size() > 1) entry["position"] = *only_position;
    }
    entries.Append(std::move(entry));
  }
  Operation operation;
  if (columns.size() == 1) {
    operation.name = "CHANGE COLUMN";
    operation.Encoded("column", entries.items()[0].Dump());
    if (only_position) operation.Text("position", *only_position);
  } else {
    operation.name = "CHANGE COLUMNS";
    operation.Encoded("columns", entries.Dump());
  }
  return std::move(change).Commit(std::move(operation));
}

}  // namespace merganser
