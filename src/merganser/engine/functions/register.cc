#include "merganser/engine/functions/register.h"

#include "merganser/engine/functions/families.h"
#include "merganser/engine/functions/scalar_call.h"

namespace merganser::engine {

void RegisterScalarFunctions(duckdb::DatabaseInstance& database) {
  FunctionRegistry registry(database);
  RegisterArrayFunctions(registry);
  RegisterCastFunctions(registry);
  RegisterDatetimeArithmetic(registry);
  RegisterDatetimeFunctions(registry);
  RegisterDecimalFunctions(registry);
  RegisterEncodingFunctions(registry);
  RegisterErrorFunctions(registry);
  RegisterFormatFunctions(registry);
  RegisterHashFunctions(registry);
  RegisterIntegerFunctions(registry);
  RegisterMapFunctions(registry);
  RegisterMathFunctions(registry);
  RegisterRandomFunctions(registry);
  RegisterRegexpFunctions(registry);
  RegisterStringFunctions(registry);
}

}  // namespace merganser::engine
