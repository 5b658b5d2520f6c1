#include <fmt/format.h>

#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/functions/call_binder.h"
#include "merganser/spark/functions/coercion.h"
#include "merganser/spark/functions/registry.h"

/// Functions that make several rows of one. Their type is the struct of the columns they add.
namespace merganser {
namespace {

bool IsOuter(const CallBinder& call) { return call.entry().name.ends_with("_outer"); }

BoundExpressionPtr FinishRows(const CallBinder& call, StructType columns) {
  return call.Finish(DataType::Struct(std::move(columns)), false);
}

/// explode and posexplode, outer or not: (collection).
Result<BoundExpressionPtr> ResolveExplode(CallBinder& call) {
  const bool positions = call.entry().name.starts_with("pos");
  MERGANSER_RETURN_IF_ERROR(call.Apply("collection: array|map -> any"));
  const DataType type = call.type(0);
  StructType columns;
  if (positions) columns.Add({"pos", DataType::Integer(), IsOuter(call)});
  if (type.is(TypeId::kMap)) {
    columns.Add({"key", type.key(), IsOuter(call)});
    columns.Add({"value", type.value(), IsOuter(call) || type.contains_null()});
  } else {
    columns.Add({"col", type.element(), IsOuter(call) || type.contains_null()});
  }
  return FinishRows(call, std::move(columns));
}

/// inline and inline_outer: (array of structs).
Result<BoundExpressionPtr> ResolveInline(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.Apply("input: array -> any"));
  const DataType array = call.type(0);
  if (!array.element().is(TypeId::kStruct)) return call.UnexpectedInput(0, "\"ARRAY<STRUCT>\"");
  StructType columns = array.element().fields();
  for (StructField& column : columns.fields()) {
    column.nullable = column.nullable || IsOuter(call) || array.contains_null();
  }
  return FinishRows(call, std::move(columns));
}

/// stack(rows, value, ...): the values row by row.
Result<BoundExpressionPtr> ResolveStack(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(2, SIZE_MAX));
  if (!call.type(0).is(TypeId::kInteger)) return call.UnexpectedInput(0, "\"INT\"");
  const auto rows = call.ConstantInteger(0);
  if (!rows) return call.NonFoldable(0, "n");
  if (*rows <= 0) {
    return call.Mismatch("VALUE_OUT_OF_RANGE", {{"exprName", "`n`"},
                                                {"valueRange", "(0, 2147483647]"},
                                                {"currentValue", fmt::format("{}", *rows)}});
  }
  const size_t values = call.size() - 1;
  const size_t width = (values + static_cast<size_t>(*rows) - 1) / static_cast<size_t>(*rows);
  StructType columns;
  for (size_t column = 0; column < width; ++column) {
    size_t typed = 1 + column;  // The first that is not NULL gives the type; nothing is widened.
    while (typed + width < call.size() && call.type(typed).is(TypeId::kNull)) typed += width;
    const DataType type = call.type(typed);
    for (size_t i = 1 + column; i < call.size(); i += width) {
      if (call.type(i).is(TypeId::kNull)) call.Cast(i, type);
      if (call.type(i).SameType(type)) continue;
      return call.Mismatch("STACK_COLUMN_DIFF_TYPES", {{"columnIndex", fmt::format("{}", column)},
                                                       {"leftParamIndex", fmt::format("{}", typed)},
                                                       {"leftType", QuotedType(type)},
                                                       {"rightParamIndex", fmt::format("{}", i)},
                                                       {"rightType", QuotedType(call.type(i))}});
    }
    columns.Add({fmt::format("col{}", column), type, true});
  }
  return FinishRows(call, std::move(columns));
}

/// json_tuple(json, field, ...): one row.
Result<BoundExpressionPtr> ResolveJsonTuple(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(2, SIZE_MAX));
  for (size_t i = 0; i < call.size(); ++i) {
    if (call.type(i).is_string() || call.type(i).is(TypeId::kNull)) continue;
    return call.Mismatch("NON_STRING_TYPE", {{"funcName", QuotedIdentifier(call.entry().name)}});
  }
  MERGANSER_RETURN_IF_ERROR(call.Apply("string... -> string"));
  StructType columns;
  for (size_t i = 1; i < call.size(); ++i)
    columns.Add({fmt::format("c{}", i - 1), DataType::String(), true});
  return FinishRows(call, std::move(columns));
}

/// variant_explode and variant_explode_outer: elements of an array, or fields of an object.
Result<BoundExpressionPtr> ResolveVariantExplode(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.Apply("input: variant -> any"));
  StructType columns({{"pos", DataType::Integer(), IsOuter(call)},
                      {"key", DataType::String(), true},
                      {"value", DataType::Variant(), IsOuter(call)}});
  return FinishRows(call, std::move(columns));
}

constexpr FunctionKind kGenerator = FunctionKind::kGenerator;

constexpr FunctionEntry kGeneratorsFunctions[] = {
    {.name = "explode", .resolve = &ResolveExplode, .kind = kGenerator},
    {.name = "explode_outer", .resolve = &ResolveExplode, .kind = kGenerator},
    {.name = "inline", .resolve = &ResolveInline, .kind = kGenerator},
    {.name = "inline_outer", .resolve = &ResolveInline, .kind = kGenerator},
    {.name = "json_tuple", .resolve = &ResolveJsonTuple, .kind = kGenerator},
    {.name = "posexplode", .resolve = &ResolveExplode, .kind = kGenerator},
    {.name = "posexplode_outer", .resolve = &ResolveExplode, .kind = kGenerator},
    {.name = "stack", .resolve = &ResolveStack, .kind = kGenerator},
    {.name = "variant_explode", .resolve = &ResolveVariantExplode, .kind = kGenerator},
    {.name = "variant_explode_outer", .resolve = &ResolveVariantExplode, .kind = kGenerator},
};

}  // namespace

std::span<const FunctionEntry> GeneratorFunctions() { return kGeneratorsFunctions; }

}  // namespace merganser
