#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/functions/call_binder.h"
#include "merganser/spark/functions/cast_rules.h"
#include "merganser/spark/functions/resolve.h"

namespace merganser {
namespace {

CastMode ModeOf(const TypingContext& context) {
  return context.ansi ? CastMode::kAnsi : CastMode::kLegacy;
}

/// CHAR and VARCHAR are checked where rows are written; as the type of an expression they are
/// strings.
DataType WithoutLengths(const DataType& type) {
  switch (type.id()) {
    case TypeId::kChar:
    case TypeId::kVarchar:
      return DataType::String();
    case TypeId::kArray:
      return DataType::Array(WithoutLengths(type.element()), type.contains_null());
    case TypeId::kMap:
      return DataType::Map(WithoutLengths(type.key()), WithoutLengths(type.value()),
                           type.contains_null());
    case TypeId::kStruct: {
      StructType fields = type.fields();
      for (StructField& field : fields.fields()) field.type = WithoutLengths(field.type);
      return DataType::Struct(std::move(fields));
    }
    default:
      return type;
  }
}

/// What a cast in ANSI mode that does not exist is better written as.
struct Suggestion {
  std::string sub_class;
  Error::Parameters parameters = {};
};

Suggestion Suggest(const DataType& from, const DataType& to, bool ansi, bool is_try) {
  if (ansi || is_try) {
    if (from.is_numeric() && to.is(TypeId::kDate)) {
      return {"CAST_WITH_FUNC_SUGGESTION", {{"functionNames", "`DATE_FROM_UNIX_DATE`"}}};
    }
    if (from.is(TypeId::kDate) && to.is_numeric()) {
      return {"CAST_WITH_FUNC_SUGGESTION", {{"functionNames", "`UNIX_DATE`"}}};
    }
  }
  if (ansi && !is_try && CanLegacyCast(from, to)) {
    return {"CAST_WITH_CONF_SUGGESTION",
            {{"config", "\"spark.sql.ansi.enabled\""}, {"configVal", "'false'"}}};
  }
  return {"CAST_WITHOUT_SUGGESTION"};
}

/// Is NULL among the results of a cast that succeeds? Spark's rule, which looks at the types alone.
bool IsNullable(const DataType& from, const DataType& to, CastMode mode) {
  if (mode != CastMode::kTry) return CastForcesNullable(from, to);
  return !CanUpCast(from, to) && !(from.is_string() && to.is(TypeId::kBinary));
}

}  // namespace

Result<BoundExpressionPtr> ResolveCast(BoundExpressionPtr child, const DataType& type, bool is_try,
                                       const TypingContext& context, const plan::Origin& origin) {
  const DataType from = child->type;
  const DataType to = WithoutLengths(type);
  BoundCast cast;
  cast.child = std::move(child);
  cast.mode = is_try ? CastMode::kTry : ModeOf(context);
  const bool exists = is_try ? CanAnsiCast(from, to) : CanCast(from, to, context);
  const bool nullable = cast.child->nullable || IsNullable(from, to, cast.mode);
  auto bound = MakeBound(std::move(cast), to, nullable, origin);
  if (exists) return bound;
  Suggestion suggestion = Suggest(from, to, context.ansi, is_try);
  suggestion.parameters.emplace("srcType", QuotedType(from));
  suggestion.parameters.emplace("targetType", QuotedType(to));
  suggestion.parameters.emplace("sqlExpr", QuotedExpression(*bound));
  return AtOrigin(
      Error(ErrorClass::DATATYPE_MISMATCH, std::move(suggestion.parameters), suggestion.sub_class),
      origin);
}

BoundExpressionPtr ImplicitCast(BoundExpressionPtr child, const DataType& type,
                                const TypingContext& context, const plan::Origin& origin) {
  if (child->type == type) return child;
  BoundCast cast;
  cast.mode = ModeOf(context);
  cast.implicit = true;
  const bool nullable = child->nullable || IsNullable(child->type, type, cast.mode);
  const plan::Origin place = origin.known() ? origin : child->origin;
  cast.child = std::move(child);
  return MakeBound(std::move(cast), type, nullable, place);
}

}  // namespace merganser
