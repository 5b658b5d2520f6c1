#include <fmt/format.h>

#include "merganser/engine/lowering/call_lowering.h"
#include "merganser/engine/lowering/nested_order.h"
#include "merganser/engine/lowering/sql_quoting.h"

/// Functions with lambdas. Maps are lists of entries meanwhile.
namespace merganser {
namespace {

std::string NameOf(const LoweredCall& call, size_t lambda, size_t parameter) {
  return ExpressionLowering::LambdaName(call.lambda(lambda).parameters[parameter]);
}

/// "lambda x: body" over the elements of an array; a second parameter is the position, from 0.
Result<std::string> ElementLambda(const LoweredCall& call, size_t i) {
  const BoundLambda& lambda = call.lambda(i);
  const std::string element = NameOf(call, i, 0);
  if (lambda.parameters.size() == 1) {
    MERGANSER_ASSIGN_OR_RETURN(const std::string body, call.lowering.LowerBody(lambda, {element}));
    return fmt::format("lambda {}: {}", element, body);
  }
  const std::string position = NameOf(call, i, 1);
  MERGANSER_ASSIGN_OR_RETURN(
      const std::string body,
      call.lowering.LowerBody(lambda, {element, fmt::format("CAST({} - 1 AS INTEGER)", position)}));
  return fmt::format("lambda {}, {}: {}", element, position, body);
}

Result<std::string> LowerTransform(const LoweredCall& call) {
  MERGANSER_ASSIGN_OR_RETURN(const std::string lambda, ElementLambda(call, 1));
  return CastSql(fmt::format("list_transform({}, {})", call.arguments[0], lambda),
                 EngineType(call.type()));
}

Result<std::string> LowerFilter(const LoweredCall& call) {
  MERGANSER_ASSIGN_OR_RETURN(const std::string lambda, ElementLambda(call, 1));
  return CastSql(fmt::format("list_filter({}, {})", call.arguments[0], lambda),
                 EngineType(call.type()));
}

/// exists and forall, in three-valued logic.
Result<std::string> LowerQuantifier(const LoweredCall& call) {
  MERGANSER_ASSIGN_OR_RETURN(const std::string lambda, ElementLambda(call, 1));
  return fmt::format("mg_{}(CAST(list_transform({}, {}) AS BOOLEAN[]))", call.call.function,
                     call.arguments[0], lambda);
}

/// aggregate and reduce. The engine folds lists of one type only, so each item carries the state
/// beside the element.
Result<std::string> LowerFold(const LoweredCall& call) {
  const std::string state = EngineType(call.type(1));
  const std::string element = EngineType(call.type(0).element());
  const std::string item = fmt::format("STRUCT(state {}, element {})", state, element);
  const std::string left = NameOf(call, 2, 0);
  const std::string right = NameOf(call, 2, 1);
  MERGANSER_ASSIGN_OR_RETURN(
      const std::string merge,
      call.lowering.LowerBody(call.lambda(2), {left + ".state", right + ".element"}));
  const std::string items = fmt::format(
      "list_transform({}, lambda element: CAST(struct_pack(state := NULL, element := element) AS "
      "{}))",
      call.arguments[0], item);
  const std::string folded = fmt::format(
      "list_reduce({}, lambda {}, {}: CAST(struct_pack(state := {}, element := NULL) AS {}), "
      "CAST(struct_pack(state := {}, element := NULL) AS {})).state",
      items, left, right, merge, item, call.arguments[1], item);
  MERGANSER_ASSIGN_OR_RETURN(
      const std::string finish,
      call.lowering.LowerBody(call.lambda(3), {CastSql("(" + folded + ")", state)}));
  return CastSql(finish, EngineType(call.type()));
}

Result<std::string> LowerZipWith(const LoweredCall& call) {
  const std::string pair = NameOf(call, 2, 0);
  MERGANSER_ASSIGN_OR_RETURN(const std::string body,
                             call.lowering.LowerBody(call.lambda(2), {pair + "[1]", pair + "[2]"}));
  return CastSql(fmt::format("CASE WHEN {0} IS NULL OR {1} IS NULL THEN NULL ELSE "
                             "list_transform(list_zip({0}, {1}), lambda {2}: {3}) END",
                             call.arguments[0], call.arguments[1], pair, body),
                 EngineType(call.type()));
}

/// array_sort: with a comparator an insertion sort, which keeps equal elements in order.
Result<std::string> LowerArraySort(const LoweredCall& call) {
  if (call.arguments.size() == 1) {
    return CastSql(
        SortedListSql(call.arguments[0], call.type(0).element(), ListOrder::kAscendingNullsLast),
        EngineType(call.type()));
  }
  const std::string list = EngineType(call.type());
  const std::string sorted = NameOf(call, 1, 0) + "s";
  const std::string next = NameOf(call, 1, 1) + "s";
  const std::string placed = NameOf(call, 1, 0);
  MERGANSER_ASSIGN_OR_RETURN(const std::string order,
                             call.lowering.LowerBody(call.lambda(1), {placed, next + "[1]"}));
  return fmt::format(
      "list_reduce(list_transform({0}, lambda element: [element]), lambda {2}, {3}: "
      "CAST(list_filter({2}, lambda {4}: ({5}) <= 0) || {3} || list_filter({2}, lambda {4}: ({5}) "
      "> 0) AS {1}), "
      "CAST([] AS {1}))",
      call.arguments[0], list, sorted, next, placed, order);
}

/// A list over the entries of a map: `item` is made of `entry`.
std::string OverEntries(const std::string& map, const std::string& entry, const std::string& item) {
  return fmt::format("list_transform(map_entries({}), lambda {}: {})", map, entry, item);
}

Result<std::string> LowerMapFilter(const LoweredCall& call) {
  const std::string entry = NameOf(call, 1, 0);
  MERGANSER_ASSIGN_OR_RETURN(
      const std::string body,
      call.lowering.LowerBody(call.lambda(1), {entry + ".key", entry + ".value"}));
  return CastSql(fmt::format("map_from_entries(list_filter(map_entries({}), lambda {}: {}))",
                             call.arguments[0], entry, body),
                 EngineType(call.type()));
}

/// transform_keys and transform_values; new keys may collide, which is an error.
Result<std::string> LowerTransformEntries(const LoweredCall& call) {
  const std::string entry = NameOf(call, 1, 0);
  MERGANSER_ASSIGN_OR_RETURN(
      const std::string body,
      call.lowering.LowerBody(call.lambda(1), {entry + ".key", entry + ".value"}));
  const bool keys = call.call.function == "transform_keys";
  const std::string changed =
      CastSql(OverEntries(call.arguments[0], entry, body),
              EngineType(keys ? call.type().key() : call.type().value()) + "[]");
  const std::string kept = fmt::format("map_{}({})", keys ? "values" : "keys", call.arguments[0]);
  return fmt::format("mg_map_from_arrays({}, {}, {})", keys ? changed : kept, keys ? kept : changed,
                     call.error_context());
}

Result<std::string> LowerMapZipWith(const LoweredCall& call) {
  const std::string key = NameOf(call, 2, 0);
  MERGANSER_ASSIGN_OR_RETURN(
      const std::string body,
      call.lowering.LowerBody(
          call.lambda(2), {key, fmt::format("map_extract_value({}, {})", call.arguments[0], key),
                           fmt::format("map_extract_value({}, {})", call.arguments[1], key)}));
  const std::string keys = fmt::format("mg_array_union(map_keys({}), map_keys({}))",
                                       call.arguments[0], call.arguments[1]);
  return fmt::format(
      "mg_map_from_arrays({0}, CAST(list_transform({0}, lambda {1}: {2}) AS {3}[]), {4})", keys,
      key, body, EngineType(call.type().value()), call.error_context());
}

constexpr CallLowering kHigherOrderLowerings[] = {
    {.name = "aggregate", .lower = &LowerFold},
    {.name = "array_sort", .lower = &LowerArraySort},
    {.name = "exists", .lower = &LowerQuantifier},
    {.name = "filter", .lower = &LowerFilter},
    {.name = "forall", .lower = &LowerQuantifier},
    {.name = "map_filter", .lower = &LowerMapFilter},
    {.name = "map_zip_with", .lower = &LowerMapZipWith},
    {.name = "reduce", .lower = &LowerFold},
    {.name = "transform", .lower = &LowerTransform},
    {.name = "transform_keys", .lower = &LowerTransformEntries},
    {.name = "transform_values", .lower = &LowerTransformEntries},
    {.name = "zip_with", .lower = &LowerZipWith},
};

}  // namespace

std::span<const CallLowering> HigherOrderLowerings() { return kHigherOrderLowerings; }

}  // namespace merganser
