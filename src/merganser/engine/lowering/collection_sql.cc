#include <random>

#include <fmt/format.h>

#include "merganser/base/quoted_identifier.h"
#include "merganser/engine/lowering/call_lowering.h"
#include "merganser/engine/lowering/nested_order.h"
#include "merganser/engine/lowering/sql_quoting.h"
#include "merganser/spark/functions/resolve.h"

/// Arrays, maps and structs.
namespace merganser {
namespace {

/// "[a, b, c]" of the engine type `type`, from every `step`th argument.
std::string ListOf(const LoweredCall& call, size_t first, size_t step, const std::string& type) {
  std::string list;
  for (size_t i = first; i < call.arguments.size(); i += step)
    list += (i == first ? "" : ", ") + call.arguments[i];
  return CastSql("[" + list + "]", type);
}

Result<std::string> LowerArray(const LoweredCall& call) {
  return ListOf(call, 0, 1, EngineType(call.type()));
}

Result<std::string> LowerMap(const LoweredCall& call) {
  return fmt::format(
      "mg_map_from_arrays({}, {}, {})", ListOf(call, 0, 2, EngineType(call.type().key()) + "[]"),
      ListOf(call, 1, 2, EngineType(call.type().value()) + "[]"), call.error_context());
}

/// struct(v, ...) and named_struct(name, v, ...).
Result<std::string> LowerStruct(const LoweredCall& call) {
  const bool named = call.call.function == "named_struct";
  const StructType& fields = call.type().fields();
  std::string values;
  for (size_t i = 0; i < fields.size(); ++i) {
    // Spark computes such a struct, which no table may hold; the engine has none.
    if (fields.IndexOf(fields[i].name) != static_cast<int>(i)) {
      return Error(ErrorClass::COLUMN_ALREADY_EXISTS,
                   {{"columnName", QuotedIdentifier(fields[i].name)}});
    }
    const std::string& value = call.arguments[named ? 2 * i + 1 : i];
    values += fmt::format("{}{} := {}", i == 0 ? "" : ", ", QuoteName(fields[i].name), value);
  }
  if (fields.empty()) return Error(ErrorClass::UNSUPPORTED_FEATURE, {}, "EMPTY_STRUCT");
  return CastSql(fmt::format("struct_pack({})", values), EngineType(call.type()));
}

/// element_at and try_element_at.
Result<std::string> LowerElementAt(const LoweredCall& call) {
  if (call.type(0).is(TypeId::kMap)) return FillCallPattern("map_extract_value({0}, {1})", call);
  return FillCallPattern("mg_element_at({0}, {1}, {mode}, {context})", call);
}

Result<std::string> LowerSubscript(const LoweredCall& call) {
  if (call.type(0).is(TypeId::kMap)) return FillCallPattern("map_extract_value({0}, {1})", call);
  return FillCallPattern("mg_get_array_item({0}, {1}, {mode}, {context})", call);
}

/// The field of every struct of an array; the field of NULL is NULL.
Result<std::string> LowerFieldOfElements(const LoweredCall& call) {
  const auto name = FoldLiteral(*call.call.arguments[1]);
  return fmt::format("list_transform({}, lambda element: struct_extract(element, {}))",
                     call.arguments[0], QuoteText(std::get<std::string>(name->value)));
}

/// arrays_zip: padded with NULL to the longest; NULL if an array is.
Result<std::string> LowerArraysZip(const LoweredCall& call) {
  if (call.arguments.empty()) return CastSql("[]", "INTEGER[]");
  std::string nulls;
  std::string lists;
  for (const std::string& argument : call.arguments) {
    nulls += (nulls.empty() ? "" : " OR ") + argument + " IS NULL";
    lists += (lists.empty() ? "" : ", ") + argument;
  }
  return fmt::format("CASE WHEN {} THEN NULL ELSE CAST(list_zip({}) AS {}) END", nulls, lists,
                     EngineType(call.type()));
}

/// size and cardinality: of NULL -1 where Spark's legacy behaviour rules.
Result<std::string> LowerSize(const LoweredCall& call) {
  const char* size = call.type(0).is(TypeId::kMap) ? "CAST(cardinality({0}) AS INTEGER)"
                                                   : "CAST(len({0}) AS INTEGER)";
  const std::string sql = FillCallPattern(size, call);
  return call.context().ansi ? sql : fmt::format("coalesce({}, -1)", sql);
}

/// sort_array(array, ascending): NULL first when ascending, last when descending.
Result<std::string> LowerSortArray(const LoweredCall& call) {
  const DataType& element = call.type(0).element();
  const std::string up = SortedListSql(call.arguments[0], element, ListOrder::kAscendingNullsFirst);
  const std::string down =
      SortedListSql(call.arguments[0], element, ListOrder::kDescendingNullsLast);
  const auto ascending = FoldLiteral(*call.call.arguments[1]);
  const bool known = ascending && std::holds_alternative<bool>(ascending->value);
  if (known) return std::get<bool>(ascending->value) ? up : down;
  return fmt::format("CASE WHEN {0} THEN {1} WHEN NOT {0} THEN {2} END", call.arguments[1], up,
                     down);
}

/// array_max and array_min.
Result<std::string> LowerArrayExtreme(const LoweredCall& call) {
  const bool max = call.call.function == "array_max";
  if (!NeedsOrderKey(call.type()))
    return FillCallPattern(max ? "list_max({0})" : "list_min({0})", call);
  const std::string sorted =
      SortedListSql(call.arguments[0], call.type(),
                    max ? ListOrder::kDescendingNullsLast : ListOrder::kAscendingNullsLast);
  return fmt::format("list_extract({}, 1)", sorted);
}

/// sequence: of integers, or of moments stepped by an interval.
Result<std::string> LowerSequence(const LoweredCall& call) {
  if (call.type(0).is_integral()) {
    return FillCallPattern(call.arguments.size() == 3 ? "mg_sequence({0}, {1}, {2}, {context})"
                                                      : "mg_sequence({0}, {1}, {context})",
                           call);
  }
  std::string step = "CAST(CASE WHEN {0} <= {1} THEN 1 ELSE -1 END * INTERVAL '1' DAY AS INTERVAL)";
  if (call.arguments.size() == 3) {
    step = "{2}";
    if (call.type(2).is(TypeId::kYearMonthInterval)) step = "to_months({2})";
    if (call.type(2).is(TypeId::kDayTimeInterval)) step = "to_microseconds({2})";
  }
  const char* zone = call.type(0).is(TypeId::kTimestamp) ? "{zone}" : "'UTC'";
  return FillCallPattern(
      fmt::format("mg_sequence_moments({{0}}, {{1}}, {}, {}, {{context}})", step, zone), call);
}

Result<std::string> LowerArrayJoin(const LoweredCall& call) {
  return FillCallPattern(
      call.arguments.size() == 3 ? "mg_array_join({0}, {1}, {2})" : "mg_array_join({0}, {1})",
      call);
}

Result<std::string> LowerMapConcat(const LoweredCall& call) {
  if (call.arguments.empty()) return CastSql("MAP {}", EngineType(call.type()));
  std::string keys;
  std::string values;
  for (const std::string& argument : call.arguments) {
    keys += fmt::format("{}map_keys({})", keys.empty() ? "" : " || ", argument);
    values += fmt::format("{}map_values({})", values.empty() ? "" : " || ", argument);
  }
  return fmt::format("mg_map_from_arrays(CAST(({}) AS {}[]), CAST(({}) AS {}[]), {})", keys,
                     EngineType(call.type().key()), values, EngineType(call.type().value()),
                     call.error_context());
}

Result<std::string> LowerShuffle(const LoweredCall& call) {
  const std::string seed = call.arguments.size() == 2
                               ? fmt::format("CAST({} AS BIGINT)", call.arguments[1])
                               : fmt::format("CAST({} AS BIGINT)", std::random_device()());
  return fmt::format("mg_shuffle({}, {})", call.arguments[0], seed);
}

constexpr CallLowering kCollectionLowerings[] = {
    {.name = "array", .lower = &LowerArray},
    {.name = "array_append",
     .sql = "CASE WHEN {0} IS NULL THEN NULL ELSE list_append({0}, {1}) END"},
    {.name = "array_compact", .sql = "list_filter({0}, lambda element: element IS NOT NULL)"},
    {.name = "array_contains", .sql = "mg_array_contains({0}, {1})"},
    {.name = "array_distinct", .sql = "mg_array_distinct({0})"},
    {.name = "array_except", .sql = "mg_array_except({0}, {1})"},
    {.name = "array_insert", .sql = "mg_array_insert({0}, {1}, {2}, {context})"},
    {.name = "array_intersect", .sql = "mg_array_intersect({0}, {1})"},
    {.name = "array_join", .lower = &LowerArrayJoin},
    {.name = "array_max", .lower = &LowerArrayExtreme},
    {.name = "array_min", .lower = &LowerArrayExtreme},
    {.name = "array_position", .sql = "mg_array_position({0}, {1})"},
    {.name = "array_prepend",
     .sql = "CASE WHEN {0} IS NULL THEN NULL ELSE list_prepend({1}, {0}) END"},
    {.name = "array_remove", .sql = "mg_array_remove({0}, {1})"},
    {.name = "array_repeat", .sql = "mg_array_repeat({0}, {1})"},
    {.name = "array_size", .sql = "len({0})"},
    {.name = "array_union", .sql = "mg_array_union({0}, {1})"},
    {.name = "arrays_overlap", .sql = "mg_arrays_overlap({0}, {1})"},
    {.name = "arrays_zip", .lower = &LowerArraysZip},
    {.name = "cardinality", .lower = &LowerSize},
    {.name = "element_at", .lower = &LowerElementAt},
    {.name = "flatten", .sql = "mg_flatten({0})"},
    {.name = "get",
     .sql = "list_extract({0}, CASE WHEN {1} >= 0 THEN CAST({1} AS BIGINT) + 1 END)"},
    {.name = "map", .lower = &LowerMap},
    {.name = "map_concat", .lower = &LowerMapConcat},
    {.name = "map_contains_key", .sql = "map_contains({0}, {1})"},
    {.name = "map_entries", .sql = "map_entries({0})"},
    {.name = "map_from_arrays", .sql = "mg_map_from_arrays({0}, {1}, {context})"},
    {.name = "map_from_entries", .sql = "mg_map_from_entries({0}, {context})"},
    {.name = "map_keys", .sql = "map_keys({0})"},
    {.name = "map_values", .sql = "map_values({0})"},
    {.name = "sequence", .lower = &LowerSequence},
    {.name = "shuffle", .lower = &LowerShuffle},
    {.name = "size", .lower = &LowerSize},
    {.name = "slice", .sql = "mg_slice({0}, {1}, {2}, {context})"},
    {.name = "sort_array", .lower = &LowerSortArray},
    {.name = "str_to_map", .sql = "mg_str_to_map({0}, {1}, {2}, {context})"},
    {.name = "try_element_at", .lower = &LowerElementAt},

    {.name = "struct", .lower = &LowerStruct},
    {.name = "named_struct", .lower = &LowerStruct},
    {.name = "[]", .lower = &LowerSubscript},
    {.name = "[].field", .lower = &LowerFieldOfElements},
};

}  // namespace

std::span<const CallLowering> CollectionLowerings() { return kCollectionLowerings; }

}  // namespace merganser
