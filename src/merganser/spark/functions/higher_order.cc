#include "merganser/spark/functions/call_binder.h"
#include "merganser/spark/functions/coercion.h"
#include "merganser/spark/functions/registry.h"

/// Functions that take lambdas.
namespace merganser {
namespace {

/// The first argument as an array or map; VOID reads as an empty type of that kind.
Status RequireCollection(CallBinder& call, size_t i, TypeId kind) {
  if (call.argument(i) && call.type(i).is(TypeId::kNull)) {
    call.Cast(i, kind == TypeId::kArray ? DataType::Array(DataType::Null())
                                        : DataType::Map(DataType::Null(), DataType::Null()));
  }
  if (call.argument(i) && call.type(i).is(kind)) return Status::Ok();
  return call.UnexpectedInput(i, kind == TypeId::kArray ? "\"ARRAY\"" : "\"MAP\"");
}

/// Bind the lambda at 1 over an array's elements and, if it has a second parameter, their positions
/// from 0.
Status BindElementLambda(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(RequireCollection(call, 0, TypeId::kArray));
  const DataType array = call.type(0);
  std::vector<DataType> types = {array.element()};
  std::vector<bool> nullable = {array.contains_null()};
  if (call.lambda(1) != nullptr && call.lambda(1)->parameters.size() == 2) {
    types.push_back(DataType::Integer());
    nullable.push_back(false);
  }
  return call.BindLambda(1, types, nullable);
}

Status RequireBoolean(CallBinder& call, size_t i) {
  if (call.LambdaType(i).is(TypeId::kNull)) call.CastLambda(i, DataType::Boolean());
  if (call.LambdaType(i).is(TypeId::kBoolean)) return Status::Ok();
  return call.UnexpectedInput(i, "\"BOOLEAN\"");
}

Result<BoundExpressionPtr> ResolveTransform(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(2, 2));
  MERGANSER_RETURN_IF_ERROR(BindElementLambda(call));
  return call.Finish(DataType::Array(call.LambdaType(1), call.LambdaNullable(1)),
                     call.argument(0)->nullable);
}

Result<BoundExpressionPtr> ResolveFilter(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(2, 2));
  MERGANSER_RETURN_IF_ERROR(BindElementLambda(call));
  MERGANSER_RETURN_IF_ERROR(RequireBoolean(call, 1));
  return call.Finish(call.type(0), call.argument(0)->nullable);
}

/// exists and forall.
Result<BoundExpressionPtr> ResolveQuantifier(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(2, 2));
  MERGANSER_RETURN_IF_ERROR(RequireCollection(call, 0, TypeId::kArray));
  const DataType array = call.type(0);
  MERGANSER_RETURN_IF_ERROR(call.BindLambda(1, {array.element()}, {array.contains_null()}));
  MERGANSER_RETURN_IF_ERROR(RequireBoolean(call, 1));
  return call.Finish(DataType::Boolean(), true);
}

/// aggregate and reduce: (array, start, merge [, finish]).
Result<BoundExpressionPtr> ResolveFold(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(3, 4));
  MERGANSER_RETURN_IF_ERROR(RequireCollection(call, 0, TypeId::kArray));
  if (!call.argument(1))
    return call.At(
        Error(ErrorClass::INVALID_LAMBDA_FUNCTION_CALL, {}, "NON_HIGHER_ORDER_FUNCTION"));
  const DataType array = call.type(0);
  const DataType state = call.type(1);
  MERGANSER_RETURN_IF_ERROR(
      call.BindLambda(2, {state, array.element()}, {true, array.contains_null()}));
  if (!call.LambdaType(2).SameType(state)) return call.UnexpectedInput(2, QuotedType(state));
  if (call.size() == 3) {
    // Without a finish the state is the result: a lambda that gives back its parameter.
    const ColumnId id = call.context().next_id ? call.context().next_id() : 0;
    BoundColumnRef parameter{id, "id", {}};
    BoundLambda identity{{parameter}, MakeBound(parameter, state, true)};
    call.arguments().push_back(MakeBound(std::move(identity), state, true));
  } else {
    MERGANSER_RETURN_IF_ERROR(call.BindLambda(3, {state}, {true}));
  }
  return call.Finish(call.LambdaType(3), true);
}

Result<BoundExpressionPtr> ResolveZipWith(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(3, 3));
  MERGANSER_RETURN_IF_ERROR(RequireCollection(call, 0, TypeId::kArray));
  MERGANSER_RETURN_IF_ERROR(RequireCollection(call, 1, TypeId::kArray));
  const DataType left = call.type(0).element();
  const DataType right = call.type(1).element();
  MERGANSER_RETURN_IF_ERROR(call.BindLambda(2, {left, right}, {true, true}));
  return call.Finish(DataType::Array(call.LambdaType(2), call.LambdaNullable(2)),
                     call.argument(0)->nullable || call.argument(1)->nullable);
}

/// array_sort(array [, comparator]); the comparator gives a negative, zero or positive INT.
Result<BoundExpressionPtr> ResolveArraySort(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(1, 2));
  MERGANSER_RETURN_IF_ERROR(RequireCollection(call, 0, TypeId::kArray));
  const DataType array = call.type(0);
  if (call.size() == 1) {
    if (!IsOrderable(array.element())) {
      return call.Mismatch("INVALID_ORDERING_TYPE",
                           {{"functionName", "`array_sort`"}, {"dataType", QuotedType(array)}});
    }
    return call.Finish(array);
  }
  MERGANSER_RETURN_IF_ERROR(call.BindLambda(1, {array.element(), array.element()},
                                            {array.contains_null(), array.contains_null()}));
  if (!call.LambdaType(1).is(TypeId::kInteger)) {
    return call.Mismatch("UNEXPECTED_RETURN_TYPE",
                         {{"functionName", "`lambdafunction`"},
                          {"expectedType", "\"INT\""},
                          {"actualType", QuotedType(call.LambdaType(1))}});
  }
  return call.Finish(array, call.argument(0)->nullable);
}

Status BindEntryLambda(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(2, 2));
  MERGANSER_RETURN_IF_ERROR(RequireCollection(call, 0, TypeId::kMap));
  const DataType map = call.type(0);
  return call.BindLambda(1, {map.key(), map.value()}, {false, map.contains_null()});
}

Result<BoundExpressionPtr> ResolveMapFilter(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(BindEntryLambda(call));
  MERGANSER_RETURN_IF_ERROR(RequireBoolean(call, 1));
  return call.Finish(call.type(0), call.argument(0)->nullable);
}

Result<BoundExpressionPtr> ResolveTransformKeys(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(BindEntryLambda(call));
  const DataType map = call.type(0);
  return call.Finish(DataType::Map(call.LambdaType(1), map.value(), map.contains_null()),
                     call.argument(0)->nullable);
}

Result<BoundExpressionPtr> ResolveTransformValues(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(BindEntryLambda(call));
  return call.Finish(DataType::Map(call.type(0).key(), call.LambdaType(1), call.LambdaNullable(1)),
                     call.argument(0)->nullable);
}

Result<BoundExpressionPtr> ResolveMapZipWith(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(3, 3));
  MERGANSER_RETURN_IF_ERROR(RequireCollection(call, 0, TypeId::kMap));
  MERGANSER_RETURN_IF_ERROR(RequireCollection(call, 1, TypeId::kMap));
  const auto key =
      FindWiderTypeWithoutStrings(call.type(0).key(), call.type(1).key(), call.context());
  if (!key) {
    return call.Mismatch("MAP_ZIP_WITH_DIFF_TYPES",
                         {{"functionName", "`map_zip_with`"},
                          {"leftType", QuotedType(call.type(0).key())},
                          {"rightType", QuotedType(call.type(1).key())}});
  }
  for (size_t i = 0; i < 2; ++i) {
    call.Cast(i, DataType::Map(*key, call.type(i).value(), call.type(i).contains_null()));
  }
  MERGANSER_RETURN_IF_ERROR(
      call.BindLambda(2, {*key, call.type(0).value(), call.type(1).value()}, {false, true, true}));
  return call.Finish(DataType::Map(*key, call.LambdaType(2), call.LambdaNullable(2)),
                     call.argument(0)->nullable || call.argument(1)->nullable);
}

/// Without a comparator names show the one that is meant: ascending, NULL last.
std::string PrintArraySort(const BoundCall&, const std::vector<std::string>& arguments) {
  constexpr const char* kDefault =
      "lambdafunction((IF(((namedlambdavariable() IS NULL) AND (namedlambdavariable() IS NULL)), "
      "0, "
      "(IF((namedlambdavariable() IS NULL), 1, (IF((namedlambdavariable() IS NULL), -1, "
      "(IF((namedlambdavariable() < namedlambdavariable()), -1, "
      "(IF((namedlambdavariable() > namedlambdavariable()), 1, 0)))))))))), "
      "namedlambdavariable(), namedlambdavariable())";
  return "array_sort(" + arguments[0] + ", " + (arguments.size() == 2 ? arguments[1] : kDefault) +
         ")";
}

constexpr FunctionEntry kHigherOrderFunctions[] = {
    {.name = "aggregate", .resolve = &ResolveFold},
    {.name = "array_sort", .resolve = &ResolveArraySort, .print = &PrintArraySort},
    {.name = "exists", .resolve = &ResolveQuantifier},
    {.name = "filter", .resolve = &ResolveFilter},
    {.name = "forall", .resolve = &ResolveQuantifier},
    {.name = "map_filter", .resolve = &ResolveMapFilter},
    {.name = "map_zip_with", .resolve = &ResolveMapZipWith},
    {.name = "reduce", .resolve = &ResolveFold},
    {.name = "transform", .resolve = &ResolveTransform},
    {.name = "transform_keys", .resolve = &ResolveTransformKeys},
    {.name = "transform_values", .resolve = &ResolveTransformValues},
    {.name = "zip_with", .resolve = &ResolveZipWith},
};

}  // namespace

std::span<const FunctionEntry> HigherOrderFunctions() { return kHigherOrderFunctions; }

}  // namespace merganser
