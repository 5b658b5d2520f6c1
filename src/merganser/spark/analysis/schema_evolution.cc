#include "merganser/spark/analysis/schema_evolution.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "merganser/base/letter_case.h"

namespace merganser {
namespace {

/// Paths below the field called `name`, with that first part taken off. `whole` says that the field
/// itself is one.
std::vector<std::vector<std::string>> Below(const std::vector<std::vector<std::string>>& paths,
                                            const std::string& name, bool case_sensitive,
                                            bool* whole) {
  std::vector<std::vector<std::string>> below;
  for (const auto& path : paths) {
    if (path.empty() || !SameName(path[0], name, case_sensitive)) continue;
    if (path.size() == 1) *whole = true;
    below.emplace_back(path.begin() + 1, path.end());
  }
  return below;
}

int IntegerDigits(const DataType& type) {
  switch (type.id()) {
    case TypeId::kByte:
    case TypeId::kShort:
    case TypeId::kInteger:
      return 10;
    case TypeId::kLong:
      return 20;
    default:
      return 0;
  }
}

/// Spark's implicit cast (non-ANSI) from `from` to `to` between atomic types.
bool HasImplicitCast(const DataType& from, const DataType& to) {
  const auto is_time = [](const DataType& type) {
    return type.is(TypeId::kDate) || type.is(TypeId::kTimestamp) || type.is(TypeId::kTimestampNtz);
  };
  if (from.is(TypeId::kNull)) return true;
  if (from.is_numeric() && to.is_numeric()) return true;
  if (to.is_string()) return !from.is_nested() && !from.is(TypeId::kVariant);
  if (from.is_string()) return to.is_numeric() || is_time(to) || to.is(TypeId::kBinary);
  return is_time(from) && is_time(to);
}

/// A source field as a new column: nullable at every level, without the metadata that belongs to
/// its own table.
StructField AsNewField(const StructField& field) {
  StructField added = field;
  added.nullable = true;
  added.type = field.type.AsNullable();
  std::erase_if(added.metadata, [](const auto& entry) {
    return entry.first.starts_with("delta.") || entry.first.ends_with("_DEFAULT");
  });
  return added;
}

/// Delta never keeps two columns that differ in case only, whatever the session says.
Status CheckNoDuplicates(const StructType& source) {
  for (size_t i = 0; i < source.size(); ++i) {
    if (source.IndexOf(source[i].name) == static_cast<int>(i)) continue;
    return Error(ErrorClass::DELTA_DUPLICATE_COLUMNS_FOUND,
                 {{"duplicateCols", AsciiLowerCase(source[i].name)}}, "DATA");
  }
  return Status::Ok();
}

Error Incompatible(const DataType& current, const DataType& update) {
  return Error(
      ErrorClass::DELTA_MERGE_INCOMPATIBLE_DATATYPE,
      {{"currentDataType", current.CatalogString()}, {"updateDataType", update.CatalogString()}});
}

/// Types of 32 bits and less are stored as INT32 alike: the wider one holds both.
bool AreStoredAlike(const DataType& left, const DataType& right) {
  const auto is_small = [](const DataType& type) {
    return type.is_integral() && !type.is(TypeId::kLong);
  };
  return is_small(left) && is_small(right);
}

Error IncompatibleDecimals(const DataType& current, const DataType& update) {
  const bool precision = current.precision() != update.precision();
  const bool scale = current.scale() != update.scale();
  std::string ranges;
  if (precision)
    ranges = fmt::format("precision {} and {}", current.precision(), update.precision());
  if (precision && scale) ranges += " & ";
  if (scale) ranges += fmt::format("scale {} and {}", current.scale(), update.scale());
  return Error(ErrorClass::DELTA_MERGE_INCOMPATIBLE_DECIMAL_TYPE, {{"decimalRanges", ranges}});
}

Result<DataType> MergeTypes(const DataType& target, const DataType& source,
                            const EvolutionRules& rules) {
  if (target.is(TypeId::kStruct) && source.is(TypeId::kStruct)) {
    MERGANSER_ASSIGN_OR_RETURN(StructType merged,
                               MergeSchemas(target.fields(), source.fields(), rules));
    return DataType::Struct(std::move(merged));
  }
  if (target.is(TypeId::kArray) && source.is(TypeId::kArray)) {
    MERGANSER_ASSIGN_OR_RETURN(DataType element,
                               MergeTypes(target.element(), source.element(), rules));
    return DataType::Array(std::move(element), target.contains_null());
  }
  if (target.is(TypeId::kMap) && source.is(TypeId::kMap)) {
    MERGANSER_ASSIGN_OR_RETURN(DataType key, MergeTypes(target.key(), source.key(), rules));
    MERGANSER_ASSIGN_OR_RETURN(DataType value, MergeTypes(target.value(), source.value(), rules));
    return DataType::Map(std::move(key), std::move(value), target.contains_null());
  }
  if (IsTypeWidening(target, source, rules.widening)) return source;
  if (target.SameType(source)) return target;
  if (target.is(TypeId::kNull)) return source;
  if (!target.is_nested() && !source.is_nested() && rules.implicit_casts &&
      HasImplicitCast(source, target))
    return target;
  if (source.is(TypeId::kNull)) return target;
  if (AreStoredAlike(target, source)) return target.id() < source.id() ? source : target;
  if (target.is(TypeId::kDecimal) && source.is(TypeId::kDecimal))
    return IncompatibleDecimals(target, source);
  return Incompatible(target, source);
}

}  // namespace

bool IsTypeWidening(const DataType& from, const DataType& to, WideningMode mode) {
  if (mode == WideningMode::kNever || from.SameType(to)) return false;
  if (from.is_integral() && to.is_integral()) return from.id() < to.id();
  if (from.is(TypeId::kFloat) && to.is(TypeId::kDouble)) return true;
  if (from.is(TypeId::kDecimal) && to.is(TypeId::kDecimal)) {
    return to.scale() >= from.scale() &&
           to.precision() - to.scale() >= from.precision() - from.scale();
  }
  if (from.is(TypeId::kDate) && to.is(TypeId::kTimestampNtz)) return true;
  if (mode == WideningMode::kSameFamily || !from.is_integral()) return false;
  if (to.is(TypeId::kDouble)) return !from.is(TypeId::kLong);
  return to.is(TypeId::kDecimal) && to.precision() - to.scale() >= IntegerDigits(from);
}

StructType EvolvingFields(const StructType& source,
                          const std::vector<std::vector<std::string>>& assigned, bool has_star,
                          bool case_sensitive) {
  StructType kept;
  for (const StructField& field : source) {
    bool whole = false;
    const auto below = Below(assigned, field.name, case_sensitive, &whole);
    if (whole || (has_star && !field.type.is(TypeId::kStruct))) {
      kept.Add(field);
      continue;
    }
    if (!field.type.is(TypeId::kStruct) || (below.empty() && !has_star)) continue;
    StructField partial = field;
    partial.type =
        DataType::Struct(EvolvingFields(field.type.fields(), below, has_star, case_sensitive));
    kept.Add(std::move(partial));
  }
  return kept;
}

Result<StructType> MergeSchemas(const StructType& target, const StructType& source,
                                const EvolutionRules& rules) {
  MERGANSER_RETURN_IF_ERROR(CheckNoDuplicates(source));
  StructType merged = target;
  for (const StructField& field : source) {
    const int index = merged.IndexOf(field.name);
    if (index < 0) {
      merged.Add(AsNewField(field));
      continue;
    }
    StructField& own = merged.fields()[static_cast<size_t>(index)];
    auto type = MergeTypes(own.type, field.type, rules);
    if (!type.ok()) {
      const ErrorClass cause = type.error().error_class();
      if (cause != ErrorClass::DELTA_MERGE_INCOMPATIBLE_DATATYPE &&
          cause != ErrorClass::DELTA_MERGE_INCOMPATIBLE_DECIMAL_TYPE)
        return std::move(type).error();
      return Error(ErrorClass::DELTA_FAILED_TO_MERGE_FIELDS,
                   {{"currentField", own.name}, {"updateField", field.name}})
          .CausedBy(std::move(type).error());
    }
    own.type = std::move(type).value();
  }
  return merged;
}

}  // namespace merganser
