#include <algorithm>

#include <fmt/format.h>

#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/functions/call_binder.h"
#include "merganser/spark/functions/coercion.h"
#include "merganser/spark/functions/registry.h"

/// Arrays and maps.
namespace merganser {
namespace {

std::string TypesOf(const std::vector<BoundExpressionPtr>& arguments, size_t first, size_t step,
                    const char* open, const char* separator, const char* close) {
  std::string text = open;
  for (size_t i = first; i < arguments.size(); i += step) {
    text += (i == first ? "" : separator) + QuotedType(arguments[i]->type);
  }
  return text + close;
}

bool AnyNullable(const CallBinder& call, size_t first, size_t step) {
  for (size_t i = first; i < call.size(); i += step) {
    if (call.argument(i)->nullable) return true;
  }
  return false;
}

Result<BoundExpressionPtr> ResolveArray(CallBinder& call) {
  if (call.size() == 0) return call.Finish(DataType::Array(DataType::Null(), false), false);
  const auto common = call.CastToCommonType();
  if (!common) {
    return call.Mismatch("DATA_DIFF_TYPES",
                         {{"functionName", "`array`"},
                          {"dataType", TypesOf(call.arguments(), 0, 1, "(", " or ", ")")}});
  }
  return call.Finish(DataType::Array(*common, AnyNullable(call, 0, 1)), false);
}

Result<BoundExpressionPtr> ResolveMap(CallBinder& call) {
  if (call.size() % 2 == 1) {
    return call.At(Error(ErrorClass::WRONG_NUM_ARGS,
                         {{"functionName", "`map`"},
                          {"expectedNum", "2n (n > 0)"},
                          {"actualNum", fmt::format("{}", call.size())},
                          {"docroot", "https://spark.apache.org/docs/latest"}},
                         "WITHOUT_SUGGESTION"));
  }
  if (call.size() == 0)
    return call.Finish(DataType::Map(DataType::Null(), DataType::Null(), false), false);
  const auto key = call.CastToCommonType(0, 2);
  if (!key) {
    return call.Mismatch(
        "CREATE_MAP_KEY_DIFF_TYPES",
        {{"functionName", "`map`"}, {"dataType", TypesOf(call.arguments(), 0, 2, "[", ", ", "]")}});
  }
  const auto value = call.CastToCommonType(1, 2);
  if (!value) {
    return call.Mismatch(
        "CREATE_MAP_VALUE_DIFF_TYPES",
        {{"functionName", "`map`"}, {"dataType", TypesOf(call.arguments(), 1, 2, "[", ", ", "]")}});
  }
  if (key->is(TypeId::kMap))
    return call.Mismatch("INVALID_MAP_KEY_TYPE", {{"keyType", QuotedType(*key)}});
  return call.Finish(DataType::Map(*key, *value, AnyNullable(call, 1, 2)), false);
}

/// A position is an INT or narrower: nothing else is cast to one.
Status RequirePosition(const CallBinder& call) {
  const DataType& type = call.type(1);
  if (type.is_integral() && !type.is(TypeId::kLong)) return Status::Ok();
  return call.UnexpectedInput(1, "\"INT\"");
}

/// A key has a type in common with the map's, without casts between text and numbers.
Status RequireKey(const CallBinder& call) {
  const DataType& map = call.type(0);
  const auto find = call.entry().name == "map_contains_key" ? &FindWiderTypeWithoutStrings
                                                            : &FindTightestCommonType;
  if (map.is(TypeId::kMap) && find(map.key(), call.type(1), call.context())) return Status::Ok();
  return call.Mismatch("MAP_FUNCTION_DIFF_TYPES",
                       {{"functionName", QuotedIdentifier(call.entry().name)},
                        {"dataType", "\"MAP\""},
                        {"leftType", QuotedType(map)},
                        {"rightType", QuotedType(call.type(1))}});
}

Status RequireTypes(const CallBinder& call) {
  const bool typed = !call.type(0).is(TypeId::kNull) && !call.type(1).is(TypeId::kNull);
  if (typed) return Status::Ok();
  return call.Mismatch("NULL_TYPE", {{"functionName", QuotedIdentifier(call.entry().name)}});
}

Status RequireOrder(const CallBinder& call, const DataType& type) {
  if (IsOrderable(type)) return Status::Ok();
  return call.Mismatch(
      "INVALID_ORDERING_TYPE",
      {{"functionName", QuotedIdentifier(call.entry().name)}, {"dataType", QuotedType(type)}});
}

/// array_contains, array_position and array_remove: an array with what its elements are compared.
Result<BoundExpressionPtr> ResolveElementSearch(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(2, 2));
  const std::string_view name = call.entry().name;
  if (name == "array_contains") MERGANSER_RETURN_IF_ERROR(RequireTypes(call));
  auto found = call.ApplyAndFinish(name == "array_contains"   ? "array<W>, W -> boolean"
                                   : name == "array_position" ? "array<T>, T -> bigint"
                                                              : "array<T>, T -> array<T>");
  if (found.ok()) MERGANSER_RETURN_IF_ERROR(RequireOrder(call, call.type(1)));
  return found;
}

/// Functions of two arrays whose elements are compared.
Result<BoundExpressionPtr> ResolveArrayPair(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(2, 2));
  if (!RequireTypes(call).ok()) {
    return call.Mismatch("BINARY_ARRAY_DIFF_TYPES",
                         {{"functionName", QuotedIdentifier(call.entry().name)},
                          {"arrayType", "\"ARRAY\""},
                          {"leftType", QuotedType(call.type(0))},
                          {"rightType", QuotedType(call.type(1))}});
  }
  auto pair =
      call.ApplyAndFinish(call.entry().name == "arrays_overlap" ? "array<T>, array<T> -> boolean"
                                                                : "array<T>, array<T> -> array<T>");
  if (pair.ok()) MERGANSER_RETURN_IF_ERROR(RequireOrder(call, call.type(0).element()));
  return pair;
}

Result<BoundExpressionPtr> ResolveArrayDistinct(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.Apply("array -> $0"));
  MERGANSER_RETURN_IF_ERROR(RequireOrder(call, call.type(0).element()));
  return call.Finish(call.type(0));
}

Result<BoundExpressionPtr> ResolveArrayInsert(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(3, 3));
  MERGANSER_RETURN_IF_ERROR(RequirePosition(call));
  return call.ApplyAndFinish("array<T>, int, T -> array<T>");
}

Result<BoundExpressionPtr> ResolveMapContainsKey(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(2, 2));
  MERGANSER_RETURN_IF_ERROR(RequireTypes(call));
  MERGANSER_RETURN_IF_ERROR(RequireKey(call));
  return call.ApplyAndFinish("map<W,V>, W -> boolean?");
}

/// element_at and try_element_at: an array with a position, or a map with a key.
Result<BoundExpressionPtr> ResolveElementAt(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(2, 2));
  if (call.type(0).is(TypeId::kArray)) {
    MERGANSER_RETURN_IF_ERROR(RequirePosition(call));
    return call.ApplyAndFinish("array, int -> element($0)?");
  }
  if (call.type(0).is(TypeId::kMap)) {
    MERGANSER_RETURN_IF_ERROR(RequireKey(call));
    return call.ApplyAndFinish("map<K,V>, K -> value($0)?");
  }
  return call.UnexpectedInput(0, "(\"ARRAY\" or \"MAP\")");
}

Result<BoundExpressionPtr> ResolveArraysZip(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.Apply("array... -> array"));
  StructType fields;
  for (size_t i = 0; i < call.size(); ++i) {
    std::string name = fmt::format("{}", i);
    if (const auto* column = call.argument(i)->As<BoundColumnRef>()) name = column->name;
    if (const auto* field = call.argument(i)->As<BoundField>()) name = field->name;
    fields.Add({std::move(name), call.type(i).element(), true});
  }
  return call.Finish(DataType::Array(DataType::Struct(std::move(fields)), false));
}

Result<BoundExpressionPtr> ResolveFlatten(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.Apply("array -> array"));
  const DataType element = call.type(0).element();
  if (!element.is(TypeId::kArray)) return call.UnexpectedInput(0, "\"ARRAY\" of \"ARRAY\"");
  return call.Finish(element, call.AnyNullable() || call.type(0).contains_null());
}

Result<BoundExpressionPtr> ResolveMapEntries(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.Apply("map -> array"));
  const DataType map = call.type(0);
  StructType fields({{"key", map.key(), false}, {"value", map.value(), map.contains_null()}});
  return call.Finish(DataType::Array(DataType::Struct(std::move(fields)), false));
}

Result<BoundExpressionPtr> ResolveMapFromEntries(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.Apply("array -> map"));
  const DataType element = call.type(0).element();
  if (!element.is(TypeId::kStruct) || element.fields().size() != 2) {
    return call.UnexpectedInput(0, "\"ARRAY\" of pair \"STRUCT\"");
  }
  const auto& fields = element.fields();
  return call.Finish(DataType::Map(fields[0].type, fields[1].type, fields[1].nullable),
                     call.AnyNullable() || call.type(0).contains_null());
}

/// sequence(start, stop [, step]): integers, or dates and timestamps stepped by intervals.
Result<BoundExpressionPtr> ResolveSequence(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(2, 3));
  const auto common = FindWiderTypeForTwo(call.type(0), call.type(1), call.context());
  const bool moments = common && (common->is(TypeId::kDate) || common->is(TypeId::kTimestamp) ||
                                  common->is(TypeId::kTimestampNtz));
  const bool step_fits = call.size() == 2 ||
                         (moments ? call.type(2).is_interval() : call.type(2).is_integral()) ||
                         call.type(2).is(TypeId::kNull);
  if (!common || (!common->is_integral() && !moments) || !step_fits) {
    return call.Mismatch(
        "SEQUENCE_WRONG_INPUT_TYPES",
        {{"functionName", "`sequence`"},
         {"startType", "(\"TIMESTAMP\" or \"TIMESTAMP_NTZ\" or \"DATE\")"},
         {"stepType", "(\"INTERVAL\" or \"INTERVAL YEAR TO MONTH\" or \"INTERVAL DAY TO SECOND\")"},
         {"otherStartType", "\"INTEGRAL\""}});
  }
  DataType type = *common;
  if (!moments && call.size() == 3)
    type = FindWiderTypeForTwo(type, call.type(2), call.context()).value_or(type);
  call.Cast(0, type);
  call.Cast(1, type);
  if (call.size() == 3)
    call.Cast(2, moments && !call.type(2).is(TypeId::kNull) ? call.type(2) : type);
  return call.Finish(DataType::Array(type, false));
}

Result<BoundExpressionPtr> ResolveSortArray(CallBinder& call) {
  if (call.size() == 2 && !call.Constant(1)) return call.NonFoldable(1, "ascendingOrder");
  MERGANSER_RETURN_IF_ERROR(call.Apply("array, boolean = true -> $0"));
  MERGANSER_RETURN_IF_ERROR(RequireOrder(call, call.type(0)));
  return call.Finish(call.type(0));
}

/// array_max and array_min.
Result<BoundExpressionPtr> ResolveArrayExtreme(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.Apply("array -> element($0)"));
  const DataType element = call.type(0).element();
  MERGANSER_RETURN_IF_ERROR(RequireOrder(call, call.type(0)));
  return call.Finish(element, true);
}

constexpr std::string_view kSize = "array|map -> int";

/// map_concat: maps of different types have a common one, as arrays of an array have.
Result<BoundExpressionPtr> ResolveMapConcat(CallBinder& call) {
  std::string types;
  bool maps = true;
  for (const auto& argument : call.arguments()) {
    maps = maps && argument->type.is(TypeId::kMap);
    types += (types.empty() ? "[" : ", ") + QuotedType(argument->type);
  }
  if (!maps) {
    return call.Mismatch("MAP_CONCAT_DIFF_TYPES",
                         {{"functionName", "`map_concat`"}, {"dataType", types + "]"}});
  }
  // Values that are text and numbers have a common type, keys have none.
  const bool keys = std::ranges::all_of(call.arguments(), [&](const auto& argument) {
    return FindWiderTypeWithoutStrings(call.type(0).key(), argument->type.key(), call.context())
        .has_value();
  });
  if (keys && call.size() > 1) call.CastToCommonType();
  return call.ApplyAndFinish("map<K,V>... -> map<K,V>");
}

constexpr FunctionEntry kCollectionsFunctions[] = {
    {.name = "array", .resolve = &ResolveArray},
    {.name = "array_append", .signature = "array<T>, T -> array<T>"},
    {.name = "array_compact", .signature = "array -> $0"},
    {.name = "array_contains", .resolve = &ResolveElementSearch},
    {.name = "array_distinct", .resolve = &ResolveArrayDistinct},
    {.name = "array_except", .resolve = &ResolveArrayPair},
    {.name = "array_insert", .resolve = &ResolveArrayInsert},
    {.name = "array_intersect", .resolve = &ResolveArrayPair},
    {.name = "array_join", .signature = "array<string>, string, string? -> string", .exact = true},
    {.name = "array_max", .resolve = &ResolveArrayExtreme},
    {.name = "array_min", .resolve = &ResolveArrayExtreme},
    {.name = "array_position", .resolve = &ResolveElementSearch},
    {.name = "array_prepend", .signature = "array<T>, T -> array<T>"},
    {.name = "array_remove", .resolve = &ResolveElementSearch},
    {.name = "array_repeat", .signature = "any, int -> array<$0>", .exact = true},
    {.name = "array_size", .signature = "array -> int"},
    {.name = "array_union", .resolve = &ResolveArrayPair},
    {.name = "arrays_overlap", .resolve = &ResolveArrayPair},
    {.name = "arrays_zip", .resolve = &ResolveArraysZip},
    {.name = "cardinality", .signature = kSize},
    {.name = "element_at", .resolve = &ResolveElementAt},
    {.name = "flatten", .resolve = &ResolveFlatten},
    {.name = "get", .signature = "array, int -> element($0)?"},
    {.name = "map", .resolve = &ResolveMap},
    {.name = "map_concat", .resolve = &ResolveMapConcat},
    {.name = "map_contains_key", .resolve = &ResolveMapContainsKey},
    {.name = "map_entries", .resolve = &ResolveMapEntries},
    {.name = "map_from_arrays", .signature = "array, array -> map<element($0), element($1)>"},
    {.name = "map_from_entries", .resolve = &ResolveMapFromEntries},
    {.name = "map_keys", .signature = "map -> array<key($0)>"},
    {.name = "map_values", .signature = "map -> array<value($0)>"},
    {.name = "sequence", .resolve = &ResolveSequence},
    {.name = "shuffle",
     .signature = "array, int|bigint? -> $0",
     .printed = "shuffle({0})",
     .deterministic = false},
    {.name = "size", .signature = kSize},
    {.name = "slice", .signature = "array, int, int -> $0"},
    {.name = "sort_array", .resolve = &ResolveSortArray, .exact = true},
    {.name = "str_to_map",
     .signature = "string, string = ',', string = ':' -> map<string, string>",
     .exact = true},
    {.name = "try_element_at", .resolve = &ResolveElementAt},
};

}  // namespace

std::span<const FunctionEntry> CollectionFunctions() { return kCollectionsFunctions; }

}  // namespace merganser
