#include "merganser/commands/insert_columns.h"

#include <algorithm>
#include <utility>

#include "merganser/base/letter_case.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/analysis/clause_values.h"
#include "merganser/spark/analysis/schema_evolution.h"
#include "merganser/spark/analysis/store_assignment.h"

namespace merganser {
namespace {

/// The table's columns as a scope, for suggestions in errors.
Scope ColumnsOf(const Snapshot& snapshot) {
  Scope scope;
  for (const StructField& field : snapshot.schema())
    scope.Add({.column = {0, field.name, field.type, true, {}}});
  return scope;
}

Error TooFew(const std::string& table_name, const std::string& column, size_t expected,
             size_t given) {
  return Error(ErrorClass::DELTA_INSERT_COLUMN_ARITY_MISMATCH,
               {{"tableName", table_name},
                {"columnName", column},
                {"numColumns", std::to_string(expected)},
                {"insertColumns", std::to_string(given)}});
}

/// `source` with the fields of its structs named as the target's fields in their places; further
/// fields keep their names. Sets `extra` if there are any.
Result<DataType> NamedByPosition(const DataType& source, const DataType& target,
                                 const std::string& table_name, const std::string& path,
                                 bool* extra) {
  if (source.is(TypeId::kStruct) && target.is(TypeId::kStruct)) {
    const StructType& own = target.fields();
    if (source.fields().size() < own.size()) {
      return TooFew(table_name, "nested fields in " + path, own.size(), source.fields().size());
    }
    StructType renamed;
    for (size_t i = 0; i < source.fields().size(); ++i) {
      StructField field = source.fields()[i];
      if (i < own.size()) {
        field.name = own[i].name;
        MERGANSER_ASSIGN_OR_RETURN(field.type, NamedByPosition(field.type, own[i].type, table_name,
                                                               path + "." + own[i].name, extra));
      } else {
        *extra = true;
      }
      renamed.Add(std::move(field));
    }
    return DataType::Struct(std::move(renamed));
  }
  if (source.is(TypeId::kArray) && target.is(TypeId::kArray)) {
    MERGANSER_ASSIGN_OR_RETURN(DataType element, NamedByPosition(source.element(), target.element(),
                                                                 table_name, path, extra));
    return DataType::Array(std::move(element), source.contains_null());
  }
  if (source.is(TypeId::kMap) && target.is(TypeId::kMap)) {
    MERGANSER_ASSIGN_OR_RETURN(
        DataType key, NamedByPosition(source.key(), target.key(), table_name, path, extra));
    MERGANSER_ASSIGN_OR_RETURN(
        DataType value, NamedByPosition(source.value(), target.value(), table_name, path, extra));
    return DataType::Map(std::move(key), std::move(value), source.contains_null());
  }
  return source;
}

/// Can values of `source` be stored as they are, the fields of structs found by name?
bool FitsByName(const DataType& target, const DataType& source) {
  if (target.is(TypeId::kStruct) && source.is(TypeId::kStruct)) {
    return target.fields().size() == source.fields().size() &&
           std::ranges::all_of(target.fields(), [&](const StructField& field) {
             const StructField* other = source.fields().Find(field.name);
             return other != nullptr && FitsByName(field.type, other->type);
           });
  }
  if (target.is(TypeId::kArray) && source.is(TypeId::kArray))
    return FitsByName(target.element(), source.element());
  if (target.is(TypeId::kMap) && source.is(TypeId::kMap)) {
    return FitsByName(target.key(), source.key()) && FitsByName(target.value(), source.value());
  }
  return target.SameType(source);
}

WideningMode Widening(const Snapshot& snapshot, const SessionConf& conf) {
  if (!snapshot.properties().enable_type_widening() || !snapshot.Supports("typeWidening"))
    return WideningMode::kNever;
  const std::string mode = conf.automatic_type_widening();
  if (mode == "never") return WideningMode::kNever;
  return mode == "same_family_type" ? WideningMode::kSameFamily : WideningMode::kAlways;
}

/// The table column of each query column, nothing for new ones.
Result<std::vector<std::optional<size_t>>> Places(
    const plan::InsertInto& command, const Snapshot& snapshot, const InsertTargets& targets,
    const BoundRelation& query, const std::string& table_name, bool case_sensitive) {
  const StructType& schema = snapshot.schema();
  std::vector<std::optional<size_t>> places;
  if (command.by_name) {
    for (const BoundColumn& column : query.columns) {
      const int index = schema.IndexOf(column.name, case_sensitive);
      const bool repeated = std::ranges::any_of(query.columns, [&](const BoundColumn& other) {
        return &other != &column && SameName(other.name, column.name, case_sensitive);
      });
      if (repeated) {
        return Error(ErrorClass::DELTA_DUPLICATE_COLUMNS_FOUND,
                     {{"duplicateCols", column.name + ", " + column.name}}, "READ_SCHEMA");
      }
      places.push_back(index < 0 ? std::nullopt : std::optional(static_cast<size_t>(index)));
    }
    return places;
  }
  const size_t expected = targets.positions.size() + targets.new_columns.size();
  if (query.columns.size() < targets.positions.size() ||
      (targets.listed && query.columns.size() != expected)) {
    if (targets.listed) {
      std::string listed;
      for (const size_t position : targets.positions) {
        listed += (listed.empty() ? "`" : ", `") + schema[position].name + "`";
      }
      std::string given;
      for (const BoundColumn& column : query.columns)
        given += (given.empty() ? "`" : ", `") + column.name + "`";
      return Error(
          ErrorClass::INSERT_COLUMN_ARITY_MISMATCH,
          {{"tableName", table_name}, {"tableColumns", listed}, {"dataColumns", given}},
          query.columns.size() < expected ? "NOT_ENOUGH_DATA_COLUMNS" : "TOO_MANY_DATA_COLUMNS");
    }
    return TooFew(table_name, "number of columns", targets.positions.size(), query.columns.size());
  }
  for (size_t i = 0; i < query.columns.size(); ++i) {
    places.push_back(i < targets.positions.size() ? std::optional(targets.positions[i])
                                                  : std::nullopt);
  }
  return places;
}

/// May a column go without a value: is there something else to put into it?
bool MayBeLeftOut(const StructField& field) {
  return field.nullable || IsGenerated(field) || IsIdentity(field) ||
         !MetadataText(field, "CURRENT_DEFAULT").empty();
}

}  // namespace

Result<InsertTargets> FindInsertTargets(Analyzer& analyzer, const plan::InsertInto& command,
                                        const Snapshot& snapshot, bool evolution) {
  const StructType& schema = snapshot.schema();
  const bool case_sensitive = analyzer.typing().case_sensitive;
  InsertTargets targets;
  std::vector<bool> constant(schema.size());
  for (const auto& [name, value] : command.partition) {
    const int index = schema.IndexOf(name, case_sensitive);
    if (index < 0 || !snapshot.is_partition_column(schema[static_cast<size_t>(index)].name)) {
      return Error(ErrorClass::NON_PARTITION_COLUMN,
                   {{"columnName", QuotedIdentifier(std::vector<std::string>{name})}});
    }
    if (value == nullptr) continue;
    constant[static_cast<size_t>(index)] = true;
    targets.constants.emplace_back(static_cast<size_t>(index), value);
  }
  if (command.columns.empty()) {
    for (size_t i = 0; i < schema.size(); ++i) {
      if (!constant[i]) targets.positions.push_back(i);
    }
    return targets;
  }
  targets.listed = true;
  for (const plan::MultipartName& name : command.columns) {
    const std::string& column = name.parts.back();
    const int index = schema.IndexOf(column, case_sensitive);
    const bool repeated =
        index < 0 ? std::ranges::any_of(
                        targets.new_columns,
                        [&](const auto& own) { return SameName(own, column, case_sensitive); })
                  : std::ranges::find(targets.positions, static_cast<size_t>(index)) !=
                        targets.positions.end();
    if (repeated) {
      return Error(
          ErrorClass::COLUMN_ALREADY_EXISTS,
          {{"columnName", QuotedIdentifier(std::vector<std::string>{AsciiLowerCase(column)})}});
    }
    if (index < 0) {
      if (!evolution)
        return analyzer.UnresolvedColumn(name.parts, ColumnsOf(snapshot), name.origin);
      targets.new_columns.push_back(column);
      continue;
    }
    if (constant[static_cast<size_t>(index)]) {
      return Error(ErrorClass::STATIC_PARTITION_COLUMN_IN_INSERT_COLUMN_LIST,
                   {{"staticName", column}});
    }
    targets.positions.push_back(static_cast<size_t>(index));
  }
  return targets;
}

Result<InsertColumns> MatchInsertColumns(StatementContext& context, Analyzer& analyzer,
                                         const plan::InsertInto& command, const Snapshot& snapshot,
                                         const InsertTargets& targets, const BoundRelation& query,
                                         const std::string& table_name, bool evolution) {
  const StructType& schema = snapshot.schema();
  MERGANSER_ASSIGN_OR_RETURN(
      const auto places,
      Places(command, snapshot, targets, query, table_name, analyzer.typing().case_sensitive));
  InsertColumns columns;
  columns.fields_by_name = std::ranges::all_of(places, [&](const auto& place) {
    const auto i = static_cast<size_t>(&place - places.data());
    return place && FitsByName(schema[*place].type, query.columns[i].type) &&
           (command.by_name || targets.listed || query.columns[i].name == schema[*place].name);
  });

  bool extra = false;
  StructType source;
  for (size_t i = 0; i < places.size(); ++i) {
    const BoundColumn& column = query.columns[i];
    StructField field{column.name, column.type, true, column.metadata};
    if (places[i]) {
      const StructField& own = schema[*places[i]];
      field.name = own.name;
      if (!columns.fields_by_name) {
        MERGANSER_ASSIGN_OR_RETURN(
            field.type, NamedByPosition(column.type, own.type, table_name, own.name, &extra));
      }
    } else {
      extra = true;
      if (targets.listed) field.name = targets.new_columns[i - targets.positions.size()];
    }
    source.Add(std::move(field));
  }
  columns.schema = schema;
  if (evolution || command.merges_types) {
    EvolutionRules rules;
    rules.case_sensitive = analyzer.typing().case_sensitive;
    rules.widening = Widening(snapshot, context.conf);
    rules.implicit_casts = !command.merges_types;
    MERGANSER_ASSIGN_OR_RETURN(StructType merged, MergeSchemas(schema, source, rules));
    if (evolution)
      columns.schema = std::move(merged);
    else if (!(merged == schema))
      return Error(ErrorClass::DELTA_METADATA_MISMATCH);
    columns.schema_changed = !(columns.schema == schema);
  }
  if (extra && !evolution) return Error(ErrorClass::DELTA_METADATA_MISMATCH);
  columns.values.resize(columns.schema.size());
  for (size_t i = 0; i < places.size(); ++i) {
    const int place =
        places[i] ? static_cast<int>(*places[i]) : columns.schema.IndexOf(source[i].name);
    columns.values[static_cast<size_t>(place)] = ColumnReference(query.columns[i]);
  }
  for (const auto& [place, value] : targets.constants) {
    MERGANSER_ASSIGN_OR_RETURN(columns.values[place], analyzer.BindExpression(value, Scope()));
  }
  for (size_t i = 0; i < schema.size(); ++i) {
    if (columns.values[i] == nullptr && !MayBeLeftOut(schema[i])) {
      return Error(ErrorClass::DELTA_INSERT_COLUMN_MISMATCH, {{"columnName", schema[i].name}});
    }
  }
  return columns;
}

}  // namespace merganser
