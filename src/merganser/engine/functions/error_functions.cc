#include <string>
#include <utility>
#include <vector>

#include "merganser/engine/duckdb_error.h"
#include "merganser/engine/functions/families.h"
#include "merganser/engine/functions/rows.h"
#include "merganser/engine/functions/scalar_call.h"

namespace merganser::engine {
namespace {

using duckdb::LogicalType;

/// mg_raise(error, [name, value]...): fail with an error given as JSON; the values of a row become
/// its parameter `values`, one line each.
ScalarKernel BindRaise(ScalarCall& call) {
  const auto error = Error::FromJson(call.Text(0));
  if (!error) ThrowError(Error::Internal("mg_raise without an error"));
  for (size_t i = 1; i < call.size(); ++i) call.Expect(i, LogicalType::VARCHAR);
  call.Returns(LogicalType::BOOLEAN);
  call.IsVolatile();
  return [error = *error](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    if (arguments.size() == 0) {
      result.SetVectorType(duckdb::VectorType::CONSTANT_VECTOR);
      return;
    }
    Error::Parameters parameters = error.parameters();
    std::string values;
    for (size_t i = 1; i + 1 < arguments.ColumnCount(); i += 2) {
      values += "\n - " + arguments.GetValue(i, 0).ToString() + " : ";
      const duckdb::Value value = arguments.GetValue(i + 1, 0);
      values += value.IsNull() ? "null" : value.ToString();
    }
    if (!values.empty()) parameters["values"] = std::move(values);
    ThrowError(Error(error.error_class(), std::move(parameters), error.sub_class()));
  };
}

}  // namespace

void RegisterErrorFunctions(FunctionRegistry& registry) { registry.Add("mg_raise", BindRaise); }

}  // namespace merganser::engine
