#include <algorithm>

#include <fmt/format.h>

#include "merganser/base/letter_case.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/functions/call_binder.h"
#include "merganser/spark/functions/registry.h"
#include "merganser/spark/functions/type_pattern.h"

/// Structs, and access to fields, elements and map values.
namespace merganser {
namespace {

/// The field name that an argument of struct() brings along; empty if it has none.
std::string OwnName(const BoundExpression& expression) {
  if (const auto* column = expression.As<BoundColumnRef>()) return column->name;
  if (const auto* field = expression.As<BoundField>()) return field->name;
  const auto* call = expression.As<BoundCall>();
  if (call == nullptr || call->function != "alias") return {};
  return std::get<std::string>(call->arguments[1]->As<plan::Literal>()->value);
}

Result<BoundExpressionPtr> ResolveStruct(CallBinder& call) {
  StructType fields;
  for (size_t i = 0; i < call.size(); ++i) {
    std::string name = OwnName(*call.argument(i));
    if (name.empty()) name = fmt::format("col{}", i + 1);
    fields.Add({std::move(name), call.type(i), call.argument(i)->nullable});
  }
  if (!call.request().is_operator) return call.Finish(DataType::Struct(std::move(fields)), false);
  // A row value `(a, b)` is a named_struct.
  std::vector<BoundExpressionPtr> arguments;
  for (size_t i = 0; i < call.size(); ++i) {
    arguments.push_back(call.Constant(plan::Literal{DataType::String(), fields[i].name}));
    arguments.push_back(call.argument(i));
  }
  return call.Call("named_struct", std::move(arguments));
}

Result<BoundExpressionPtr> ResolveNamedStruct(CallBinder& call) {
  if (call.size() % 2 == 1) {
    return call.At(Error(ErrorClass::WRONG_NUM_ARGS,
                         {{"functionName", "`named_struct`"},
                          {"expectedNum", "2n (n > 0)"},
                          {"actualNum", fmt::format("{}", call.size())},
                          {"docroot", "https://spark.apache.org/docs/latest"}},
                         "WITHOUT_SUGGESTION"));
  }
  StructType fields;
  for (size_t i = 0; i < call.size(); i += 2) {
    const auto name = call.Constant(i);
    if (!name || !name->type.is_string()) {
      return call.Mismatch("CREATE_NAMED_STRUCT_WITHOUT_FOLDABLE_STRING",
                           {{"inputExprs", "[" + QuotedExpression(*call.argument(i)) + "]"}});
    }
    if (name->is_null())
      return call.Mismatch("UNEXPECTED_NULL", {{"exprName", QuotedExpression(*call.argument(i))}});
    fields.Add(
        {std::get<std::string>(name->value), call.type(i + 1), call.argument(i + 1)->nullable});
  }
  return call.Finish(DataType::Struct(std::move(fields)), false);
}

Result<int> FindField(const StructType& fields, const std::string& name,
                      const TypingContext& context, const plan::Origin& origin) {
  int found = -1;
  int count = 0;
  std::string names;
  for (size_t i = 0; i < fields.size(); ++i) {
    names += (i == 0 ? "" : ", ") + QuotedIdentifier(fields[i].name);
    if (!SameName(fields[i].name, name, context.case_sensitive)) continue;
    if (count++ == 0) found = static_cast<int>(i);
  }
  if (count == 1) return found;
  if (count == 0) {
    return AtOrigin(Error(ErrorClass::FIELD_NOT_FOUND,
                          {{"fieldName", QuotedIdentifier(name)}, {"fields", names}}),
                    origin);
  }
  return AtOrigin(Error(ErrorClass::AMBIGUOUS_REFERENCE_TO_FIELDS,
                        {{"field", QuotedIdentifier(name)}, {"count", fmt::format("{}", count)}}),
                  origin);
}

/// `array[i]` and `map[key]`.
Result<BoundExpressionPtr> ResolveElement(CallBinder& call) {
  if (call.type(0).is(TypeId::kMap)) {
    const DataType key = call.type(0).key();
    if (!key.is_nested() && !call.type(1).is_nested()) {
      if (const auto target =
              ImplicitTarget(call.type(1), {PatternKind::kExact, key}, call.context()))
        call.Cast(1, *target);
    }
    return call.ApplyAndFinish("map<K,V>, K -> value($0)?");
  }
  if (call.type(1).is(TypeId::kNull)) call.Cast(1, DataType::Integer());
  if (!call.type(1).is_integral()) return call.UnexpectedInput(1, "\"INTEGRAL\"");
  call.Cast(1, DataType::Long());
  return call.Finish(call.type(0).element(), true);
}

/// `array_of_structs.field`: the field of every element.
Result<BoundExpressionPtr> ResolveFieldOfElements(CallBinder& call) {
  const auto name = call.ConstantString(1);
  const DataType element = call.type(0).element();
  MERGANSER_ASSIGN_OR_RETURN(const int index, FindField(element.fields(), name.value_or(""),
                                                        call.context(), call.request().origin));
  const StructField& field = element.fields()[static_cast<size_t>(index)];
  call.arguments()[1] = call.Constant(plan::Literal{DataType::String(), field.name});
  return call.Finish(DataType::Array(field.type, field.nullable || call.type(0).contains_null()));
}

constexpr FunctionEntry kStructsFunctions[] = {
    {.name = "struct", .resolve = &ResolveStruct},
    {.name = "named_struct", .resolve = &ResolveNamedStruct},
    {.name = "[]", .resolve = &ResolveElement, .printed = "{0}[{1}]", .internal = true},
    {.name = "[].field",
     .resolve = &ResolveFieldOfElements,
     .printed = "{0}.{1}",
     .internal = true},
};

}  // namespace

std::span<const FunctionEntry> StructFunctions() { return kStructsFunctions; }

Result<BoundExpressionPtr> ResolveExtract(BoundExpressionPtr child, BoundExpressionPtr key,
                                          const TypingContext& context,
                                          const plan::Origin& origin) {
  const auto literal = FoldLiteral(*key);
  const bool named = literal && literal->type.is_string() && !literal->is_null();
  if (child->type.is(TypeId::kStruct)) {
    if (!named) {
      return AtOrigin(
          Error(ErrorClass::INVALID_EXTRACT_FIELD_TYPE, {{"extraction", QuotedExpression(*key)}}),
          origin);
    }
    const StructType& fields = child->type.fields();
    MERGANSER_ASSIGN_OR_RETURN(
        const int index, FindField(fields, std::get<std::string>(literal->value), context, origin));
    const StructField& field = fields[static_cast<size_t>(index)];
    const bool nullable = child->nullable || field.nullable;
    const DataType type = field.type;
    BoundField access{std::move(child), index, field.name};
    return MakeBound(std::move(access), type, nullable, origin);
  }
  CallRequest request;
  request.is_operator = true;
  request.origin = origin;
  request.lambdas.resize(2);
  if (child->type.is(TypeId::kArray)) {
    request.name = named && child->type.element().is(TypeId::kStruct) ? "[].field" : "[]";
  } else if (child->type.is(TypeId::kMap)) {
    request.name = "[]";
  } else {
    return AtOrigin(Error(ErrorClass::INVALID_EXTRACT_BASE_FIELD_TYPE,
                          {{"base", QuotedExpression(*child)}, {"other", QuotedType(child->type)}}),
                    origin);
  }
  request.arguments = {std::move(child), std::move(key)};
  return ResolveCall(request, context, {});
}

}  // namespace merganser
