#include "merganser/engine/scan/stored_form.h"

#include <utility>

#include <duckdb/function/scalar_function.hpp>
#include <duckdb/planner/expression/bound_cast_expression.hpp>
#include <duckdb/planner/expression/bound_function_expression.hpp>

namespace merganser::engine {
namespace {

using duckdb::Expression;
using duckdb::LogicalType;
using duckdb::LogicalTypeId;

// Text and bytes lie in memory alike. A text that is not UTF-8 would upset the engine, so what is
// wrong in it turns into question marks.
void Reinterpret(duckdb::DataChunk& arguments, duckdb::ExpressionState&, duckdb::Vector& result) {
  duckdb::Vector& input = arguments.data[0];
  if (result.GetType().id() != LogicalTypeId::VARCHAR) {
    result.Reinterpret(input);
    return;
  }
  duckdb::UnaryExecutor::Execute<duckdb::string_t, duckdb::string_t>(
      input, result, arguments.size(), [&](duckdb::string_t bytes) {
        if (duckdb::Value::StringIsValid(bytes.GetData(), bytes.GetSize())) {
          return duckdb::StringVector::AddString(result, bytes);
        }
        duckdb::string text = bytes.GetString();
        for (char& character : text) {
          if (static_cast<signed char>(character) <= 0) character = '?';
        }
        return duckdb::StringVector::AddString(result, text);
      });
}

bool ChangesForm(const LogicalType& stored, const LogicalType& wanted) {
  return (stored.id() == LogicalTypeId::BLOB && wanted.id() == LogicalTypeId::VARCHAR) ||
         (stored.id() == LogicalTypeId::VARCHAR && wanted.id() == LogicalTypeId::BLOB);
}

void Mend(duckdb::unique_ptr<Expression>& expression) {
  if (!expression || expression->GetExpressionClass() != duckdb::ExpressionClass::BOUND_CAST)
    return;
  auto& cast = expression->Cast<duckdb::BoundCastExpression>();
  const LogicalType stored = cast.child->return_type;
  const LogicalType wanted = cast.return_type;
  if (!ChangesForm(stored, wanted)) return;
  duckdb::vector<duckdb::unique_ptr<Expression>> arguments;
  arguments.push_back(std::move(cast.child));
  duckdb::ScalarFunction function("mg_stored_form", {stored}, wanted, Reinterpret);
  expression = duckdb::make_uniq<duckdb::BoundFunctionExpression>(wanted, std::move(function),
                                                                  std::move(arguments), nullptr);
}

}  // namespace

void ReadStoredForms(duckdb::MultiFileReaderData& reader_data) {
  for (auto& expression : reader_data.expressions) Mend(expression);
  for (auto& entry : reader_data.reader->expression_map) Mend(entry.second);
}

}  // namespace merganser::engine
