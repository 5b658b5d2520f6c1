#include <array>
#include <string>

#include "merganser/base/letter_case.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/analysis/binder.h"
#include "merganser/spark/analysis/delta_table_functions.h"
#include "merganser/spark/functions/call_binder.h"

namespace merganser {

Result<Binding> Binder::Bind(const plan::TableFunction& function, const plan::Relation& relation) {
  const plan::Origin origin = relation.origin;
  MERGANSER_ASSIGN_OR_RETURN(const std::string written, FunctionName(function.name, origin));
  const std::string name = AsciiLowerCase(written);
  if (name == "range") return BindRange(function, origin);
  if (IsDeltaTableFunction(name)) return BindTableChanges(function, name, origin);
  const std::optional<FunctionKind> kind = FindFunction(name);
  if (name == "python_worker_logs") {
    return At(Error(ErrorClass::FEATURE_NOT_ENABLED,
                    {{"featureName", "Python Worker Logging"},
                     {"configKey", "spark.sql.pyspark.worker.logging.enabled"},
                     {"configValue", "true"}}),
              origin);
  }
  if (name == "collations" || name == "sql_keywords") {
    // Spark has them, this engine does not.
    return At(Error(ErrorClass::UNRESOLVED_ROUTINE,
                    {{"routineName", QuotedIdentifier(name)}, {"searchPath", "[]"}}),
              origin);
  }
  if (!kind) {
    return At(Error(ErrorClass::UNRESOLVABLE_TABLE_VALUED_FUNCTION,
                    {{"name", QuotedIdentifier(function.name)}}),
              origin);
  }
  if (*kind != FunctionKind::kGenerator) {
    return At(Error(ErrorClass::NOT_A_TABLE_FUNCTION, {{"functionName", QuotedIdentifier(name)}}),
              origin);
  }
  plan::Call call_node;
  call_node.name = {name};
  call_node.arguments = function.arguments;
  call_node.argument_names = function.argument_names;
  const plan::ExpressionPtr call = plan::MakeExpression(std::move(call_node), origin);
  ExpressionScope nothing;
  MERGANSER_ASSIGN_OR_RETURN(Generator generator, BindGenerator(call, nothing));
  Binding row{.relation = MakeBoundRelation(BoundValues{.rows = {{}}}, {}), .scope = Scope()};
  return AddGenerator(std::move(row), std::move(generator), {});
}

Result<Binding> Binder::BindRange(const plan::TableFunction& function, const plan::Origin& origin) {
  static constexpr std::array kPositions = {"first", "second", "third", "fourth"};
  const size_t count = function.arguments.size();
  if (count < 1 || count > 4) {
    return At(Error(ErrorClass::WRONG_NUM_ARGS,
                    {{"functionName", "`range`"},
                     {"expectedNum", "[1, 2, 3, 4]"},
                     {"actualNum", std::to_string(count)},
                     {"docroot", "https://spark.apache.org/docs/latest"}},
                    "WITHOUT_SUGGESTION"),
              origin);
  }
  std::vector<int64_t> numbers;
  for (size_t i = 0; i < count; ++i) {
    ExpressionScope nothing;
    MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr argument,
                               BindExpression(function.arguments[i], nothing));
    const auto unexpected = [&]() {
      // With one argument, which is the end, it counts as the second.
      return At(
          Error(ErrorClass::UNEXPECTED_INPUT_TYPE, {{"functionName", "`range`"},
                                                    {"paramIndex", kPositions[count == 1 ? 1 : i]},
                                                    {"inputSql", QuotedExpression(*argument)},
                                                    {"inputType", QuotedType(argument->type)},
                                                    {"requiredType", "\"BIGINT\""}}),
          origin);
    };
    if (argument->type.is(TypeId::kNull)) return unexpected();
    const DataType type = i == 3 ? DataType::Integer() : DataType::Long();
    if (!CanCast(argument->type, type, typing_)) return unexpected();
    MERGANSER_ASSIGN_OR_RETURN(argument, ResolveCast(argument, type, false, typing_, origin));
    auto value = EvaluateConstant(*argument);
    if (!value.ok()) return At(std::move(value).error(), origin);
    if (value->is_null()) return unexpected();
    numbers.push_back(std::get<int64_t>(value->value));
  }
  BoundRange range;
  range.end = numbers[count == 1 ? 0 : 1];
  if (count > 1) range.start = numbers[0];
  if (count > 2) range.step = numbers[2];
  if (range.step == 0) {
    return At(Error(ErrorClass::FAILED_FUNCTION_CALL, {{"funcName", "`range`"}}), origin);
  }
  Binding binding;
  binding.relation = MakeBoundRelation(
      range, {{.id = NextId(), .name = "id", .type = DataType::Long(), .nullable = false}});
  binding.scope = ScopeOf(*binding.relation, {});
  return binding;
}

}  // namespace merganser
