// Functions that fail the statement.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "merganser/engine/duckdb_error.h"
#include "merganser/engine/functions/families.h"
#include "merganser/engine/functions/rows.h"
#include "merganser/engine/functions/scalar_call.h"

namespace merganser::engine {
namespace {

using duckdb::LogicalType;

/// mg_raise(error as JSON, [name, value]...): fails with the error for every row it is computed
/// for. With names, the error's parameter `values` lists them with the row's values.
ScalarKernel BindRaise(ScalarCall& call) {
  const std::string json = call.Text(0);
  const auto parsed = Error::FromJson(json);
  if (!parsed) ThrowError(Error::Internal("mg_raise: no error: " + json));
  std::vector<std::string> names;
  for (size_t i = 1; i + 1 < call.size(); i += 2) {
    names.push_back(call.Text(i));
    call.Expect(i + 1, LogicalType::VARCHAR);
  }
  call.Returns(LogicalType::BOOLEAN);
  call.IsVolatile();
  return [error = *parsed, names](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    if (arguments.size() == 0) {
      result.SetVectorType(duckdb::VectorType::CONSTANT_VECTOR);
      duckdb::ConstantVector::SetNull(result, true);
      return;
    }
    if (names.empty()) ThrowError(error);
    std::string values;
    for (size_t i = 0; i < names.size(); ++i) {
      const auto value = arguments.data[2 * i + 2].GetValue(0);
      values += "\n - " + names[i] + " : " + (value.IsNull() ? "null" : value.ToString());
    }
    Error::Parameters parameters = error.parameters();
    parameters["values"] = values;
    Error detailed(error.error_class(), std::move(parameters), error.sub_class());
    if (error.context()) ThrowError(std::move(detailed).At(*error.context()));
    ThrowError(detailed);
  };
}

/// mg_raise_error(message [, context]) -> INTEGER, of which there is no value.
ScalarKernel BindRaiseError(ScalarCall& call) {
  const CallSite site = call.Context(1);
  call.Expect(0, LogicalType::VARCHAR);
  call.Returns(LogicalType::INTEGER);
  call.KeepArguments(1);
  call.IsVolatile();
  return [site](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    duckdb::UnifiedVectorFormat texts;
    arguments.data[0].ToUnifiedFormat(arguments.size(), texts);
    if (arguments.size() > 0) {
      const auto at = texts.sel->get_index(0);
      std::string message(texts.validity.RowIsValid(at) ? Cell<std::string_view>::Read(texts, at)
                                                        : "null");
      site.Throw(Error(ErrorClass::USER_RAISED_EXCEPTION, {{"errorMessage", std::move(message)}}));
    }
    result.SetVectorType(duckdb::VectorType::CONSTANT_VECTOR);
    duckdb::ConstantVector::SetNull(result, true);
  };
}

}  // namespace

void RegisterErrorFunctions(FunctionRegistry& registry) {
  registry.Add("mg_raise", BindRaise);
  registry.Add("mg_raise_error", BindRaiseError);
}

}  // namespace merganser::engine
