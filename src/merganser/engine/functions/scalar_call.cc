#include "merganser/engine/functions/scalar_call.h"

#include <utility>

#include <duckdb/main/extension/extension_loader.hpp>
#include <duckdb/planner/expression/bound_function_expression.hpp>

#include "merganser/base/json.h"
#include "merganser/engine/duckdb_error.h"
#include "merganser/engine/functions/spark_text.h"
#include "merganser/engine/functions/spark_type.h"

namespace merganser::engine {
namespace {

/// The constants a call was bound with: two calls compute the same only if these agree.
struct CallConstants : duckdb::FunctionData {
  explicit CallConstants(std::vector<std::string> v) : values(std::move(v)) {}
  duckdb::unique_ptr<duckdb::FunctionData> Copy() const override {
    return duckdb::make_uniq<CallConstants>(values);
  }
  bool Equals(const duckdb::FunctionData& other) const override {
    return values == other.Cast<CallConstants>().values;
  }
  std::vector<std::string> values;
};

struct MakerInfo : duckdb::ScalarFunctionInfo {
  explicit MakerInfo(FunctionRegistry::Maker m) : maker(std::move(m)) {}
  FunctionRegistry::Maker maker;
};

duckdb::unique_ptr<duckdb::FunctionData> BindScalar(
    duckdb::ClientContext& context, duckdb::ScalarFunction& function,
    duckdb::vector<duckdb::unique_ptr<duckdb::Expression>>& arguments) {
  ScalarCall call(context, function, arguments);
  auto kernel = function.GetExtraFunctionInfo().Cast<MakerInfo>().maker(call);
  call.Finish();
  function.SetFunctionCallback(
      [run = std::move(kernel)](duckdb::DataChunk& chunk, duckdb::ExpressionState&,
                                duckdb::Vector& result) { run(chunk, result); });
  return duckdb::make_uniq<CallConstants>(std::move(call).constants());
}

void NotBound(duckdb::DataChunk&, duckdb::ExpressionState&, duckdb::Vector&) {
  ThrowError(Error::Internal("function called without being bound"));
}

bool IsArithmetic(const Error& error) {
  return Describe(error.error_class()).jvm_classes.front() ==
         "org.apache.spark.SparkArithmeticException";
}

Error StoreAssignmentOverflow(const Assignment& assignment) {
  Error::Parameters parameters = {{"sourceType", "\"" + assignment.from + "\""},
                                  {"targetType", "\"" + assignment.to + "\""},
                                  {"columnName", QuotedId(assignment.column)}};
  if (assignment.is_insert)
    return Error(ErrorClass::CAST_OVERFLOW_IN_TABLE_INSERT, std::move(parameters));
  parameters["storeAssignmentPolicyFlag"] = "spark.sql.storeAssignmentPolicy";
  parameters["updateAndMergeCastingFollowsAnsiEnabledFlag"] =
      "spark.databricks.delta.updateAndMergeCastingFollowsAnsiEnabledFlag";
  parameters["ansiEnabledFlag"] = "spark.sql.ansi.enabled";
  return Error(ErrorClass::DELTA_CAST_OVERFLOW_IN_TABLE_WRITE, std::move(parameters));
}

}  // namespace

void CallSite::Throw(Error error) const {
  if (assignment && IsArithmetic(error)) ThrowError(StoreAssignmentOverflow(*assignment));
  if (inline_value.empty()) ThrowError(std::move(error).At(where));
  ThrowError(Error(ErrorClass::INVALID_INLINE_TABLE, {{"sqlExpr", inline_value}},
                   "FAILED_SQL_EXPRESSION_EVALUATION")
                 .CausedBy(std::move(error).At(where)));
}

ScalarCall::ScalarCall(duckdb::ClientContext& context, duckdb::ScalarFunction& function,
                       duckdb::vector<duckdb::unique_ptr<duckdb::Expression>>& arguments)
    : context_(context), function_(function), arguments_(arguments), kept_(arguments.size()) {
  for (const auto& argument : arguments) expected_.push_back(argument->return_type);
}

const duckdb::LogicalType& ScalarCall::type(size_t i) const {
  if (i >= arguments_.size())
    ThrowError(Error::Internal(name() + ": argument " + std::to_string(i + 1) + " is missing"));
  return expected_[i];
}

void ScalarCall::Expect(size_t i, const duckdb::LogicalType& expected) {
  if (type(i) != expected) expected_[i] = expected;
}

void ScalarCall::Returns(const duckdb::LogicalType& type) { function_.SetReturnType(type); }

void ScalarCall::KeepArguments(size_t count) { kept_ = std::min(count, arguments_.size()); }

void ScalarCall::NeverFails() { function_.SetErrorMode(duckdb::FunctionErrors::CANNOT_ERROR); }

void ScalarCall::IsVolatile() { function_.SetVolatile(); }

duckdb::Value ScalarCall::Constant(size_t i) {
  type(i);
  if (!arguments_[i]->IsFoldable()) {
    ThrowError(Error::Internal(name() + ": argument " + std::to_string(i + 1) + " is no constant"));
  }
  auto value = duckdb::ExpressionExecutor::EvaluateScalar(context_, *arguments_[i]);
  constants_.push_back(value.ToString());
  return value;
}

std::string ScalarCall::Text(size_t i) {
  const auto value = Constant(i);
  return value.IsNull() ? std::string() : value.ToString();
}

int64_t ScalarCall::Integer(size_t i) { return Constant(i).GetValue<int64_t>(); }

bool ScalarCall::Boolean(size_t i) { return Constant(i).GetValue<bool>(); }

DataType ScalarCall::SparkType(size_t i) {
  const std::string text = Text(i);
  auto parsed = ParseSparkType(text);
  if (!parsed) ThrowError(Error::Internal(name() + ": not a type: " + text));
  return *std::move(parsed);
}

std::shared_ptr<const TimeZone> ScalarCall::Zone(size_t i) {
  const std::string id = Text(i);
  auto zone = TimeZone::Find(id);
  if (zone == nullptr)
    ThrowError(Error(ErrorClass::INVALID_TIMEZONE, {{"timeZone", "'" + id + "'"}}));
  return zone;
}

void ScalarCall::ReadContext(const std::string& json, CallSite* site) {
  if (json.empty()) return;
  const auto parsed = Json::Parse(json);
  if (!parsed.ok()) ThrowError(parsed.error());
  if (parsed->contains("start")) site->where = QueryContext::FromJson(*parsed);
  site->inline_value = parsed->string_or("inline");
  if (const Json* assigned = parsed->find("assigned")) {
    site->assignment = Assignment{.column = assigned->string_or("column"),
                                  .from = assigned->string_or("from"),
                                  .to = assigned->string_or("to"),
                                  .is_insert = assigned->bool_or("insert", false)};
  }
}

CallSite ScalarCall::Site(size_t mode_index, size_t context_index) {
  CallSite site;
  const std::string mode = Text(mode_index);
  if (mode == "try") {
    site.mode = EvalMode::kTry;
  } else if (mode == "legacy") {
    site.mode = EvalMode::kLegacy;
  } else if (mode != "ansi") {
    ThrowError(Error::Internal(name() + ": not a mode: " + mode));
  }
  if (context_index < arguments_.size()) ReadContext(Text(context_index), &site);
  return site;
}

CallSite ScalarCall::Context(size_t index) {
  CallSite site;
  if (index < arguments_.size()) ReadContext(Text(index), &site);
  return site;
}

std::optional<duckdb::Value> ScalarCall::TryConstant(size_t i) {
  type(i);
  if (!arguments_[i]->IsFoldable()) return std::nullopt;
  duckdb::Value value;
  if (!duckdb::ExpressionExecutor::TryEvaluateScalar(context_, *arguments_[i], value))
    return std::nullopt;
  return value;
}

std::optional<std::string> ScalarCall::TryText(size_t i) {
  const auto value = TryConstant(i);
  if (!value || value->IsNull() || value->type().InternalType() != duckdb::PhysicalType::VARCHAR)
    return std::nullopt;
  return duckdb::StringValue::Get(*value);
}

void ScalarCall::Finish() {
  arguments_.resize(kept_);
  expected_.resize(kept_);
  function_.arguments = expected_;
  function_.varargs = duckdb::LogicalType(duckdb::LogicalTypeId::INVALID);
}

void FunctionRegistry::Add(const std::string& name, Maker maker) {
  duckdb::ScalarFunction function(name, {}, duckdb::LogicalType::ANY, NotBound, BindScalar);
  function.varargs = duckdb::LogicalType::ANY;
  // Binding has to see NULL constants, and kernels decide themselves what NULL gives.
  function.SetNullHandling(duckdb::FunctionNullHandling::SPECIAL_HANDLING);
  function.SetFallible();
  function.SetExtraFunctionInfo<MakerInfo>(std::move(maker));
  duckdb::ExtensionLoader(database_, "merganser").RegisterFunction(std::move(function));
}

void FunctionRegistry::Add(const std::string& name, std::vector<duckdb::LogicalType> arguments,
                           duckdb::LogicalType result, ScalarKernel kernel) {
  Add(name, [arguments = std::move(arguments), result = std::move(result),
             kernel = std::move(kernel)](ScalarCall& call) {
    if (call.size() < arguments.size()) {
      ThrowError(Error::Internal(call.name() + " takes " + std::to_string(arguments.size()) +
                                 " arguments"));
    }
    for (size_t i = 0; i < arguments.size(); ++i) call.Expect(i, arguments[i]);
    call.KeepArguments(arguments.size());
    call.Returns(result);
    call.NeverFails();
    return kernel;
  });
}

void FunctionRegistry::Add(duckdb::AggregateFunctionSet aggregate) {
  duckdb::ExtensionLoader(database_, "merganser").RegisterFunction(std::move(aggregate));
}

}  // namespace merganser::engine
